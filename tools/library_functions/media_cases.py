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

#: How near to zero. Slopes are those of chords; the inverse functions of water are formulas of their own,
#: which IAPWS-IF97 allows to be wrong by 25 mK.
_CLOSE = {
    "T(p, h)": 1e-4,
    "T(p, s)": 1e-4,
    "BaseProperties h": 2e-4,
    "cp = dh/dT": 1e-4,
    "cp = T*ds/dT": 5e-4,
    "beta = -dd/dT/d": 1e-5,
}
_USUAL = 1e-6

#: Pressure and temperature for media that are made for a region of their own, by a part of the name.
_REGIONS = {"_R2": (1e5, 600.0), "_R3": (25e6, 650.0), "_R5": (1e6, 1500.0)}

#: What the library itself says otherwise. Simple liquids have one heat capacity, and a reference temperature
#: of their own for the inverse of the entropy; other liquids have approximations of the entropy.
_OWN_WAYS = {
    "ConstantPropertyLiquidWater": ("T(p, s)", "u = h - p/d", "BaseProperties u"),
    "SimpleLiquidWater.Medium": ("T(p, s)", "u = h - p/d", "BaseProperties u"),
    "LinearColdWater": ("cp = T*ds/dT",),
    "Glycol47": ("cp = T*ds/dT",),
    "TestGlycol.Medium": ("cp = T*ds/dT",),
    "InverseIncompressible_sh_T.Medium": ("cp = T*ds/dT",),
    "Essotherm650": ("cp = T*ds/dT",),
    # The number of the region is given in the place of the phase there, or not given.
    "WaterIF97_R2ph": ("cp = dh/dT", "cp = T*ds/dT"),
    "WaterIF97_R5ph": ("p(d, T)",),
}
_NO_MEDIA = ("Incompressible.TableBased", "_R4ph")

#: With which words a medium says that it does not provide something.
_NOT_PROVIDED = ("is partial and cannot be called", "can not be computed from", "can not be set from")

_BASE, _ANY = "Partial", "PartialMedium"


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
        # What stands for a medium that somebody else chooses is another name of a partial one.
        is_open = isinstance(definition.body, ast.ShortBody) and bases[name.rpartition(".")[2]] == [_ANY]
        is_left_out = definition.partial or is_open or ".Interfaces." in name or name.endswith(_NO_MEDIA)
        if not is_left_out and is_medium(name.rpartition(".")[2]):
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
    region = next((place for part, place in _REGIONS.items() if part in medium.name), None)
    p, t = ("Medium.p_default", "Medium.T_default + 5") if region is None else map(repr, region)
    return f"""model Generated
  package Medium = {medium.name};
  parameter Real p = {p}, T = {t}, dT = 0.05;
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
    own_ways = next((names for end, names in _OWN_WAYS.items() if medium.name.endswith(end)), ())
    for name, residual in single.items():
        if name in own_ways or any(words in str(residual) for words in _NOT_PROVIDED):
            continue
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
