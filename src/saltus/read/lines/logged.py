"""How the log of a run reports a change of a variable: `annotation(__Saltus(Log = "..."))`."""

from __future__ import annotations

from saltus.ir import ast


def logged(offsets: ast.Offsets, words: str) -> ast.Modification:
    """The annotation of a variable with this text in the log; `%name`, `%owner`, `%old`, `%new` and `%time`
    are replaced. An empty text suppresses the entry."""
    value = ast.Modification(*offsets, None, ast.String(*offsets, words))
    log = ast.ElementModification(*offsets, ("Log",), value)
    saltus = ast.ElementModification(*offsets, ("__Saltus",), ast.Modification(*offsets, (log,)))
    return ast.Modification(*offsets, (saltus,))
