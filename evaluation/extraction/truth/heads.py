"""Words that can carry a verdict ("true", "matches", "holds", "opposite"), each with what it needs around it."""

import re
from dataclasses import dataclass, replace

from evaluation.extraction.truth.clauses import Clause
from evaluation.extraction.truth.scope import PART, POINTED, SAID, ClauseVerdict, Context, count_denials, rank_subject

_HEAD = re.compile(r"[TFRMD><Ov]")
_FRAME = re.compile(r"[audn]*(?:oa*(?:[bhCIyq]|(?=[MD]))|P|h)")
_VALUE = re.compile("[TFMD]")
_SUBJECT = re.compile("[SN]")
_CALLED = re.compile("[aeH]*h[SPNea]*([TF])d?a*w?b[ae]*([TF])[da]*")
_STATES = re.compile(r"[SN]a*y")
_CONTENT = re.compile(r"y(.*)$")
_HAS = frozenset({"gets", "got", "getting", "has", "have"})
_PREDICATE = re.compile(r"(?:[SNPTKA]|\A)[^.]*b[naf]*")
_RIGHT = re.compile(r"(?:.*h[eaP]*S|.*[SNPKI].*[bh][nafYj]*|[aHnfYj]*|.*[hC]a*)")
_AFTER_RIGHT = frozenset(["about", "with", "here", "overall", "respect", "regarding", "based", "for", "too"])
_HYPOTHETICAL = re.compile("w(?!a*b[^K]*K)")
_BEFORE_ATTRIBUTE = re.compile(r".*b[naefp]*|[aenpfHuI]*|.*h[aeP]*|.*P?")
_OF_CONTENT = re.compile(r"[au]*P?e")
_CORRECTION = re.compile("[aw]*[abhKz]")
_ABOUT = re.compile("ue?[.R0]")
_ASPECTS = frozenset({"about", "regarding", "concerning", "on", "in"})
_OTHER_SUBJECT = re.compile(r"[.UI]")
# The statement, the recording or "it", not a source: "agrees with a source on the left".
_RELATED = re.compile(r"[^.SNUPA]*+(?:P|(?:[.][^.SNUPA]*+){0,2}P?[^.SNUPA]*+[SNUA])")
_COMPARED_WITH = re.compile(r"[^SNUPI]*[.][^SNUI]*u[eaPd]*S")
_BADLY = re.compile("Ja*$")
_OMITS = frozenset({"leaves out", "omits"})
_TASKS = frozenset({"verify", "confirm", "validate", "support", "corroborate", "substantiate", "match"})
_NAMED = re.compile("[SNUPA]")
_RECORDING = re.compile("[ae]*U(?:d[.]*)?[ab]*$")
_LATER = frozenset({"then", "back", "again", "turns", "returns"})
_CJK = re.compile("[一-鿿]")


@dataclass(slots=True)
class VerdictHead:
    """A word that can carry a verdict, in its clause.

    Attributes:
        clause: The clause.
        classes: Its resolved classes.
        position: Where the word stands.
        start: Where the words begin that may belong to it.
        context: What the clauses before leave behind.
    """

    clause: Clause
    classes: str
    position: int
    start: int
    context: Context

    @property
    def symbol(self) -> str:
        """Class of the word."""
        return self.classes[self.position]

    @property
    def before(self) -> str:
        """Classes of the words in front."""
        return self.classes[self.start : self.position]

    @property
    def after(self) -> str:
        """Classes of the words behind."""
        return self.classes[self.position + 1 :]

    @property
    def next_word(self) -> str:
        """The word behind, or ""."""
        words = self.clause.words
        return words[self.position + 1] if self.position + 1 < len(words) else ""

    @property
    def words(self) -> list[str]:
        """The words in front."""
        return self.clause.words[self.start : self.position]


def _is_direction(head: VerdictHead) -> bool:
    """Whether "right" is a direction."""
    before, after, clause = head.before, head.after, head.clause
    if "y" not in before:
        closed = not after or after[0] == "a" or head.next_word in _AFTER_RIGHT
        closed = closed or ("S" in before and head.next_word in {"on", "in"})
        if not (closed and _RIGHT.fullmatch(before)):
            return True
    # A cell of a table, "start: right", "left -> right".
    listed = clause.before == ";" or (clause.before == ":" and head.context.part) or clause.opener != ""
    return listed and not before.strip("aH")


def _read_stated(head: VerdictHead, content: str) -> ClauseVerdict | None:
    """Read a value behind a verb such as "says": it is the statement's own, save in "gets the end wrong"."""
    symbol, before = head.symbol, head.before
    if head.after.strip("dua"):
        return None
    if "d" in content and not content.strip("dbae"):
        return ClauseVerdict(symbol == "T", SAID, base=symbol == "T")  # 说的是对的.
    if not content.strip("ae") and symbol != "R" and not re.search("[SNP]", before):
        return ClauseVerdict(symbol == "T", SAID, base=symbol == "T")  # "A second listen says false."
    if symbol == "F" or (symbol == "R" and _HAS & set(head.clause.words)):
        return ClauseVerdict((symbol == "R") != ("n" in before), PART, base=symbol == "R")
    return None


def _read_attribute(head: VerdictHead, after: str) -> ClauseVerdict | None:
    """Read "a false statement", where that is all there is or a predicate."""
    before, rest = head.before, after[1:].lstrip("d")
    if head.symbol == "T" and _CORRECTION.match(rest) and not _VALUE.search(rest):
        return ClauseVerdict(value=False, rank=PART, base=False)  # "The correct statement would be that it moves left."
    if rest[:1] not in {"", "u", "a"} or not _BEFORE_ATTRIBUTE.fullmatch(before):
        return None
    denied, half = count_denials(before)
    rank = POINTED if "P" in before and "I" not in before else SAID
    return ClauseVerdict((head.symbol != "F") != denied, rank, half, base=head.symbol != "F")


def _modifies_noun(head: VerdictHead, after: str) -> bool:
    """Whether an adjective says something of the noun behind it: "the correct direction"."""
    if after[:1] in {"K", "L", "U", "v", "R", "O"} and after[:1]:
        return True
    if after[:1] != ".":
        return False
    chinese = len(after) < len(head.after) and _CJK.match(head.next_word) is not None
    return chinese or head.before.endswith("e") or not _PREDICATE.search(head.before)


def _read_value(head: VerdictHead) -> ClauseVerdict | None:
    """Read an adjective such as "true"."""
    symbol, before, after = head.symbol, head.before, head.after.lstrip("d")
    base = symbol != "F"
    if (symbol == "R" and _is_direction(head)) or after[:1] == "W":
        return None
    if _HYPOTHETICAL.match(after) and not before.strip("aHBn"):
        return ClauseVerdict(base, PART, doubtful=True, base=base)  # "True would require …"
    if "w" in before and "only" in head.clause.words[head.position :]:
        return ClauseVerdict(base, PART, doubtful=True, base=base)  # "It would be true for the other ear only."
    content = _CONTENT.search(before)
    if content is not None and _SUBJECT.search(content[1]) and not _SUBJECT.search(before, 0, content.start()):
        return _read_value(replace(head, start=head.start + content.start() + 1))  # "This suggests the claim is true."
    if content is not None and "j" not in before and "J" not in before:
        return _read_stated(head, content[1])
    if after[:1] == "S" or after[:1] == "N":
        return _read_attribute(head, after)
    of_content = _OF_CONTENT.match(after) is not None or head.next_word == "the sound"
    if not of_content and _modifies_noun(head, after):
        return None
    if base and ("^" in before or "^" in after):
        return ClauseVerdict(value=False, rank=PART, base=False)  # "Everything is correct except the end."
    if "O" in before and "b" in before:
        return ClauseVerdict(symbol == "F", SAID, base=symbol == "F")  # "The opposite is true."
    rank = rank_subject(before, head.words, head.context)
    if _RECORDING.match(before) and rank in {None, PART}:
        return None  # "The recording is valid."
    if rank is None:
        if not _CJK.match(head.clause.words[head.position]):
            return None
        rank = PART
    if base and rank == PART and head.words[:1] == ["only"]:
        return ClauseVerdict(value=False, rank=PART, base=True)  # "Only the start is correct."
    denied, half = count_denials(before)
    half = half or after[:1] == "p"  # "True in part".
    about = base and not denied and _ABOUT.match(after) and head.next_word in _ASPECTS
    if about or (of_content and "S" not in before):
        rank = PART  # "Right about the start"; "it is true the sound moves", said of what follows.
    return ClauseVerdict(base != denied, rank, half, base=base)


def _rank_relation(head: VerdictHead) -> int | None:
    """Return how firmly "matches" is said, from what it relates; None where that is not the statement."""
    before, after = head.before, head.after
    reached = _RELATED.match(after) is not None and "those" not in head.clause.words
    astray = "." in after and not reached
    if "S" in before or "N" in before:
        return PART if _COMPARED_WITH.match(before) else SAID  # 起点与描述相符.
    if "I" in before and "U" not in before:
        return None if astray and "P" not in after else PART if "." in before else SAID
    if astray:
        return None
    if "U" in before:
        return SAID
    if "P" in before and not _OTHER_SUBJECT.search(before.rsplit("P", 1)[1]):
        return POINTED if not reached or "U" in after else SAID
    if "." in before:
        return PART
    return SAID if "B" in head.clause.opener else head.context.subject


def _read_relation(head: VerdictHead) -> ClauseVerdict | None:
    """Read a verb such as "matches" or "contradicts"; what it relates must be the statement and the recording."""
    symbol, before = head.symbol, head.before
    if _STATES.search(before):
        return None
    rank = _rank_relation(head)
    if rank is None:
        return None
    word = head.clause.words[head.position]
    if head.before.rstrip("a").endswith("o") and word in _TASKS:
        return None  # "The task is to verify the statement."
    if rank == PART and _CJK.match(word) and not _NAMED.search(head.classes):
        return None  # 左右声道的音量一致.
    if rank == PART and head.words[:1] == ["only"]:
        return ClauseVerdict(False, PART, base=symbol == "M")  # "Only the end matches."
    if word in _OMITS:
        rank = PART
    denied, half = count_denials(before)
    if _BADLY.search(before):
        denied = not denied  # "Poorly supported".
    if symbol == "D" and denied and before.endswith("nb") and "can not" in " ".join(head.words):
        half = True  # "It cannot be ruled out."
    return ClauseVerdict((symbol == "M") != denied, rank, half, base=symbol == "M")


def _read_lone_verb(head: VerdictHead) -> ClauseVerdict | None:
    """Read "holds" and "fails", which count only where the statement is their subject."""
    before, base = head.before, head.symbol == ">"
    of_statement = "S" in before or "N" in before
    if head.after[:1] in {".", "e", "U", "I"} and head.after:
        return None  # "It holds a steady level."
    if not of_statement and _OTHER_SUBJECT.search(before):
        return None
    denied, half = count_denials(before)
    rank = SAID if of_statement else POINTED if "P" in before else head.context.subject
    return ClauseVerdict(base != denied, rank, half, base=base)


def _read_opposite(head: VerdictHead) -> ClauseVerdict | None:
    """Read "the opposite", "the wrong way round"; nothing is read from their denial."""
    before, after = head.before, head.after
    if "T" in after or "F" in after or "n" in before or _LATER & set(head.clause.words) or _STATES.search(before):
        return None
    named = re.search(r"[SN]", before + after) is not None
    if not named and head.clause.words[head.position].endswith("side"):
        return None  # "It ends on the opposite side."
    of_statement = named and "." not in before
    return None if count_denials(before)[1] else ClauseVerdict(False, SAID if of_statement else PART, base=False)


def _read_flaw(head: VerdictHead) -> ClauseVerdict | None:
    """Read "no mistake in the statement", "there is a discrepancy"."""
    before = head.before
    about = re.search(r"[SNP]", before + head.after) is not None
    if "n" in before[-4:]:
        return ClauseVerdict(True, SAID if about else PART, base=False) if about or "I" in before else None
    if "I" in before and "g" in before:
        return ClauseVerdict(False, SAID if about else PART, base=False)
    return ClauseVerdict(False, SAID, base=False) if about and "b" in before else None


_READERS = {
    "T": _read_value, "F": _read_value, "R": _read_value, "M": _read_relation, "D": _read_relation,
    ">": _read_lone_verb, "<": _read_lone_verb, "O": _read_opposite, "v": _read_flaw,
}  # fmt: skip


def read_heads(clause: Clause, classes: str, context: Context) -> list[ClauseVerdict]:
    """Read every word that can carry a verdict; one that frames the next ("it is false that …") turns it round.

    Args:
        clause: The clause.
        classes: Its resolved classes.
        context: What the clauses before leave behind.
    """
    if match := _CALLED.fullmatch(classes):  # "Calling it true is wrong."
        return [ClauseVerdict(match[1] == match[2], SAID)]
    verdicts: list[ClauseVerdict] = []
    frame: ClauseVerdict | None = None
    start = 0
    for match in _HEAD.finditer(classes):
        position = match.start()
        verdict = _READERS[classes[position]](VerdictHead(clause, classes, position, start, context))
        if verdict is None:
            continue
        start = position + 1
        framing = _FRAME.match(classes, start)
        if framing and _HEAD.search(classes, framing.end()):
            frame = verdict if frame is None else frame._replace(value=frame.value == verdict.value)
            continue
        if framing and "o" in framing.group() and clause.words[position - 1 : position] == ["more"]:
            return [ClauseVerdict(value=False, rank=PART, base=False)]  # "It would be more accurate to say …".
        if framing and classes[position] in "TF" and classes[start] in "Poh":
            verdict = verdict._replace(rank=PART)  # "It is true that the sound passes by": of what follows.
        verdicts.append(verdict if frame is None else _turn(verdict, frame))
        frame = None
    return verdicts if frame is None else [*verdicts, frame._replace(rank=PART)]


def _turn(verdict: ClauseVerdict, frame: ClauseVerdict) -> ClauseVerdict:
    """Put a verdict in its frame: of two labels, "wrong to call it false" leaves only the other one."""
    return verdict._replace(value=verdict.value == frame.value, doubtful=verdict.doubtful or frame.doubtful)
