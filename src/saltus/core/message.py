"""What is said to a user: a code, a sentence, a place, notes, and what to do. `render` turns it into text.

Codes by stage: E1xx reading, E2xx lowering, E3xx analysis, E4xx the run, E5xx usage; W in place of E is a
warning. `TITLES` is the table from which documentation and checks are made.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from saltus.core.source import Span

TITLES: dict[str, str] = {
    "E101": "syntax error",
    "E102": "file cannot be read",
    "E103": "package structure",
    "E201": "unknown name",
    "E202": "duplicate element",
    "E203": "cyclic inheritance",
    "E204": "not supported yet",
    "E205": "type mismatch",
    "E206": "dimension mismatch",
    "E207": "wrong modification",
    "E208": "value needed at translation",
    "E209": "not allowed here",
    "E210": "wrong connection",
    "E211": "wrong variability",
    "E212": "wrong function call",
    "E213": "cyclic definition",
    "E301": "structurally singular model",
    "E302": "states constrain each other",
    "E303": "inconsistent initial equations",
    "E304": "cyclic parameters",
    "E305": "loop among discrete equations",
    "E306": "undetermined in a mode",
    "E307": "variable that does not exist in a mode",
    "E308": "conflict of causality",
    "E309": "with a clock and without one",
    "E310": "clocks do not fit",
    "E311": "cannot be exported",
    "E401": "initialisation failed",
    "E402": "division by zero",
    "E403": "algebraic loop not solved",
    "E404": "event does not settle",
    "E405": "integration failed",
    "E406": "assertion violated",
    "E407": "invalid value",
    "E408": "singular position",
    "E409": "delay time out of range",
    "E410": "equations contradict each other in a mode",
    "E411": "positions that do not meet",
    "E412": "impulse in a nonlinear equation",
    "E413": "Integer too large",
    "E414": "no steady state",
    "E501": "wrong usage",
    "E502": "unknown variable or parameter",
    "E503": "file cannot be written",
    "E504": "checkpoint cannot be used",
    "W201": "unusual modification",
    "W202": "derivative not used",
    "W203": "extension of the language",
    "W204": "inner component missing",
    "W210": "units do not match",
    "W211": "unit not understood",
    "W205": "text not shown",
    "W206": "incomplete picture",
    "W207": "element without a bond",
    "W208": "clock not given",
    "W301": "initial value chosen",
    "W212": "no else",
    "W308": "conflict of causality in a mode",
    "W401": "assertion violated",
    "W402": "run ended early",
    "W403": "parameter without a value",
    "W404": "several solutions at an event",
    "W405": "checkpoint not written",
    "W406": "quantities left open",
    "W407": "size not known",
    "W408": "start value not kept",
    "W409": "input without a curve",
}


#: What to do about a refusal of whose circumstances nothing better is known.
HINTS: dict[str, str] = {
    "E101": "the mistake may be just before the marked place",
    "E102": "is the path correct, and is the file readable?",
    "E103": "a file holds the class of its own name, a folder a package in its package.mo",
    "E201": "is it spelled as declared, and imported if necessary?",
    "E202": "rename or remove one of the two",
    "E203": "remove one of the extends clauses: no class can inherit from itself, directly or through others",
    "E204": "rewrite it; docs/language.md lists what is supported",
    "E205": "compare the declared type with that of the value; only an Integer may stand for a Real",
    "E206": "compare the declared sizes with those of the value",
    "E207": "check the declaration of the modified element: its kind, and whether it is final or protected",
    "E208": "compute it from constants and parameters that have values",
    "E209": "check the declaration of this name: its kind, and where it may be used",
    "E210": "connected connectors must have variables with the same names, types, sizes and prefixes",
    "E211": "a constant may depend on constants only, a parameter on those and on parameters",
    "E212": "compare the call with the inputs and outputs that the function declares",
    "E213": "break the cycle: one of its elements must not depend on the others",
    "E301": "`saltus flat` prints all variables and equations; `saltus check` on a package finds the part",
    "E302": "remove one of the constraints, or let one of the states follow from the others",
    "E303": "remove one of the initial equations or one `fixed = true`",
    "E304": "break the cycle: one of the parameters needs a value of its own",
    "E305": "break the cycle with `pre(...)` in one of the equations",
    "E306": "give it an equation in every mode, or let its branch say that it does not exist there",
    "E402": "keep the divisor away from zero, or multiply the equation by it",
    "E407": "look for sqrt, log, asin or a power outside its domain, and guard it as in sqrt(max(x, 0))",
    "E413": "Integers are exact below 2^53: reset it in time, or use a Real if digits may be lost",
}

#: The same in the words of another language, by the suffix of its files.
HINTS_OF: dict[str, dict[str, str]] = {
    ".dym": {
        "E201": "is it spelled as it is declared? a variable is declared as `local x`, or `terminal x`",
        "E203": "no class can extend itself, directly or through others",
        "E204": "rewrite it; docs/dymola.md has the language",
        "E205": "compare the uses of it: a variable is true or false, or a number",
        "E209": "docs/dymola.md explains what is allowed where",
        "E210": "cuts that meet have as many across and through variables",
        "E303": "remove one of the start values",
    },
}


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Note:
    """A further remark, with its own place if it has one."""

    message: str
    span: Span | None = None


@dataclass(frozen=True)
class Diagnostic:
    """One message to the user."""

    code: str
    message: str
    span: Span | None = None
    notes: tuple[Note, ...] = ()
    hint: str | None = None
    within: tuple[str, ...] = ()  # the chain of components that led there, the outermost first
    declared: tuple[Span, ...] = ()  # where the components of that chain are declared, all of them
    origin: str = ""  # the component or variable concerned, if its chain is not added yet

    def __post_init__(self) -> None:
        if self.code not in TITLES:
            raise KeyError(f"diagnostic code {self.code} is not in the table")

    @property
    def severity(self) -> Severity:
        """An error or a warning."""
        return Severity.WARNING if self.code.startswith("W") else Severity.ERROR

    @property
    def title(self) -> str:
        """What codes of this kind are about."""
        return TITLES[self.code]

    @property
    def advice(self) -> str | None:
        """The hint, or what helps in general."""
        if self.hint is None and self.span is not None:
            for suffix, hints in HINTS_OF.items():
                if self.span.source.path.endswith(suffix) and self.code in hints:
                    return hints[self.code]
        return self.hint or HINTS.get(self.code)
