"""A page that a browser on this machine shows, and shows anew when it changes.

The server listens on the loopback interface only, and answers only who knows it by that name: a page from
elsewhere, under whatever name, is refused. `/` is the page, `/changes` a stream of events
(https://html.spec.whatwg.org/multipage/server-sent-events.html) with the version that there is and what is
wrong, if something is. The script that listens to it (`show/report/page/watch.js`) is put into the page here.
"""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from types import TracebackType
from typing import Self

from saltus.show.report.page import waiting_html, watched_html

#: The port that is taken if it is free, so that a browser that is open finds the next run, too.
PORT = 7258

#: Seconds after which a silent stream says that it is still there.
_SIGN_OF_LIFE = 5.0


class PageServer:
    """Serves a page while its block lasts."""

    def __init__(self, title: str) -> None:
        self._changed = Condition()
        self._version = 0
        self._page = waiting_html(title)
        self._problem = ""
        self._ended = False
        self._server = _listening(self)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    @property
    def hosts(self) -> frozenset[str]:
        """The names by which it may be asked."""
        return frozenset(f"{name}:{self._server.server_port}" for name in ("127.0.0.1", "localhost"))

    def show(self, page: str) -> None:
        """From now on, this is the page."""
        self._tell(page, "")

    def tell_problem(self, text: str) -> None:
        """The page stays as it is; what is wrong is shown over it."""
        self._tell(None, text)

    def _tell(self, page: str | None, problem: str) -> None:
        with self._changed:
            if page is not None:
                self._page = page
                self._version += 1
            self._problem = problem
            self._changed.notify_all()

    def page(self) -> str:
        """The page as it is now, with the script that listens to changes."""
        with self._changed:
            return watched_html(self._page, self._version)

    def news(self, known: str) -> str | None:
        """The present message, as soon as it differs from the known one or a timeout has passed; None at the
        end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._news() != known, _SIGN_OF_LIFE)
            return None if self._ended else self._news()

    def _news(self) -> str:
        return json.dumps({"version": self._version, "problem": self._problem})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, where: TracebackType | None
    ) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    pages: PageServer


class _Answer(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        pages = self.server.pages
        if self.headers.get("Host") not in pages.hosts:
            self.send_error(403)
        elif self.path == "/":
            self._send("text/html; charset=utf-8")
            self.wfile.write(pages.page().encode())
        elif self.path == "/changes":
            self._send("text/event-stream")
            self._stream(pages)
        else:
            self.send_error(404)

    def _send(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()

    def _stream(self, pages: PageServer) -> None:
        known = ""
        try:
            while (news := pages.news(known)) is not None:
                self.wfile.write(f"data: {news}\n\n".encode() if news != known else b":\n\n")
                known = news
        except OSError:
            pass  # the browser has gone

    def log_message(self, format: str, *arguments: object) -> None:
        """Requests are not worth a line."""


def _listening(pages: PageServer) -> _Server:
    for port in (PORT, 0):  # if that one is taken, any
        try:
            server = _Server(("127.0.0.1", port), _Answer)
        except OSError:
            continue
        server.pages = pages
        return server
    raise OSError("there is no port to listen on")
