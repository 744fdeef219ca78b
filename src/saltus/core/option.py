"""What an option is. A table of options is a frozen dataclass, and each of its fields is an entry:

    max_step: float | None = option("Largest step.", default=None, metavar="H", check=positive)

The field gives the option its name and type, `option` all the rest. `options` reads the entries back; from
them follow the command line, the keywords of Python, the checks of values, the identity of a checkpoint and
the documentation. The checks that several tables use are here, too. A wrong value raises `UsageError`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from numbers import Real
from types import NoneType
from typing import Any, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from saltus.core.diagnostics import Diagnostic, UsageError

T = TypeVar("T")

#: Takes the option as the user knows it, `--max-step` or `max step`, and its value; refuses what is wrong.
Check: TypeAlias = Callable[[str, Any], None]


def usage_error(message: str, *, code: str = "E501", hint: str | None = None) -> UsageError:
    """A refusal of the command or call, with one diagnostic."""
    return UsageError(Diagnostic(code, message, hint=hint))


# ---------------------------------------------------------------- entries


@dataclass(frozen=True)
class Option:
    """An entry of a table. `option` says what the parts mean that are chosen there.

    `type` is that of one value on the command line: `bool` makes a flag. A `repeatable` option may be given
    several times there.
    """

    help: str
    default: Any
    metavar: str | None
    commands: tuple[str, ...]
    written: str
    short: str
    otherwise: str
    annotated: bool
    check: Check | None
    parse: Callable[[Sequence[str]], Any] | None
    in_identity: bool
    label: str
    in_force: Callable[[Any], Any] | None
    implied: bool
    unit: str
    name: str = ""
    type: type[Any] = str
    repeatable: bool = False

    @cached_property
    def keyword(self) -> str:
        """How the option is written in Python."""
        return self.written or self.name

    @property
    def flag(self) -> str:
        """How the option is written on the command line."""
        return "--" + self.keyword.replace("_", "-")

    @cached_property
    def words(self) -> str:
        """How messages call the option where it was not given on the command line."""
        return self.keyword.replace("_", " ")

    @property
    def without(self) -> str:
        """What happens where the option is not given, for help and documentation."""
        if self.otherwise:
            text = self.otherwise
        elif self.default is False:
            text = "off"
        else:
            text = f"{self.default:g}" if isinstance(self.default, float) else str(self.default)
            text = re.sub(r"e([+-])0+", r"e\1", text)  # 1e-6, as people write it
        return f"experiment annotation, else {text}" if self.annotated else text


def option(
    help: str,
    *,
    default: T,
    metavar: str | None = None,
    commands: tuple[str, ...] = (),
    written: str = "",
    short: str = "",
    otherwise: str = "",
    annotated: bool = False,
    check: Check | None = None,
    parse: Callable[[Sequence[str]], Any] | None = None,
    in_identity: bool = True,
    label: str = "",
    in_force: Callable[[Any], Any] | None = None,
    implied: bool = False,
    unit: str = "",
) -> T:
    """An entry of a table of options: the field of a dataclass.

    help         a sentence for the command line and the documentation
    default      the value if none is given
    metavar      what stands for the value in the documentation; a flag has none
    commands     the commands that take the option; empty where the table as a whole belongs to some
    written      what users write, where that cannot be the name of the field
    short        one letter that stands for it on the command line
    otherwise    what happens without the option, where that is not simply the default
    annotated    the `experiment` annotation of the model comes before the default
    check        refuses wrong values
    parse        makes the value of the texts that the command line gives; the option is repeatable there
    in_identity  a checkpoint is only good for a run that has the same value
    label        how a refused checkpoint calls the value, where the words of the name will not do
    in_force     makes the value that a checkpoint must agree with, where that is not the field's own, of
                 the whole instance
    unit         what the number counts; the command line takes it in other units, too (`1ms`)
    implied      commands do not have it: options that do something with a result ask the run for it
    """
    entry = Option(
        help, default, metavar, commands, written, short, otherwise, annotated, check, parse, in_identity,
        label, in_force, implied, unit,
    )  # fmt: skip
    metadata = {Option: entry}
    made = (
        field(default_factory=default.copy, metadata=metadata)
        if isinstance(default, dict)  # which could be changed, and is not shared for that reason
        else field(default=default, metadata=metadata)
    )
    return cast(T, made)  # which is what the field has in every instance


def options(table: type[Any]) -> tuple[Option, ...]:
    """The entries of a table, in order."""
    return _entries(table)  # type: ignore[arg-type]  # mypy takes the hash of instances for that of classes


@cache
def _entries(table: type[Any]) -> tuple[Option, ...]:
    hints = get_type_hints(table)
    found = []
    for f in fields(table):
        if Option in f.metadata:
            entry: Option = f.metadata[Option]
            kind, repeatable = (str, True) if entry.parse is not None else _kind(hints[f.name])
            found.append(replace(entry, name=f.name, type=kind, repeatable=repeatable))
    return tuple(found)


def _kind(hint: Any) -> tuple[type[Any], bool]:
    """The type of one value, and whether there may be several: `tuple[str, ...]` is several texts."""
    if get_origin(hint) is tuple:
        return get_args(hint)[0], True
    several = [kind for kind in get_args(hint) if kind is not NoneType]
    return (several[0] if several else hint), False


# ---------------------------------------------------------------- checks of one value


def finite(name: str, value: Any) -> None:
    """Any number but infinities and NaN."""
    number = type(value) is float or isinstance(value, Real)  # to ask an abstract class takes long
    if not number or not math.isfinite(value):
        raise usage_error(f"{name} must be a finite number, not {value!r}")


def positive(name: str, value: Any) -> None:
    """A finite number above zero."""
    finite(name, value)
    if value <= 0:
        raise usage_error(f"{name} must be greater than zero, not {value:g}")


def not_negative(name: str, value: Any) -> None:
    """A finite number above zero, or zero."""
    finite(name, value)
    if value != 0:
        positive(name, value)


def relative_error(name: str, value: Any) -> None:
    """A number between zero and one."""
    positive(name, value)
    if value >= 1:
        raise usage_error(f"{name} must be less than one, not {value:g}", hint="it is a relative error")


def one_of(choices: Sequence[str], noun: str = "", advice: str = "") -> Check:
    """One of several words; `noun` is what they are, for the message. The hint begins with the `advice`."""
    listed = ", ".join(choices)
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    hint = advice + (f"the {plural} are {listed}" if noun else f"choose one of {listed}")
    unknown = f"knows no {noun}" if noun else "knows no"

    def check(name: str, value: Any) -> None:
        if value not in choices:
            raise usage_error(f"{name} {unknown} {value!r}", hint=hint)

    return check
