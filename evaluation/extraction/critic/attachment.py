"""Attachment of verdicts to steps by a few rules, for answers whose sentences have no form that the grammar knows.

A response is a row of clauses. In each, a subject (steps, all, the rest, "it") is followed by what is said of it. A
verdict belongs to the subject before it in its clause; without one it heads the steps behind it ("the error lies in
step 3"), or it is said of the step spoken of last. What a step claims is no verdict. Everything must fit: one
verdict for each step, no two that differ, and nothing hedged, asked or taken back.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from evaluation.extraction.critic.critic_tokens import CriticToken
from evaluation.extraction.critic.first_errors import find_onset, speaks_of_first
from evaluation.extraction.critic.grammar import cut_sentences, is_attribute, mark_items, take_exception
from evaluation.extraction.critic.refutations import find_refuted
from evaluation.extraction.critic.sentence_codes import Sentence

_CORE = "GBEgbae"
# What asks, doubts, counts, answers or takes back is left to the grammar.
_DOUBTFUL = re.compile("[HfMpJ/tu]|P[VNd]*[Gg]|[GBE]:[Nz]|m[BE]|N[VdFw]{0,2}[AS]|A[FXn]")
_DOUBTFUL_WORDS = re.compile("respectively|[0-9.]+%")
_ELEMENT = re.compile(
    rf"(?P<pre>[NPVdWO]{{0,8}}(?:(?<=N)w{{1,2}}(?=E))?)(?P<core>[{_CORE}])"
    r"|(?P<ellipsis>V+N?)(?=$|[,.;:)(UQ-])"
    r"|(?P<same>[KQ]V+(?=[SR])|j(?=[SR])|K(?=[SR](?:$|[,.;)&])))"
    r"|(?P<subject>[SLmRAZTIy])"
    r"|(?P<claim>C)"
    r"|(?P<break>[,;:()|U&KQ-])"
)
# "…, which is wrong"; "…: incorrect"; ", 不成立"; the next step.
_RESUMES = re.compile(
    rf"[,;:()|-]+[U&K]*(?:[Iy]s?)?[VNdWPOKF]*w{{0,2}}[VNdW]*[{_CORE}](?=$|[,.;:()QKU|-]|[wI]{{1,2}}$|F)|.[,&-]*U?S.|;"
)
_TOPICAL = re.compile("[U,&KM]*[FnQ]{1,2}")
_HEADS = re.compile("[VFn:(s-]*")
_JOINS = re.compile("[,&n]+")
_IS_HEAD = re.compile("[VFn:(s,&-]*S")
_DENIED_VERB = re.compile("(?:do|does|did)(?: not|n't) ")
_SPOKEN = {
    "what", "claim", "the claim", "this claim", "its claim", "the claims", "the statement", "this statement",
    "statement",
}  # fmt: skip


class _Subject(NamedTuple):
    """What a clause is about: a code of a subject, `r` for "no other step", and its steps."""

    kind: str
    steps: tuple[int, ...] = ()


class _Verdicts:
    """Collects verdicts of steps; `fits` is false once two differ or one has no subject."""

    def __init__(self, n_steps: int) -> None:
        self._n_steps = n_steps
        self._by_step: dict[int, bool] = {}
        self._rest: set[bool] = set()
        self._mentioned: set[int] = set()
        self.fits = True

    def _place(self, number: int) -> int:
        return self._n_steps + number if number < 0 else number - 1

    def mention(self, steps: tuple[int, ...]) -> None:
        """Note steps that are spoken of: they are not among the rest."""
        self._mentioned.update(map(self._place, steps))

    def state(self, steps: tuple[int, ...], erroneous: bool) -> None:
        for step in map(self._place, steps):
            if not 0 <= step < self._n_steps or self._by_step.setdefault(step, erroneous) != erroneous:
                self.fits = False

    def state_first(self, number: int) -> None:
        """State the step of the first error; those before it are right."""
        place = self._place(number) + 1
        self.state(tuple(range(1, place)), erroneous=False)
        self.state((place,), erroneous=True)

    def state_all(self, erroneous: bool) -> None:
        self.state(tuple(range(1, self._n_steps + 1)), erroneous)

    def state_rest(self, erroneous: bool) -> None:
        self._rest.add(erroneous)

    def conclude(self) -> tuple[bool, ...] | None:
        """Return the verdict of each step; None where one is missing."""
        missing = set(range(self._n_steps)) - self._by_step.keys()
        if not self.fits or not self._by_step or (missing and (len(self._rest) != 1 or missing & self._mentioned)):
            return None
        return tuple(self._by_step.get(step, True in self._rest) for step in range(self._n_steps))


class _Attachment:
    """Walks through the clauses of a response and attaches each verdict to its subject."""

    def __init__(self, n_steps: int) -> None:
        self.verdicts = _Verdicts(n_steps)
        self._topic: tuple[int, ...] = ()
        self._core: bool | None = None
        self._said: bool | None = None
        self._begin(Sentence("", [], ""), ())

    def _begin(self, sentence: Sentence, excepted: tuple[int, ...]) -> None:
        self._sentence, self._excepted, self._has_excepted = sentence, excepted, False
        self._subject: _Subject | None = None
        self._waiting: list[int] = []
        self._is_said = self._in_claim = False
        self._pending: bool | None = None
        self._pending_end = 0

    def read_sentence(self, sentence: Sentence) -> None:
        """Take in a sentence."""
        doubted = any(_DOUBTFUL_WORDS.fullmatch(token.text) for token in sentence.tokens)
        if doubted or sentence.end == "?" or _DOUBTFUL.search(sentence.codes):
            self.verdicts.fits = False
            return
        for steps, erroneous in find_refuted(sentence):
            self.verdicts.state(steps, erroneous)
        if "i" in sentence.codes or "o" in sentence.codes:
            sentence = self._read_first(sentence)
        self._begin(*take_exception(sentence))
        self._walk()
        if self._pending is not None:
            self._say_of_topic(self._pending)
        if self._excepted and not self._has_excepted:
            self.verdicts.fits = False

    def _read_first(self, sentence: Sentence) -> Sentence:
        """Read the step of a first error, and return what is said behind it."""
        onset = find_onset(sentence)
        if onset is None or not onset.steps:
            self.verdicts.fits = self.verdicts.fits and (onset is not None or not speaks_of_first(sentence.codes))
            return sentence._replace(codes="", tokens=[])
        self.verdicts.state_first(onset.steps[0])
        self._topic = onset.steps
        return Sentence(sentence.codes[onset.end :], sentence.tokens[onset.end :], sentence.end)

    def _walk(self) -> None:
        codes, position = self._sentence.codes, 0
        while self.verdicts.fits and (match := _ELEMENT.search(codes, position)):
            position = match.end()
            kind = "core" if match["core"] else match.lastgroup
            if kind == "break":
                self._break(match)
            elif kind == "same":
                position = self._read_same(position)
            elif self._in_claim:
                continue
            elif kind == "claim":
                self._in_claim = not self._tells_whose(match.start())
            elif kind == "subject":
                self._read_subject(match.start())
            elif kind == "ellipsis":
                self._read_ellipsis(match)
            else:
                self._read_core(match)

    def _tells_whose(self, place: int) -> bool:
        """Whether "that" only names a claim: "step 2's claim that somebody screams is false"."""
        tokens = self._sentence.tokens
        return tokens[place].text.endswith("that") and any(token.text.endswith("'s") for token in tokens[:place])

    def _break(self, match: re.Match[str]) -> None:
        """End what a sign or a conjunction ends: a claim, a verdict without a subject, the subject."""
        codes = self._sentence.codes
        self._in_claim = self._in_claim and not _RESUMES.match(codes, match.start())
        if self._pending is not None and not _IS_HEAD.match(codes, match.end()):
            self._say_of_topic(self._pending)
            self._pending = None
        if match.group() == ";":
            self._subject = None

    def _read_same(self, position: int) -> int:
        """Read "so is step 3", and return where reading goes on."""
        codes, token = self._sentence.codes, self._sentence.tokens[position]
        if self._said is None:
            self.verdicts.fits = False
            return position
        self._subject = _Subject(token.code, token.steps)
        self._say(self._subject, self._said)
        self._in_claim = codes[position + 1 : position + 2] not in {"", ",", ";", ":", "&"}
        return position + 1

    def _read_subject(self, start: int) -> None:
        codes, token = self._sentence.codes, self._sentence.tokens[start]
        before, follower = codes[start - 1 : start], codes[start + 1 : start + 2]
        if token.code == "S":
            self.verdicts.mention(token.steps)
        since = codes[self._pending_end : start]
        heads = _HEADS.fullmatch(since) or (token.code == "S" and _JOINS.fullmatch(since))
        if self._pending is not None and token.code in "SR" and heads:
            # "The error lies in step 2 and in step 3".
            self._say(_Subject(token.code, token.steps), self._pending)
            more = _JOINS.match(codes, start + 1)
            self._pending_end = start + 1
            self._pending = self._pending if more and codes[more.end() : more.end() + 1] == "S" else None
        elif before and before in "FnCQ" and (before != "Q" or token.code == "S"):
            if token.code == "S" and _TOPICAL.fullmatch(codes[:start]) and (before == "Q" or follower in {",", ":"}):
                self._open_subject(start)
        elif token.code != "m":
            self._open_subject(start)

    def _open_subject(self, start: int) -> None:
        codes, token = self._sentence.codes, self._sentence.tokens[start]
        if token.code in "Iy":
            if self._subject is None and self._topic:
                self._subject, self._is_said = _Subject("S", self._topic), False
            return
        if token.code in "SL":
            joined = self._subject and not self._is_said and re.search("[SL][,&]+$", codes[:start])
            steps = (*self._subject.steps, *token.steps) if joined and self._subject else token.steps
            self._subject, self._topic = _Subject("S", steps), steps
            self._waiting += token.steps
        else:
            denied = codes[start - 1 : start] == "N" and token.code == "R"
            self._subject = _Subject("r" if denied else token.code)
        self._is_said = False

    def _read_ellipsis(self, match: re.Match[str]) -> None:
        """Read "step 2 is not" by the word of the last verdict."""
        before = self._sentence.codes[match.start() - 1 : match.start()]
        if self._subject and not self._is_said and before and before in "SLR)" and self._core is not None:
            self._say(self._subject, self._core != ("N" in match.group()))

    def _read_core(self, match: re.Match[str]) -> None:
        """Attach a verdict to its subject, or keep it for the steps behind it."""
        codes, start = self._sentence.codes, match.start()
        text = self._sentence.tokens[match.start("core")].text
        if text.endswith(("true", "false")) and not any(each.text in _SPOKEN for each in self._sentence.tokens):
            self.verdicts.fits = False  # Perhaps what the prompt calls true.
            return
        if match["core"] in "GB" and "V" not in match["pre"] and is_attribute(self._sentence, match):
            return
        if self._is_said and not (start == 0 or codes[start - 1] in "SLRAZTIyUK&sd"):
            return  # A word within the reason.
        polarity = match["core"] in "BEbe"
        erroneous = polarity != (match["pre"].count("N") % 2 == 1)
        self._core = polarity and not _DENIED_VERB.match(text)
        if "d" in match["pre"] and len(self._waiting) > 1:
            self._subject = _Subject("S", tuple(self._waiting))  # "Step 1 says …, step 2 says …; both are wrong".
        if self._subject is None:
            self._pending, self._pending_end = erroneous, match.end()
            return
        self._say(self._subject, erroneous)

    def _say(self, subject: _Subject, erroneous: bool) -> None:
        kind, steps = subject
        self._is_said, self._said = True, erroneous
        erroneous = erroneous != (kind in "Zr")
        if kind in "SL":
            self.verdicts.state(steps, erroneous)
            self._topic, self._waiting = steps, []
        elif kind in "Rr" or (kind in "AZ" and self._excepted):
            self.verdicts.state_rest(erroneous)
            self.verdicts.state(self._excepted, not erroneous)
            self._has_excepted = bool(self._excepted)
        elif kind in "AZ":
            self.verdicts.state_all(erroneous)
        else:
            self.verdicts.fits = False  # Of the trace as a whole: of which step?

    def _say_of_topic(self, erroneous: bool) -> None:
        if self._topic:
            self._say(_Subject("S", self._topic), erroneous)
        else:
            self.verdicts.fits = False


def _cut_lines(tokens: list[CriticToken]) -> Iterator[list[CriticToken]]:
    line: list[CriticToken] = []
    for token in tokens:
        if token.code == "\n":
            yield line
            line = []
        else:
            line.append(token)
    yield line


def read_attached(tokens: list[CriticToken], n_steps: int) -> tuple[bool, ...] | None:
    """Return the verdict of each step where every clause fits; None where one does not.

    >>> from evaluation.extraction.critic.critic_tokens import tokenize_critic
    >>> read_attached(tokenize_critic("Step 2 is wrong, and so is step 1. The rest is right.", 3), 3)
    (True, True, False)
    """
    attachment = _Attachment(n_steps)
    for line in _cut_lines(tokens):
        for sentence in cut_sentences(mark_items(line)):
            attachment.read_sentence(sentence)
            if not attachment.verdicts.fits:
                return None
    return attachment.verdicts.conclude()
