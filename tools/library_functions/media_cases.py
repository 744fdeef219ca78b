"""The model that is generated for a medium: identities of its properties.

A medium has no table of truths beside it, but thermodynamics says how its properties belong together: the
temperature that belongs to an enthalpy gives that enthalpy, slopes are heat capacities, and potentials differ
by `p/d` and `T*s`. What a medium does not provide (it says so itself) is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.library_functions.outline import classes

from saltus import load
from saltus.core.diagnostics import SaltusError
from saltus.ir import ast

#: What must be zero, by name: Modelica expressions of the state `s`, of `p`, `T` and the step `dT`.
IDENTITIES = {
    "T(p, h)": "Medium.temperature(Medium.setState_phX(p, Medium.specificEnthalpy(s), X))/T - 1",
    "T(p, s)": "Medium.temperature(Medium.setState_psX(p, Medium.specificEntropy(s), X))/T - 1",
    "p(d, T)": "Medium.pressure(Medium.setState_dTX(Medium.density(s), T, X))/p - 1",
    "u = h - p/d": "(Medium.specificInternalEnergy(s) - Medium.specificEnthalpy(s)"
    " + p/Medium.density(s))/1e6",
    "g = h - T*s": "(Medium.specificGibbsEnergy(s) - Medium.specificEnthalpy(s)"
    " + T*Medium.specificEntropy(s))/1e6",
    "cp = dh/dT": "(Medium.specificEnthalpy(warmer) - Medium.specificEnthalpy(colder))"
    "/(2*dT*Medium.specificHeatCapacityCp(s)) - 1",
    "cp = T*ds/dT": "T*(Medium.specificEntropy(warmer) - Medium.specificEntropy(colder))"
    "/(2*dT*Medium.specificHeatCapacityCp(s)) - 1",
    "beta = -dd/dT/d": "(Medium.density(colder) - Medium.density(warmer))/(2*dT*Medium.density(s))"
    " - Medium.isobaricExpansionCoefficient(s)",
    "BaseProperties h": "(medium.h - Medium.specificEnthalpy(s))/1e6",
    "BaseProperties d": "medium.d/Medium.density(s) - 1",
    "BaseProperties u": "(medium.u - medium.h + medium.p/medium.d)/1e6",
}

#: How near to zero. Slopes are those of chords; inverse functions iterate.
_CLOSE = {"cp = dh/dT": 1e-4, "cp = T*ds/dT": 1e-4, "beta = -dd/dT/d": 1e-5}
_USUAL = 1e-6

_BASE = "Partial"


@dataclass(frozen=True)
class Medium:
    """A medium of the library, by its full name."""

    name: str


def media(library: Path) -> Iterator[Medium]:
    """All packages of `Modelica.Media` that are media and not partial, by the bases that they extend."""
    packages = {
        f.name: f.definition for f in classes(library, "Modelica.Media") if f.definition.kind == "package"
    }
    bases = {name.rpartition(".")[2]: _bases(definition) for name, definition in packages.items()}

    def is_medium(name: str, seen: frozenset[str] = frozenset()) -> bool:
        if name.startswith(_BASE) and name.endswith("Medium"):
            return True
        later = seen | {name}
        return any(is_medium(base, later) for base in bases.get(name, ()) if base not in later)

    for name, definition in packages.items():
        if not definition.partial and is_medium(name.rpartition(".")[2]) and ".Interfaces." not in name:
            yield Medium(name)


def _bases(definition: ast.ClassDefinition) -> list[str]:
    body = definition.body
    if isinstance(body, ast.ShortBody):
        return [_last(body.type_name)]
    if isinstance(body, ast.LongBody):
        return [_last(e.type_name) for e in body.elements if isinstance(e, ast.Extends)]
    return []


def _last(reference: ast.Reference) -> str:
    return reference.parts[-1][0]


def model_text(medium: Medium, identities: Sequence[str]) -> str:
    """The generated model."""
    needs_base = any("medium." in IDENTITIES[name] for name in identities)
    lines = [f"Real r{k} = {IDENTITIES[name]};" for k, name in enumerate(identities, start=1)]
    base = "Medium.BaseProperties medium;" if needs_base else ""
    given = "equation\n  medium.p = p;\n  medium.T = T;\n  medium.Xi = X[1:Medium.nXi];" if needs_base else ""
    body = "\n  ".join(lines)
    return f"""model Generated
  package Medium = {medium.name};
  parameter Real p = Medium.p_default, T = Medium.T_default + 5, dT = 0.05;
  parameter Real X[Medium.nX] = Medium.X_default;
  Medium.ThermodynamicState s = Medium.setState_pTX(p, T, X);
  Medium.ThermodynamicState warmer = Medium.setState_pTX(p, T + dT, X);
  Medium.ThermodynamicState colder = Medium.setState_pTX(p, T - dT, X);
  {base}
  {body}
{given}
end Generated;
"""


def tried_medium(medium: Medium, libraries: Sequence[str]) -> str:
    """What is wrong with a medium: the identities that do not hold, or cannot be asked."""
    found = _residuals(medium, list(IDENTITIES), libraries)
    if isinstance(found, str):  # one by one, to tell which
        single = {name: _residuals(medium, [name], libraries) for name in IDENTITIES}
    else:
        single = {name: [r] for name, r in zip(IDENTITIES, found, strict=True)}
    wrong = []
    for name, residual in single.items():
        if isinstance(residual, str):
            wrong.append(f"{name}: {residual}")
        elif not abs(residual[0]) <= _CLOSE.get(name, _USUAL):
            wrong.append(f"{name}: wrong by {residual[0]:.3g}")
    return "; ".join(wrong)


def _residuals(medium: Medium, identities: Sequence[str], libraries: Sequence[str]) -> list[float] | str:
    try:
        result = load(model_text(medium, identities), libraries=libraries).simulate(stop_time=0.01)
    except SaltusError as problem:
        return str(problem).splitlines()[0]
    except Exception as problem:  # whatever it is, it belongs into the report
        return f"{type(problem).__name__}: {problem}"
    return [float(result[f"r{k}"][-1]) for k in range(1, len(identities) + 1)]
