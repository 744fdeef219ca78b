"""How the log of a run tells that a variable has changed: `annotation(__Saltus(Log = "..."))`."""

from __future__ import annotations

from saltus.ir import ast


def logged(offsets: ast.Offsets, words: str) -> ast.Modification:
    """The annotation of a variable that is told in these words; `%name`, `%owner`, `%old`, `%new` and `%time`
    stand for what they say. Without words it is not told at all."""
    value = ast.Modification(*offsets, None, ast.String(*offsets, words))
    log = ast.ElementModification(*offsets, ("Log",), value)
    saltus = ast.ElementModification(*offsets, ("__Saltus",), ast.Modification(*offsets, (log,)))
    return ast.Modification(*offsets, (saltus,))
