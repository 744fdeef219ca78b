"""External functions that are provided in native code, by their C names (`ir.external.NATIVE`).

They are called like the functions of the language: with the depth of calls, scalars by value and arrays by
pointer, and pointers for the results. The generators of random numbers are those of `ir.external.random`;
64 bits are two Integers of 32 bits with a sign, the lower half first.
"""

from __future__ import annotations

from collections.abc import Callable

from saltus.emit.assembly import Function, Value
from saltus.ir.external.random import FACTOR_64, FACTOR_1024

#: Where the state of the generator with a state of its own is: 32 halves, the position, and the id.
RANDOM_STATE = "saltus_random_state"

DECLARATIONS = f"@{RANDOM_STATE} = external global [34 x double]"


def native_text(c_name: str, name: str) -> str:
    """The definition of a C function under a name of the program."""
    return _NATIVE[c_name](name).text()


def _function(name: str, **parameters: str) -> Function:
    return Function(name, "i32", internal=True, depth="i32", **parameters)


# ---------------------------------------------------------------- bits


def _shifted(x: Value, by: int) -> Value:
    """To the left; to the right by a negative number."""
    f = x.function
    return f.let("i64", f"{'shl' if by > 0 else 'lshr'} i64 {x.text}, {abs(by)}")


def _xor(a: Value, b: Value) -> Value:
    return a.function.let("i64", f"xor i64 {a.text}, {b.text}")


def _mixed(x: Value, by: int) -> Value:
    return _xor(x, _shifted(x, by))


def _word(halves: Value, k: Value | int) -> Value:
    """The 64 bits of two halves."""
    low, high = (halves.at(k * 2 + i).as_i64() for i in (0, 1))
    f = halves.function
    lower = f.let("i64", f"and i64 {low.text}, 4294967295")
    return f.let("i64", f"or i64 {lower.text}, {_shifted(high, 32).text}")


def _put_word(halves: Value, k: Value | int, word: Value) -> None:
    """Two halves with signs."""
    f = halves.function
    for i, half in enumerate((word, _shifted(word, -32))):
        short = f.let("i32", f"trunc i64 {half.text} to i32")
        halves.put(k * 2 + i, short.as_double())


def _fraction(word: Value) -> Value:
    return word.as_double() * 2.0**-64 + 0.5


# ---------------------------------------------------------------- generators


def _xorshift64star(name: str) -> Function:
    f = _function(name, state="ptr", new="ptr", y="ptr")
    x = _mixed(_mixed(_mixed(_word(f.state, 0), -12), 25), -27) * FACTOR_64
    _put_word(f.new, 0, x)
    f.y.put(0, _fraction(x))
    f.give(0)
    return f


def _xorshift128plus(name: str) -> Function:
    f = _function(name, state="ptr", new="ptr", y="ptr")
    s1, s0 = _mixed(_word(f.state, 0), 23), _word(f.state, 1)
    x = _xor(_xor(_xor(s1, s0), _shifted(s1, -17)), _shifted(s0, -26)) + s0
    _put_word(f.new, 0, s0)
    _put_word(f.new, 1, x)
    f.y.put(0, _fraction(x))
    f.give(0)
    return f


def _next_of_1024(state: Value, y: Value) -> None:
    """The next state, in place, and a number."""
    f = state.function
    old = state.at(32).as_i64()
    p = f.let("i64", f"and i64 {(old + 1).text}, 15")
    s0 = _mixed(_word(state, f.let("i64", f"and i64 {old.text}, 15")), -30)
    s1 = _mixed(_mixed(_word(state, p), 31), -11)
    x = _xor(s0, s1)
    _put_word(state, p, x)
    state.put(32, p.as_double())
    y.put(0, _fraction(x * FACTOR_1024))


def _xorshift1024star(name: str) -> Function:
    f = _function(name, state="ptr", new="ptr", y="ptr")
    f.copy(f.new, f.state, 33)
    _next_of_1024(f.new, f.y)
    f.give(0)
    return f


def _state(f: Function) -> Value:
    return Value(f, "ptr", f"@{RANDOM_STATE}")


def _set_state(name: str) -> Function:
    f = _function(name, state="ptr", length="double", id="double")
    f.copy(_state(f), f.state, 33)
    _state(f).put(33, f.id)
    f.give(0)
    return f


def _impure_random(name: str) -> Function:
    f = _function(name, id="double", y="ptr")
    _next_of_1024(_state(f), f.y)
    f.give(0)
    return f


_NATIVE: dict[str, Callable[[str], Function]] = {
    "ModelicaRandom_xorshift64star": _xorshift64star,
    "ModelicaRandom_xorshift128plus": _xorshift128plus,
    "ModelicaRandom_xorshift1024star": _xorshift1024star,
    "ModelicaRandom_setInternalState_xorshift1024star": _set_state,
    "ModelicaRandom_impureRandom_xorshift1024star": _impure_random,
}
