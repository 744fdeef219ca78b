"""The folder of the VS Code extension fits together, and what it says fits Saltus. Nothing is fetched."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tools.editor_snippets import snippets

from saltus.finding import LANGUAGES, find_class
from saltus.ir.bonds.graph import KINDS
from saltus.ir.instance import Instance
from saltus.lower.flat.flatten import build_instances, new_context
from saltus.read.bondgraph import parser as bondgraph
from saltus.read.chi.parsing.tokens import KEYWORDS as CHI_WORDS
from saltus.read.dymola.text.tokens import DYMOLA_WORDS
from saltus.read.modelica.lexer import KEYWORDS
from saltus.read.petri import parser as petri
from saltus.read.statechart import parser as statechart

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE: dict[str, Any] = json.loads((FOLDER / "package.json").read_text())
CONTRIBUTED = PACKAGE["contributes"]

#: Made when the extension is packed.
GENERATED = {"./snippets/parts.json"}

WORDS = {
    "modelica": KEYWORDS,
    "bondgraph": {*bondgraph._WORDS, *KINDS},
    "dymola": DYMOLA_WORDS,
    "chi": CHI_WORDS,
    "petrinet": {"net", *petri._WORDS},
    "statemachine": {"machine", *statechart._WORDS},
}


def files() -> list[Path]:
    """The files of the folder that belong to the repository."""
    return [p for p in FOLDER.rglob("*") if p.is_file() and "node_modules" not in p.parts]


def test_every_file_that_the_package_names_is_there_and_is_what_it_should_be() -> None:
    named = [PACKAGE["main"]]
    named += [language["configuration"] for language in CONTRIBUTED["languages"]]
    named += [each["path"] for each in (*CONTRIBUTED["grammars"], *CONTRIBUTED["snippets"])]
    assert [name for name in named if name not in GENERATED and not (FOLDER / name).is_file()] == []
    for path in files():
        if path.suffix == ".json" and path.name != "package-lock.json":
            assert json.loads(path.read_text(encoding="utf-8"))


def test_languages_are_those_of_saltus() -> None:
    assert {s for each in CONTRIBUTED["languages"] for s in each["extensions"]} == LANGUAGES.keys()
    ids = [each["id"] for each in CONTRIBUTED["languages"]]
    assert [each["language"] for each in CONTRIBUTED["grammars"]] == ids
    script = (FOLDER / "extension.js").read_text()
    assert json.loads(re.search(r"LANGUAGES = (\[[^\]]*\])", script)[1]) == ids  # type: ignore[index]


def test_settings_are_those_that_are_used() -> None:
    names = {name.removeprefix("saltus.") for name in CONTRIBUTED["configuration"]["properties"]}
    script = (FOLDER / "extension.js").read_text()
    assert set(re.findall(r'\.get\("(\w+)"', script)) == names
    page = (FOLDER.parents[1] / "docs" / "editor.md").read_text()
    assert {f"`{name}`" for name in names - {"command"}} <= set(re.findall(r"`\w+`", page))


def test_no_address_of_a_registry_is_in_the_folder() -> None:
    for path in files():
        if path.name != "package-lock.json":
            text = path.read_text(encoding="utf-8")
            assert "registry" not in text and "http" not in text.replace("http://json.schemastore", "")


# ---------------------------------------------------------------- grammars


def patterns(node: Any) -> Iterator[dict[str, Any]]:
    """All rules of a grammar."""
    if isinstance(node, list):
        for each in node:
            yield from patterns(each)
    elif isinstance(node, dict):
        if "match" in node or "begin" in node or "include" in node:
            yield node
        for each in node.values():
            yield from patterns(each)


def grammar(language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "syntaxes" / f"{language}.tmLanguage.json").read_text())
    return found


@pytest.mark.parametrize("language", WORDS)
def test_a_grammar_colours_every_word_of_its_language(language: str) -> None:
    rules = [re.compile(rule.get("match") or rule["begin"]) for rule in patterns(grammar(language)) if
             "include" not in rule]  # fmt: skip
    missing = [
        word for word in sorted(WORDS[language])
        if not any((m := rule.match(f"{word} x", 0)) and m.end() >= len(word) for rule in rules)
    ]  # fmt: skip
    assert missing == []


@pytest.mark.parametrize("language", WORDS)
def test_what_a_grammar_refers_to_is_there(language: str) -> None:
    found = grammar(language)
    assert found["scopeName"] == f"source.{language}"
    included = {rule["include"] for rule in patterns(found) if "include" in rule}
    assert included <= {f"#{name}" for name in found.get("repository", {})}
    for rule in patterns(found):
        assert ("begin" in rule) == ("end" in rule)
        for key in ("match", "begin", "end"):
            if key in rule:
                groups = re.compile(rule[key]).groups
                captures = rule.get("captures" if key == "match" else f"{key}Captures", {})
                assert all(int(number) <= groups for number in captures)


# ---------------------------------------------------------------- snippets


def plain(body: str) -> str:
    """A snippet as it is when nothing is typed over."""
    while re.search(r"\$\{\d+:[^${}]*\}", body):
        body = re.sub(r"\$\{\d+:([^${}]*)\}", r"\1", body)
    return re.sub(r"\$\d+", "", body)


def test_snippets_of_parts_are_models() -> None:
    """Each declares its part; the components of one of twenty are made, with what the snippet gives them."""
    found = json.loads(snippets())
    assert {"Saltus.Electrical.Resistor", "Saltus.Rotational.Inertia"} <= found.keys()
    assert plain(found["Saltus.Electrical.Resistor"]["body"]) == "Saltus.Electrical.Resistor resistor(R = 1);"
    for name in sorted(found)[::20]:
        cls = find_class(f"model M\n  {plain(found[name]['body'])}\nend M;")
        (component,) = build_instances(new_context(cls.library, {}), cls).children.values()
        assert isinstance(component, Instance) and component.cls.full_name == name


def test_snippets_of_statements_have_their_places() -> None:
    for name, snippet in json.loads((FOLDER / "snippets" / "modelica.json").read_text()).items():
        body = "\n".join(snippet["body"])
        assert "$" in body and "$" not in plain(body), name


# ---------------------------------------------------------------- the script

ACTIVATED = """
const Module = require("node:module");
const seen = { messages: [] };
class LanguageClient {
  constructor(id, name, server, options) { Object.assign(seen, { id, server, options }); }
  async start() { if (seen.server.command === "missing") throw new Error("ENOENT"); seen.started = true; }
  async stop() { seen.stopped = true; }
}
const settings = JSON.parse(process.argv[3]);
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name, otherwise) => settings["saltus." + name] ?? otherwise }),
    workspaceFolders: [{ uri: { fsPath: process.argv[4] } }],
    onDidChangeConfiguration: () => ({}),
    createFileSystemWatcher: (pattern) => ({ pattern }),
  },
  window: { showErrorMessage: (message) => seen.messages.push(message) },
  commands: { registerCommand: () => ({}) },
};
const load = Module._load;
const fakes = { vscode, "vscode-languageclient/node": { LanguageClient } };
Module._load = (name, ...more) => fakes[name] ?? load(name, ...more);
const extension = require(process.argv[2]);
(async () => {
  await extension.activate({ subscriptions: [] });
  await extension.deactivate();
  console.log(JSON.stringify(seen));
})();
"""


def activated(settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What the script does in an editor that is none."""
    arguments = [str(FOLDER / "extension.js"), json.dumps(settings), str(folder)]
    done = subprocess.run(
        ["node", "-", *arguments], input=ACTIVATED, capture_output=True, text=True, check=True, timeout=120
    )
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_starts_the_server_of_the_settings(tmp_path: Path) -> None:
    seen = activated({"saltus.libraries": ["lib"]}, tmp_path)
    assert seen["server"] == {"command": "saltus", "args": ["lsp"]}
    assert seen["options"]["initializationOptions"] == {"libraries": ["lib"], "units": False}
    assert seen["started"] and seen["stopped"]
    watched = seen["options"]["synchronize"]["fileEvents"]["pattern"]
    assert {f".{suffix}" for suffix in watched.partition("{")[2].rstrip("}").split(",")} == LANGUAGES.keys()
    program = tmp_path / ".venv" / "bin" / "saltus"
    program.parent.mkdir(parents=True)
    program.touch()
    seen = activated({"saltus.command": ".venv/bin/saltus"}, tmp_path)
    assert seen["server"]["command"] == str(program)
    seen = activated({"saltus.command": "missing"}, tmp_path)
    assert "pip install 'saltus[editor]'" in seen["messages"][0]
