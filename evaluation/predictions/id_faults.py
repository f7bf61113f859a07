"""Causes of unknown IDs: additions, other spellings, and the other questions that they belong to.

IDs are compared with the known ones only, so that messages are correct for these questions. The work per unknown ID is
bounded: its pieces are looked up, never compared with all known IDs, and few kinds are tried.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from evaluation.predictions.field_names import shorten
from evaluation.predictions.problems import FEWEST_ALIKE, Cause, Problems

FindElsewhere = Callable[[str], Cause | None]
"""Returns the other questions that an unknown ID belongs to, in words."""

_COPY = "Copy the ids from questions.jsonl."
_MAX_LOOK_UPS = 2_000_000
"""Maximum number of lookups of pieces of unknown IDs, which takes a core 0.3 s."""
_MAX_KINDS = 40
_FEW_KINDS = 4
_MAX_BEGINNINGS = 10
_BEGINNING = re.compile(r"[a-z]+-")
_NUMBER = re.compile(r"[0-9]+")
_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
_AUDIO = re.compile(r".*\.(?:wav|flac|mp3|ogg|m4a)", re.IGNORECASE)
_RUN = re.compile(
    r"[^0-9a-z]*(?:run|r|seed|rot|rotation|rotate|sample|try|trial|rep|repeat)?[^0-9a-z]*#", re.IGNORECASE
)
# Prefixes of the IDs of MDAR's official rows, which no official file contains: they are derived from other fields.
_OFFICIAL = re.compile(r"(?:main|multi|open)-(?P<id>.+)")
_LINE_NUMBERS = Cause(
    f"The ids are numbers, such as line numbers. {_COPY}",
    "have numbers as ids, such as line numbers. Copy the ids from questions.jsonl.",
)
_CLIPS = Cause(
    f"The ids are names of audio files. {_COPY}",
    "have names of audio files as ids. Copy the ids from questions.jsonl.",
)
_MODEL_OUTPUT = Cause(
    'Every line calls its answer "model_output"; rename it to "response".',
    'call their answer "model_output"; rename it to "response".',
)


class _Piece(NamedTuple):
    """A known ID within an unknown one."""

    before: str
    known: str
    behind: str


class UnknownIds:
    """Finds the causes of unknown IDs. From the first one on, memory holds the known IDs in two other spellings."""

    def __init__(self, title: str, known: Collection[str], find_elsewhere: FindElsewhere | None) -> None:
        """Create a finder.

        Args:
            title: Title of the benchmark, for messages.
            known: IDs of the benchmark.
            find_elsewhere: Finds the other questions that an ID belongs to; None if there are none.
        """
        self._known = known
        self._find_elsewhere = find_elsewhere
        self._folded: Mapping[str, str] = {}
        self._plain: Mapping[str, str] = {}
        self._lengths: tuple[int, ...] = ()
        self._beginnings: tuple[str, ...] = ()
        self._causes: dict[tuple[str, ...], Cause] = {}
        self._n_look_ups = 0
        self._last = _Piece("", "", "")
        self._unknown = Cause(
            f"No line has an id of {title}. They may come from another question pack, such as the practice "
            f"questions or another version. {_COPY}",
            f"have ids that are not in {title}. {_COPY}",
            FEWEST_ALIKE,
        )

    def find_cause(self, item_id: str) -> tuple[Cause, str | None]:
        """Return why an ID is unknown, and the known one that it stands for, if that is clear."""
        elsewhere = self._find_elsewhere(item_id) if self._find_elsewhere is not None else None
        if elsewhere is not None:
            return elsewhere, None
        if not self._folded:
            self._fold_known()
        official = _OFFICIAL.fullmatch(item_id)
        if official is not None and official["id"] in self._known:
            return _MODEL_OUTPUT, official["id"]
        plain_match = self._plain.get(_make_plain(item_id))
        if plain_match is not None:
            return self._add_cause(("spelt",), _describe_spelling(item_id, plain_match)), plain_match
        piece = self._find_piece(item_id)
        if piece is not None:
            return self._describe_piece(item_id, piece), piece.known
        return self._find_cause_of_others(item_id)

    def _find_cause_of_others(self, item_id: str) -> tuple[Cause, str | None]:
        whole = (f"{beginning}{_fold_id(item_id)}" for beginning in self._beginnings)
        lacking = {self._folded[key] for key in whole if key in self._folded}
        if lacking:
            example = min(lacking)
            return self._add_cause(("lacks",), _describe_lack(item_id, example)), example if len(lacking) == 1 else None
        if item_id.isdecimal():
            return _LINE_NUMBERS, None
        return (_CLIPS if _AUDIO.fullmatch(item_id) else self._unknown), None

    def _fold_known(self) -> None:
        self._folded = {_fold_id(known_id): known_id for known_id in self._known}
        self._plain = {_make_plain(known_id): known_id for known_id in self._known}
        self._lengths = tuple(sorted({len(known_id) for known_id in self._known}, reverse=True))
        heads = {match[0] for match in map(_BEGINNING.match, self._folded) if match}
        self._beginnings = tuple(sorted(heads))[:_MAX_BEGINNINGS]

    def _find_piece(self, item_id: str) -> _Piece | None:
        """Return the longest known ID within an unknown one that does not split a number or a short word."""
        before, _, behind = self._last
        if item_id.startswith(before) and item_id.endswith(behind):
            known_id = self._folded.get(_fold_id(item_id[len(before) : len(item_id) - len(behind)]))
            if known_id is not None:
                return _Piece(before, known_id, behind)
        if self._n_look_ups > _MAX_LOOK_UPS:
            return None
        folded = _fold_id(item_id)
        self._n_look_ups += len(folded) * len(self._lengths)
        for length in self._lengths:
            for at in range(len(folded) - length + 1):
                known_id = self._folded.get(folded[at : at + length])
                if known_id is not None and _is_apart(folded, at, at + length):
                    self._last = _Piece(item_id[:at], known_id, item_id[at + length :])
                    return self._last
        return None

    def _describe_piece(self, item_id: str, piece: _Piece) -> Cause:
        before, behind = (_NUMBER.sub("#", text) for text in (piece.before, piece.behind))
        key = ("added", before, behind)
        if key in self._causes:
            return self._causes[key]
        generic = self._add_cause(("added", "more"), _describe_various(item_id, piece.known))
        if len(self._causes) >= _MAX_KINDS:
            return generic
        return self._add_cause(key, _describe_addition(item_id, piece, before, behind))

    def merge_causes(self, problems: Problems) -> None:
        """Merge the causes of additions to IDs if there are more than a few."""
        kinds = [cause for key, cause in self._causes.items() if key[0] == "added"]
        if len(kinds) > _FEW_KINDS:
            for cause in kinds:
                problems.change_cause("unknown-id", cause, self._causes["added", "more"])

    def _add_cause(self, key: tuple[str, ...], cause: Cause) -> Cause:
        """Return the first cause of its kind, whose example applies to all."""
        return self._causes.setdefault(key, cause)


def _fold_id(item_id: str) -> str:
    """Return an ID in lower case with hyphens, with unchanged length."""
    return item_id.lower().replace("_", "-")


def _make_plain(item_id: str) -> str:
    """Return an ID in lower case with hyphens, and numbers without leading zeros."""
    return _LEADING_ZEROS.sub("", _fold_id(item_id))


def _is_apart(text: str, begin: int, end: int) -> bool:
    """Return whether a piece of a text splits no number and, if it is short, no word either."""
    is_part = str.isdecimal if end - begin > 4 else str.isalnum
    cuts_before = begin > 0 and is_part(text[begin - 1]) and is_part(text[begin])
    cuts_behind = end < len(text) and is_part(text[end - 1]) and is_part(text[end])
    return not cuts_before and not cuts_behind


def _describe_spelling(found: str, known: str) -> Cause:
    end = f'such as "{shorten(found)}" instead of "{shorten(known)}". {_COPY}'
    return Cause(f"Every id has a different spelling, {end}", f"have ids with a different spelling, {end}")


def _describe_various(found: str, known: str) -> Cause:
    end = f'write "{shorten(known)}" instead of "{shorten(found)}".'
    return Cause(
        f"Every id has extra characters. Use the original ids: {end}",
        f"have ids with extra characters. Use the original ids: {end}",
    )


def _describe_lack(found: str, known: str) -> Cause:
    end = f'such as "{shorten(found)}" instead of "{shorten(known)}". {_COPY}'
    return Cause(f"The prefix of every id is missing, {end}", f"have ids without their prefix, {end}")


def _describe_addition(item_id: str, piece: _Piece, before: str, behind: str) -> Cause:
    """Return that something was added to IDs, and what to remove.

    Args:
        item_id: First such ID.
        piece: The known ID in it.
        before: Text before the known ID, with every number as `#`.
        behind: Text after it, with every number as `#`.
    """
    example = f'write "{shorten(piece.known)}" instead of "{shorten(item_id)}".'
    where = {"begin with": (before, piece.before), "end with": (behind, piece.behind)}
    parts = [
        f'{verb} {"a number, as in " if "#" in shape else ""}"{shorten(text)}"'
        for verb, (shape, text) in where.items()
        if text
    ]
    if not parts:
        return _describe_spelling(item_id, piece.known)
    their = " and ".join(parts)
    its = their.replace("begin with", "begins with").replace("end with", "ends with")
    remedy = f"Remove {'it' if len(parts) == 1 else 'both'}: {example}"
    if "#" in behind and _RUN.fullmatch(behind):
        remedy = f'Remove it and give the run as "run": {example}'
    return Cause(f"Every id {its}. {remedy}", f"have ids that {their}. {remedy}")
