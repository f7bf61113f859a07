"""Sentences of a critic, as codes of tokens, and what they are cut and matched with (see `critic.tokens`)."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from evaluation.extraction.critic.critic_tokens import CriticToken
from evaluation.extraction.critic.numbers import list_numbers

Scope = Literal["steps", "all", "rest", "first", "edge"]
CORE = "GBEgbae"
_LONGEST_SENTENCE, _LONGEST_DRESS = 300, 6
_STOPS = frozenset(".;?\n")
_LIST_OF_STEPS = r"[SmL][,&)(]*"
HEADED = re.compile(rf"(?P<mid>[sVOcFwnT:,()|&I-]{{0,8}}?)(?P<steps>(?:{_LIST_OF_STEPS})+)(?P<only>O?)")
_EXCEPTION = re.compile(
    rf"X[nFOdsIE:]*(?P<steps>(?:{_LIST_OF_STEPS})+)(?:[NV]*[GBE]x|x)?|(?<=[ARd])s?U(?P<others>(?:{_LIST_OF_STEPS})+)"
)
# "与音频内容一致": what is compared stands between the step and its verdict.
_COMPARED = re.compile(r"(?P<drop>F[wIyTs]{1,8}?)[NVd]*(?P<core>[GB])")
# "The only step that is wrong".
_ONLY_ONE_THAT = re.compile(r"O(?P<drop>[sc]?(?:[CI]V*|F)|[sc])(?=[NHPW]*[GBE])")
# "It's step 1 that is wrong".
_WHAT_IT_SAYS = re.compile("(?:^|[.,;:U&])w[SL](?P<drop>C)(?=V*[NHPW]*[GB]|V+N?(?:$|[.,;)&]))")
_IT_IS_THAT = re.compile("(?:^|[,:])IV?S(?P<drop>[CI])(?=V+[NHPW]*[GBE])")
# "I'd mark 1 and 2 as correct and 3 as incorrect".
_MARKED_AS = re.compile("m(?=Q[NHPWVd]*[GBE])")
# "0 errors".
_ZERO = re.compile("m(?=w?[BE])")
# "Imprecise, but not erroneous".
_BUT_NOT = re.compile(f"X(?=[WPa]?[{CORE}H])")
# "It relies on the wrong step 3".
_WRONG_BASIS = re.compile("(?<=C)[BE](?=S)")
# "Neither right nor wrong"; "although step 2 sounds plausible, it is wrong".
_NEITHER = re.compile("NG[,&]?NB|N[BE][,&]?NG")
_CONCESSION = re.compile("U[SI]V*[NWP]?(?P<core>[GB])[^SLGBE]*,U?I")
# "At first I thought that step 2 was wrong, but …"; "it is not true that step 2 is wrong".
_AT_FIRST = re.compile("i(?![sV]*[EBs])[^U]*(?=,?U)")
_NOT_TRUE_THAT = re.compile("NtC?S[VN]*[GB]")
# "Step 4 looked suspicious, but it isn't wrong".
_IMPRESSIONS = {"looked", "sounded", "seemed", "appeared"}
# "The errors start in step 3"; "it starts to go wrong at step 3".
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
    "i'd accept",
    "i would accept",
    "reject",
}
SOURCES = ("audio ", "recording ", "clip ")
_STARTS = {"introduced", "start", "starts", "begin", "begins", "began", "started", "starting", "beginning", "开始"}
_START = re.compile("(?<=[EB])w(?=nS)|(?<=EV)w(?=nS)|w(?=F?w?[BE]w{0,2}n?S)")
# Not "right" and "sound", which tell of the recording: "Step 1: right channel".
_JUDGING = {
    "correct", "accurate", "valid", "plausible", "reasonable", "incorrect", "inaccurate", "invalid", "wrong", "faulty",
    "flawed", "erroneous", "mistaken", "unsupported", "unfounded", "unwarranted", "unjustified",
}  # fmt: skip
_DESCRIBED = re.compile(
    r"[(]*(?:L[)]?|S[)]?[:.|-])[:.|-]*[GB][wIsTy]{1,3}(?:[Fn][wIsTy]{1,4})?(?=$|[,;(-])[^GBEgbVCH]*"
)
# "Step 2 could be called imprecise, but it isn't wrong".
_SETTLED = re.compile("[^GBE]*H[^GBEU]*(?=U(?:I?V*N?[GBE]))")
_SEEMS = {"looks", "sounds", "seems", "appears", "look", "sound", "seem", "appear"}
_MIGHT = {"may", "might", "could"}
_AT_FIRST_SIGHT = {"at first", "at first glance", "at first sight", "on first listen", "initially", "on first hearing"}
# "It confuses the first and the second tone".
_OF_SOUND = re.compile("i(?:[&,/]|w(?![EBVns]))")
_BEFORE_NOW = {"at first", "initially", "originally", "first", "一开始", "起初", "最初"}
_THOUGHT = {
    "thought", "believed", "assumed", "felt", "considered", "suspected", "wanted", "marked", "judged", "believe",
    "think", "marked as", "flagged", "flagged as", "认为", "以为", "觉得",
}  # fmt: skip
_COMPARISONS = {"一致", "相符", "不符", "吻合", "不吻合", "矛盾", "符合", "匹配"}

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
_ANNOUNCES = re.compile("(?<!N)V(?P<count>c)w?B?(?:E|Bs)|^(?P<several>[cp]s?)V+B|^(?P<head>c)w?(?:E|Bs)(?=[:,.(-])")


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
    """

    steps: tuple[int, ...]
    scope: Scope = "steps"
    erroneous: bool | None = None
    is_sure: bool = True
    is_label: bool = False
    epoch: int = 0
    bracket: int | None = None


class Sentence(NamedTuple):
    """The tokens of a sentence, their codes in one string, and the sign that ends it."""

    codes: str
    tokens: list[CriticToken]
    end: str

    def steps_at(self, start: int, end: int) -> tuple[int, ...]:
        """The steps that the tokens from `start` to `end` name."""
        return tuple(step for token in self.tokens[start:end] for step in token.steps)


def find_nearest(sentence: Sentence, left: str) -> tuple[int, ...]:
    """The nearest step to the left that is no object of a preposition."""
    found = [match.start() for match in re.finditer(r"(?<![FnQ])[SL]", left)]
    return sentence.tokens[found[-1]].steps if found else ()


def find_subjects(sentence: Sentence, left: str) -> list[int]:
    """The steps that are spoken of, not those that another one relies on."""
    places = [match.start() for match in re.finditer(r"(?<![FnQC])[SL]|(?<=^[FQ])S(?=,)|(?<=^[FQ]{2})S(?=,)", left)]
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


def take_exception(sentence: Sentence) -> tuple[Sentence, tuple[int, ...]]:
    """Blank the steps that are excepted, and return them."""
    match = _EXCEPTION.search(sentence.codes)
    if not match:
        return sentence, ()
    group = "steps" if match["steps"] else "others"
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
                yield _make_sentence(tokens[start:n], token.code if stops else ".")
            start = n + stops
    if start < len(tokens):
        yield _make_sentence(tokens[start:], "\n")


def _starts_item(tokens: list[CriticToken], n: int) -> bool:
    """Whether another item starts within a line: "step 1 = false, step 2 = true"."""
    if tokens[n].code == "L":
        return True
    follows = n + 1 < len(tokens) and tokens[n + 1].code in ":|-(tu"
    return follows and tokens[n - 1].code in ",;|)gbtu"


def _drop_either(tokens: list[CriticToken]) -> list[CriticToken]:
    """Leave out the "either" that ends a negation, "step 4 is not wrong either": it opens no alternative."""
    enders = [*(token.code for token in tokens[1:]), "."]
    return [
        token
        for token, follower in zip(tokens, enders, strict=True)
        if token.text != "either" or follower not in ".,;:U)(-"
    ]


def _recalls(tokens: list[CriticToken]) -> bool:
    """Whether a sentence tells what was thought before: "I initially believed that all steps were correct"."""
    texts = {token.text for token in tokens}
    return not texts.isdisjoint(_BEFORE_NOW) and not texts.isdisjoint(_THOUGHT)


def _find_impression(tokens: list[CriticToken]) -> int | None:
    """The place of what tells of a first impression: "looked", "seems … at first glance"."""
    for n, token in enumerate(tokens[:-1]):
        if token.text in _MIGHT and tokens[n + 1].text in _SEEMS:
            return n
    firsts = _IMPRESSIONS | _SEEMS if any(token.text in _AT_FIRST_SIGHT for token in tokens) else _IMPRESSIONS
    return next((n for n, token in enumerate(tokens) if token.text in firsts), None)


def _make_sentence(tokens: list[CriticToken], end: str) -> Sentence:
    tokens = _drop_either(tokens) if any(token.code == "H" and token.text == "either" for token in tokens) else tokens
    codes = "".join(token.code for token in tokens)
    for pattern in (_COMPARED, _ONLY_ONE_THAT, _IT_IS_THAT, _WHAT_IT_SAYS):
        for match in reversed(list(pattern.finditer(codes))):
            if pattern is not _COMPARED or tokens[match.end("core") - 1].text in _COMPARISONS:
                tokens = tokens[: match.start("drop")] + tokens[match.end("drop") :]
                codes = codes[: match.start("drop")] + codes[match.end("drop") :]
    if "m" in codes:
        codes = _MARKED_AS.sub(lambda match: "S" if tokens[match.end()].text == "as" else "m", codes)
        codes = _ZERO.sub(lambda match: "N" if tokens[match.start()].steps == (0,) else "m", codes)
    if "X" in codes:
        codes = _BUT_NOT.sub(lambda match: "N" if tokens[match.start()].text == "but not" else "X", codes)
    codes = _WRONG_BASIS.sub("w", codes) if "C" in codes else codes
    codes = _NEITHER.sub(lambda match: "H" + "w" * (len(match.group()) - 1), codes)
    if concession := _CONCESSION.match(codes):
        codes = f"{codes[: concession.start('core')]}w{codes[concession.end('core') :]}"
    for pattern in (_AT_FIRST, _NOT_TRUE_THAT):
        if taken_back := pattern.search(codes):
            held = re.sub(f"[{CORE}]", "w", taken_back.group())
            codes = f"{codes[: taken_back.start()]}{held}{codes[taken_back.end() :]}"
    if "i" in codes and _recalls(tokens):
        past, joint, rest = codes.partition("U")
        codes = re.sub(f"[{CORE}]", "w", past) + joint + rest
    if (but := codes.find("U")) > 0 and (start := _find_impression(tokens)) is not None:
        codes = codes[:start] + re.sub(f"[{CORE}H]", "w", codes[start:but]) + codes[max(start, but) :]
    if "H" in codes and (settled := _SETTLED.match(codes)):
        codes = settled.group().replace("H", "w") + codes[settled.end() :]
    if ("E" in codes or "B" in codes) and any(token.text in _STARTS for token in tokens):
        codes = _START.sub(lambda match: "i" if tokens[match.start()].text in _STARTS else "w", codes)
    for n, token in enumerate(tokens if "i" in codes else ()):
        if token.text in _AT_FIRST_SIGHT or (token.text == "first" and _OF_SOUND.match(codes, n)):
            codes = f"{codes[:n]}w{codes[n + 1 :]}"
    # "No other error" speaks of the rest.
    return Sentence(re.sub(r"NR(?=E)", "Nr", codes).replace("Nr", "wr"), tokens, end)
