"""Built-in functions and run-time support as LLVM text.

Square roots and roundings are instructions; the elementary functions come from the C library, as in
Python's `math`, so that both back ends give the same digits. Linear systems that are not small go to LAPACK's
`dgesv`; LLVM's arrays are row-major and LAPACK's column-major, hence the transposition.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial

from saltus.emit.support.small_solve import SMALL, small_solve, small_solve_text

_LIBRARY_1 = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10")
_LIBRARY_2 = ("atan2", "pow")
_INTRINSICS = {"sqrt": "sqrt", "abs": "fabs", "floor": "floor", "ceil": "ceil", "integer": "floor"}

#: Symbols of the C library that a module may need.
LIBRARY_SYMBOLS = (*_LIBRARY_1, *_LIBRARY_2)

#: The name under which a module calls LAPACK's dgesv.
DGESV = "saltus_dgesv"

_DECLARATIONS = "\n".join(
    [
        *(f"declare double @{name}(double) #0" for name in _LIBRARY_1),
        *(f"declare double @{name}(double, double) #0" for name in _LIBRARY_2),
        *(f"declare double @llvm.{name}.f64(double)" for name in ("sqrt", "fabs", "floor", "ceil", "trunc")),
    ]
)

PREAMBLE = f"""
{_DECLARATIONS}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @{DGESV}(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
; nobuiltin: LLVM would replace pow(2, x) by exp2(x) and the like, with other last digits
attributes #0 = {{ nobuiltin nounwind willreturn memory(none) }}
; what external objects consist of before a run has made them
@saltus.nothing = internal constant double 0.0
!0 = !{{!"branch_weights", i32 1000, i32 1}}
"""

_FILL = """
define internal void @saltus.fill(ptr %a, i64 %n, double %x) nounwind {
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr double, ptr %a, i64 %k
  store double %x, ptr %p
  %next = add nsw i64 %k, 1
  br label %head
end:
  ret void
}
"""

_SOLVE = f"""
; right := matrix^-1 right; the result is LAPACK's info.
define internal i32 @saltus.solve(ptr %a, ptr %b, i32 %n) noinline nounwind {{
entry:
  %order = alloca i32
  %columns = alloca i32
  %info = alloca i32
  %pivots = alloca i32, i32 %n
  store i32 %n, ptr %order
  store i32 1, ptr %columns
  %size = sext i32 %n to i64
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %i.more = icmp slt i64 %i, %size
  br i1 %i.more, label %row, label %call
row:
  %j = phi i64 [ %j.next, %swap ], [ 0, %rows ]
  %j.more = icmp slt i64 %j, %i
  br i1 %j.more, label %swap, label %row.end
swap:
  %ij.row = mul nsw i64 %i, %size
  %ij = add nsw i64 %ij.row, %j
  %ji.row = mul nsw i64 %j, %size
  %ji = add nsw i64 %ji.row, %i
  %p = getelementptr double, ptr %a, i64 %ij
  %q = getelementptr double, ptr %a, i64 %ji
  %x = load double, ptr %p
  %y = load double, ptr %q
  store double %y, ptr %p
  store double %x, ptr %q
  %j.next = add nsw i64 %j, 1
  br label %row
row.end:
  %i.next = add nsw i64 %i, 1
  br label %rows
call:
  call void @{DGESV}(ptr %order, ptr %columns, ptr %a, ptr %order, ptr %pivots, ptr %b, ptr %order, ptr %info)
  %result = load i32, ptr %info
  ret i32 %result
}}
"""


#: What a routine may call, by name, and how its text is made.
SUPPORT: dict[str, Callable[[], str]] = {
    "@saltus.fill": lambda: _FILL,
    "@saltus.solve": lambda: _SOLVE,
    **{f"@{small_solve(n)}": partial(small_solve_text, n) for n in range(1, SMALL + 1)},
}


def support_text(texts: Sequence[str]) -> str:
    """The definitions of what these functions call."""
    return "".join(made() for name, made in SUPPORT.items() if any(f"{name}(" in text for text in texts))


def double(value: float) -> str:
    """A literal, exact."""
    return "0x" + struct.pack(">d", value).hex().upper()


def numbers_text(values: Sequence[float]) -> str:
    """An array of doubles as a string of bytes, which LLVM reads many times faster than a list."""
    data = struct.pack(f"<{len(values)}d", *values)
    return f'[{len(data)} x i8] c"\\{data.hex(chr(92))}", align 8'


def builtin(name: str, args: list[str], let: Callable[[str], str]) -> str:
    """The operand with the value of a built-in function; `let` names the result of an instruction."""
    if name in _LIBRARY_1:
        return let(f"call double @{name}(double {args[0]})")
    if name in _LIBRARY_2:
        return let(f"call double @{name}(double {args[0]}, double {args[1]})")
    if name in _INTRINSICS:
        return let(f"call double @llvm.{_INTRINSICS[name]}.f64(double {args[0]})")
    match name:
        case "real":
            return args[0]
        case "sign":
            positive = let(f"fcmp ogt double {args[0]}, 0.0")
            negative = let(f"fcmp olt double {args[0]}, 0.0")
            low = let(f"select i1 {negative}, double -1.0, double 0.0")
            return let(f"select i1 {positive}, double 1.0, double {low}")
        case "min" | "max":
            first = let(f"fcmp {'olt' if name == 'min' else 'ogt'} double {args[0]}, {args[1]}")
            return let(f"select i1 {first}, double {args[0]}, double {args[1]}")
        case "div" | "mod" | "rem":
            rounding = "floor" if name == "mod" else "trunc"
            ratio = let(f"fdiv double {args[0]}, {args[1]}")
            whole = let(f"call double @llvm.{rounding}.f64(double {ratio})")
            if name == "div":
                return whole
            part = let(f"fmul double {whole}, {args[1]}")
            return let(f"fsub double {args[0]}, {part}")
        case "peek":
            address = let(f"fptoui double {args[0]} to i64")
            place = let(f"fptosi double {args[1]} to i64")
            start = let(f"inttoptr i64 {address} to ptr")
            there = let(f"getelementptr double, ptr {start}, i64 {place}")
            nothing = let(f"icmp eq i64 {address}, 0")
            chosen = let(f"select i1 {nothing}, ptr @saltus.nothing, ptr {there}")
            return let(f"load double, ptr {chosen}")
        case _:
            raise AssertionError(f"no code for {name}")
