"""`saltus lsp`: a server for editors."""

from __future__ import annotations

from pathlib import Path

from saltus.core.option import usage_error


def lsp(folders: list[str]) -> int:
    """Serves an editor until it has enough."""
    for folder in folders:
        if not Path(folder).is_dir():
            raise usage_error(f"--library: there is no folder {folder!r}")
    try:
        import pygls  # noqa: F401  # whether it is there
    except ImportError:
        hint = "pip install 'saltus[editor]'"
        raise usage_error("`saltus lsp` needs the package pygls, which is not installed", hint=hint) from None
    from saltus.editor.server import serve

    serve(folders)
    return 0
