"""Sentences of a critic: how lines are cut into them, and what their verdicts are matched with."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from evaluation.extraction.critic.critic_tokens import CriticToken
from evaluation.extraction.critic.numbers import list_numbers
from evaluation.extraction.critic.sentence_codes import CORE, Sentence, make_sentence

Scope = Literal["steps", "all", "rest", "first", "edge"]
_LONGEST_SENTENCE, _LONGEST_DRESS = 300, 6
_STOPS = frozenset(".;?\n")
_LIST_OF_STEPS = r"[SmL][,&)(]*"
# A step with a verdict behind it opens the next clause: "errors in step 2, step 1 has none".
_MORE_LISTED = rf"(?:(?!Sd?[VNP]*[GBE]){_LIST_OF_STEPS})*"
HEADED = re.compile(rf"(?P<mid>[sVOcFwnT:,()|&I-]{{0,8}}?)(?P<steps>{_LIST_OF_STEPS}{_MORE_LISTED})(?P<only>O?)")
_EXCEPTION = re.compile(
    rf"X[nFOdsIE:]*(?P<steps>{_LIST_OF_STEPS}{_MORE_LISTED})(?:[NV]*[GBE]x|x)?|(?<=[ARd])s?U(?P<others>(?:{_LIST_OF_STEPS})+)"
    rf"|(?<=[GB]),?U(?P<last>(?:{_LIST_OF_STEPS})+)$"
)
# "Flag steps 3 and 4, and accept steps 1 and 2".
_MARKS = {
    "nothing speaks against",
    "同意",
    "我同意",
    "不同意",
    "我不同意",
    "flag",
    "i'd flag",
    "i would flag",
    "accept",
    "i can confirm",
    "i confirm",
    "i'd accept",
    "i would accept",
    "reject",
}
SOURCES = ("audio ", "recording ", "clip ")
# Not "right" and "sound", which tell of the recording: "Step 1: right channel".
_JUDGING = {
    "correct", "accurate", "valid", "plausible", "reasonable", "incorrect", "inaccurate", "invalid", "wrong", "faulty",
    "flawed", "erroneous", "mistaken", "unsupported", "unfounded", "unwarranted", "unjustified",
}  # fmt: skip
_DESCRIBED = re.compile(
    r"[(]*(?:L[)]?|S[)]?[:.|-])[:.|-]*[GB][wIsTy]{1,3}(?:[Fn][wIsTy]{1,4})?(?=$|[,;(-])[^GBEgbVCH]*"
)

COUNTS_OF_ERRORS = {
    "errors found", "mistakes found", "number of errors", "number of mistakes", "error count", "total errors",
    "total number of errors", "total mistakes", "errors in total",
}  # fmt: skip
# "Errors: 2" may count errors or name the step.
PLURALS_OF_ERROR = {"errors", "mistakes", "issues", "problems", "flaws", "inaccuracies"}
# Verbs that tell where a trace begins to be wrong, not which steps are.
ONSETS = {
    "goes wrong",
    "go wrong",
    "went wrong",
    "breaks down",
    "break down",
    "goes astray",
    "went astray",
    "derails",
    "goes off track",
    "collapses",
    "stumbles",
    "trips up",
    "slips up",
}
_ANNOUNCES = re.compile(
    "(?<!N)VO?(?P<count>c)w?B?(?:E|Bs)|^(?P<several>[cp]s?)V+B|^w{0,2}(?P<head>c)w?(?:E|Bs)(?=[:,.(-]|$)"
)

# "It is right, or may be"; "it sounds plausible, but I can't verify it".
_LEFT_OPEN = re.compile("[,&]*U?[VN]*H(?!w)|,?UwHI?$")

_JUDGEMENT = re.compile("[wKUM]{0,3}y:")
NO_STEPS = re.compile(r"[sw]{0,2}[V:][V:(|-]*[zNZ][.)]*$")


class StepStatement(NamedTuple):
    """What is said at one place.

    Attributes:
        steps: Numbers of steps, from 1 on, below zero from the end; empty for all or for the rest.
        scope: Whether it is said of these steps, of all, of those that nothing else is said of, or of the step of the
            first error (those before it are correct), or of the last step of a range that may end before it.
        erroneous: The verdict; None where it is left open.
        is_sure: Whether it is said of the steps outright; else it may be said of what they tell.
        is_label: Whether it stands behind the number of a list item.
        epoch: How many revisions stood before it.
        bracket: Place of the bracketed part that takes this place in the order, or None.
        topic: Step that the sentence before "no error" mentions; the only step without one if another step is wrong.
    """

    steps: tuple[int, ...]
    scope: Scope = "steps"
    erroneous: bool | None = None
    is_sure: bool = True
    is_label: bool = False
    epoch: int = 0
    bracket: int | None = None
    topic: tuple[int, ...] = ()


def find_nearest(sentence: Sentence, left: str) -> tuple[int, ...]:
    """The nearest step to the left that is no object of a preposition."""
    found = [match.start() for match in re.finditer(r"(?<![FnQ])[SL]", left)]
    return sentence.tokens[found[-1]].steps if found else ()


def find_subjects(sentence: Sentence, left: str) -> list[int]:
    """The steps that are spoken of, not those that another one relies on."""
    places = [match.start() for match in re.finditer(r"(?<![FnQC])[SL]|(?<=^[FQ])S(?=,)|(?<=^[FQ]{2})S(?=,)", left)]
    return [step for place in places for step in sentence.tokens[place].steps]


def find_spoken_of(sentence: Sentence, left: str) -> list[int]:
    """The steps that are spoken of, also where a clause opens with their place: "in step 3 the pitch …"."""
    places = [
        match.start()
        for match in re.finditer(r"(?<![FnQC])[SL]|(?<=^[FQ])S(?=,)|(?<=^[FQ]{2})S(?=,)|(?<=^n)S|(?<=[,;&U]n)S", left)
    ]
    return [step for place in places for step in sentence.tokens[place].steps]


def count_announced(sentence: Sentence) -> int:
    """How many erroneous steps a sentence announces, "two of the steps are wrong"; 0 where it announces none."""
    match = _ANNOUNCES.search(sentence.codes)
    if match is None or sentence.end == "?":
        return 0
    n = match.start(match.lastgroup or 0)
    counts = list_numbers(sentence.tokens[n].text)
    return counts[0] if counts else int(sentence.codes[n] == "c")


def find_counted(sentence: Sentence, start: int, n: int) -> list[int]:
    """The steps that begin later clauses, "step 2, where …, and step 3, where …", if there are as many as announced."""
    found = re.finditer(r"[,;&(]n?(?P<step>S)", sentence.codes[start:])
    steps = [step for each in found for step in sentence.tokens[start + each.start("step")].steps]
    return steps if len(steps) == n else []


def is_attribute(sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether an English adjective stands before a noun: "correct identification of the dog" is no verdict."""
    token = sentence.tokens[match.start("core")]
    if token.text in _JUDGING and _DESCRIBED.fullmatch(sentence.codes):
        return False  # "Step 1: accurate description of the audio".
    if [each.text for each in sentence.tokens[match.end() : match.end() + 1]] == ["here"]:
        return False  # "Nothing wrong here".
    adverbial = sentence.codes[match.end() : match.end() + 1]
    return token.text[:1].isascii() and adverbial in {"w", "I", "C", "T", "s", "E", "B"} and not _is_verb(token.text)


def _is_verb(text: str) -> bool:
    return (
        text.endswith("s")
        or " " in text
        or text.startswith("mis")
        or text in {"follow", "hold", "stand", "match", "fit", "fail", "contradict"}
    )


def _names_one(mid: str, left: str) -> bool:
    """Whether a clause says which step is so: "the one that is wrong is step 2", "what is wrong is step 2"."""
    clause = re.split("[,;U&]", left)[-1]
    return re.search("[SLARZI]", clause) is None and ("c" in mid or re.search("[cw]C?[VM]*$", clause) is not None)


def takes_object(token: CriticToken) -> bool:
    """Whether what a verb judges stands behind it: "I agree with step 2", "the audio contradicts step 3"."""
    return token.text.endswith((" with", " to")) or token.text in _MARKS or token.text.startswith(SOURCES)


def is_headed(headed: re.Match[str], token: CriticToken, left: str, pre: str) -> bool:
    """Whether a verdict belongs to the steps behind it."""
    mid, steps, core, text = headed["mid"], headed["steps"], token.code, token.text
    if mid in {"V", "cV"} and core in "BG" and (text.endswith("的") or _names_one(mid, left)):
        return True
    names_object = mid == "" and takes_object(token)
    if re.search("[SLARZ]", left):
        return names_object and left[-1] in ",;U&"
    if steps[0] in "mL":
        behind = headed.string[headed.end() :]
        if re.match("[F/]m", behind):
            return False  # "Errors: 3 of 5".
        if core == "E" and mid in {"n", "sn", "Vn"} and re.match("$|[.;,)]", behind):
            return True  # "Errors in 2 and 4 only".
        if core in "gb" and mid == "" and not left:
            return True
        if core == "E" and mid == "V" and re.search("s[CI]?V+$", left + pre):
            return True  # "The steps that contain errors are 2 and 4".
        return ":" in mid or ("s" in mid and "w" not in mid and re.search("V", mid) is not None)
    if left.strip("-") == "(" and mid.strip("-:|") == ")":
        return True  # "[Incorrect] Step 2".
    if core in "gb":
        return mid.strip("-(") == ""
    if names_object:
        return True
    if ":" in mid or ("s" in mid and "V" in mid) or re.fullmatch("[sV,]*n", mid):
        return True
    if core == "B" and "T" in left and re.fullmatch("Fw{1,3}n", mid):
        return True  # "The trace is wrong about the order in step 3".
    if "c" in pre and re.search("[,(:]n$", mid):
        return True  # "One erroneous step in this trace, namely step 6".
    if ("O" in mid and not left.strip("w")) or ("O" in pre and re.fullmatch("[sV:]+", mid)):
        return True
    if (("O" in pre or "c" in pre) and mid in {"s", "s,", "s:", "s-"}) or (core == "E" and "c" in pre and mid == "("):
        return True
    of_steps = "F" in mid and "w" not in mid
    return (of_steps and "N" in pre) or (core == "E" and (of_steps or "n" in mid or "V" in mid))


def heads_steps(sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether the name of a judgement and a verdict head what follows: "Final judgement: erroneous steps = 2, 5"."""
    if not _JUDGEMENT.fullmatch(sentence.codes, 0, match.start()):
        return False
    if NO_STEPS.match(sentence.codes, match.end()):
        return True
    headed = HEADED.match(sentence.codes, match.end())
    return headed is not None and is_headed(headed, sentence.tokens[match.start("core")], "", match["pre"])


def take_exception(sentence: Sentence) -> tuple[Sentence, tuple[int, ...]]:
    """Blank the steps that are excepted, and return them."""
    match = _EXCEPTION.search(sentence.codes)
    if not match or (match["last"] and not re.search("[AR]", sentence.codes[: match.start()])):
        return sentence, ()
    group = "steps" if match["steps"] else "others" if match["others"] else "last"
    steps = sentence.steps_at(match.start(group), match.end(group))
    # What is joined by a comma is the next clause: "except step 1, everything is right".
    width = match.end() - match.start()
    codes = f"{sentence.codes[: match.start()]}{',' * width}{sentence.codes[match.end() :]}"
    if match["others"]:
        codes = re.sub("d(?=,,)", "A", codes)  # "All but step 2".
    return sentence._replace(codes=codes), steps


def mark_items(tokens: list[CriticToken]) -> list[CriticToken]:
    """Give a number that labels an item the code of one, and take the stop behind it away."""
    marked: list[CriticToken] = []
    skip = False
    if re.fullmatch("-?s:m", "".join(token.code for token in tokens)):
        return [tokens[-1]._replace(code="L")]
    for n, token in enumerate(tokens):
        if skip:
            skip = False
            continue
        counts = token.steps == (0,) and n + 1 < len(tokens) and tokens[n + 1].code in "EB"  # "0 errors".
        if token.code == "m" and len(token.steps) == 1 and not counts and _labels_item(tokens, n):
            follower = tokens[n + 1].code if n + 1 < len(tokens) else ""
            skip = follower in {".", ","}
            beyond = next((each.code for each in tokens[n + 1 : n + 6] if each.code not in ".:)-|(,"), "")
            if beyond == "S":
                continue
            token = token._replace(code="L")
        marked.append(token)
    return marked


def _labels_item(tokens: list[CriticToken], n: int) -> bool:
    before_it = "".join(token.code for token in tokens[:n]) if n < _LONGEST_DRESS else ""
    at_start = n < _LONGEST_DRESS and re.fullmatch("(?:[sy]:)?[(|-]*", before_it) is not None
    after = "".join(token.code for token in tokens[n + 1 : n + 5])
    if at_start:
        return re.match(rf"$|[.:)|,-]|\(?[NHPV]*[{CORE}]|\(?[tu]", after) is not None
    before = tokens[n - 1].code
    joined = before in f",.;|)({CORE}&Utu" or (before == ":" and after.startswith(":"))
    return joined and re.match(rf"[.:)|,-]*\(?(?:[NHPVW]*[{CORE}tu]|[NV](?:$|[,.;]))", after) is not None


def cut_sentences(tokens: list[CriticToken]) -> Iterator[Sentence]:
    """Cut a line into sentences, also before an item that starts within it."""
    start = 0
    for n, token in enumerate(tokens):
        stops = token.code in _STOPS
        starts_item = token.code in "SL" and n > start and _starts_item(tokens, n)
        if stops or starts_item or n - start >= _LONGEST_SENTENCE:
            if n > start:
                yield make_sentence(tokens[start:n], token.code if stops else ".")
            start = n + stops
    if start < len(tokens):
        yield make_sentence(tokens[start:], "\n")


def _starts_item(tokens: list[CriticToken], n: int) -> bool:
    """Whether another item starts within a line: "step 1 = false, step 2 = true"."""
    if tokens[n].code == "L":
        return True
    follows = n + 1 < len(tokens) and tokens[n + 1].code in ":|-(tu"
    return follows and tokens[n - 1].code in ",;|)gbtu"


def weigh_verdict(codes: str, match: re.Match[str]) -> tuple[bool, bool, bool | None, int]:
    """Return the polarity of a verdict's word, whether it is negated, what it says, and where reading goes on.

    A verdict that is hedged, only half said or one of two alternatives says nothing.
    """
    pre, right = match["pre"], codes[match.end() :]
    polarity = match["core"] in "BEbe"
    if match["keyed"] and not ("V" in pre and codes[match.end("core")] == "("):
        polarity = polarity == (match["keyed"] in "tV")
    negated = (pre.count("N") + pre.count("r")) % 2 == 1
    other = re.match(rf"/[NVHP]*([{CORE}])|/(?:[VN]*)(?:N|$)|/(?=S)", right)
    is_open = other or "H" in pre or _LEFT_OPEN.match(right) or ("P" in pre and not polarity)
    erroneous = None if is_open or re.search("N[VPd]*W", pre) else polarity != negated
    return polarity, negated, erroneous, match.end() + (other.end() if other else 0)
