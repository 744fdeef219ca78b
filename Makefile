# Each target does its own set-up in a virtual environment inside the checkout; the second run is quick.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: extension demo test check lint site bench fuzz long differential exported clean setup

setup: $(STAMP)

# Bytecode is made here: where Python may not keep any, each command would compile the sources anew, for half a second.
$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(BIN)/python -m compileall -q src/saltus
	@touch $@

demo: $(STAMP)
	$(BIN)/python examples/demo.py

test: $(STAMP)
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4

# What a contributor runs before every commit: a minute and a half. Stages are tested by themselves here, with few runs.
QUICK := core read ir functions result language lower/classes lower/names lower/connections lower/flat \
	analyse/order analyse/trivial emit/straight run/schedule test_import_direction.py \
	docs/test_architecture.py events/test_hops.py

check: lint
	$(BIN)/python -m pytest --numprocesses=2 $(addprefix tests/,$(QUICK))

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tools/import_direction.py

# The documentation as pages to read in a browser, without a network: build/site/index.html. A warning is an error.
site: $(STAMP)
	$(BIN)/sphinx-build --quiet --fresh-env --write-all --fail-on-warning --keep-going -b html -c docs . build/site
	@echo "open build/site/index.html"

bench: $(STAMP)
	$(BIN)/python -m benchmarks

# Other cases than those of the tests: `make fuzz SEED=7 CASES=100000`. Dymola of 1993 with two seeds of its own, chi, nets, machines.
fuzz: $(STAMP)
	SALTUS_CACHE=off $(BIN)/python tests/fuzz/fuzzing.py --seed $(or $(SEED),1) --cases $(or $(CASES),10000)
	for seed in $(or $(SEED),1 2); do SALTUS_CACHE=off $(BIN)/python tests/fuzz/fuzzing.py --language dymola \
		--seed $$seed --cases $(or $(CASES),5000) || exit 1; done
	$(BIN)/python tests/fuzz/fuzzing.py --language dymola --run --seed $(or $(SEED),1) --cases 500
	$(BIN)/python tests/editor/editor_fuzz.py --seed $(or $(SEED),1) --cases $(or $(CASES),3000)
	for language in chi net machine; do SALTUS_CACHE=off $(BIN)/python tests/fuzz/fuzzing.py --language $$language \
		--seed $(or $(SEED),1) --cases $(or $(CASES),5000) || exit 1; done

# Is any event stepped over in long runs? An hour; `make long WORDS=Fluid` for some, RECORD=FILE to go on later.
long: $(STAMP)
	$(BIN)/python -m tools.long_runs trust $(WORDS) --workers 2 $(if $(RECORD),--record $(RECORD))
	$(BIN)/python -m tools.long_runs shipped $(WORDS) --workers 2 $(if $(RECORD),--record $(RECORD))

# Models exported as C, compiled with the sanitisers of gcc, against runs in this process: `make exported WORDS=Gear11` for some.
exported: $(STAMP)
	$(BIN)/python -m tools.exported_c $(WORDS)

# Random models against solvers of their own: `make differential SEED=7 MODELS=4000 KEEP=FOLDER` goes on where it was.
differential: $(STAMP)
	SALTUS_CACHE=off $(BIN)/python -m tools.differential --seed $(or $(SEED),1) --models $(or $(MODELS),400) \
		--workers 2 $(if $(KEEP),--keep $(KEEP))

# The extension for VS Code, as build/saltus.vsix: what npm fetches stays in the folder, and no lock file names its host.
extension: $(STAMP)
	$(BIN)/python -m tools.editor_snippets
	cp LICENSE editors/vscode/LICENSE
	mkdir -p build
	cd editors/vscode && npm install --no-package-lock --no-audit --no-fund && \
		npx vsce package --allow-missing-repository --out ../../build/saltus.vsix

clean:
	rm -rf $(VENV) build demo-output .pytest_cache .mypy_cache .ruff_cache .hypothesis
