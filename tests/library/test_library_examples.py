"""Every example runs, every part is shown in one, and every part has a test of its own.

What a part does is tested in the other files of this folder, each of which says in `COVERS` which parts these
are. Here it is made sure that nothing was forgotten.
"""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from library_classes import example_names, examples, is_exhibit, parts, short

from saltus.compiler import unit_warnings
from saltus.finding import find_class
from saltus.ir.instance import instances
from saltus.lower.flat.flatten import build_instances, new_context
from translated_models import translated

#: Warnings that belong to what an example shows, by code.
EXPECTED: dict[str, set[str]] = {
    "Saltus.Examples.Electrical.BridgeRectifier": {"W406"},  # the source floats while all diodes block
}


@pytest.mark.parametrize("name", [n for n in example_names() if not is_exhibit(n)], ids=short)
def test_example_runs(name: str) -> None:
    """To its end, without an unexpected warning. So do the exhibits, in tests/gallery (`presentable`)."""
    model = translated(name)
    result = model.simulate()
    assert not result.interrupted and result.time[-1] == model.experiment.stop_time
    warnings = [w for w in (*model.warnings, *result.warnings) if w.code not in EXPECTED.get(name, set())]
    assert not warnings, "\n".join(f"{w.code}: {w.message}" for w in warnings)


@pytest.mark.parametrize("name", example_names(), ids=short)
def test_units_of_example(name: str) -> None:
    assert [f"{w.message} ({w.span})" for w in unit_warnings(find_class(name))] == []


def test_files_tell_all_examples() -> None:
    """What the tests are parametrised with is all that there is."""
    assert example_names() == examples()


def test_expected_warnings_are_of_examples() -> None:
    assert set(EXPECTED) <= set(examples())


def test_every_part_is_in_an_example() -> None:
    shown: set[str] = set()
    for name in examples():
        cls = find_class(name)
        root = build_instances(new_context(cls.library, {}), cls)
        shown |= {instance.cls.full_name for instance in instances(root)}
    unseen = sorted(set(parts()) - shown)
    assert not unseen, f"{len(unseen)} parts are in no example: {', '.join(unseen)}"


def covered() -> Counter[str]:
    """Parts by the number of test files that say that they test them."""
    found: Counter[str] = Counter()
    for path in sorted(Path(__file__).parent.glob("test_library_*.py")):
        if re.search(r"^COVERS\b", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.update(set(import_module(path.stem).COVERS))
    return found


def test_every_part_has_a_test() -> None:
    untested = sorted(set(parts()) - set(covered()))
    assert not untested, f"{len(untested)} parts are in no COVERS: {', '.join(untested)}"
    unknown = sorted(set(covered()) - set(parts()))
    assert not unknown, f"in COVERS, but no parts: {', '.join(unknown)}"
