"""The model that is generated for a function: with literals, with parameters, and with values that vary.

Literals are computed at translation, parameters before a run and what varies during a run: by three parts of
the compiler that have to agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from tools.library_functions.judge import Array, Case, largest

from saltus import load

#: How arguments are written.
LITERAL, PARAMETER, VARYING = "literal", "parameter", "varying"
VARIANTS = (LITERAL, PARAMETER, VARYING)

_OUTPUT = re.compile(r"(\w+)(?:\[(.*)\])?$")


def tried(case: Case, variants: Sequence[str], libraries: Sequence[str]) -> dict[str, str]:
    """What is wrong in each variant, an empty text where nothing is."""
    verdicts: dict[str, str] = {}
    for variant in variants:
        try:
            result = load(model_text(case, variant), libraries=libraries).simulate(stop_time=0.01)
            found = [_value(result, f"y{k}", kind) for k, kind in enumerate(case.outputs, start=1)]
            error = largest(case.residual(found))
            verdicts[variant] = "" if error <= case.close else f"wrong by {error:.3g}"
        except Exception as problem:  # whatever it is, it belongs into the report
            verdicts[variant] = f"{type(problem).__name__}: {str(problem).splitlines()[0]}"
    return verdicts


def model_text(case: Case, variant: str) -> str:
    """The generated model."""
    is_real = all(kind.startswith("Real") for kind in case.outputs)
    declarations, arguments = [], []
    for k, value in enumerate(case.arguments, start=1):
        text = _literal(value)
        array = None if isinstance(value, str) else np.asarray(value)
        if variant == LITERAL or array is None or not _is_number(value):
            arguments.append(text)
            continue
        sizes = f"[{','.join(map(str, array.shape))}]" if array.shape else ""
        kind = {"b": "Boolean", "i": "Integer", "f": "Real"}[array.dtype.kind]
        declarations.append(f"parameter {kind} a{k}{sizes} = {text};")
        varies = variant == VARYING and kind == "Real"
        arguments.append(f"one*a{k}" if varies else f"a{k}")
    if variant == VARYING and is_real:
        declarations.append("Real one(start = 1, fixed = true);")
    elif variant == VARYING:
        declarations.append("discrete Real one(start = 1, fixed = true);")
    outputs = []
    for k, kind in enumerate(case.outputs, start=1):
        name, sizes = _parts(kind)
        declarations.append(f"{name} y{k}{f'[{sizes}]' if sizes else ''};")
        outputs.append(f"y{k}")
    call = f"{case.function}({', '.join(arguments)})"
    left = outputs[0] if len(outputs) == 1 else f"({', '.join(outputs)})"
    lines = [f"{left} = {call};"]
    if variant == VARYING:
        lines.append("der(one) = 0;" if is_real else "when time > 1 then one = 2; end when;")
    body = "\n  ".join(declarations)
    return f"model Generated\n  {body}\nequation\n  {chr(10).join(lines)}\nend Generated;\n"


def _is_number(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "if"


def _parts(kind: str) -> tuple[str, str]:
    found = _OUTPUT.match(kind)
    assert found is not None, kind
    return found[1], found[2] or ""


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return repr(float(value))
    return f"{{{', '.join(map(_literal, list(value)))}}}"


def _value(result: Any, name: str, kind: str) -> Array:
    _, sizes = _parts(kind)
    shape = tuple(int(n) for n in sizes.split(",")) if sizes else ()
    if not shape:
        return np.asarray(result[name][-1], dtype=float)
    numbers = np.empty(shape)
    for place in np.ndindex(*shape):
        numbers[place] = result[f"{name}[{','.join(str(i + 1) for i in place)}]"][-1]
    return numbers
