"""The snippets of the parts in editors/vscode, made from the library.

Usage: `python tools/editor_snippets.py` writes them anew; a test compares them with the library.
"""

from __future__ import annotations

import json
from pathlib import Path

from saltus.catalogue import LIBRARY
from saltus.finding import find_package
from saltus.ir.catalogue import Member
from saltus.ir.instance import ClassEntry
from saltus.lower.annotations.catalogue import described, parts_of

FILE = Path(__file__).parents[1] / "editors" / "vscode" / "snippets" / "parts.json"

#: Parameters that a snippet asks for.
_ASKED = 3


def snippets() -> str:
    """All of them, as the file has them."""
    package = find_package(LIBRARY)
    assert package is not None  # it is shipped with the program
    found = {cls.full_name: _snippet(cls) for cls in sorted(parts_of(package), key=lambda cls: cls.full_name)}
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _snippet(cls: ClassEntry) -> dict[str, str]:
    """A component of the class, with its first quantities to be filled in."""
    asked = [member for member in described(cls, None).parameters if _is_quantity(member)][:_ASKED]
    given = ", ".join(f"{m.name} = ${{{k}:{m.value or 1}}}" for k, m in enumerate(asked, 2))
    name = cls.name[0].lower() + cls.name[1:]
    body = f"{cls.full_name} ${{1:{name}}}" + (f"({given})" if given else "") + ";"
    return {"prefix": cls.name, "description": cls.definition.description, "body": body}


def _is_quantity(member: Member) -> bool:
    """A number with a unit; what it is without being told must be simple enough to be typed over."""
    return bool(member.unit) and "[" not in member.name and not set(member.value) & set("${}\\")


if __name__ == "__main__":
    FILE.write_text(snippets(), encoding="utf-8")
