"""Clauses of a true/false answer: cut at signs and in front of conjunctions."""

import re
from dataclasses import dataclass
from itertools import pairwise

from evaluation.extraction.truth.phrases import merge_phrases
from evaluation.extraction.truth.vocabulary import ClassifiedText

# A longer run without a sign is no sentence; cut, it is read in linear time.
MAX_WORDS = 80
_BREAKS = frozenset(",;:\n=?~")
_OPENERS = frozenset("BGHQiV&")
_SENTENCE_ENDS = frozenset("\n=?")
# "The audio and the statement".
_PAIR = re.compile("[SUN]&e?P?[SUN]")
_LONE_DENIAL = re.compile(r"[XZx]a*|F")
_VALUE = re.compile("[TFYZXxz]")
_TAKEN_BACK_IN_CHINESE = frozenset({"不", "不 是"})
_KEY = re.compile("[TFMRD]")


@dataclass(slots=True)
class Clause:
    """A clause.

    Attributes:
        classes: One character a word, see `vocabulary`.
        words: The words.
        opener: Classes of the conjunctions that it begins with, or "".
        before: The sign or conjunction in front: "" at the start of the response.
        after: The sign behind it.
        sentence: Number of the sentence.
        line_start: It begins a sentence or a line.
        doubtful: It is asked, supposed, remembered or conceded, not said.
        reason: It gives a reason.
        asked: It is a question.
        supposed: It is supposed.
        key: It is the name of a field, whose value follows.
    """

    classes: str
    words: list[str]
    opener: str
    before: str
    after: str
    sentence: int
    line_start: bool
    doubtful: bool = False
    reason: bool = False
    asked: bool = False
    key: bool = False
    supposed: bool = False

    @property
    def revises(self) -> bool:
        """Whether it takes something back: "wait", "actually"."""
        return "V" in self.opener or "V" in self.classes

    def revise(self) -> None:
        """Read it as taking back what stands before."""
        self.opener, self.classes, self.words = "V", "", []


class _Cutter:
    """Walks once through the words and cuts them into clauses."""

    def __init__(self, words: ClassifiedText) -> None:
        self._classes, self._words = words
        self._start = self._sentence = 0
        self._before = self._opener = ""
        self._first = True
        self.clauses: list[Clause] = []

    def cut(self) -> list[Clause]:
        for position, symbol in enumerate(self._classes):
            if symbol in _BREAKS:
                self._end(position, symbol)
                if symbol in _SENTENCE_ENDS:
                    self._sentence, self._first = self._sentence + 1, True
            elif symbol in _OPENERS and not self._is_within(position):
                self._open(position, symbol)
            elif position - self._start >= MAX_WORDS:
                self._close(position, ",")
                self._start, self._before, self._opener = position, ",", ""
        self._close(len(self._classes), "=")
        return self.clauses

    def _close(self, end: int, sign: str) -> None:
        if end > self._start or self._opener:
            words = self._words[self._start : end]
            classes = self._classes[self._start : end]
            self.clauses.append(
                Clause(classes, words, self._opener, self._before, sign, self._sentence, line_start=self._first)
            )
            self._first = False

    def _end(self, position: int, sign: str) -> None:
        if position == self._start and self._opener and sign == ",":
            self._start = position + 1  # "However, …": the conjunction belongs to what follows.
            return
        self._close(position, sign)
        self._start, self._before, self._opener = position + 1, sign, ""

    def _open(self, position: int, symbol: str) -> None:
        """Begin a clause at a conjunction; "but actually" are two of one clause."""
        if position > self._start:
            self._close(position, symbol)
            self._before, self._opener = symbol, ""
        self._start, self._opener = position + 1, self._opener + symbol

    def _is_within(self, position: int) -> bool:
        """Whether a conjunction opens no clause: "the sound actually moves", "I think so"."""
        before = self._classes[position - 1] if position else "="
        following = self._classes[position + 1 : position + 2]
        if self._classes[position] == "V":
            return before not in "=,;:\n?BVYX&|H!." or (before == "." and following not in "=,;:\nTFYZX")
        if self._classes[position] == "&":
            return _PAIR.match(self._classes, position - 1) is not None
        if self._words[position] != "so":
            return False
        return before in "hy" or (before in "bn" and following in {".", "g"})


def split_clauses(words: ClassifiedText) -> list[Clause]:
    """Cut an answer into clauses, at signs and in front of conjunctions."""
    clauses = _Cutter(merge_phrases(words)).cut()
    for before, clause, after in zip(clauses, clauses[1:], clauses[2:], strict=False):
        if clause.words == ["well"] or _takes_back(before, clause, after):
            clause.revise()
    for clause, after in pairwise(clauses):
        # "Is correct: no" is a question and its answer.
        value = clause.after == ":" and len(after.classes) == 1 and _VALUE.match(after.classes)
        clause.key = bool(value and _KEY.search(clause.classes))
    return clauses


def _takes_back(before: Clause, clause: Clause, after: Clause) -> bool:
    """Whether a denial on its own between two values takes the first one back: "true, no, false"."""
    if clause.opener or clause.sentence != after.sentence or not _LONE_DENIAL.fullmatch(clause.classes):
        return False
    if before.after in {"?", "\n"} or clause.sentence - before.sentence > 1:
        return False
    if not (_VALUE.search(before.classes) and _VALUE.search(after.classes)):
        return False
    taken_back = "X" in clause.classes or clause.words[0] in _TAKEN_BACK_IN_CHINESE
    return before.sentence == clause.sentence or taken_back
