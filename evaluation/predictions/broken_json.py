"""Causes of invalid JSON, in words: Python quotes, trailing commas, NaN, several objects on a line and others.

Flaws are found by inspecting the text in linear time. The text is never repeated or executed.
"""

import json
import re
from typing import NamedTuple

from evaluation.predictions.other_tools import EXPECTED_ROW

_HEAD = 2_000
_LINE_OF_OBJECT = re.compile(r'(?:[\[\]{}]\s*,?|"[^"]{0,200}"\s*:.*)', re.DOTALL)
_BEGINS_WITH_QUOTE = re.compile(r"[\[{\s]*'")
_BARE_NAME = re.compile(r"[\[{\s]*[A-Za-z_]\w{0,100}\s*:")
_TRAILING_COMMA = re.compile(r",\s*[}\]]\s*\Z")
_PYTHON_WORD = re.compile(r"[:,\[]\s*(?:None|True|False)\s*[,}\]]")
_NOT_A_NUMBER = re.compile(r"[:,\[]\s*(?:NaN|-?Infinity)\s*[,}\]]")
_OBJECT_AFTER = re.compile(r"\s*+,?\s*+\{")
_ENCODED = re.compile(r'"\s*\{\s*\\?["\']')
_PREFIXED = re.compile(r'[^{"]+\{\s*"')
_BAD_ESCAPE = re.compile(r'\\[^"\\/bfnrtu]')
_scan = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode
_scan_loosely = json.JSONDecoder(strict=False, parse_int=str, parse_float=str).raw_decode


class Flaw(NamedTuple):
    """A flaw of a text.

    Attributes:
        what: The predicate of one line, such as “is cut off”.
        remedy: The fix.
    """

    what: str
    remedy: str

    @property
    def is_end(self) -> bool:
        """Whether the text is only truncated."""
        return self in (_CUT, _OVER_LINES)


_DUMPS = "Write each row with a JSON library, such as json.dumps(row) in Python"
_QUOTES = Flaw("uses single quotes, like a printed Python dict.", f"{_DUMPS}, not str(row).")
_WORDS = Flaw("contains Python's None, True or False.", f"{_DUMPS}: null, true, false.")
_NAN = Flaw("contains NaN or Infinity, which JSON does not allow.", "Write null or remove the field.")
_HALF_LETTER = Flaw("has an unpaired surrogate, such as \\ud800.", "Remove it, or write the complete character.")
_COMMA_WITHIN = Flaw("has a comma before the closing bracket.", "Remove the comma.")
_COMMA_BEHIND = Flaw("ends with a comma.", "Remove the comma, or put all rows between [ and ].")
_SEVERAL = Flaw("contains several objects.", "Write each object on a line of its own.")
_MORE_BEHIND = Flaw("has extra text after the object.", "Remove it. Write one object per line.")
_OVER_LINES = Flaw(
    "belongs to an object that spans several lines.",
    "Write each object on one line, such as json.dumps(row) without indent.",
)
_BARE = Flaw("has field names without double quotes.", f"{_DUMPS}.")
_CUT = Flaw("is cut off before the end.", "Write the whole object on one line.")
_CONTROL = Flaw("has a line break, tab or other control character in a string.", "Write it as \\n or \\t.")
_ESCAPE = Flaw('has an invalid backslash escape, such as "\\(".', "Write every backslash in a string twice: \\\\.")
_EVENT = Flaw("begins with “data:”, like an event stream.", "Keep only the objects.")
_FENCE = Flaw("contains a code fence (```).", "Remove such lines.")
_COMMENT = Flaw("contains a comment, which JSON does not allow.", "Remove it.")
_ENCODED_TWICE = Flaw("was encoded as JSON twice.", "Encode each row once: json.dumps(row).")
_LIST = Flaw("is a JSON list instead of an object.", f"Write each prediction as an object: {EXPECTED_ROW}")
_STRING = Flaw("is a string instead of an object.", f"Write each prediction as an object: {EXPECTED_ROW}")
_NUMBER = Flaw("is a number instead of an object.", f"Write each prediction as an object: {EXPECTED_ROW}")
_PREFIX = Flaw("has extra text before the object.", "Keep only the objects.")
_TEXT = Flaw("is plain text, not JSON.", f"Write each answer with the id of its question: {EXPECTED_ROW}")


def find_flaw(data: bytes) -> Flaw | None:
    """Return the flaw of a line that is not a JSON object, or None if it is unclear."""
    text = data.decode(errors="replace").strip()
    head = text[:_HEAD]
    if not text.startswith("{"):
        return _find_flaw_of_beginning(text, head)
    if _BEGINS_WITH_QUOTE.match(head):
        return _QUOTES
    if _BARE_NAME.match(head):
        return _BARE
    try:
        _, end = _scan(text)
    except (ValueError, RecursionError) as error:
        return _find_flaw_within(text, getattr(error, "pos", 0), error)
    if text[end:].strip():
        return _find_flaw_behind(text[end:])
    if _NOT_A_NUMBER.search(text):
        return _NAN
    return _HALF_LETTER if "\\ud" in text.lower() else None


def _find_flaw_of_beginning(text: str, head: str) -> Flaw | None:
    """Return the flaw of a line that does not start like an object."""
    if _LINE_OF_OBJECT.fullmatch(head):
        return _OVER_LINES
    if _ENCODED.match(head):
        return _ENCODED_TWICE
    for beginning, flaw in (("data:", _EVENT), ("```", _FENCE), ("//", _COMMENT), ("#", _COMMENT)):
        if head.startswith(beginning):
            return flaw
    if head.startswith("["):
        return _QUOTES if _BEGINS_WITH_QUOTE.match(head) else _LIST
    if _PREFIXED.match(head):
        return _PREFIX
    if head.startswith('"') and head.endswith('"'):
        return _STRING
    if re.fullmatch(r"-?\d[\d.eE+-]*", head):
        return _NUMBER
    return _TEXT if text[:1].isalpha() and head not in ("true", "false", "null") else None


def _find_flaw_within(text: str, at: int, error: Exception) -> Flaw | None:
    """Return why an object cannot be parsed from a position on."""
    try:
        _scan_loosely(text)
    except (ValueError, RecursionError):
        pass
    else:
        return _CONTROL
    if isinstance(error, RecursionError):
        return None
    # The parser stops at the comma, at the bracket after it, or in between.
    if _TRAILING_COMMA.match(text[max(0, text.rfind(",", 0, at + 1)) :]):
        return _COMMA_WITHIN
    if _PYTHON_WORD.search(text, max(0, at - 3), at + 10):
        return _WORDS
    if _BAD_ESCAPE.match(text, at) or _BAD_ESCAPE.match(text, max(0, at - 1)):
        return _ESCAPE
    if len(text) < 3 or at >= len(text) - 1 or not text.endswith(("}", "]", ",")):
        return _OVER_LINES if text in ("{", "{,") else _CUT
    return None


def _find_flaw_behind(rest: str) -> Flaw:
    """Return the flaw of a line with text after its object."""
    if _OBJECT_AFTER.match(rest):
        return _SEVERAL
    return _COMMA_BEHIND if rest.strip() == "," else _MORE_BEHIND
