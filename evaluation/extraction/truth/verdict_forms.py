"""Clauses that give a verdict by their form: "what is described is what I hear", "as stated", "it does not"."""

import re
from collections.abc import Callable
from typing import NamedTuple

from evaluation.extraction.truth.clauses import Clause
from evaluation.extraction.truth.scope import (
    PART,
    POINTED,
    SAID,
    ClauseVerdict,
    Context,
    count_denials,
    list_directions,
)


class _View(NamedTuple):
    """A clause, its resolved classes, and what the clauses before leave behind."""

    clause: Clause
    classes: str
    context: Context


_Form = Callable[[_View], ClauseVerdict | None]

_IDENTITY = re.compile(
    r"[aeHuIhP]*?(?:[SN][^yn]*?b|(?:[UP]|e[.])[au]*b?(?=n?b?[aYfpeS]*N))(?P<no>n?)b?[aYfpeuS]*[UNA](?:b|[Mg]?|u.*)"
)
_HEARD = re.compile(r"[aeH]*Pb(?P<no>n?)[aYfe]*U(?:u[eaP]*[US].*)?[aud]*")
_APPOSED = re.compile(r"[aY]*(?P<no>n?)[af]*(?:ue?)?N")
_DEPICTED = re.compile(r"[^y]*[SN][^y]*q.*[UP+].*|P.*q.*U.*|U.*qo?.*[SN].*")
_OF_MOTION = re.compile("[SNPUr]")
_ADVERB = re.compile(r"(?:j|(?P<before>J))a*b?[yqrh]|[yqr].*?(?:j|(?P<behind>J))[aud]*$")
_COMPARED = re.compile(r"(?:#|(?P<same>[+])).*?(?:[NAS]|[ry]$)|[NS].*?(?:#|(?P<too>[+]))")
_SO = re.compile(r"[aP]*+I?[abw]*+(?P<no>n?)a*+h[Hn]")
_TRUSTED = re.compile(r"[aH]*(?:I[abw]*)?(?P<no>n?)[abo]*h[ePa]*[SNP][aud]*")
_TRUST = frozenset({"believe", "buy", "trust", "相 信"})
_GROUNDLESS = re.compile(r"[uaPI]*[bhgS]*n[aU]*u[eaP]*[SN].*")
_GROUND = re.compile("evidence|basis|support|reason")
_DESCRIBES = re.compile(r"[aHe]*+[PSN]b(?:(?P<no>n)[ea]*+|e*+a[ea]*+)Su[ea]*+U.*")
_ELLIPSIS = re.compile(r"[ae]*(?:(?P<pointed>[SNP])|[.0]p?[.]?[.ae]?|e[.IP]p?)a*[bw]b?(?P<no>n?)a*")
_HEARS = re.compile(r"[aeuH]*(?:I?a*[ghy]|U)")
_HEARD_IT = re.compile(r"[aeHIbuVUY]*(?:(?P<no>[!n])[aU.]?)?a*ge?[NS].*|[aHUuIY]*(?P<denied>[n%])a*(?:e?N|S[S.]).*")
_PRESENT = re.compile(
    r"[aHe]*+N[aY]*+m?[ab]*+(?P<gone>n)?[ab]*+(?:[*gU]|u(?=$)).*|[aHe]*N[ab]*(?P<absent>%).*|[aeH]*S[.S]*[aY]*[*]"
)
_SUCH = re.compile("[auIbhgB]*(?:n|X)[aPd]")
_SUCH_WORDS = frozenset({"such", "这 样", "那 样", "这 种", "那 种"})
_UNMET = re.compile("a*[PUSu]b?a*n")
_STATED = re.compile(r"[aeuIhP]*[SN][^TFMD]*?y")
_OPEN = re.compile("[!pWm]")
_CORRECTED = re.compile(r"[ae]*[SPN]b[bh][^.TFMDSR]*[.R]")
_INDEED = frozenset({"indeed", "确 实", "的 确", "in fact"})
_ELSEWHERE = frozenset({"above", "below", "earlier", "before"})
_SAYS_SO = re.compile(r"[SN]ya*H?$")


def _read_identity(view: _View) -> ClauseVerdict | None:
    """Read "what is described is what I hear", "that is not what happens", "…, which is what it says"."""
    if match := _IDENTITY.fullmatch(view.classes):
        return ClauseVerdict(not match["no"], SAID, "p" in view.classes)
    if match := _HEARD.fullmatch(view.classes):
        return ClauseVerdict(not match["no"], POINTED, "p" in view.classes)
    if match := _APPOSED.fullmatch(view.classes):
        return ClauseVerdict(not match["no"], PART)
    match = _DESCRIBES.fullmatch(view.classes)  # "That is not a fair description of what I hear."
    return ClauseVerdict(not match["no"], POINTED) if match else None


def _read_depiction(view: _View) -> ClauseVerdict | None:
    """Read "the statement describes what I hear", "the movement is described correctly"."""
    if "q" in view.classes and _DEPICTED.fullmatch(view.classes):
        denied = "n" in view.classes
        return ClauseVerdict(
            ("J" in view.classes) == denied, SAID, "p" in view.classes or (denied and "f" in view.classes)
        )
    if _OF_MOTION.search(view.classes) and (match := _ADVERB.search(view.classes)):
        badly = (match["before"] or match["behind"]) is not None
        denied, half = count_denials(view.classes[: match.end()])
        return ClauseVerdict(badly == denied, PART, half)
    return None


def _read_comparison(view: _View) -> ClauseVerdict | None:
    """Read "in a different direction from the one described"."""
    match = _COMPARED.search(view.classes)
    if match is None:
        return None
    same = (match["same"] or match["too"]) is not None
    denied, half = count_denials(view.classes[: match.end() if same else match.start()])
    return ClauseVerdict(same != denied, PART, half)


def _read_opinion(view: _View) -> ClauseVerdict | None:
    """Read "I think so", "I believe the statement", "there is no evidence for it"."""
    if (match := _SO.fullmatch(view.classes)) and view.clause.words[-1] in {"so", "not"}:
        return ClauseVerdict(bool(match["no"]) == (view.clause.words[-1] == "not"), SAID, bare=True)
    if (match := _TRUSTED.fullmatch(view.classes)) and _TRUST & set(view.clause.words):
        return ClauseVerdict(not match["no"], SAID)
    if _GROUNDLESS.fullmatch(view.classes) and _GROUND.search(" ".join(view.clause.words)):
        return ClauseVerdict(False, SAID)
    return None


def _read_as_stated(view: _View) -> ClauseVerdict | None:
    """Read "the sound moves as described", "it does not end there, as claimed"."""
    if "A" not in view.classes:
        return (
            ClauseVerdict("n" not in view.classes, PART)
            if _SAYS_SO.search(view.classes) and view.clause.words[-1] == "so"
            else None
        )
    at = view.classes.index("A")
    if view.clause.words[at + 1 : at + 2] and view.clause.words[at + 1] in _ELSEWHERE:
        return None  # "As described above."
    before = view.classes[:at]
    if "n" not in before and view.context.negated:
        return ClauseVerdict(False, PART) if "&" in view.clause.opener else None
    return None if _OPEN.search(before) or "nf" in before else ClauseVerdict("n" not in before, PART)


def _read_ellipsis(view: _View) -> ClauseVerdict | None:
    """Read "it does" and "the end is not" by what was said or asked before."""
    if view.context.base is None or not (match := _ELLIPSIS.fullmatch(view.classes)):
        return None
    return ClauseVerdict(
        view.context.base == (not match["no"]), POINTED if match["pointed"] else PART, base=view.context.base
    )


def _read_contrast(view: _View) -> ClauseVerdict | None:
    """Read what is set against the statement, or against what it would need to be true."""
    if view.context.directions and ("B" in view.clause.opener or _HEARS.match(view.classes)):
        # "The statement says left to right; I hear right to left."
        heard = list_directions(view.clause.words)
        if heard:
            return ClauseVerdict(heard == view.context.directions, PART)
    if view.context.stated and view.clause.words[:1] and view.clause.words[0] in _INDEED and "n" not in view.classes:
        return ClauseVerdict(value=True, rank=PART)  # "It says that the sound comes closer, and indeed it does."
    if view.context.supposed is not None and _UNMET.match(view.classes):
        return ClauseVerdict(
            not view.context.supposed, PART
        )  # "To be true, it would need a start on the left. It does not."
    if _CORRECTED.match(view.classes) and "should" in view.clause.words:
        return ClauseVerdict(value=False, rank=PART)  # "It should say right to left."
    if "B" not in view.clause.opener or _OPEN.search(view.classes):
        return None
    if view.context.supposed is not None and "." in view.classes:
        return ClauseVerdict(
            not view.context.supposed, PART
        )  # "It would be true if it ended on the left, but it ends here."
    return ClauseVerdict(False, PART) if view.context.stated or _STATED.match(view.classes) else None


def _read_presence(view: _View) -> ClauseVerdict | None:
    """Read whether the motion of the statement is there: "I do not hear what is described", "no such movement"."""
    if match := _HEARD_IT.fullmatch(view.classes):
        return ClauseVerdict(not (match["no"] or match["denied"]), SAID)
    if match := _PRESENT.fullmatch(view.classes):
        return ClauseVerdict(not (match["gone"] or match["absent"]), SAID, "m" in view.classes)
    return ClauseVerdict(False, PART) if _SUCH.match(view.classes) and _SUCH_WORDS & set(view.clause.words) else None


_FORMS: tuple[_Form, ...] = (
    _read_identity, _read_depiction, _read_comparison, _read_opinion, _read_as_stated, _read_ellipsis, _read_presence,
    _read_contrast,
)  # fmt: skip


def read_form(clause: Clause, classes: str, context: Context) -> ClauseVerdict | None:
    """Read a clause without a word that carries a verdict, by its form.

    Args:
        clause: The clause.
        classes: Its resolved classes.
        context: What the clauses before leave behind.
    """
    view = _View(clause, classes, context)
    return next((verdict for form in _FORMS if (verdict := form(view)) is not None), None)
