"""External functions that are provided in native code, by their C names (`NATIVE` of
`functions.external.provided`).

They are called like the functions of the language: with the depth of calls, scalars by value and arrays by
pointer, and pointers for the results. The generators of random numbers are those of
`functions.external.random`; 64 bits are two Integers of 32 bits with a sign, the lower half first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from saltus.core.diagnostics import model_error
from saltus.emit.support.assembly import Function, Value
from saltus.functions.external.random import FACTOR_64, FACTOR_1024
from saltus.ir.program import Fortran, Native
from saltus.ir.program import Function as IrFunction

#: Where the state of the generator with a state of its own is: 32 halves, the position, and the id.
RANDOM_STATE = "saltus_random_state"


def declarations(functions: Iterable[IrFunction]) -> list[str]:
    """What the definitions of these functions refer to."""
    provided = [f.external for f in functions if f.external is not None]
    found: dict[str, str] = {}
    for p in provided:
        routine = p.fortran
        if p.compiled is not None:
            found[p.compiled.symbol] = f"declare i32 @{p.compiled.symbol}(ptr, ptr)"
            continue
        if routine is None:
            found[RANDOM_STATE] = f"@{RANDOM_STATE} = external global [34 x double]"
            continue
        pointers = ", ".join(["ptr"] * len(routine.arguments))
        value = "double" if routine.has_value else "void"
        found[routine.name] = f"declare {value} @{routine_symbol(routine.name)}({pointers})"
    return list(found.values())


def routine_symbol(name: str) -> str:
    """The name under which modules call a routine of LAPACK."""
    return f"saltus_lapack_{name}"


def native_text(function: IrFunction, name: str) -> str:
    """The definition of an external function under a name of the program."""
    assert function.external is not None
    if function.external.fortran is not None:
        return _fortran(function, function.external.fortran, name).text()
    if function.external.compiled is not None:
        return _compiled(function, function.external.compiled, name).text()
    if function.external.name not in _NATIVE:
        raise model_error(
            "E204", f"the external function `{function.external.name}` can only be called before a run"
        )
    return _NATIVE[function.external.name](name).text()


def _function(name: str, **parameters: str) -> Function:
    return Function(name, "i32", internal=True, depth="i32", **parameters)


# ---------------------------------------------------------------- bits


def _shifted(x: Value, by: int) -> Value:
    """A word shifted to the left; to the right by a negative number."""
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


# ---------------------------------------------------------------- compiled C


def _compiled(function: IrFunction, native: Native, name: str) -> Function:
    """All arguments in a row, and all results; the last one is whether the call has failed."""
    parameters = {f"in{k}": "ptr" if s.shape else "double" for k, s in enumerate(function.inputs)}
    parameters |= {f"out{k}": "ptr" for k in range(len(function.outputs))}
    f = _function(name, **parameters)
    given = f.array(1 + sum(prod(s.shape) for s in function.inputs))
    place = 0
    for k, symbol in enumerate(function.inputs):
        value: Value = getattr(f, f"in{k}")
        if symbol.shape:
            f.copy(given.place(place), value, prod(symbol.shape))
        else:
            given.put(place, value)
        place += prod(symbol.shape)
    found = f.array(1 + sum(prod(s.shape) for s in function.outputs))
    failed = f.call(native.symbol, "i32", given, found)
    place = 0
    for k, symbol in enumerate(function.outputs[:-1]):
        f.copy(getattr(f, f"out{k}"), found.place(place), prod(symbol.shape))
        place += prod(symbol.shape)
    getattr(f, f"out{len(function.outputs) - 1}").put(0, failed.as_double())
    f.give(0)
    return f


# ---------------------------------------------------------------- FORTRAN


def _fortran(function: IrFunction, routine: Fortran, name: str) -> Function:
    """Addresses of copies of all arguments, matrices column by column; then the call; then the results."""
    parameters = {f"in{k}": "ptr" if s.shape else "double" for k, s in enumerate(function.inputs)}
    parameters |= {f"out{k}": "ptr" for k in range(len(function.outputs))}
    f = _function(name, **parameters)
    addresses: list[Value] = []
    given = iter(enumerate(function.inputs))
    for position, kind in enumerate(routine.arguments):
        if position in routine.texts:
            character = f.variable(ord((routine.texts[position] or " ")[0]), "i8")
            addresses.append(character.address)
            continue
        k, symbol = next(given)
        value: Value = getattr(f, f"in{k}")
        place = f.array(max(1, prod(symbol.shape)), "i32" if kind == "int" else "double")
        if symbol.shape:
            _columns(f, symbol.shape, kind, value, place, to_fortran=True)
        else:
            _put(place, 0, value, kind)
        addresses.append(place)
    own = f.call(routine_symbol(routine.name), "double" if routine.has_value else "void", *addresses)
    for k, (output, where) in enumerate(zip(function.outputs, routine.results, strict=True)):
        target: Value = getattr(f, f"out{k}")
        if where is None:
            target.put(0, own)
        elif output.shape:
            _columns(f, output.shape, routine.arguments[where], addresses[where], target, to_fortran=False)
        else:
            target.put(0, _get(addresses[where], 0, routine.arguments[where]))
    f.give(0)
    return f


def _put(place: Value, index: Value | int, value: Value, kind: str) -> None:
    if kind == "int":
        whole = value.as_i64()
        short = place.function.let("i32", f"trunc i64 {whole.text} to i32")
        place.put(index, short, "i32")
    else:
        place.put(index, value)


def _get(place: Value, index: Value | int, kind: str) -> Value:
    return place.at(index, "i32").as_double() if kind == "int" else place.at(index)


def _columns(
    f: Function, shape: tuple[int, ...], kind: str, source: Value, target: Value, *, to_fortran: bool
) -> None:
    """Copies an array, whose rows are the columns of FORTRAN."""
    rows, columns = (shape[0], prod(shape[1:]))
    with f.count(f.constant(rows, "i64")) as i, f.count(f.constant(columns, "i64")) as j:
        here, there = i * columns + j, j * rows + i
        if to_fortran:
            _put(target, there, source.at(here), kind)
        else:
            target.put(here, _get(source, there, kind))
