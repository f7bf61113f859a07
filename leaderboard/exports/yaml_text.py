"""YAML writer for plain values. Every string is quoted and escaped, so that none is read as another type."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_TWO_BYTES = 0xFFFF
_INDENT = "  "


def write_yaml(value: object) -> str:
    """Return a list or an object as a YAML document, without its `---`."""
    return "\n".join([*_block(value), ""])


def quote_text(text: str) -> str:
    r"""Return a text in double quotes.

    >>> print(quote_text('a: "b" # c'))
    "a: \"b\" # c"
    """
    return f'"{"".join(_escape(letter) for letter in text)}"'


def _escape(letter: str) -> str:
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) <= _TWO_BYTES else f"\\U{ord(letter):08x}"


def _block(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from chain.from_iterable(_entry(str(name), inner) for name, inner in value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            first, *others = _block(inner)
            yield f"- {first}"
            yield from (f"{_INDENT}{line}" for line in others)
    else:
        yield _scalar(value)


def _entry(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        if not value:
            yield f"{name}: {'{}' if isinstance(value, Mapping) else '[]'}"
            return
        yield f"{name}:"
        yield from (f"{_INDENT}{line}" for line in _block(value))
    else:
        yield f"{name}: {_scalar(value)}"


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quote_text(value) if isinstance(value, str) else str(value)
