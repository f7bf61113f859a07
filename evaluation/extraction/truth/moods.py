"""Mood of each clause: asked, supposed, remembered, conceded, or given as a reason."""

import re

from evaluation.extraction.truth.clauses import Clause

_TURN = re.compile("[BHV]")
_ANY_MOOD = re.compile("[BHVQiE0GwV]|ob")
_COUNTERED = re.compile("[aP]*[SP]b?n?a*")
_WOULD_BE = re.compile("[SPN]a*wa*b")
# "It would be right for a sound that moves left."
_WOULD_FIT = re.compile("[SPN]a*wa*b[aY]*[TFR]ue?[.U]")
_NEEDS = re.compile("w[^hC]*[.][^hC]*ob[TF]")
_PURPOSE = re.compile("(?:u[^=]*)?ob")
_PURPOSE_WORDS = frozenset({"for", "to", "in"})
# "…, though not as claimed".
_DENIED = re.compile("a*n[afu]*A")
_WEAK_FIRST = re.compile("(?<!e)0")
# "If I had to choose", "if I heard it right".
_MET = re.compile(
    r"(?:forced|pressed|asked|pushed|anything|made|required|my ears)\b"
    r"|(?:i|we|you|one) (?:have|had|must|need|was|were|are|am|hear|heard|understand|may|can)\b"
)


class _Moods:
    """What is in force while the clauses are walked through."""

    def __init__(self, clauses: list[Clause]) -> None:
        self._clauses = clauses
        self._stated = {clause.sentence for clause in clauses if clause.classes == "A"}
        self.supposed = self.remembered = self.reason = False

    def set(self) -> None:
        for number, clause in enumerate(self._clauses):
            self._begin(clause)
            if "i" in clause.opener or "i" in clause.classes:
                self._suppose(number, clause)
            self.remembered = self.remembered or "E" in clause.classes
            weak = _WEAK_FIRST.search(clause.classes) is not None
            purpose = _PURPOSE.match(clause.classes) is not None and clause.words[0] in _PURPOSE_WORDS
            conceded = "G" in clause.opener and not _DENIED.fullmatch(clause.classes)
            clause.doubtful = clause.doubtful or self.supposed or self.remembered or weak or purpose or conceded
            if weak and len(clause.classes) == 1 and number + 1 < len(self._clauses):
                self._clauses[number + 1].doubtful = True
            if (
                self.supposed
                and _COUNTERED.fullmatch(clause.classes)
                and ("&" in clause.opener or "B" in clause.opener)
            ):
                self.supposed = clause.doubtful = False  # "… would be true if it ended on the left, and it does not."
            clause.supposed, clause.reason = self.supposed, self.reason

    def _begin(self, clause: Clause) -> None:
        """End what a new sentence, a turn or a comma ends."""
        if clause.line_start or clause.before == ";":
            self.supposed = self.remembered = self.reason = False
        if _TURN.search(clause.opener):
            self.remembered = self.reason = False
            self.supposed = self.supposed and clause.opener == "H"
        if "Q" in clause.opener:
            self.reason = True
        elif clause.before == "," and not clause.opener:
            self.reason = False

    def _suppose(self, number: int, clause: Clause) -> None:
        # What the question states and how it was put are no conditions.
        met = "A" in clause.classes or clause.sentence in self._stated or _MET.match(" ".join(clause.words))
        self.supposed = not met
        clause.doubtful = True
        previous = self._clauses[number - 1] if number else None
        if self.supposed and previous is not None and previous.sentence == clause.sentence and clause.before == "i":
            previous.doubtful = True  # "It is true only if …".


def set_moods(clauses: list[Clause]) -> None:
    """Mark what is asked, supposed, remembered, conceded or given as a reason."""
    if any(clause.opener or _ANY_MOOD.search(clause.classes) for clause in clauses):
        _Moods(clauses).set()
        conditional = {clause.sentence for clause in clauses if "i" in clause.opener or "i" in clause.classes}
        for clause in clauses:
            if "w" in clause.classes:
                fits_other = _WOULD_FIT.search(clause.classes) is not None and "for" in clause.words
                would_be = clause.sentence in conditional and _WOULD_BE.search(clause.classes)
                clause.doubtful = clause.doubtful or bool(would_be or fits_other or _NEEDS.search(clause.classes))
    asked = {clause.sentence for clause in clauses if clause.after == "?"}
    for clause in clauses:
        clause.asked = clause.sentence in asked
        clause.doubtful = clause.doubtful or clause.asked or clause.key
