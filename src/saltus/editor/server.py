"""The Language Server Protocol, by `pygls`: requests to the features, and what they give back.

Texts come whole with every change. Lines of a document end where the protocol says so, which is not where
Python's `splitlines` ends them (it knows form feeds), so that parts of a text could be put into wrong places.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from saltus.core.source import Span
from saltus.editor.checks import Checks
from saltus.editor.completion import completion
from saltus.editor.definition import CannotRename, definition, references, renamable, renaming
from saltus.editor.document import Document
from saltus.editor.findings import Finding, Job
from saltus.editor.hover import hover
from saltus.editor.outline import Entry, folds, outline
from saltus.editor.signature import signature
from saltus.editor.text import Encoding, Position, Range, offset_of, range_of
from saltus.editor.workspace import Workspace, library_parts

#: Suffixes for documents that are in no file yet, by the languages of editors.
_SUFFIXES = {
    "modelica": ".mo",
    "bondgraph": ".bg",
    "dymola": ".dym",
    "chi": ".chi",
    "petrinet": ".pn",
    "statemachine": ".sm",
}


class Server(LanguageServer):
    """The server, with what is open. `libraries` are folders of the command line; settings add more."""

    def __init__(self, libraries: Sequence[str] = ()) -> None:
        super().__init__("saltus", version("saltus"), text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._given = tuple(libraries)
        self.open_documents = Workspace(self._given)
        self.units = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._checks: Checks | None = None
        self._learning: ProcessPoolExecutor | None = None

    # ------------------------------------------------------------ what is open

    @property
    def encoding(self) -> Encoding:
        """What columns count, as the editor and the server have agreed."""
        agreed = self.workspace.position_encoding
        return "utf-16" if agreed is None else _ENCODINGS[agreed]

    def document(self, uri: str) -> Document | None:
        """A document, if it is open."""
        return self.open_documents.get(uri)

    def opened(self, item: lsp.TextDocumentItem) -> None:
        path = _path(item.uri, item.language_id)
        self._check(self.open_documents.open(item.uri, path, item.text, item.version), at_once=True)

    def changed(self, uri: str, text: str, number: int) -> None:
        if uri in self.open_documents:
            self._check(self.open_documents.change(uri, text, number))

    def closed(self, uri: str) -> None:
        self.open_documents.close(uri)
        if self._checks is not None:
            self._checks.forget(uri)
        self._publish(uri, None, ())

    def check_all(self) -> None:
        """All that is open once more: what they use may be another."""
        for document in self.open_documents.documents:
            self._check(document, at_once=True)

    def configure(self, settings: Any) -> None:
        """Takes the settings of an editor: `libraries`, folders, and `units`, whether they are checked."""
        own = settings.get("saltus", settings) if isinstance(settings, Mapping) else {}
        if not isinstance(own, Mapping):
            return
        folders = own.get("libraries", ())
        if isinstance(folders, str):
            folders = [folders]
        named = [f for f in folders if isinstance(f, str) and f] if isinstance(folders, Sequence) else []
        self.units = own.get("units") is True
        self.open_documents.libraries = (*self._given, *(self._folder(name) for name in named))
        missing = [name for name in named if not Path(self._folder(name)).is_dir()]
        if missing:
            words = "Saltus: there is no folder " + ", ".join(missing) + " (saltus.libraries)"
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, words))

    def refuse(self, refusal: Exception) -> None:
        """Shows in the editor why something is not done."""
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"Saltus: {refusal}"))

    def _folder(self, name: str) -> str:
        """A folder of the settings; one that is no full path is in the folder that the editor has open."""
        root = self.workspace.root_path
        return str(Path(root or ".", Path(name).expanduser()))

    # ------------------------------------------------------------ what is found

    def begin(self) -> None:
        """Starts what works beside the server."""
        self._loop = asyncio.get_running_loop()
        self._checks = Checks(self._found)
        self._learning = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        self._learning.submit(library_parts).add_done_callback(self._learned)

    def end(self) -> None:
        """Ends what works beside the server."""
        if self._learning is not None:
            self._learning.shutdown(wait=False, cancel_futures=True)
        if self._checks is not None:
            self._checks.end()

    def _learned(self, future: Any) -> None:
        if not future.cancelled() and future.exception() is None:
            self.open_documents.parts = future.result()
        if self._learning is not None:
            self._learning.shutdown(wait=False)

    def _check(self, document: Document, *, at_once: bool = False) -> None:
        job = Job(
            document.path,
            self.open_documents.edited,
            self.open_documents.libraries,
            self.units,
            self.encoding,
        )
        if self._checks is not None:
            self._checks.ask(document.uri, document.version, job, at_once=at_once)

    def _found(self, uri: str, number: int, found: tuple[Finding, ...]) -> None:
        """Called in the thread of the checks."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._publish, uri, number, found)

    def _publish(self, uri: str, number: int | None, found: tuple[Finding, ...]) -> None:
        document = self.document(uri)
        if number is not None and (document is None or document.version != number):
            return  # the text is another one by now
        diagnostics = [_diagnostic(finding) for finding in found]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, number))

    # ------------------------------------------------------------ places

    def offset(self, document: Document, position: lsp.Position) -> int:
        return offset_of(document.source, Position(position.line, position.character), self.encoding)

    def location(self, span: Span) -> lsp.Location:
        """A place in a document that is open, or in a file."""
        path = Path(span.source.path)
        open_ones = (d.uri for d in self.open_documents.documents if d.path.resolve() == path.resolve())
        return lsp.Location(next(open_ones, _uri(str(path))), _range(range_of(span, self.encoding)))


_ENCODINGS: dict[Any, Encoding] = {
    lsp.PositionEncodingKind.Utf8: "utf-8",
    lsp.PositionEncodingKind.Utf16: "utf-16",
    lsp.PositionEncodingKind.Utf32: "utf-32",
}


def _path(uri: str, language: str) -> Path:
    """The path of a document. What is in no file yet has one that does not exist, with the right suffix."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    if found is not None:
        return Path(found)
    name = "".join(c if c.isalnum() else "_" for c in uri.partition(":")[2]) or "untitled"
    return Path(name + _SUFFIXES.get(language, ".mo")).absolute()


def _uri(path: str) -> str:
    return from_fs_path(str(Path(path).resolve())) or ""


def _range(found: Range) -> lsp.Range:
    start, end = (lsp.Position(p.line, p.column) for p in (found.start, found.end))
    return lsp.Range(start, end)


def _diagnostic(finding: Finding) -> lsp.Diagnostic:
    severity = lsp.DiagnosticSeverity.Error if finding.is_error else lsp.DiagnosticSeverity.Warning
    return lsp.Diagnostic(
        _range(finding.range),
        finding.message,
        severity,
        finding.code,
        source="saltus",
        related_information=[
            lsp.DiagnosticRelatedInformation(lsp.Location(_uri(place.path), _range(place.range)), message)
            for message, place in finding.related
        ],
    )


def _symbol(entry: Entry, encoding: Encoding) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        entry.name or "?",
        lsp.SymbolKind[_enumerator(entry.symbol.value)],
        _range(range_of(entry.span, encoding)),
        _range(range_of(entry.name_span, encoding)),
        entry.detail or None,
        children=[_symbol(inner, encoding) for inner in entry.inner],
    )


def _enumerator(words: str) -> str:
    """`enum_member` as the protocol's enumerations call it: `EnumMember`."""
    return "".join(word.capitalize() for word in words.split("_"))


# ---------------------------------------------------------------- features


def server(libraries: Sequence[str] = ()) -> Server:
    """A server with all features."""
    made = Server(libraries)

    @made.feature(lsp.INITIALIZE)
    def _initialize(params: lsp.InitializeParams) -> None:
        made.begin()
        made.configure(params.initialization_options or {})

    @made.feature(lsp.SHUTDOWN)
    def _shutdown(_: None) -> None:
        made.end()

    @made.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def _configured(params: lsp.DidChangeConfigurationParams) -> None:
        made.configure(params.settings)
        made.check_all()

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: lsp.DidOpenTextDocumentParams) -> None:
        made.opened(params.text_document)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _changed(params: lsp.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        made.changed(document.uri, params.content_changes[-1].text, document.version)

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def _saved(params: lsp.DidSaveTextDocumentParams) -> None:
        made.check_all()

    @made.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        made.check_all()

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _closed(params: lsp.DidCloseTextDocumentParams) -> None:
        made.closed(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = made.document(params.text_document.uri)
        if document is None:
            return None
        found = hover(made.open_documents, document, made.offset(document, params.position))
        if found is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0])
        return lsp.Hover(content, _range(range_of(found[1], made.encoding)))

    @made.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def _definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        document = made.document(params.text_document.uri)
        if document is None:
            return None
        found = definition(made.open_documents, document, made.offset(document, params.position))
        return made.location(found) if found is not None else None

    options = lsp.CompletionOptions(trigger_characters=[".", "(", ","])

    @made.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def _completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        document = made.document(params.text_document.uri)
        if document is None:
            return lsp.CompletionList(False, [])
        found = completion(made.open_documents, document, made.offset(document, params.position))
        place = _range(range_of(Span(document.source, found.start, found.end), made.encoding))
        items = [
            lsp.CompletionItem(
                label=proposal.label,
                label_details=lsp.CompletionItemLabelDetails(description=proposal.package or None),
                kind=lsp.CompletionItemKind[_enumerator(proposal.kind.value)],
                detail=proposal.detail or None,
                documentation=proposal.description or None,
                sort_text=f"{proposal.rank}{proposal.label.lower()}",
                filter_text=proposal.label,
                text_edit=lsp.TextEdit(place, proposal.inserted),
            )
            for proposal in found.proposals
        ]
        return lsp.CompletionList(False, items)

    @made.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def _references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document = made.document(params.text_document.uri)
        offset = made.offset(document, params.position) if document is not None else 0
        spans = references(made.open_documents, document, offset) if document is not None else []
        return [made.location(span) for span in spans]

    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def _highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        document = made.document(params.text_document.uri)
        offset = made.offset(document, params.position) if document is not None else 0
        spans = references(made.open_documents, document, offset) if document is not None else []
        return [lsp.DocumentHighlight(_range(range_of(span, made.encoding))) for span in spans]

    @made.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def _renamable(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        document = made.document(params.text_document.uri)
        if document is None:
            return None
        try:
            name = renamable(made.open_documents, document, made.offset(document, params.position))
        except CannotRename as refusal:
            made.refuse(refusal)
            return None
        return _range(range_of(name, made.encoding))

    @made.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def _rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        document = made.document(params.text_document.uri)
        if document is None:
            return None
        offset = made.offset(document, params.position)
        try:
            places = renaming(made.open_documents, document, offset, params.new_name)
        except CannotRename as refusal:
            made.refuse(refusal)
            return None
        changes: dict[str, list[lsp.TextEdit]] = {}
        for place in map(made.location, places):
            changes.setdefault(place.uri, []).append(lsp.TextEdit(place.range, params.new_name))
        return lsp.WorkspaceEdit(changes)

    @made.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    def _call(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document = made.document(params.text_document.uri)
        if document is None:
            return None
        found = signature(made.open_documents, document, made.offset(document, params.position))
        if found is None:
            return None
        arguments = [lsp.ParameterInformation(a.label, a.description or None) for a in found.arguments]
        told = lsp.SignatureInformation(found.label, found.description or None, arguments)
        return lsp.SignatureHelp([told], 0, min(found.active, max(len(arguments) - 1, 0)))

    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = made.document(params.text_document.uri)
        if document is None:
            return []
        return [_symbol(entry, made.encoding) for entry in outline(made.open_documents, document)]

    @made.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def _folds(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = made.document(params.text_document.uri)
        stretches = folds(document) if document is not None else []
        return [lsp.FoldingRange(first, last) for first, last in stretches]

    return made


def serve(libraries: Sequence[str] = ()) -> None:
    """Serves an editor on standard input and output, until it says that it is done or is gone."""
    # What anything prints goes to standard error: standard output belongs to the protocol.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    made = server(libraries)
    try:
        made.start_io(sys.stdin.buffer, out)
    finally:
        made.end()
