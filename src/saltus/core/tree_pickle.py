"""Trees of frozen dataclasses as small pickles that load fast.

The standard pickler remembers every object it writes, in case it comes again, and the reader has to keep that
memory too. A syntax tree has nothing that comes again but strings, classes and plain names, so this writer
remembers only those. Fields that have their default value are not written: the default is an attribute of the
class, where every look-up finds it. Both together make the load a third faster and the file smaller. What it
writes is an ordinary pickle (protocol 4).

It writes dataclass instances without `__slots__`, tuples, strings, numbers, Booleans and None, nothing else.
"""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from struct import pack
from typing import Any

# Opcodes, by their names in the standard library's `pickletools`.
_PROTO = b"\x80\x04"
_FRAME = b"\x95"
_STOP = b"."
_NONE = b"N"
_TRUE = b"\x88"
_FALSE = b"\x89"
_MEMOIZE = b"\x94"
_STACK_GLOBAL = b"\x93"
_NEW_OBJECT = b")\x81"  # empty argument tuple, then the object
_STATE = b"}("  # an empty dictionary and a mark
_BUILD = b"ub"  # the items since the mark into the dictionary, the dictionary into the object
_TUPLES = {0: b")", 1: b"\x85", 2: b"\x86", 3: b"\x87"}


def dumps(value: object) -> bytes:
    """The pickle of a tree; `TypeError` for what it cannot write."""
    writer = _Writer()
    writer.write(value)
    body = b"".join([*writer.out, _STOP])
    # One frame for all: the reader then takes it in one piece and not one opcode after another.
    return b"".join([_PROTO, _FRAME, pack("<Q", len(body)), body])


class _Writer:
    def __init__(self) -> None:
        self.out: list[bytes] = []
        # How to fetch what was written before: by value for strings and plain names, by class.
        self.fetch: dict[object, bytes] = {}
        self.defaults: dict[type, dict[str, object]] = {}

    def write(self, value: Any) -> None:
        kind = type(value)
        put = self.out.append
        if kind is int:
            put(_integer(value))
        elif kind is str:
            known = self.fetch.get(value)
            put(known) if known is not None else self._new_string(value)
        elif value is None:
            put(_NONE)
        elif kind is tuple:
            if value and _is_plain(value):
                known = self.fetch.get(value)
                if known is not None:
                    put(known)
                    return
                self._tuple(value)
                self._remember(value)
            else:
                self._tuple(value)
        elif kind is bool:
            put(_TRUE if value else _FALSE)
        elif kind is float:
            put(pack(">cd", b"G", value))
        else:
            self._instance(value, kind)

    def _instance(self, value: Any, kind: type) -> None:
        put = self.out.append
        write = self.write
        fetch = self.fetch
        known = fetch.get(kind)
        if known is None:
            self._new_class(kind)
        else:
            put(known)
        put(_NEW_OBJECT)
        put(_STATE)
        defaults = self.defaults[kind]
        for name, field in value.__dict__.items():
            if name in defaults and field is defaults[name]:
                continue
            put(fetch[name])
            if type(field) is int:
                put(_integer(field))
            else:
                write(field)
        put(_BUILD)

    def _tuple(self, value: tuple[Any, ...]) -> None:
        size = len(value)
        if size > 3:
            self.out.append(b"(")
        for element in value:
            self.write(element)
        self.out.append(_TUPLES[size] if size <= 3 else b"t")

    def _new_string(self, value: str) -> None:
        data = value.encode("utf-8", "surrogatepass")
        head = pack("<cB", b"\x8c", len(data)) if len(data) < 256 else pack("<cI", b"X", len(data))
        self.out += [head, data]
        self._remember(value)

    def _new_class(self, kind: type) -> None:
        if not is_dataclass(kind) or "__slots__" in kind.__dict__:
            raise TypeError(f"cannot write {kind.__name__}")
        all_fields = fields(kind)
        self.defaults[kind] = {f.name: f.default for f in all_fields if f.default is not MISSING}
        # The names of the fields go into the memory first, so that `_instance` need not ask.
        for name in [*(f.name for f in all_fields), kind.__module__, kind.__qualname__]:
            if name not in self.fetch:
                self._new_string(name)
                self.out.append(b"0")  # off the stack again
        self.out += [self.fetch[kind.__module__], self.fetch[kind.__qualname__], _STACK_GLOBAL]
        self._remember(kind)

    def _remember(self, value: object) -> None:
        self.out.append(_MEMOIZE)
        index = len(self.fetch)
        self.fetch[value] = pack("<cB", b"h", index) if index < 256 else pack("<cI", b"j", index)


def _is_plain(value: tuple[Any, ...]) -> bool:
    """Only strings and tuples of strings: a name, which is likely to come again."""
    for element in value:
        kind = type(element)
        if kind is not str and not (kind is tuple and _is_plain(element)):
            return False
    return True


def _integer(value: int) -> bytes:
    if 0 <= value < 256:
        return pack("<cB", b"K", value)
    if 0 <= value < 65536:
        return pack("<cH", b"M", value)
    if -(2**31) <= value < 2**31:
        return pack("<ci", b"J", value)
    size = value.bit_length() // 8 + 1
    return pack("<cI", b"\x8b", size) + value.to_bytes(size, "little", signed=True)
