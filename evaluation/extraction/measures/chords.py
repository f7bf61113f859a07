"""Chords and notes that an answer lists: "the progression is C – Am – F – Em" names no options by letter."""

import re

_CHORD = r"[A-G](?:#|♯|♭|b(?![a-z]))?(?:(?:maj|min|dim|aug|sus|add|m)(?![a-z]))?(?:maj|sus|add)?[0-9]{0,2}"
_SEQUENCE = re.compile(
    rf"(?<![A-Za-z0-9]){_CHORD}(?:(?: ?[–—→-]>? ?|, ?(?:and )?| \| | and ){_CHORD}(?![A-Za-z0-9])){{2,15}}"
)
# What distinguishes a chord from the letter of an option.
_MARKED = re.compile(r"[A-G](?:#|♯|♭|b|maj|min|m|dim|aug|sus|[0-9])(?![a-z])")
_HINT = re.compile(r"[A-G](?:#|♯|♭|b|maj|min|m|dim|aug|sus|7)")


def drop_chords(response: str, texts: tuple[str, ...]) -> str:
    """Return a response without its sequences of chords, unless the options name some of them.

    >>> drop_chords("It goes C – Am – F – Em, so it is minor.", ("major", "minor"))
    'It goes such, so it is minor.'
    """
    if _HINT.search(response) is None:
        return response
    return _SEQUENCE.sub(lambda sequence: _write_sequence(sequence.group(), texts), response)


def _write_sequence(sequence: str, texts: tuple[str, ...]) -> str:
    marked = [chord.lower() for chord in _MARKED.findall(sequence)]
    named = {word for text in texts for word in re.findall(r"[a-g][a-z0-9#♯♭]*", text)}
    return sequence if not marked or not named.isdisjoint(marked) else "such"
