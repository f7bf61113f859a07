"""What one clause of an answer says of the statement: a truth value, how firmly, and whether it is only said in part."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.extraction.truth_clauses import Clause

PART, POINTED, SAID, FINAL = range(4)
"""How firmly: of a part or in passing; of "it"; of the statement or as the answer; as the final answer."""

_REACH = 3.0


class Verdict(NamedTuple):
    """A truth value that a clause gives.

    Attributes:
        value: The value.
        rank: How firmly.
        doubtful: It is asked, supposed, remembered or only half said.
        bare: It is a word such as "yes", without a subject.
        base: The value of the word without its denial: True for "it does not match".
    """

    value: bool
    rank: int
    doubtful: bool = False
    bare: bool = False
    base: bool = True


@dataclass(slots=True)
class Context:
    """What the clauses before leave behind.

    Attributes:
        subject: Rank that the last subject gives to a clause without one.
        cued: "The answer is" stands in front.
        final: "Final answer" stands in front.
        base: Base of the last verdict, for "it does" and "it is not".
        negated: The clause before has a denial.
        stated: The statement's words were repeated in this sentence.
        content: The clause before, of the same sentence, tells something.
        content_follows: So does the next clause.
    """

    subject: int = SAID
    cued: bool = False
    final: bool = False
    base: bool | None = None
    negated: bool = False
    stated: bool = False
    content: bool = False
    content_follows: bool = False


_POSITIVE = frozenset("TRM>zYj")
_BARE = re.compile(r"[aedLHVPbw]*?(?:(?P<yes>[Yc][acYPzd]*|z[zd]*)|(?P<no>Z[aZdP]*|X[adX]*|x[xd]*))[auVPd]*")
_CUED = re.compile(r"(?:.*[KCL]|I?w?h)[adeubwP]*(?:(?P<yes>[Yz])|(?P<no>[ZXx]))[ad]*")
_SHORT = re.compile(r"[XZYczx]")
_HEAD = re.compile(r"[TFRMD><Ov]")
_FRAME = re.compile(r"[aud]*(?:oa*[bhCIyq]|P|h)")
_LIGHT = re.compile(r"[abnedhoIuKLfHwYCVEjmcpPX,&]*")
_PREDICATE = re.compile(r"(?:[SNPTKA]|\A)[^.]*b[naf]*")
_RIGHT = re.compile(r"(?:.*[SNPK].*[bh][naf]*|[aHn]*|.*[hC]a*)")
_IDENTITY = re.compile(r"[aeHuIhP]*?(?:[SN][^yn]*?b|[UP]a*b(?=n?[afpe]*N))(?P<no>n?)[afpeu]*[UNA](?:b|[Mg]?)")
_HEARD = re.compile(r"[aeH]*Pb(?P<no>n?)[afe]*U[aud]*")
_APPOSED = re.compile(r"[aY]*(?P<no>n?)[af]*N")
_DEPICTED = re.compile(r"[^y]*[SNP].*q.*U.*|U.*qo?.*[SN].*")
_ADVERB = re.compile(r"(?P<well>j)a*b?[yqrh]|(?P<badly>J)a*b?[yqrh]|[yq].*(?:(?P<well2>j)|(?P<badly2>J))[aud]*$")
_ELLIPSIS = re.compile(r"[ae]*(?:(?P<pointed>[SNP])|[.]{1,2}[.ae]?|e[.IP])a*[bw]b?(?P<no>n?)a*")
_STATED = re.compile(r"[aeuIhP]*[SN][^TFMD]*?y")
_AFTER_RIGHT = frozenset("about with here overall respect regarding based for too".split())
_CJK = re.compile("[一-鿿]")


def _resolve(clause: Clause) -> str:
    """Read short words that are no answer here as what else they are: a copula, a denial, a preposition, an adverb."""
    classes = clause.classes
    if not _SHORT.search(classes):
        return classes
    last = len(classes.rstrip("da")) - 1
    resolved = []
    for position, (symbol, word) in enumerate(zip(classes, clause.words, strict=True)):
        if symbol in "zx" and position == last and position and len(word) == 1 and not word.isascii() and word != "不":
            resolved.append("F" if symbol == "x" else "b" if word == "是" else "T")
        elif symbol in "zx":
            resolved.append({"是": "b", "不": "n", "对": "u", "否": "n"}.get(word, "."))
        else:
            resolved.append({"X": "n", "Z": "n", "Y": "a", "c": "a"}.get(symbol, symbol))
    return "".join(resolved)


def _count_denials(classes: str) -> tuple[bool, bool]:
    """Return whether what stands behind these words is denied, and whether it is only half said.

    A denial reaches over three ordinary words, and over a new subject only where a verb of saying stands between: "I do
    not think that the statement is true".
    """
    denied = half = crossed = said = whole = False
    distance = 0.0
    for position in range(len(classes) - 1, -1, -1):
        symbol = classes[position]
        if symbol in "hCg":
            said = True
        elif symbol in "SNK":
            crossed, said = True, False
            since = distance
        elif symbol == ".":
            distance += 1
        elif symbol == "f":
            whole = True
        elif symbol in "pW!":
            half = True
        elif symbol == "m":
            half = half or "n" not in classes[position + 1 :]
        elif symbol == "n":
            if crossed and not said and (distance > since + 1 or classes[position + 1 : position + 2] in "b"):
                continue
            if distance > _REACH:
                half = half or not crossed
                continue
            denied = not denied
            half = half or (whole and not crossed)
    return denied, half


def _rank_subject(before: str, after: str, context: Context) -> int | None:
    """Return how firmly a head is said, from what it is said of; None where it is said of nothing that counts."""
    if "K" in before or "C" in before or context.cued:
        return SAID
    if "S" in before or "N" in before or "A" in before:
        return SAID
    content = _LIGHT.sub("", before)
    if not content:
        if "P" in before:
            return POINTED
        return SAID if any(symbol in before for symbol in "hH") else context.subject
    if re.search(r"h[^.U]*$", before) and "I" in before:
        return SAID
    return PART if re.search(r"[bhy]", before) or re.search(r"P[^.]*$", before) else None


def _read_value(clause: Clause, classes: str, position: int, start: int, context: Context) -> Verdict | None:
    """Read an adjective such as "true"."""
    symbol, before, after = classes[position], classes[start:position], classes[position + 1 :].lstrip("d")
    of_part = len(classes) - position - 1 - len(after) > 0
    if symbol == "R" and not (
        _RIGHT.fullmatch(before) and (not after or clause.words[position + 1] in _AFTER_RIGHT)
    ):
        return None  # A direction.
    if re.search(r"[SNP]a*y", before) and not re.search(r"[jJ]", before):
        # What the statement says is not said of it; "has the order wrong" is.
        return Verdict(False, PART, base=False) if symbol == "F" and not after else None
    if after[:1] in {"S", "N"}:
        rest = after[1:].lstrip("d")
        if rest[:1] not in {"", "u", "a"} or not re.fullmatch(r".*b[naefp]*|[aenpfHuI]*|.*h[aeP]*|.*[P]?", before):
            return None
        denied, half = _count_denials(before)
        rank = POINTED if "P" in before and "I" not in before else SAID
        return Verdict((symbol != "F") != denied, rank, half, base=symbol != "F")
    of_content = re.match(r"[au]*P?e", after) is not None or clause.words[position + 1 : position + 2] == ["the sound"]
    if after[:1] in {"K", "L", "U", "v", "R", "O"} and not of_content:
        return None
    if after[:1] == ".":
        cjk = bool(_CJK.match(clause.words[position + 1])) and of_part
        if cjk or before.endswith("e") or not _PREDICATE.search(before):
            return None
    if "O" in before and "b" in before:
        return Verdict(symbol == "F", SAID, base=symbol == "F")
    rank = _rank_subject(before, after, context)
    if rank is None:
        if not _CJK.match(clause.words[position]):
            return None
        rank = PART
    if of_content and rank > PART and "S" not in before:
        rank = PART  # "It is true the sound moves": said of what follows.
    denied, half = _count_denials(before)
    return Verdict((symbol != "F") != denied, rank, half, base=symbol != "F")


def _read_relation(clause: Clause, classes: str, position: int, start: int, context: Context) -> Verdict | None:
    """Read a verb such as "matches" or "contradicts"; what it relates must be the statement and the recording."""
    symbol, before, after = classes[position], classes[start:position], classes[position + 1 :]
    if re.search(r"[SN]a*y", before):
        return None
    about = [s for s in after if s in "SNUPA"]
    reached = bool(about) and after.count(".", 0, after.find(about[0])) <= 2
    subject = "S" in before or "N" in before or ("P" in before and not re.search(r"[.UI]", before.split("P")[-1]))
    if "I" in before and "U" not in before and "S" not in before:
        if "." in after and not reached and "P" not in after:
            return None
        rank = SAID if "." not in before else PART
    elif "S" in before or "N" in before:
        rank = SAID
    elif "U" in before:
        if "." in after and not reached:
            return None
        rank = SAID
    elif subject:
        if "." in after and not reached:
            return None
        rank = POINTED if not reached or "U" in about else SAID
    elif "." in before:
        if "." in after and not reached:
            return None
        rank = PART
    elif reached or "." not in after:
        rank = context.subject if not clause.opener == "B" else SAID
    else:
        return None
    denied, half = _count_denials(before)
    return Verdict((symbol == "M") != denied, rank, half, base=symbol == "M")


def _read_lone_verb(classes: str, position: int, start: int, context: Context) -> Verdict | None:
    """Read "holds" and "fails", which count only where the statement is their subject."""
    symbol, before, after = classes[position], classes[start:position], classes[position + 1 :]
    if re.search(r"[.UI]", before.split("S")[-1].split("N")[-1]) and "S" not in before and "N" not in before:
        return None
    if after[:1] == "." and "S" not in before:
        return None
    denied, half = _count_denials(before)
    rank = SAID if "S" in before or "N" in before else POINTED if "P" in before else context.subject
    return Verdict((symbol == ">") != denied, rank, half, base=symbol == ">")


def _read_opposite(classes: str, position: int, start: int, context: Context) -> Verdict | None:
    before, after = classes[start:position], classes[position + 1 :]
    if "T" in after or "F" in after:
        return None
    denied, half = _count_denials(before)
    if denied or half or "n" in before or re.search(r"[SN]a*y", before):
        return None
    return Verdict(False, SAID if re.search(r"[SN]", before + after) and "." not in before else PART, base=False)


def _read_flaw(classes: str, position: int, start: int, context: Context) -> Verdict | None:
    before, after = classes[start:position], classes[position + 1 :]
    about = re.search(r"[SNP]", before + after) is not None
    if "n" in before[-4:]:
        return Verdict(True, SAID if about else PART, base=False)
    return Verdict(False, SAID if about else PART, base=False) if about and "b" in before else None


def _read_head(clause: Clause, classes: str, position: int, start: int, context: Context) -> Verdict | None:
    symbol = classes[position]
    if symbol in "TFR":
        return _read_value(clause, classes, position, start, context)
    if symbol in "MD":
        return _read_relation(clause, classes, position, start, context)
    if symbol in "><":
        return _read_lone_verb(classes, position, start, context)
    return (_read_opposite if symbol == "O" else _read_flaw)(classes, position, start, context)


def _read_heads(clause: Clause, classes: str, context: Context) -> list[Verdict]:
    """Read every word that can carry a verdict; one that frames the next ("it is false that …") turns it round."""
    verdicts: list[Verdict] = []
    frame: Verdict | None = None
    start = 0
    for match in _HEAD.finditer(classes):
        position = match.start()
        verdict = _read_head(clause, classes, position, start, context)
        if verdict is None:
            continue
        framed = _FRAME.match(classes, position + 1)
        later = framed and _HEAD.search(classes, framed.end())
        if framed and later and verdict.rank >= PART:
            frame = verdict if frame is None else frame._replace(value=frame.value == verdict.value)
            start = position + 1
            continue
        if framed and classes[position] in "TF" and not verdict.bare and classes[position + 1 : position + 2] in "Poh":
            verdict = verdict._replace(rank=PART)  # "It is true that the sound passes by": of what follows.
        if frame is not None:
            litotes = not frame.value and not verdict.value and verdict.base == verdict.value and not frame.base
            verdict = verdict._replace(
                value=verdict.value == frame.value, doubtful=verdict.doubtful or frame.doubtful or litotes
            )
            frame = None
        verdicts.append(verdict)
        start = position + 1
    if frame is not None:
        verdicts.append(frame._replace(rank=PART))
    return verdicts


def _read_forms(clause: Clause, classes: str, context: Context) -> Verdict | None:
    """Read a clause by its form as a whole: "what is described is what I hear", "as stated", "it does not"."""
    if match := _IDENTITY.fullmatch(classes):
        return Verdict(not match["no"], SAID, "p" in classes)
    if match := _HEARD.fullmatch(classes):
        return Verdict(not match["no"], POINTED, "p" in classes)
    if match := _APPOSED.fullmatch(classes):
        return Verdict(not match["no"], PART)
    if "q" in classes and _DEPICTED.fullmatch(classes):
        badly = "J" in classes
        denied = "n" in classes
        return Verdict(badly == denied, SAID, "p" in classes or (denied and "f" in classes))
    if re.search("[SNPU]", classes) and (match := _ADVERB.search(classes)):
        badly = bool(match["badly"] or match["badly2"])
        denied, half = _count_denials(classes[: match.end()])
        return Verdict(badly == denied, PART, half)
    if "A" in classes:
        before = classes[: classes.index("A")]
        if "n" not in before and context.negated:
            if not clause.opener == "&":
                return None
            return Verdict(False, PART)
        if re.search(r"[!Wm]|nf", before):
            return None
        return Verdict("n" not in before, PART)
    if context.base is not None and (match := _ELLIPSIS.fullmatch(classes)):
        return Verdict(context.base == (not match["no"]), POINTED if match["pointed"] else PART, base=context.base)
    if clause.opener == "B" and (_STATED.match(classes) or context.stated) and not re.search("[!pWm]", classes):
        return Verdict(False, PART)
    if re.search(r"[SN]y(?:a*H)?$", classes) and clause.words[-1] == "so":
        return Verdict("n" not in classes, PART)
    return None


def read_clause(clause: Clause, context: Context) -> list[Verdict]:
    """Read what a clause says of the statement.

    Args:
        clause: The clause.
        context: What the clauses before leave behind.

    Returns:
        The verdicts in it, in order; mostly none or one.
    """
    short = _BARE.fullmatch(clause.classes) or _CUED.fullmatch(clause.classes)
    if short is not None and not (clause.after in ":\n" and clause.words[-1] == "是" and len(clause.words) > 1):
        if not clause.opener and clause.before == "," and context.content:
            return []  # "It moves, yes, but it begins in front."
        rank = PART if clause.after == "~" and context.content_follows else SAID
        return [Verdict(short["yes"] is not None, rank, bare=True, base=short["yes"] is not None)]
    classes = _resolve(clause)
    verdicts = _read_heads(clause, classes, context) if _HEAD.search(classes) else []
    if not verdicts:
        form = _read_forms(clause, classes, context)
        verdicts = [form] if form is not None else []
    limit = PART if clause.reason else FINAL
    return [
        verdict._replace(doubtful=verdict.doubtful or clause.doubtful, rank=min(verdict.rank, limit))
        for verdict in verdicts
    ]
