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
        half: It is only half said, or supposed: it leaves open what parts of the answer say.
        bare: It is a word such as "yes", without a subject.
        base: The value of the word without its denial: True for "it does not match".
    """

    value: bool
    rank: int
    doubtful: bool = False
    bare: bool = False
    base: bool = True
    half: bool = False


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
        stated_directions: The directions among these words.
        supposed: The value that the statement would have under a condition.
        part: The clause before names a part of the motion.
        joined: The clause goes on with the subject of the one before: "and …".
        content: The clause before, of the same sentence, tells something.
        content_follows: So does the next clause.
    """

    subject: int = SAID
    cued: bool = False
    final: bool = False
    base: bool | None = None
    negated: bool = False
    stated: bool = False
    supposed: bool | None = None
    part: bool = False
    joined: bool = False
    stated_directions: tuple[str, ...] = ()
    content: bool = False
    content_follows: bool = False


_POSITIVE = frozenset("TRM>zYj")
_BARE = re.compile(r"[aedLHVPbw]*?(?:(?P<yes>[Yc][acYPzd]*|z[zd]*)|(?P<no>Z[aZdP]*|X[adX]*|x[xd]*))(?:[IP]bn?)?[auVPd]*")
_CUED = re.compile(r"(?:.*[KCL]|[Iabwo]*h)[adeubwP]*(?:(?P<yes>[Yz])|(?P<no>[ZXx]))[adu]*")
_A_YES = re.compile(r"[aHL]*(?:Pb|Iwb?h?a?|K?b)?[ea]*\.?(?:(?P<yes>Y)|(?P<no>X|Z))(?:u[Pe]?I?)?")
_SHORT = re.compile(r"[XZYczx]")
_HEAD = re.compile(r"[TFRMD><Ov]")
_FRAME = re.compile(r"[aud]*(?:oa*(?:[bhCIyq]|(?=[MD]))|P|h)")
_LIGHT = re.compile(r"[abnesdhoIuKLfHwYCVEjmcpPX,&]*")
_PREDICATE = re.compile(r"(?:[SNPTKA]|\A)[^.]*b[naf]*")
_RIGHT = re.compile(r"(?:.*[SNPKI].*[bh][nafYj]*|[aHnfYj]*|.*[hC]a*)")
_IDENTITY = re.compile(r"[aeHuIhP]*?(?:[SN][^yn]*?b|(?:[UP]|e[.])a*b(?=n?[aYfpe]*N))(?P<no>n?)[aYfpeu]*[UNA](?:b|[Mg]?|u.*)")
_HEARD = re.compile(r"[aeH]*Pb(?P<no>n?)[aYfe]*U(?:u[eaP]*[US].*)?[aud]*")
_APPOSED = re.compile(r"[aY]*(?P<no>n?)[af]*N")
_DEPICTED = re.compile(r"[^y]*[SN][^y]*q.*[UP+].*|P.*q.*U.*|U.*qo?.*[SN].*")
_ADVERB = re.compile(r"(?P<well>j)a*b?[yqrh]|(?P<badly>J)a*b?[yqrh]|[yqr].*?(?:(?P<well2>j)|(?P<badly2>J))[aud]*$")
_ELLIPSIS = re.compile(r"[ae]*(?:(?P<pointed>[SNP])|[.0]p?[.]?[.ae]?|e[.IP]p?)a*[bw]b?(?P<no>n?)a*")
_COMPARED = re.compile(r"(?:#|(?P<same>[+])).*?(?:[NAS]|[ry]$)|[NS].*?(?:#|(?P<too>[+]))")
_CALLED = re.compile("[aeH]*h[SPNea]*([TF])d?a*w?b[ae]*([TF])[da]*")
_POINTED = re.compile("(?<!u)P[abnwhfpdmXYj]*$")
_NOUN = re.compile("w(?!a*b[^K]*K)")
_ABOUT = re.compile("ue?[.R0]")
_ASPECTS = frozenset({"about", "regarding", "concerning", "on", "in"})
_PRESENT = re.compile(
    r"[aeHIbuV]*(?:(?P<no>[!n])[aU.]?)?a*ge?[NS].*|[aHe]*N[aY]*m?[ab]*(?P<gone>n)?[ab]*(?:[*gU]|u(?=$)).*|[aHe]*N[ab]*(?P<no2>%).*"
    r"|[aeH]*S[.S]*[aY]*[*]"
)
_SUCH = re.compile("[auIbhgB]*(?:n|X)[aPd]")
_SUCH_WORDS = {"such", "这 样", "那 样", "这 种", "那 种"}
_UNMET = re.compile("a*[PUSu]b?a*n")
_SO = re.compile(r"[aP]*I?[abw]*(?P<no>n?)a*h[Hn]")
_TRUSTED = re.compile(r"[aH]*I[abw]*(?P<no>n?)[abo]*h[ePa]*[SNP][aud]*")
_TRUST = {"believe", "buy", "trust"}
_GROUNDLESS = re.compile(r"[uaPI]*[bhgS]*n[aU]*u[eaP]*[SN].*")
_DESCRIBES = re.compile(r"[aHe]*[PSN]b(?P<no>n?)[ea]*(?:(?<=n)[ea]*|[ea]*a)[ea]*Su[ea]*U.*")
_HEARS = re.compile(r"[aeuH]*[IU]a*[ghy]")
_DIRECTIONS = re.compile(r"(?:front|back|rear|behind|left|right|above|below|up|down|toward|away|closer|farther)")
_STATED = re.compile(r"[aeuIhP]*[SN][^TFMD]*?y")
_AFTER_RIGHT = frozenset("about with here overall respect regarding based for too".split())
_OBJECT = re.compile("u[eaPd]*$")
_CJK = re.compile("[一-鿿]")


def list_directions(words: list[str]) -> tuple[str, ...]:
    """Return the directions that are named, in order."""
    return tuple(_DIRECTIONS.findall(" ".join(words)))


def _resolve(clause: Clause) -> str:
    """Read short words that are no answer here as what else they are: a copula, a denial, a preposition, an adverb."""
    classes = clause.classes
    if classes.endswith("KW") and clause.words[-1] == "是 否":
        return f"{classes[:-1]}F"  # "我的回答是否".
    if not _SHORT.search(classes):
        return classes
    last = len(classes.rstrip("da")) - 1
    resolved = []
    for position, (symbol, word) in enumerate(zip(classes, clause.words, strict=True)):
        if symbol in "zx" and position == last and position and len(word) == 1 and not word.isascii() and word != "不":
            resolved.append("F" if symbol == "x" else "b" if word == "是" else "T")
        elif symbol in "zx":
            if position + 1 < len(classes) and clause.words[position + 1] in {"也", "又", "还 是", "或", "或 者"}:
                resolved.append("T" if symbol == "z" else "F")
                continue
            resolved.append({"是": "b", "不": "n", "对": "u", "否": "n"}.get(word, "."))
        else:
            resolved.append({"X": "n", "Z": "n", "Y": "a", "c": "a"}.get(symbol, symbol))
    return "".join(resolved)


def _deny_neither(classes: str, words: list[str]) -> str:
    """Read "neither" in front of a noun as a denial: "neither the start nor the end matches"."""
    at = words.index("neither") if "neither" in words else -1
    if at < 0 or classes[at + 1 : at + 2] not in {"e", ".", "u", "P"}:
        return classes
    nor = words.index("nor") if "nor" in words else at
    return "".join("n" if k == at else "a" if k == nor else symbol for k, symbol in enumerate(classes))


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
        elif symbol in "SNK" and not _OBJECT.search(classes, 0, position):
            crossed, said = True, False
            since = distance
        elif symbol == ".":
            distance += 1
        elif symbol == "f":
            whole = True
        elif symbol in "pW!":
            half = True
        elif symbol == "m":
            half = half or "n" not in classes[:position]  # "I do not see how it could be true."
        elif symbol == "n":
            if crossed and not said and (distance > since + 1 or classes[position + 1 : position + 2] in "b"):
                continue
            if distance > _REACH:
                half = half or not crossed
                continue
            denied = not denied
            half = half or (whole and not crossed)
    return denied, half


def _rank_subject(before: str, words: list[str], context: Context) -> int | None:
    """Return how firmly a head is said, from what it is said of; None where it is said of nothing that counts."""
    if "K" in before or "C" in before or context.cued:
        return SAID
    if re.search("[SNA]", before):
        # "The first half of the statement is right", "the direction in the statement".
        return PART if re.match(r"[aeH]*[.0][.p]*[ua]e?P?S", before) or "half of" in words else SAID
    content = _LIGHT.sub("", before)
    if not content:
        if "P" in before:
            return POINTED
        return context.subject if context.joined and "h" not in before else SAID
    if (match := _POINTED.search(before)) and words[match.start()] in {"it", "this"}:
        return POINTED
    if re.search(r"h[^.U]*$", before) and "I" in before:
        return SAID
    return PART if re.search(r"[bhy]", before) or re.search(r"P[^.]*$", before) else None


def _read_stated(clause: Clause, classes: str, position: int, content: str, before: str) -> Verdict | None:
    """Read a value behind a verb such as "says": it is the statement's own, save in "gets the end wrong"."""
    symbol = classes[position]
    if classes[position + 1 :].strip("dua"):
        return None
    if not content.strip("ae") and symbol != "R" and not re.search("[SNP]", before):
        return Verdict(symbol == "T", SAID, base=symbol == "T")  # "A second listen says false."
    gets = re.search(r"(?:gets|got|getting|has|have)\b", " ".join(clause.words)) is not None
    if symbol == "F" or (symbol == "R" and gets):
        return Verdict((symbol == "R") != ("n" in before), PART, base=symbol == "R")
    return None


def _read_value(clause: Clause, classes: str, position: int, start: int, context: Context) -> Verdict | None:
    """Read an adjective such as "true"."""
    symbol, before, after = classes[position], classes[start:position], classes[position + 1 :].lstrip("d")
    of_part = len(classes) - position - 1 - len(after) > 0
    if symbol == "R" and "y" not in before and not (
        _RIGHT.fullmatch(before) and (not after or after[0] == "a" or clause.words[position + 1] in _AFTER_RIGHT)
    ):
        return None  # A direction.
    lone = not before.strip("aH")
    if symbol == "R" and lone and (clause.before == ";" or (clause.before == ":" and context.part) or clause.opener):
        return None  # A cell of a table, "start: right", "left -> right".
    if after[:1] == "W":
        return None  # 正确与否.
    if _NOUN.match(after) and not before.strip("aHBn"):
        return Verdict(symbol == "T", PART, doubtful=True, base=symbol == "T")  # "True would require …"
    stated = re.search(r"y(?P<content>.*)$", before)
    if stated is not None and not re.search(r"[jJ]", before):
        return _read_stated(clause, classes, position, stated["content"], before)
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
    rank = _rank_subject(before, clause.words[start:position], context)
    if rank is None:
        if not _CJK.match(clause.words[position]):
            return None
        rank = PART
    if of_content and rank > PART and "S" not in before:
        rank = PART  # "It is true the sound moves": said of what follows.
    denied, half = _count_denials(before)
    if symbol != "F" and not denied and _ABOUT.match(after) and clause.words[position + 1] in _ASPECTS:
        rank = PART  # "Right about the start."
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
        if clause.words[start] == "only":
            return Verdict(False, PART, base=symbol == "M")  # "Only the end matches."
    elif reached or "." not in after:
        rank = context.subject if "B" not in clause.opener else SAID
    else:
        return None
    if rank == SAID and re.match(r"[^SNUPI]*[.][^SNUI]*u[eaPd]*S", before):
        rank = PART  # 起点与描述相符.
    denied, half = _count_denials(before)
    if re.search("Ja*$", before):
        denied = not denied  # "Poorly supported".
    if symbol == "D" and denied and re.search("nb$", before) and "can not" in " ".join(clause.words[start:position]):
        half = True  # "It cannot be ruled out."
    return Verdict((symbol == "M") != denied, rank, half, base=symbol == "M")


def _read_lone_verb(classes: str, position: int, start: int, context: Context) -> Verdict | None:
    """Read "holds" and "fails", which count only where the statement is their subject."""
    symbol, before, after = classes[position], classes[start:position], classes[position + 1 :]
    if re.search(r"[.UI]", before.split("S")[-1].split("N")[-1]) and "S" not in before and "N" not in before:
        return None
    if after[:1] in {".", "e", "U", "I"}:
        return None  # "It holds a steady level."
    denied, half = _count_denials(before)
    rank = SAID if "S" in before or "N" in before else POINTED if "P" in before else context.subject
    return Verdict((symbol == ">") != denied, rank, half, base=symbol == ">")


def _read_opposite(clause: Clause, classes: str, position: int, start: int, context: Context) -> Verdict | None:
    before, after = classes[start:position], classes[position + 1 :]
    if "T" in after or "F" in after:
        return None
    denied, half = _count_denials(before)
    if {"then", "back", "again", "turns", "returns"} & set(clause.words):
        return None  # What the sound does later.
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
    if symbol == "O":
        return _read_opposite(clause, classes, position, start, context)
    return _read_flaw(classes, position, start, context)


def _read_heads(clause: Clause, classes: str, context: Context) -> list[Verdict]:
    """Read every word that can carry a verdict; one that frames the next ("it is false that …") turns it round."""
    verdicts: list[Verdict] = []
    frame: Verdict | None = None
    start = 0
    if match := _CALLED.fullmatch(classes):  # "Calling it true is wrong."
        return [Verdict(match[1] == match[2], SAID)]
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


def _is_same(match: re.Match[str]) -> bool:
    return (match["same"] or match["too"]) is not None


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
    if re.search("[SNPUr]", classes) and (match := _ADVERB.search(classes)):
        badly = bool(match["badly"] or match["badly2"])
        denied, half = _count_denials(classes[: match.end()])
        return Verdict(badly == denied, PART, half)
    if match := _COMPARED.search(classes):
        denied, half = _count_denials(classes[: match.start()] if not _is_same(match) else classes[: match.end()])
        return Verdict((_is_same(match)) != denied, PART, half)
    if match := _SO.fullmatch(classes):
        if clause.words[-1] in {"so", "not"}:
            denied = bool(match["no"]) != (clause.words[-1] == "not")
            return Verdict(not denied, SAID, bare=True)
    if (match := _TRUSTED.fullmatch(classes)) and _TRUST & set(clause.words):
        return Verdict(not match["no"], SAID)
    if match := _GROUNDLESS.fullmatch(classes):
        return Verdict(False, SAID) if re.search("evidence|basis|support|reason", " ".join(clause.words)) else None
    if match := _DESCRIBES.fullmatch(classes):
        return Verdict(not match["no"], POINTED)
    if "A" in classes:
        before = classes[: classes.index("A")]
        if "n" not in before and context.negated:
            if "&" not in clause.opener:
                return None
            return Verdict(False, PART)
        if re.search(r"[!Wm]|nf", before):
            return None
        return Verdict("n" not in before, PART)
    if context.base is not None and (match := _ELLIPSIS.fullmatch(classes)):
        return Verdict(context.base == (not match["no"]), POINTED if match["pointed"] else PART, base=context.base)
    if context.stated_directions and _HEARS.match(classes):
        # "The statement says left to right; I hear right to left."
        heard = list_directions(clause.words)
        return Verdict(heard == context.stated_directions, PART) if heard else None
    if match := _PRESENT.fullmatch(classes):
        return Verdict((match["no"] or match["gone"] or match["no2"]) is None, SAID, "m" in classes)
    if (match := _SUCH.match(classes)) and _SUCH_WORDS & set(clause.words):
        return Verdict(False, PART)
    if context.supposed is not None and _UNMET.match(classes):
        return Verdict(not context.supposed, PART)  # "To be true, it would need … . It does not."
    if "B" in clause.opener and context.supposed is not None and "." in classes and not re.search("[!pWm]", classes):
        return Verdict(not context.supposed, PART)  # "It would be true if it ended on the left, but it does not end there."
    if "B" in clause.opener and (_STATED.match(classes) or context.stated) and not re.search("[!pWm]", classes):
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
    if short is None and "e" in clause.classes:
        short = _A_YES.fullmatch(clause.classes)  # "A resounding yes".
    if short is not None and not (clause.after in ":\n" and clause.words[-1] == "是" and len(clause.words) > 1):
        if not clause.opener and clause.before == "," and context.content:
            return []  # "It moves, yes, but it begins in front."
        rank = PART if clause.after == "~" and context.content_follows else SAID
        return [Verdict(short["yes"] is not None, rank, bare=True, base=short["yes"] is not None)]
    classes = _resolve(clause)
    if "W" in classes:
        classes = _deny_neither(classes, clause.words)
    verdicts = _read_heads(clause, classes, context) if _HEAD.search(classes) else []
    if not verdicts:
        form = _read_forms(clause, classes, context)
        verdicts = [form] if form is not None else []
    if classes[:2] == "nP" and clause.words[1] in {"everything", "all", "both"}:
        verdicts = [verdict._replace(doubtful=True) for verdict in verdicts]  # "Not everything is correct."
    limit = PART if clause.reason or (context.part and clause.before == ":") else FINAL
    return [
        verdict._replace(
            doubtful=verdict.doubtful or clause.doubtful,
            half=verdict.doubtful or (clause.supposed and "i" not in clause.opener),
            rank=min(verdict.rank, limit),
        )
        for verdict in verdicts
    ]
