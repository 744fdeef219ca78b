"""A browser without a window, spoken to by the DevTools protocol: Chromium as the system has it.

The page under test is a file; what people do is done by the browser's own input events, so that focus, hit
testing and default actions are as they are for people.
"""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import websocket

#: Names under which systems have it.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: What may take so long on a machine that has other work.
PATIENCE = 120.0

_KEYS = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Escape": 27,
    "Enter": 13,
    "Tab": 9,
}


def chromium() -> str | None:
    """Where the browser is, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """The only tab of a browser."""

    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
        self._number = 0
        self.requests: list[str] = []
        self.errors: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol, with its answer; what happens meanwhile is noted."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                found: dict[str, Any] = message["result"]
                return found
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        method, told = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.errors.append(told["entry"]["text"])

    # ------------------------------------------------------------ what is seen

    def open(self, address: str, ready: str = "document.documentElement.dataset.ready !== undefined") -> None:
        """Goes to a page and waits until it says that it is ready."""
        self.call("Page.navigate", url=address)
        self.wait(ready)

    def value(self, expression: str) -> Any:
        """The value of an expression on the page."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until something is true on the page."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            told = self.call("Runtime.evaluate", expression=condition, returnByValue=True)
            if told["result"].get("value") is True:
                return
            time.sleep(0.05)
        raise AssertionError(f"not so after {PATIENCE} s: {condition}; errors: {self.errors}")

    def text(self, selector: str) -> str:
        """The text of an element."""
        found: str = self.value(f"document.querySelector({json.dumps(selector)}).innerText")
        return found

    def size(self, width: int, height: int) -> None:
        """Of the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """What the system of the reader prefers: `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path: Path) -> None:
        """A picture of the window."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    # ------------------------------------------------------------ what people do

    def box(self, selector: str) -> tuple[float, float, float, float]:
        """Left, top, width and height of an element in the window."""
        box = self.value(
            f"(b => [b.left, b.top, b.width, b.height])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        return tuple(box)  # type: ignore[return-value]  # four numbers

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """One event of the mouse."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float, count: int = 1) -> None:
        """A click at a place."""
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=1, clickCount=count)

    def click_on(self, selector: str) -> None:
        """A click on the middle of an element."""
        left, top, width, height = self.box(selector)
        self.click(left + width / 2, top + height / 2)

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """From one place to another, by way of the middle."""
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for part in (0.5, 1.0):
            self.mouse("mouseMoved", x + part * (to_x - x), y + part * (to_y - y), button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)

    def key(self, name: str, *, shift: bool = False) -> None:
        """One key, by its name or its sign."""
        sign = {"text": name} if len(name) == 1 else {}
        code = _KEYS.get(name, 0)
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code,
                modifiers=8 if shift else 0, **(sign if kind == "keyDown" else {}),
            )  # fmt: skip

    def type(self, text: str) -> None:
        """A text into what has the focus."""
        self.call("Input.insertText", text=text)


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    """A browser whose profile is in a folder; it ends with the block."""
    program = chromium()
    assert program is not None
    options = [
        # Not every container lets it have a sandbox, nor has root one; the pages are our own.
        *("--no-sandbox", "--headless=new", "--disable-gpu", "--no-first-run", "--mute-audio"),
        *("--disable-background-networking", "--disable-dev-shm-usage"),
        *("--remote-debugging-port=0", f"--user-data-dir={folder}"),
    ]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([program, *options, "about:blank"], stdout=log, stderr=log)
        try:
            yield Page(_address(folder, process))
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Of the tab, once the browser has written down where it listens."""
    port, until = folder / "DevToolsActivePort", time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, (folder / "log").read_text()
        if port.exists() and (number := port.read_text().partition("\n")[0]):
            with urlopen(f"http://127.0.0.1:{number}/json/list") as answer:
                tabs = [t for t in json.load(answer) if t["type"] == "page"]
            if tabs:
                return str(tabs[0]["webSocketDebuggerUrl"])
        time.sleep(0.05)
    raise AssertionError("the browser does not listen")
