"""What is run: the models of the benchmarks, so that a figure there has its count here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.running import bounces, buck, double_pendulum, ideal, rectifier, thermostats, van_der_pol


@dataclass(frozen=True)
class Case:
    """A model as text, or the path of its file; the options of its run; how many runs are counted, and how
    many come before that: Python makes code faster that is carried out again, and after long runs the driver
    is compiled with care, which must not be counted."""

    model: str
    options: Mapping[str, object]
    repeats: int = 1
    before: int = 2


def _side_by_side(count: int, coil: float) -> str:
    own = f"R = {{10 + 0.1*k for k in 1:{count}}}, each L = {coil}"
    return ideal.BUCK.format(leak="0") + f"model Converters\n  Buck c[{count}]({own});\nend Converters;\n"


def _bounces(count: int) -> Case:
    stop = (bounces.time_of(count) + bounces.time_of(count + 1)) / 2
    options = {"stop_time": stop, "interval": stop, "tolerance": 1e-6, "set": {"c": bounces.C}}
    return Case(str(bounces.EXAMPLE), options)


def _van_der_pol(tolerance: float) -> Case:
    return Case(
        str(van_der_pol.EXAMPLE),
        {"stop_time": 3500.0, "interval": 7.0, "tolerance": tolerance},
        repeats=5,
        before=10,
    )


CASES: Mapping[str, Case] = {
    "begin": Case(double_pendulum.written_out(), {"stop_time": 1e-6, "interval": 1e-6}, 20, 30),
    "bounces": _bounces(10_000),
    "thermostats": Case(thermostats.THERMOSTATS, {"stop_time": 5.0, "interval": 5.0, "tolerance": 1e-6}),
    "rectifier": Case(rectifier.RECTIFIER, {"stop_time": 1.0, "interval": 1.0, "tolerance": 1e-5}),
    "buck": Case(buck.BUCK, {"stop_time": 0.05, "interval": 1e-4, "tolerance": 1e-6}),
    "ideal buck": Case(ideal.BUCK.format(leak="0"), {"stop_time": 2.0, "interval": 4e-4, "method": "auto"}),
    "ideal bridge": Case(ideal.BRIDGE.format(leak="0"), {"stop_time": 10.0, "interval": 1e-2}),
    "10 converters": Case(_side_by_side(10, 1e-4), {"stop_time": 0.02, "interval": 4e-4, "method": "auto"}),
    "10 converters, large coils": Case(
        _side_by_side(10, 1e-3), {"stop_time": 0.02, "interval": 4e-4, "method": "auto"}
    ),
    "Van der Pol 1e-6": _van_der_pol(1e-6),
    "Van der Pol 1e-8": _van_der_pol(1e-8),
    "pendulum": Case(double_pendulum.written_out(), {"stop_time": 100.0, "interval": 0.2, "tolerance": 1e-6}),
}
