"""Exchanges by datagrams (UDP) with a process on this machine.

Only the loopback interface is used. Both sides send JSON objects in UTF-8, one per datagram:

    to the run     {"throttle": 0.5, "brake": false}       new values of inputs, by name; {} to be heard of
    from the run   {"time": 0.01, "outputs": {"v": 3.2}, "number": 1, "missed": 0, "end": false}

The run answers to the sender of the last datagram; before the first it sends nothing. At each exchange it
sends first, and then reads what has arrived since the last one: if an input occurs several times, the last
value counts. If nothing has arrived, it waits up to the given time and continues with the present inputs:
such an exchange is `missed`, and the count says how many in a row. Later datagrams count at the next
exchange. A datagram that is not such an object, names an unknown input or contains an invalid value is
refused as a whole.
"""

from __future__ import annotations

import json
import select
import socket
import time as clock
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Protocol, Self

from saltus.core.diagnostics import UsageError
from saltus.core.option import usage_error
from saltus.core.wording import number

#: Only this machine.
LOOPBACK = "127.0.0.1"

_MOST_BYTES = 65_535


class Judge(Protocol):
    """Refuses, with a `UsageError`, an input that there is not, or a value that it cannot have."""

    def number(self, name: str, value: Any, /) -> float: ...


class UdpLink:
    """Answers exchanges by what a process on this machine sends to a `port` (0: any that is free). It waits
    up to `wait` seconds for each answer: so a run that goes as fast as it can goes step by step with the
    other process."""

    def __init__(self, port: int, *, wait: float = 0.0) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((LOOPBACK, port))
        except (OSError, OverflowError) as error:
            self._socket.close()
            why = getattr(error, "strerror", None) or error
            hint = "choose another, from 1024 to 65535"
            raise usage_error(f"port {port} cannot be used: {why}", hint=hint) from None
        self._socket.setblocking(False)
        self._wait = wait
        self._peer: tuple[str, int] | None = None
        self._judge: Judge | None = None
        self._missed_in_a_row = 0
        #: Exchanges, datagrams that counted, exchanges without any, datagrams that were refused; and why the
        #: first of these was.
        self.exchanges = self.datagrams = self.missed = self.refused = 0
        self.first_refusal = ""

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._socket.getsockname()[1])

    def judged_by(self, judge: Judge) -> None:
        """Who knows which inputs there are."""
        self._judge = judge

    def __call__(self, time: float, outputs: Mapping[str, Any]) -> Mapping[str, Any]:
        """One exchange."""
        found: dict[str, Any] = {}
        if self._peer is None:
            self._take(found, self._wait)
        self._send(time, outputs, end=False)
        known = self.datagrams
        self._take(found, self._wait if self._peer is not None else 0.0)
        self.exchanges += 1
        if self.datagrams == known and not found:
            self.missed += 1
            self._missed_in_a_row += 1
        else:
            self._missed_in_a_row = 0
        return found

    def end(self, time: float, outputs: Mapping[str, Any]) -> None:
        """Sends the last outputs."""
        self._send(time, outputs, end=True)

    def _send(self, time: float, outputs: Mapping[str, Any], *, end: bool) -> None:
        if self._peer is None:
            return
        counts = {"number": self.exchanges, "missed": self._missed_in_a_row, "end": end}
        told = {"time": time, "outputs": dict(outputs), **counts}
        try:
            self._socket.sendto(json.dumps(told).encode(), self._peer)
        except OSError as error:
            # The other side may be gone; another process may use the same port later.
            self.first_refusal = self.first_refusal or f"a datagram could not be sent: {error.strerror}"

    def _take(self, found: dict[str, Any], wait: float) -> None:
        """Reads all that has come; where nothing has, waits for it."""
        until = clock.monotonic() + wait
        came = False
        while True:
            try:
                data, peer = self._socket.recvfrom(_MOST_BYTES)
            except BlockingIOError:
                left = until - clock.monotonic()
                if came or left <= 0:
                    return
                select.select([self._socket], [], [], left)
                continue
            except ConnectionError:  # nothing listened to what was sent before
                continue
            self._peer = peer
            came = self._read(data, found) or came

    def _read(self, data: bytes, found: dict[str, Any]) -> bool:
        """One datagram. Whether it counts."""
        try:
            told = json.loads(data)
            if not isinstance(told, dict):
                raise ValueError("it is not an object with names of inputs")
            for name, value in told.items():
                if self._judge is not None:
                    self._judge.number(name, value)
        except (ValueError, RecursionError) as error:  # also what is not UTF-8
            self._refuse(f"{error}")
            return False
        except UsageError as error:
            self._refuse(error.diagnostics[0].message)
            return False
        found.update(told)
        self.datagrams += 1
        return True

    def _refuse(self, reason: str) -> None:
        self.refused += 1
        self.first_refusal = self.first_refusal or reason

    def text(self) -> str:
        """What became of the exchanges."""
        counts = number(self.exchanges, "exchange"), number(self.datagrams, "datagram")
        told = f"{', '.join(counts)}, {self.missed} missed, {self.refused} refused"
        return f"{told}: {self.first_refusal}" if self.first_refusal else told

    def close(self) -> None:
        """Listens no more."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
