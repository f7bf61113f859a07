"""Streaming XML reader for workbooks that neither expands entities nor buffers large markup.

Expat calls a handler for each element and text. A document type definition ends the reading: without one there are no
entities but the five of XML itself.
"""

from collections.abc import Iterator
from typing import BinaryIO, NoReturn, Protocol
from xml.parsers import expat

from evaluation.predictions.problems import FileFaultError

_CHUNK_BYTES = 1 << 16
_MAX_DEPTH = 30
_MAX_SILENT_BYTES = 4_000_000
"""Bytes after which an element must begin or end: Expat keeps a tag or comment in memory until it ends."""


class XmlHandler(Protocol):
    """Receives the elements of a file; names are without prefixes."""

    def begin_element(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end_element(self, name: str) -> None:
        """An element ends."""

    def add_text(self, text: str) -> None:
        """A text, or a part of it, within the current element."""


class _Parser:
    """Expat with a limited depth, which passes elements on."""

    def __init__(self, handler: XmlHandler) -> None:
        self._handler = handler
        self._depth = 0
        self.n_events = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin_element
        self.parser.EndElementHandler = self._end_element
        self.parser.CharacterDataHandler = self._add_text
        self.parser.StartDoctypeDeclHandler = _refuse_definition

    def _begin_element(self, name: str, attributes: dict[str, str]) -> None:
        self.n_events += 1
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise make_damaged("its elements are nested too deeply")
        self._handler.begin_element(name.rpartition(":")[2], attributes)

    def _end_element(self, name: str) -> None:
        self.n_events += 1
        self._depth -= 1
        self._handler.end_element(name.rpartition(":")[2])

    def _add_text(self, text: str) -> None:
        self.n_events += 1
        self._handler.add_text(text)


def read_xml(file: BinaryIO, handler: XmlHandler) -> Iterator[None]:
    """Pass the elements of a file to a handler, and yield after each piece.

    Raises:
        FileFaultError: It is not XML, has a document type definition, or has huge or deeply nested markup.
    """
    parser = _Parser(handler)
    n_silent = 0
    try:
        while data := file.read(_CHUNK_BYTES):
            n_events = parser.n_events
            parser.parser.Parse(data, False)
            n_silent = 0 if parser.n_events > n_events else n_silent + len(data)
            if n_silent > _MAX_SILENT_BYTES:
                raise make_damaged("it has a tag or comment that does not end")
            yield
        parser.parser.Parse(b"", True)
    except expat.ExpatError:
        raise make_damaged("a part of it is not XML") from None
    yield


def make_damaged(how: str) -> FileFaultError:
    """Return the error of a workbook that cannot be read."""
    return FileFaultError("damaged", f"The workbook is damaged: {how}. Save it again, or send it as CSV UTF-8.")


def _refuse_definition(*_: object) -> NoReturn:
    raise make_damaged("it has a document type definition")
