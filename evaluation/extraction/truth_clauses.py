"""Clauses of a true/false answer, each with the mood it stands in: asked, supposed, remembered, conceded or said."""

import re
from dataclasses import dataclass

from evaluation.extraction.truth_words import Words

_BREAKS = frozenset(",;:\n=?~")
_OPENERS = frozenset("BGHQiV&")
_SENTENCE_ENDS = frozenset("\n=?")
_MERGES = (
    # "what the statement says", "what is described", "what it claims".
    (re.compile(r"ke?a*[SP]a?b?a?[yqrh]|keaSb?[yqr]|k[Pb]*a*[ry](?!S)|所[ry]"), "N"),
    # "the motion described in the statement", "the stated motion".
    (re.compile(r"(?<=[eP.])\.r(?:ue?a*S)?(?=[abMDnY*%=\n,]|$)|(?<=[eP])r\.(?=[abMDnY*%=\n,]|$)|(?<=e).Pbr(?=[=,\n]|$)|Pr(?:ue?a*S)?(?=$|[,=;])"), "N"),
    (re.compile(r"ePue?P?S"), "N"),
    # "in the direction that the statement says it does".
    (re.compile(r"ue[.O]P?e?S[yq](?:Pb)?"), "A"),
    # "the one I perceive".
    (re.compile(r"ePIa*g"), "U"),
    # "what I hear", "what can be heard"; "the audio that I heard".
    (re.compile(r"k(?:I|ba?b?)a?w?b?a?[gh]|k(?=g)g|ke?Ua?[yqMg]|kba?u?e?U"), "U"),
    (re.compile(r"s(?:e?a*[SNP]b?[yrq]|[ry]|a?b[ry]|e?N)"), "A"),
)
_UNHEARD = {"did not hear", "can not hear", "could not hear", "没 有 听 到", "听 不 到", "没 听 到", "听 不 出"}
_HEARD_NOTHING = re.compile(r"[aed]*(?=[^U\n=,?;a])(?:[^=\n,?;]){0,12}[MDAO#+v]|[aed]*N")
_COUNTERED = re.compile("[aP]*[SP]b?n?a*")
_WOULD_BE = re.compile("[SPN]a*wa*b")
_NEEDS = re.compile("w[^hC]*[.][^hC]*ob[TF]")
_PURPOSE = re.compile("(?:u[^=]*)?ob")
_FORCED = re.compile(
    r"(?:forced|pressed|asked|pushed|anything|made|required|my ears)\b"
    r"|(?:i|we|you|one) (?:have|had|must|need|was|were|are|am|hear|heard|understand|may|can)\b"
)


@dataclass(slots=True)
class Clause:
    """A clause.

    Attributes:
        classes: One character a word, see `truth_words`.
        words: The words.
        opener: Class of the conjunction that it begins with, or "".
        before: The sign in front: "" at the start of the response.
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


def _merge(words: Words) -> Words:
    """Join what together names the statement ("what is claimed"), the recording, or agreement ("as it says")."""
    classes, texts = words
    if "Sh" in classes:  # 题目说: what the statement says, not what is thought of it.
        classes = "".join(
            "y" if symbol == "h" and texts[k] in {"说", "讲"} and classes[k - 1 : k] == "S" else symbol
            for k, symbol in enumerate(classes)
        )
    for pattern, symbol in _MERGES:
        found = list(pattern.finditer(classes))
        for match in reversed(found):
            start, end = match.span()
            classes = f"{classes[:start]}{symbol}{classes[end:]}"
            texts = [*texts[:start], " ".join(texts[start:end]), *texts[end:]]
    if "!" in classes:  # "I did not hear anything that supports it": a denial, no refusal.
        classes = "".join(
            "n" if symbol == "!" and texts[k] in _UNHEARD and _HEARD_NOTHING.match(classes, k + 1) else symbol
            for k, symbol in enumerate(classes)
        )
    return Words(classes, texts)


def split_clauses(words: Words) -> list[Clause]:
    """Cut an answer into clauses, at signs and in front of conjunctions, and set the mood of each."""
    classes, texts = _merge(words)
    clauses: list[Clause] = []
    start, before, sentence, first, opener = 0, "", 0, True, ""

    def close(end: int, sign: str) -> None:
        nonlocal first
        if end > start or (opener and sign != "+"):
            clauses.append(Clause(classes[start:end], texts[start:end], opener, before, sign, sentence, first))
            first = False

    for position, symbol in enumerate(classes):
        if symbol in _BREAKS:
            close(position, symbol)
            start, before, opener = position + 1, symbol, ""
            if symbol in _SENTENCE_ENDS:
                sentence, first = sentence + 1, True
        elif symbol in _OPENERS and not _is_within(classes, texts, position):
            close(position, "+" if opener else symbol)
            if position > start:
                before, opener = symbol, ""
            # "But actually" opens one clause, with two conjunctions.
            start, opener = position + 1, opener + symbol
    close(len(classes), "=")
    _mark_taken_back(clauses)
    _mark_keys(clauses)
    _set_moods(clauses)
    return clauses


_TURN = re.compile("[BHV]")
_LONE_DENIAL = re.compile(r"[XZx]a*|F")
_KEY = re.compile("[TFMRD]")
_ONE_VALUE = re.compile("[TFYZXzx]")
_VALUE = re.compile("[TFYZXxz]")


def _mark_taken_back(clauses: list[Clause]) -> None:
    """Read a denial on its own between two values as taking the first one back: "true, no, false"."""
    for before, clause, after in zip(clauses, clauses[1:], clauses[2:], strict=False):
        lone = _LONE_DENIAL.fullmatch(clause.classes) and not clause.opener and clause.sentence == after.sentence
        near = clause.sentence - before.sentence <= 1 and not (before.asked or before.after == "\n")
        chinese = clause.words[:1] in (["不 对"], ["不"], ["不 是"], ["错 了"])
        if clause.words == ["well"]:
            clause.opener, clause.classes, clause.words = "V", "", []
        elif lone and near and _VALUE.search(before.classes) and _VALUE.search(after.classes):
            if before.sentence == clause.sentence or (chinese and clause.classes != "F") or "X" in clause.classes:
                if before.after != "?":
                    clause.opener, clause.classes, clause.words = "V", "", []


def _mark_keys(clauses: list[Clause]) -> None:
    """Read "is correct: no" as a question and its answer."""
    for clause, after in zip(clauses, clauses[1:], strict=False):
        if clause.after == ":" and _KEY.search(clause.classes) and _ONE_VALUE.fullmatch(after.classes):
            clause.key = True


def _is_within(classes: str, texts: list[str], position: int) -> bool:
    """Whether a word that could open a clause does not: "actually" between a subject and its verb."""
    symbol = classes[position]
    if symbol == "V":
        before = classes[position - 1] if position else "="
        following = classes[position + 1 : position + 2]
        return before not in "=,;:\n?BVYX&|H!." or (before == "." and following not in "=,;:\nTFYZX")
    if texts[position] == "so" and classes[position - 1 : position] in {"h", "y"}:
        return True  # "I think so".
    return texts[position] == "so" and classes[position + 1 : position + 2] in {".", "g"} and position > 0 and (
        classes[position - 1] in "bn"
    )


def _set_moods(clauses: list[Clause]) -> None:
    """Mark what is asked, supposed, remembered, conceded or given as a reason."""
    supposed = remembered = reason = False
    stated = {clause.sentence for clause in clauses if clause.classes == "A"}
    for number, clause in enumerate(clauses):
        if clause.line_start or clause.before == ";":
            supposed = remembered = reason = False
        if _TURN.search(clause.opener):
            remembered = reason = False
            supposed = supposed and clause.opener == "H"
        if "Q" in clause.opener:
            reason = True
        elif clause.before == "," and not clause.opener:
            reason = False
        if "i" in clause.opener or "i" in clause.classes:
            supposed = not (_is_real(clause) or clause.sentence in stated)
            clause.doubtful = True
            if number and clauses[number - 1].sentence == clause.sentence and clause.before == "i" and supposed:
                clauses[number - 1].doubtful = True
        if "E" in clause.classes:
            remembered = True
        weak = re.search("(?<!e)0", clause.classes) is not None
        if _PURPOSE.match(clause.classes) and clause.words[0] in {"for", "to", "in"}:
            clause.doubtful = True  # "For the statement to be true, …"
        clause.doubtful = (
            clause.doubtful or supposed or remembered or weak or "G" in clause.opener or clause.classes[:1] == "G"
        )
        if weak and len(clause.classes) == 1 and number + 1 < len(clauses):
            clauses[number + 1].doubtful = True
        if supposed and _COUNTERED.fullmatch(clause.classes) and re.search("[&B]", clause.opener):
            supposed = clause.doubtful = False  # "… would be true if it ended on the left, and it does not."
        clause.supposed = supposed
        clause.reason = reason
    conditional = {clause.sentence for clause in clauses if "i" in clause.opener + clause.classes}
    for clause in clauses:
        needs = "w" in clause.classes and _NEEDS.search(clause.classes)
        if needs or (clause.sentence in conditional and _WOULD_BE.search(clause.classes)):
            clause.doubtful = True
    asked = {clause.sentence for clause in clauses if clause.after == "?"}
    for clause in clauses:
        if clause.key and clause.after == ":":
            clause.doubtful = True
        if clause.sentence in asked:
            clause.asked = clause.doubtful = True


def _is_real(clause: Clause) -> bool:
    """Whether a condition is met by what the question says or by how it was put: "if I had to choose"."""
    text = " ".join(clause.words)
    return "A" in clause.classes or _FORCED.match(text) is not None
