"""Redaction of an endpoint's responses before they are stored and shown: short, printable, without the API key."""

import base64
import re
import unicodedata
from urllib.parse import quote

from submissions.endpoints.vault import Secret

MAX_SHOWN = 200
_READ = 4_000
_SHORTEST_PIECE = 8
_HIDDEN = "[key]"


class Redactor:
    """Removes a key from texts, even if it is encoded; the endpoint knows it and may send it back."""

    def __init__(self, key: Secret | None) -> None:
        value = "" if key is None else key.reveal()
        # Endpoints without keys often get a placeholder such as EMPTY, a word that responses may contain.
        self._key = value if len(value) >= _SHORTEST_PIECE else ""
        self._spellings = re.compile("|".join(map(re.escape, _spell(self._key))), re.IGNORECASE) if self._key else None

    def __repr__(self) -> str:
        return "Redactor(…)"

    def clean(self, text: str) -> str:
        """Return a response without the key, otherwise unchanged."""
        return text if self._spellings is None else self._spellings.sub(_HIDDEN, text)

    def show(self, text: str) -> str:
        """Return the endpoint's words for use in a message: one short line without parts of the key."""
        line = " ".join("".join(filter(_is_shown, unicodedata.normalize("NFKC", text[:_READ]))).split())
        line = self._hide_pieces(self.clean(line))
        return line if len(line) <= MAX_SHOWN else f"{line[: MAX_SHOWN - 1]}…"

    def _hide_pieces(self, line: str) -> str:
        """Hide every longer fragment of the key: servers quote its beginning or end."""
        hidden: set[int] = set()
        for start in range(len(line) - _SHORTEST_PIECE + 1 if self._key else 0):
            if line[start : start + _SHORTEST_PIECE] in self._key:
                hidden.update(range(start, start + _SHORTEST_PIECE))
        runs = "".join("\0" if place in hidden else sign for place, sign in enumerate(line))
        return re.sub("\0+", _HIDDEN, runs)


def _spell(key: str) -> list[str]:
    """Return the possible encodings of a key, the longest first."""
    data = key.encode()
    # In a longer text base64 can begin at any of three positions; the ends of each contain bits of the neighbours.
    shifted = [base64.b64encode(data[skipped:]).decode().rstrip("=")[:-1] for skipped in range(3)]
    spellings = {key, key[::-1], data.hex(), quote(key, safe=""), *shifted}
    return sorted((spelling for spelling in spellings if len(spelling) >= _SHORTEST_PIECE), key=len, reverse=True)


def _is_shown(sign: str) -> bool:
    # Category C contains control characters, and marks that change the text direction or are invisible.
    return sign.isspace() or unicodedata.category(sign)[0] != "C"
