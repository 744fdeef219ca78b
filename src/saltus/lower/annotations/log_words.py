"""The text that a declaration prescribes for the log when its discrete variable changes.

    Boolean fires annotation(__Saltus(Log = "Transition %owner fires at time = %time"));

`%name` is the variable, `%owner` the component that has it, `%old` and `%new` are its values, `%time` is
when. A Boolean is logged when it becomes true. An empty text suppresses the entry.
"""

from __future__ import annotations

import re

from saltus.ir import ast
from saltus.ir.instance import Element
from saltus.lower.annotations.literals import entry_of, fields_of

#: A quick look, so that the many annotations that only place things are not read.
_MARK = "__Saltus"


def log_words(element: Element, path: str) -> tuple[str, ...] | None:
    """The words of the declaration for the variable of this name; None if it has none."""
    said, cls = element.declaration.annotation, element.lexical
    if said is None:
        return None
    text = cls.source.text[slice(*said)]
    if text.startswith("annotation") and _MARK not in text:
        return None
    entry = fields_of(entry_of(cls, said, _MARK)).get("Log")
    if entry is None or not isinstance(entry.value, ast.String):
        return None
    named = {"%name": path, "%owner": path.rpartition(".")[0]}
    words = re.sub("|".join(named), lambda match: named[match[0]], entry.value.value)
    return (words,) if words else ()
