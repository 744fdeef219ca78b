"""A client that speaks the Language Server Protocol with a `saltus lsp` process, as an editor does: messages
with a length before them, over standard input and output. It shares no code with the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue
from time import monotonic
from typing import Any

#: Seconds after which a test gives up; that is no statement about speed.
LONG = 120.0


class Client:
    """One session. Use it as a context; it ends as the protocol says."""

    def __init__(self, *arguments: str, folder: Path, options: dict[str, Any] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "saltus", "lsp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self._messages: Queue[dict[str, Any] | None] = Queue()
        self._kept: list[dict[str, Any]] = []
        self._stderr: list[bytes] = []
        self._number = 0
        self._versions: dict[str, int] = {}
        for work in (self._read, self._read_errors):
            threading.Thread(target=work, daemon=True).start()
        self.capabilities = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "capabilities": {"general": {"positionEncodings": ["utf-16"]}},
                "initializationOptions": options or {},
            },
        )["capabilities"]
        self.notify("initialized", {})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        self.status = self._process.wait(LONG)

    def vanish(self) -> int | None:
        """Closes the pipe without a word; the status with which the server ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(LONG)

    @property
    def errors(self) -> str:
        """What the server has written on standard error."""
        return b"".join(self._stderr).decode("utf-8", "replace")

    # ------------------------------------------------------------ messages

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        while True:
            length = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if line == b"":
                self._messages.put(None)
                return
            self._messages.put(json.loads(out.read(length)))

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._stderr.append(line)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self._process.stdin.flush()

    def _next(self, until: float) -> dict[str, Any]:
        try:
            message = self._messages.get(timeout=max(0.0, until - monotonic()))
        except Empty:
            raise AssertionError(f"no answer; standard error: {self.errors}") from None
        assert message is not None, f"the server is gone: {self.errors}"
        return message

    def request(self, method: str, params: Any) -> Any:
        """The answer to a request."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        until = monotonic() + LONG
        while True:
            message = self._next(until)
            if message.get("id") == self._number and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]
            self._kept.append(message)

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    # ------------------------------------------------------------ documents

    def open(self, uri: str, text: str, language: str = "modelica") -> None:
        self._versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str) -> int:
        """The text is another one; its version."""
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        return self._versions[uri]

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """What is found of the present version of a document, once it is."""
        until = monotonic() + LONG
        while True:
            for message in self._kept:
                if self._is_of(message, uri):
                    self._kept.remove(message)
                    found: list[dict[str, Any]] = message["params"]["diagnostics"]
                    return found
            self._kept.append(self._next(until))

    def heard(self, method: str) -> dict[str, Any]:
        """What the server has said of itself by a notification of a kind, the first."""
        until = monotonic() + LONG
        while True:
            for message in self._kept:
                if message.get("method") == method:
                    self._kept.remove(message)
                    told: dict[str, Any] = message["params"]
                    return told
            self._kept.append(self._next(until))

    def _is_of(self, message: dict[str, Any], uri: str) -> bool:
        return (
            message.get("method") == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
            and message["params"].get("version") == self._versions[uri]
        )

    def at(self, uri: str, text: str, marked: str, **more: Any) -> dict[str, Any]:
        """The parameters of a request about the place of `|` in a stretch of a text."""
        offset = text.index(marked.replace("|", "")) + marked.index("|")
        line = text.count("\n", 0, offset)
        start = text.rfind("\n", 0, offset) + 1
        column = len(text[start:offset].encode("utf-16-le")) // 2
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}, **more}
