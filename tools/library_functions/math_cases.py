"""Scalars, vectors, polynomials, distributions and the other functions of `Modelica.Math`."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy import fft, special, stats
from tools.library_functions.judge import Case, case, holds

_V = np.array([3.0, -4.0, 12.0])
_P = np.array([2.0, -3.0, 0.5, 1.0])


def math_cases() -> Iterator[Case]:
    """One case at least for each function."""
    yield from _elementary()
    yield from _vectors()
    yield from _truths()
    yield from _polynomials()
    yield from _special()
    yield from _distributions()
    yield from _nonlinear()
    yield from _fourier()
    yield from _random()


def _elementary() -> Iterator[Case]:
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "exp"):
        yield case(name, [0.3], getattr(math, name)(0.3))
        yield case(name, [-0.7], getattr(math, name)(-0.7))
    for name in ("log", "log10"):
        yield case(name, [2.5], getattr(math, name)(2.5))
    yield case("acosh", [1.5], math.acosh(1.5))
    for y, x in ((1.0, -2.0), (-1.0, -2.0), (0.0, -1.0), (1.0, 0.0)):
        yield case("atan2", [y, x], math.atan2(y, x))
    # atan3: the angle of atan2 plus full turns, nearest to y0.
    for y0 in (0.0, 7.0, -20.0):
        turns = round((y0 - math.atan2(1.0, -2.0)) / (2 * math.pi))
        yield case("atan3", [1.0, -2.0, y0], math.atan2(1.0, -2.0) + 2 * math.pi * turns)
    for u in (7.5, -7.5, 1.0):
        yield case("wrapAngle", [u, True], u % (2 * math.pi))
        yield case("wrapAngle", [u, False], math.remainder(u, 2 * math.pi))
    yield case("isEqual", [1.0, 1.0 + 1e-12, 1e-9], True)
    yield case("isEqual", [1.0, 1.1, 1e-9], False)
    yield case("isPowerOf2", [64], True)
    yield case("isPowerOf2", [65], False)


def _vectors() -> Iterator[Case]:
    v = "Vectors."
    yield case(v + "isEqual", [_V, _V, 0.0], True)
    yield case(v + "isEqual", [_V, _V[:2], 0.0], False)
    for p in (1.0, 2.0, 3.0):
        yield case(v + "norm", [_V, p], float(np.linalg.norm(_V, p)))
    yield case(v + "norm", [_V, "Modelica.Constants.inf"], 12.0)
    yield case(v + "length", [_V], 13.0)
    yield case(v + "normalize", [_V], _V / 13)
    yield case(v + "normalize", [np.zeros(3), 0.1], np.zeros(3))
    yield case(v + "normalizeWithAssert", [_V], _V / 13)
    yield case(v + "reverse", [_V], _V[::-1])
    yield case(v + "sort", [_V], np.sort(_V), [2, 1, 3])
    yield case(v + "sort", [_V, False], np.sort(_V)[::-1], [3, 1, 2])
    yield case(v + "find", [12.0, _V], 3)
    yield case(v + "find", [5.0, _V], 0)
    x, y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 2.0, -1.0, 3.0])
    for xi in (0.4, 3.0, 5.0, -1.0):
        yield case(v + "interpolate", [x, y, xi], 2 * xi if xi < 1 else -1 + 2 * (xi - 2))
    yield case(v + "interpolate", [x, y, 3.0, 1], 1.0, 3)
    yield case(v + "relNodePositions", [5], [0.0, 1 / 6, 0.5, 5 / 6, 1.0])


def _truths() -> Iterator[Case]:
    b = "BooleanVectors."
    mixed, all_, none = [True, False, True], [True, True], [False, False]
    for vector in (mixed, all_, none):
        given = np.array(vector)
        yield case(b + "allTrue", [given], all(vector))
        yield case(b + "andTrue", [given], all(vector))
        yield case(b + "anyTrue", [given], any(vector))
        yield case(b + "countTrue", [given], sum(vector))
        yield case(b + "oneTrue", [given], sum(vector) == 1)
        yield case(b + "firstTrueIndex", [given], vector.index(True) + 1 if any(vector) else 0)
        counts = np.cumsum(vector) * given
        yield case(b + "enumerate", [given], [int(c) for c in counts])
    yield case(b + "index", [np.array(mixed)], [1, 3])


def _polynomials() -> Iterator[Case]:
    p, u = "Polynomials.", 1.3
    first, second, whole = np.polyder(_P), np.polyder(_P, 2), np.polyint(_P)
    yield case(p + "evaluate", [_P, u], float(np.polyval(_P, u)))
    inside, edge = float(np.polyval(_P, u)), float(np.polyval(_P, 1.0))
    yield case(p + "evaluateWithRange", [_P, 0.0, 2.0, u], inside)
    yield case(p + "evaluateWithRange", [_P, 0.0, 1.0, u], edge + 0.3 * float(np.polyval(first, 1.0)))
    yield case(p + "derivative", [_P], first)
    yield case(p + "derivativeValue", [_P, u], float(np.polyval(first, u)))
    yield case(p + "secondDerivativeValue", [_P, u], float(np.polyval(second, u)))
    yield case(p + "integral", [_P], whole)
    yield case(p + "integralValue", [_P, u], float(np.polyval(whole, u)))
    yield case(p + "integralValue", [_P, u, 0.5], float(np.polyval(whole, u) - np.polyval(whole, 0.5)))
    x = np.linspace(0.0, 1.0, 7)
    y = np.sin(3 * x)
    yield case(p + "fitting", [x, y, 2], np.polyfit(x, y, 2))
    yield case(p + "evaluate_der", [_P, u, 2.0], 2 * float(np.polyval(first, u)))
    yield case(p + "evaluateWithRange_der", [_P, 0.0, 2.0, u, 2.0], 2 * float(np.polyval(first, u)))
    yield case(
        p + "integralValue_der", [_P, u, 0.5, 2.0, 0.0],
        float(2 * np.polyval(_P, u)),
    )  # fmt: skip
    yield case(p + "derivativeValue_der", [_P, u, 2.0], 2 * float(np.polyval(second, u)))
    yield holds(
        p + "roots", [_P], ["Real[3,2]"],
        lambda r: np.abs(_P[0] * np.poly(r[0][:, 0] + 1j * r[0][:, 1]) - _P),
    )  # fmt: skip


def _special() -> Iterator[Case]:
    s = "Special."
    for u in (-2.5, -0.3, 0.0, 0.4, 1.7, 3.5, 6.5):
        yield case(s + "erf", [u], float(special.erf(u)))
        yield case(s + "erfc", [u], float(special.erfc(u)))
        yield case(s + "sinc", [u], math.sin(u) / u if u else 1.0)
    for u in (-0.99, -0.2, 0.0, 0.3, 0.8, 0.9999):
        yield case(s + "erfInv", [u], float(special.erfinv(u)))
        yield case(s + "erfcInv", [1 - u], float(special.erfcinv(1 - u)))
    yield case(s + "Internal.polyEval", [_P, 1.3], float(np.polyval(_P[::-1], 1.3)))
    yield case(s + "Internal.erfcUtil", [1.7], float(special.erfc(1.7)))
    yield case(s + "Internal.erfInvUtil", [0.3, 0.7], float(special.erfinv(0.3)))


def _distributions() -> Iterator[Case]:
    d = "Distributions."
    mu, sigma = 1.0, 2.0
    normal, uniform = stats.norm(mu, sigma), stats.uniform(-1, 3)
    scale, shape = 1.5, 2.5
    weibull = stats.weibull_min(shape, scale=scale)
    bounds = (-1.0, 4.0)
    truncated = stats.truncnorm((bounds[0] - mu) / sigma, (bounds[1] - mu) / sigma, mu, sigma)
    low, high = 0.5, 2.0
    mass = weibull.cdf(high) - weibull.cdf(low)
    for u in (-0.5, 0.7, 1.9):
        yield case(d + "Uniform.density", [u, -1.0, 2.0], float(uniform.pdf(u)))
        yield case(d + "Uniform.cumulative", [u, -1.0, 2.0], float(uniform.cdf(u)))
        yield case(d + "Normal.density", [u, mu, sigma], float(normal.pdf(u)))
        yield case(d + "Normal.cumulative", [u, mu, sigma], float(normal.cdf(u)))
        given = [u, *bounds, mu, sigma]
        yield case(d + "TruncatedNormal.density", given, float(truncated.pdf(u)))
        yield case(d + "TruncatedNormal.cumulative", given, float(truncated.cdf(u)))
        yield case(d + "Weibull.density", [u, scale, shape], float(weibull.pdf(u)))
        yield case(d + "Weibull.cumulative", [u, scale, shape], float(weibull.cdf(u)))
        inside = low <= u <= high
        yield case(
            d + "TruncatedWeibull.density", [u, low, high, scale, shape],
            float(weibull.pdf(u) / mass) if inside else 0.0,
        )  # fmt: skip
        share = min(1.0, max(0.0, float((weibull.cdf(u) - weibull.cdf(low)) / mass)))
        yield case(d + "TruncatedWeibull.cumulative", [u, low, high, scale, shape], share)
    for q in (0.1, 0.5, 0.95):
        yield case(d + "Uniform.quantile", [q, -1.0, 2.0], float(uniform.ppf(q)))
        yield case(d + "Normal.quantile", [q, mu, sigma], float(normal.ppf(q)))
        given = [q, *bounds, mu, sigma]
        yield case(d + "TruncatedNormal.quantile", given, float(truncated.ppf(q)), close=1e-8)
        yield case(d + "Weibull.quantile", [q, scale, shape], float(weibull.ppf(q)))
        within = float(weibull.ppf(weibull.cdf(low) + q * mass))
        yield case(d + "TruncatedWeibull.quantile", [q, low, high, scale, shape], within, close=1e-8)


def _nonlinear() -> Iterator[Case]:
    n, f = "Nonlinear.", "function Modelica.Math.Nonlinear.Examples.UtilityFunctions."
    area = 3 * (1 - math.cos(5 * 1.5)) / 5
    yield case(n + "quadratureLobatto", [f"{f}fun7(A = 3, w = 5)", 0.0, 1.5, 1e-11], area, close=1e-8)
    yield case(n + "solveOneNonlinearEquation", [f"{f}fun1()", -0.5, 10.0, 1e-13], 1.0)


def _fourier() -> Iterator[Case]:
    f = "FastFourierTransform."
    count = 20
    t = np.arange(count) / count
    u = 1.5 + 2 * np.cos(2 * np.pi * 3 * t) + np.sin(2 * np.pi * 4 * t)
    # The library divides by the number of frequencies, with both ends of the spectrum among them.
    spectrum = np.abs(fft.rfft(u)) / (count // 2 + 1)
    kinds = ["Integer", "Real[9]", "Real[9]"]
    rest = spectrum[1:9]
    yield holds(f + "realFFT", [u, 9], kinds, lambda y: [y[0], y[1][0] - 1.5, y[1][1:] - rest])
    kinds = ["Integer", "Real[11]", "Real[11]"]
    angle = float(np.angle(fft.rfft(u))[4])
    yield holds(f + "Internal.rawRealFFT", [u], kinds, lambda y: [y[0], y[1] - spectrum, y[2][4] - angle])
    yield case(f + "Internal.prime235Factorization", [360], True, 3, 2, 1)
    yield holds(f + "realFFTsamplePoints", [10.0, 0.2, 5], ["Integer"], lambda y: min(0.0, float(y[0]) - 500))


def _random() -> Iterator[Case]:
    r = "Random."
    mask = (1 << 64) - 1

    def words(numbers: int) -> list[int]:
        low, high = numbers & 0xFFFFFFFF, numbers >> 32
        return [int(np.int32(np.uint32(low))), int(np.int32(np.uint32(high)))]

    x = (12345 & 0xFFFFFFFF) | (678 << 32)
    y = x
    y ^= y >> 12
    y = (y ^ (y << 25)) & mask
    y ^= y >> 27
    value = (y * 2685821657736338717) & mask
    yield case(
        r + "Generators.Xorshift64star.random", [[12345, 678]],
        float(np.int64(np.uint64(value))) * 2.0**-64 + 0.5, words(value),
    )  # fmt: skip
    for name, size in (("Xorshift64star", 2), ("Xorshift128plus", 4), ("Xorshift1024star", 33)):
        kind = f"Integer[{size}]"
        yield holds(f"{r}Generators.{name}.initialState", [3, 5], [kind], lambda y: 0.0 * y[0])
    yield holds(f"{r}Generators.Xorshift128plus.random", [[1, 2, 3, 4]], ["Real", "Integer[4]"], _in_range)
    state = list(range(1, 34))
    yield holds(f"{r}Generators.Xorshift1024star.random", [state], ["Real", "Integer[33]"], _in_range)
    u = f"{r}Utilities."
    yield holds(u + "initialStateWithXorshift64star", [3, 5, 6], ["Integer[6]"], lambda y: 0.0 * y[0])
    yield holds(u + "automaticLocalSeed", ['"a.b"'], ["Integer"], lambda y: 0.0 * y[0])


def _in_range(found: object) -> float:
    value = float(found[0])  # type: ignore[index]
    return max(0.0, value - 1, -value)
