"""External functions that are provided in Python, by their C names: those that are called before a run.

Each takes the arguments of the C function that are not results, arrays as nested lists, and gives a list of
its results in order, arrays flattened: as `ir.interpret.call_function` does for functions of the language.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from saltus.ir.external import tables, texts
from saltus.ir.external.objects import ExternalError, ExternalObject

__all__ = ["PROVIDED", "ExternalError", "ExternalObject"]

_TABLE = "ModelicaStandardTables_Combi"

PROVIDED: dict[str, Callable[..., list[Any]]] = {
    "ModelicaStrings_length": texts.length,
    "ModelicaStrings_substring": texts.substring,
    "ModelicaStrings_compare": texts.compare,
    "ModelicaStrings_skipWhiteSpace": texts.skip_white_space,
    "ModelicaStrings_scanIdentifier": texts.scan_identifier,
    "ModelicaStrings_scanInteger": texts.scan_integer,
    "ModelicaStrings_scanReal": texts.scan_real,
    "ModelicaStrings_scanString": texts.scan_string,
    "ModelicaStrings_hashString": texts.hash_string,
    "ModelicaInternal_readLine": texts.read_line,
    "ModelicaInternal_countLines": texts.count_lines,
    f"{_TABLE}Table1D_init2": tables.table_1d,
    f"{_TABLE}TimeTable_init2": tables.time_table,
    f"{_TABLE}Table2D_init2": tables.table_2d,
    f"{_TABLE}Table1D_init": tables.old_table_1d,
    f"{_TABLE}TimeTable_init": tables.old_time_table,
    f"{_TABLE}Table2D_init": tables.old_table_2d,
}
