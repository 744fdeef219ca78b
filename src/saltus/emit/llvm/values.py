"""Expressions to LLVM text: the lines of a routine, the places of its locals, and values in registers.

A value is loaded once per straight-line region; the optimiser's register promotion does the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from saltus.emit.support.histories import question_name
from saltus.emit.support.llvm_builtins import builtin, double
from saltus.expr.nodes import RELATIONS, ZERO, Expr, Op, Symbol, Type
from saltus.ir.program import FUNCTION_FAILED, Function

_COMPARE = {Op.LT: "olt", Op.LE: "ole", Op.GT: "ogt", Op.GE: "oge", Op.EQ: "oeq", Op.NE: "une"}
_ARITHMETIC = {Op.ADD: "fadd double", Op.MUL: "fmul double", Op.AND: "and i1", Op.OR: "or i1"}

UNROLLED_FILL = 16

#: The place of a local whose value is all that is ever asked for.
NOWHERE = ""


def _operands(e: Expr) -> list[Expr]:
    """What a sum adds, and what it subtracts."""
    return [e.args[0], *(a.args[0] if a.op is Op.NEG else a for a in e.args[1:])]


class ValuePrinter:
    """Prints what the statements of one routine or function are made of."""

    def __init__(self, slots: Mapping[Expr, int], size: int, functions: Mapping[Function, str]) -> None:
        self._slots = slots
        self._size = size
        self._functions = functions
        self._entry: list[str] = []  # allocas, so that they are promoted to registers
        self._lines: list[str] = []
        self._number = 0
        self._places: dict[Symbol, str] = {}  # pointers to locals
        self._arrays: dict[Symbol, str] = {}
        self._loops: list[str] = []  # labels to which `Break` goes
        self._attempts: list[tuple[str, str]] = []  # where a failure leads, and where its status is put
        self._open = True  # the current basic block has no terminator yet
        self._straight = False  # there is but one basic block, so that locals need no place
        self._in_function = False
        self._routines_called: set[str] = set()
        self._functions_called: set[str] = set()
        self._trusted = False  # subscripts need no check
        self._views: dict[Symbol, int] = {}  # arrays in the memory, with their slots
        self._tables: list[str] = []
        self._name = ""  # of the routine
        self._first, self._past = "0", ""  # turns of a routine that is a loop; all of them if not said
        # Known in the current region: numbers by slot and local, Booleans likewise.
        # And offsets by the number that was the subscript.
        self._stored: dict[int | Symbol | str, str] = {}
        self._stored_bits: dict[int | Symbol | str, str] = {}

    # ------------------------------------------------------------ lines, labels

    def _new(self) -> str:
        self._number += 1
        return f"%v{self._number}"

    def _fresh_label(self, word: str) -> str:
        self._number += 1
        return f"{word}{self._number}"

    def _line(self, text: str) -> None:
        if not self._open:
            self._label(self._fresh_label("dead"))
        self._lines.append("  " + text)

    def _let(self, text: str) -> str:
        name = self._new()
        self._line(f"{name} = {text}")
        return name

    def _terminate(self, text: str) -> None:
        if self._open:
            self._lines.append("  " + text)
            self._open = False

    def _label(self, name: str, *, same_region: bool = False) -> None:
        self._terminate(f"br label %{name}")
        self._lines.append(f"{name}:")
        self._open = True
        if not same_region:
            self._forget()

    def _forget(self) -> None:
        self._stored.clear()
        self._stored_bits.clear()

    def _forget_slots(self, first: int, length: int) -> None:
        for known in (self._stored, self._stored_bits):
            for key in [k for k in known if isinstance(k, int) and first <= k < first + length]:
                del known[key]

    def _fail_unless(self, bit: str, status: str) -> None:
        failed, fine = self._fresh_label("failed"), self._fresh_label("fine")
        self._terminate(f"br i1 {bit}, label %{fine}, label %{failed}, !prof !0")
        self._label(failed, same_region=True)
        self._fail(status)
        # What was known before is still known: the other way leads out.
        self._label(fine, same_region=True)

    def _fail(self, status: str) -> None:
        """Out of the routine, or of the innermost attempt."""
        if not self._attempts:
            self._terminate(f"ret i32 {status}")
            return
        end, place = self._attempts[-1]
        self._line(f"store double {self._let(f'sitofp i32 {status} to double')}, ptr {place}")
        self._terminate(f"br label %{end}")

    # ------------------------------------------------------------ places

    def _declare(self, symbol: Symbol) -> None:
        pointer = self._new()
        if symbol.shape:
            length = max(1, math.prod(symbol.shape))
            self._entry.append(f"  {pointer} = alloca [{length} x double], align 16")
            self._arrays[symbol] = pointer
        elif self._straight:
            self._places[symbol] = NOWHERE
        else:
            self._entry.append(f"  {pointer} = alloca double")
            self._places[symbol] = pointer

    def _slot(self, slot: int) -> str:
        return self._let(f"getelementptr double, ptr %m, i64 {slot}")

    def _at(self, pointer: str, offset: int | str) -> str:
        return self._let(f"getelementptr double, ptr {pointer}, i64 {offset}")

    def _array(self, e: Expr) -> str:
        """Pointer to a whole array."""
        if e.op is Op.REF:
            return self._arrays[e.data]
        assert e.op is Op.ARRAY, e.op
        symbol = Symbol("array", Type.REAL, (len(e.args),))
        self._declare(symbol)
        pointer = self._arrays[symbol]
        # A large matrix is mostly zero, and LLVM takes more than linear time in the number of stores.
        filled = sum(a is ZERO for a in e.args) > UNROLLED_FILL
        if filled:
            self._fill(pointer, len(e.args), double(0.0))
        for k, a in enumerate(e.args):
            if filled and a is ZERO:
                continue
            number = self._value(a)
            self._line(f"store double {number}, ptr {self._at(pointer, k)}")
        return pointer

    def _element(self, array: Symbol, indices: tuple[Expr, ...], memo: dict[Expr, str] | None = None) -> str:
        """Pointer to an element; a computed index is checked."""
        assert len(indices) == len(array.shape), f"{array} has {len(array.shape)} dimensions"
        if all(i.op is Op.CONST and 1 <= i.data <= n for i, n in zip(indices, array.shape, strict=True)):
            place = 0
            for i, extent in zip(indices, array.shape, strict=True):
                place = place * extent + int(i.data) - 1
            return self._at(self._arrays[array], place)
        if self._trusted and len(indices) == 1:
            return self._at(self._arrays[array], self._offset(self._value(indices[0], memo)))
        offset = "0"
        for i, extent in zip(indices, array.shape, strict=True):
            number = self._value(i, memo)
            if not self._trusted:
                low = self._let(f"fcmp oge double {number}, 1.0")
                high = self._let(f"fcmp ole double {number}, {double(float(extent))}")
                self._fail_unless(self._let(f"and i1 {low}, {high}"), str(FUNCTION_FAILED))
            whole = self._let(f"fptosi double {number} to i64")
            from_zero = self._let(f"sub nsw i64 {whole}, 1")
            row = self._let(f"mul nsw i64 {offset}, {extent}")
            offset = self._let(f"add nsw i64 {row}, {from_zero}")
        return self._at(self._arrays[array], offset)

    def _offset(self, subscript: str) -> str:
        """From zero, as an integer; computed once in a region."""
        offset = self._stored.get(subscript)
        if offset is None:
            whole = self._let(f"fptosi double {subscript} to i64")
            offset = self._stored[subscript] = self._let(f"sub nsw i64 {whole}, 1")
        return offset

    def _fill(self, pointer: str, length: int, value: str) -> None:
        if length > UNROLLED_FILL:
            self._line(f"call void @saltus.fill(ptr {pointer}, i64 {length}, double {value})")
            return
        for k in range(length):
            self._line(f"store double {value}, ptr {self._at(pointer, k)}")

    def _copy(self, to: str, source: str, length: int) -> None:
        self._line(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {source}, i64 {8 * length}, i1 false)")

    # ------------------------------------------------------------ values

    def _value(self, e: Expr, memo: dict[Expr, str] | None = None) -> str:
        """A double."""
        memo = {} if memo is None else memo
        self._evaluate(e, memo)
        return self._number_of(e, memo)

    def _bit(self, e: Expr) -> str:
        assert e.type is Type.BOOLEAN, e.type
        return self._evaluate(e, {})

    def _number_of(self, e: Expr, memo: dict[Expr, str]) -> str:
        operand = memo[e]
        if e.type is not Type.BOOLEAN:
            return operand
        if operand in ("true", "false"):
            return "1.0" if operand == "true" else "0.0"
        return self._let(f"uitofp i1 {operand} to double")

    def _evaluate(self, e: Expr, memo: dict[Expr, str]) -> str:
        """The operand of an expression: i1 for a Boolean, else double."""
        stack = [e]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            leaf = self._leaf(node)
            if leaf is not None:
                memo[node] = leaf
                stack.pop()
                continue
            if node.op is not Op.INDEX:
                missing = [a for a in (_operands(node) if node.op is Op.ADD else node.args) if a not in memo]
                if missing:
                    stack.extend(reversed(missing))
                    continue
            memo[node] = self._operation(node, memo)
            stack.pop()
        return memo[e]

    def _leaf(self, e: Expr) -> str | None:
        if e.op is Op.CONST:
            if e.type is Type.BOOLEAN:
                return "true" if e.data else "false"
            return double(float(e.data))
        if e.op is Op.REF and e.data in self._places:
            return self._local_bit(e.data) if e.type is Type.BOOLEAN else self._local(e.data)
        slot = self._slots.get(e)
        if slot is None or self._in_function:
            return None
        return self._load(slot, None, e.type)

    def _local(self, symbol: Symbol) -> str:
        return self._load(symbol, self._places[symbol], Type.REAL)

    def _local_bit(self, symbol: Symbol) -> str:
        return self._load(symbol, self._places[symbol], Type.BOOLEAN)

    def _load(self, key: int | Symbol, pointer: str | None, kind: Type) -> str:
        if kind is Type.BOOLEAN:
            bit = self._stored_bits.get(key)
            if bit is not None:
                return bit
        number = self._stored.get(key)
        if number is None:
            if pointer is None:
                assert isinstance(key, int)
                pointer = self._slot(key)
            number = self._let(f"load double, ptr {pointer}")
            self._stored[key] = number
        if kind is not Type.BOOLEAN:
            return number
        bit = self._let(f"fcmp une double {number}, 0.0")
        self._stored_bits[key] = bit
        return bit

    def _operation(self, e: Expr, memo: dict[Expr, str]) -> str:
        match e.op:
            case Op.ADD:
                operands = _operands(e)
                total = self._number_of(operands[0], memo)
                for a, operand in zip(e.args[1:], operands[1:], strict=True):
                    word = "fadd" if operand is a else "fsub"
                    total = self._let(f"{word} double {total}, {self._number_of(operand, memo)}")
                return total
            case Op.MUL | Op.AND | Op.OR:
                result = memo[e.args[0]]
                for a in e.args[1:]:
                    result = self._let(f"{_ARITHMETIC[e.op]} {result}, {memo[a]}")
                return result
            case Op.NEG:
                return self._let(f"fneg double {memo[e.args[0]]}")
            case Op.NOT:
                return self._let(f"xor i1 {memo[e.args[0]]}, true")
            case Op.DIV:
                return self._let(f"fdiv double {memo[e.args[0]]}, {memo[e.args[1]]}")
            case Op.POW:
                return builtin("pow", [memo[a] for a in e.args], self._let)
            case Op.IF:
                condition, then, other = (memo[a] for a in e.args)
                kind = "i1" if e.type is Type.BOOLEAN else "double"
                return self._let(f"select i1 {condition}, {kind} {then}, {kind} {other}")
            case Op.CALL:
                return builtin(e.data, [self._number_of(a, memo) for a in e.args], self._let)
            case Op.RECALL:
                numbers = ", ".join(f"double {self._number_of(a, memo)}" for a in e.args)
                return self._let(f"call double @{question_name(e.data)}({numbers})")
            case Op.INDEX:
                number = self._let(f"load double, ptr {self._element(e.args[0].data, e.args[1:], memo)}")
                return self._let(f"fcmp une double {number}, 0.0") if e.type is Type.BOOLEAN else number
            case Op.NOEVENT | Op.SMOOTH:
                return memo[e.args[0]]
            case _:
                assert e.op in RELATIONS, f"{e.op} cannot be printed"
                left, right = (self._number_of(x, memo) for x in e.args)
                return self._let(f"fcmp {_COMPARE[e.op]} double {left}, {right}")
