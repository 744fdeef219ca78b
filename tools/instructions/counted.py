"""Runs one case, of which a JSON text on the command line tells, in whatever version of Saltus is found; with
a library that switches callgrind on and off only its last runs are counted. Prints what was counted by Saltus
itself, or why the model was refused. Uses nothing else of this folder: it has to work with old versions."""

from __future__ import annotations

import ctypes
import gc
import json
import sys
from pathlib import Path

import saltus


def main(case: dict[str, object], switch: str | None) -> dict[str, object]:
    """What there is to tell."""
    options, text = dict(case["options"]), str(case["model"])  # type: ignore[call-overload]
    try:
        model = saltus.load(Path(text) if text.endswith(".mo") else text)
        for _ in range(int(str(case["before"]))):
            result = model.simulate(**options)
    except saltus.SaltusError as error:
        first = error.diagnostics[0]
        return {"refused": f"{first.code}: {first.message.splitlines()[0]}"}
    gc.collect()
    gc.freeze()
    callgrind = ctypes.CDLL(switch) if switch is not None else None
    if callgrind is not None:
        callgrind.start_counting()
    for _ in range(int(str(case["repeats"]))):
        result = model.simulate(**options)
    if callgrind is not None:
        callgrind.stop_counting()
    return {key: result.statistics[key] for key in ("steps", "events") if key in result.statistics}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)))
