"""Values of the wrong type: a number as the response, a text as the run, columns as the ID."""

import msgspec

from evaluation.predictions.problems import Cause

# RecursionError: brackets nested a hundred thousand deep. UnicodeDecodeError: bytes that are not UTF-8.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_RAWS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _make_wrong_value(value: str, field: str, remedy: str) -> Cause:
    message = f'{value} as {{}} "{field}"; {remedy}.'
    return Cause(f"Every line has {message.format('its')}", f"have {message.format('their')}")


_RAW_TEXT = "write the model output"
_NUMBERS = _make_wrong_value("a number", "response", 'write it as text, such as "2"')
# First character of a non-text value → its type.
_NO_TEXTS = {
    **dict.fromkeys(b"-0123456789", _NUMBERS),
    ord("{"): _make_wrong_value("an object", "response", _RAW_TEXT),
    ord("["): _make_wrong_value("a list", "response", _RAW_TEXT),
    ord("n"): _make_wrong_value("null", "response", 'write "" if the model gave no output'),
    **dict.fromkeys(b"tf", _make_wrong_value("true or false", "response", 'write it as text, such as "true"')),
}
_COLUMNS = Cause(
    "The file contains columns, not rows. Write one object per prediction; in pandas: "
    'to_json(path, orient="records", lines=True).',
    "contain columns, not rows. Write one object per prediction; in pandas: "
    'to_json(path, orient="records", lines=True).',
)
_NO_NUMBERS = {
    **dict.fromkeys(b"-0123456789", _make_wrong_value("a number with decimals", "run", "write 0, 1 or 2")),
    ord('"'): _make_wrong_value("a text", "run", "write the number without quotes, such as 0"),
    ord("n"): _make_wrong_value("null", "run", "write a number from 0 or remove the field"),
}
_NO_IDS = {
    **dict.fromkeys(b"-0123456789", _make_wrong_value("a number", "id", "copy the id as text from questions.jsonl")),
    ord("n"): _make_wrong_value("null", "id", "copy the id as text from questions.jsonl"),
    **dict.fromkeys(b"{[", _COLUMNS),
}
_VALUES = {"id": _NO_IDS, "response": _NO_TEXTS, "run": _NO_NUMBERS}


def find_wrong_value(data: bytes, what: str) -> Cause | None:
    """Return the error of a row's field that contains something other than a text or a number."""
    name = next((name for name in _VALUES if f"`{name}`" in what), None)
    if name is None:
        return None
    try:
        value = bytes(_RAWS.decode(data)[name])
    except (*UNREADABLE, KeyError):
        return None
    return _VALUES[name].get(value[0])
