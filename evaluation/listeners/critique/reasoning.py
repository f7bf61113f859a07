"""Role of a claim in a step (observe, repeat, fit or exclude an option, add, decide), and whether it is valid."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from evaluation.listeners.critique.checks import Hearing, fits
from evaluation.listeners.critique.claims import Claim, read_claim
from evaluation.listeners.critique.language import find_numbers, find_ordinals, find_place, find_sounds, find_way
from evaluation.listeners.words import Wording, plain

_REPEATS = Wording("so far | up to here | to repeat | to recapitulate | to sum up what | as noted | has been noted")
_NOTED = re.compile(r"^.*?\bnoted(?: is)?(?: that|:)\s*", re.IGNORECASE)
_QUOTED = re.compile('[“"]([^”"]+)[”"]')
_LETTER = re.compile(r"\boption ([A-Z])\b")
_EXCLUDES = Wording("ruled out | rules out | cannot be | can't be | drops out | is out | eliminated | excluded")
_CHOOSES = Wording("answer is | i choose | option is | makes | the answer")
_PREMISE = re.compile(r"^(?:since|because|as|that|given that)\s+(.*)$", re.IGNORECASE | re.DOTALL)
_SUM = re.compile(r"(\d+(?: ?\+ ?\d+)+)\D+?(\d+)\b")
_ABSENT = Wording("is not in | is not heard | isn't | missing | absent | cannot be heard")
_SAME = Wording("neither | both | same | equal*")


@dataclass(frozen=True, slots=True)
class Task:
    """The question about a recording, and the steps to judge."""

    question: str
    options: tuple[str, ...]
    steps: tuple[str, ...]


class TraceJudge:
    """Judges the steps of one trace, and tracks the latest observation relevant to the answer."""

    def __init__(self, task: Task, hearing: Hearing) -> None:
        self._task = task
        self._hearing = hearing
        self._supported: str | None = None
        self._support_is_wrong = False
        self._deciding: Claim | None = None
        self._noted: list[Claim] = []

    def judge(self) -> list[bool]:
        """Return for each step whether it is erroneous."""
        return [self._judge(step) for step in self._task.steps]

    def _judge(self, step: str) -> bool:
        if _REPEATS.found_in(step):
            return self._repeats_wrongly(step)
        added = _SUM.search(step)
        if added is not None:
            return self._judge_sum(added[1], added[2])
        option = self._find_option(step)
        if option is None:
            return self._judge_observation(step)
        excludes = _EXCLUDES.found_in(step)
        premise = _PREMISE.match(step)
        claim = read_claim(_cut_conclusion(premise[1])) if premise else None
        if claim is not None:
            return self._is_false(claim) or not self._follows(claim, option, excludes=excludes)
        if self._supported is None:
            return self._support_is_wrong
        return self._support_is_wrong or (option == self._supported) == excludes

    def _judge_observation(self, step: str) -> bool:
        claim = read_claim(step)
        if claim is None:
            return False
        is_wrong = self._is_false(claim)
        stands_for = self._stands_for(claim)
        if stands_for is not None:
            # Earlier observations relevant to the answer no longer count.
            self._noted = [noted for noted in self._noted if noted != self._deciding]
            self._deciding, self._supported, self._support_is_wrong = claim, stands_for, is_wrong
        self._noted.append(claim)
        return is_wrong

    def _repeats_wrongly(self, step: str) -> bool:
        """Return whether a step repeats something that was not noted; for repetitions nothing else counts."""
        claim = read_claim(_NOTED.sub("", step))
        return claim is not None and bool(self._noted) and claim not in self._noted

    def _judge_sum(self, terms: str, total: str) -> bool:
        numbers = [int(term) for term in re.findall(r"\d+", terms)]
        claim = Claim("digits", (), "".join(map(str, numbers)))
        self._supported = next((option for option in self._task.options if find_numbers(option) == [int(total)]), None)
        self._support_is_wrong = sum(numbers) != int(total) or self._is_false(claim)
        return self._support_is_wrong

    def _is_false(self, claim: Claim) -> bool:
        if claim.form == "target":
            subject = frozenset[str]().union(*find_sounds(self._task.question))
            if not subject:
                return False
            if claim.value:
                return fits(Claim("next", (subject, *claim.sounds), claim.value), self._hearing) is False
            return not claim.sounds[0] & subject
        return fits(claim, self._hearing) is False

    def _find_option(self, step: str) -> str | None:
        """Return the option that a step fits, excludes or chooses."""
        letter = _LETTER.search(step)
        if letter is not None and ascii_uppercase.index(letter[1]) < len(self._task.options):
            return self._task.options[ascii_uppercase.index(letter[1])]
        if not (_EXCLUDES.found_in(step) or _CHOOSES.found_in(step)):
            return None
        quoted = {plain(text) for text in _QUOTED.findall(step)}
        return next((option for option in self._task.options if plain(option) in quoted), None)

    def _follows(self, claim: Claim, option: str, *, excludes: bool) -> bool:
        stands_for = self._stands_for(claim)
        if stands_for is not None:
            return (option == stands_for) != excludes
        # An observation about a sound does imply that this sound is not the absent one.
        is_there = claim.form == "present" and claim.value == 1 and _ABSENT.found_in(self._task.question)
        return excludes and is_there and bool(set(claim.sounds) & set(find_sounds(option)))

    def _stands_for(self, claim: Claim) -> str | None:
        """Return the option that a claim implies; None if it is irrelevant to the question."""
        legend = _read_legend(claim, self._task.question)
        if legend is not None:
            return next((option for option in self._task.options if plain(option) == legend), None)
        return next((option for option in self._task.options if _means(claim, option, self._task.question)), None)


def _cut_conclusion(text: str) -> str:
    """Return a premise without its conclusion."""
    text = re.split(r",\s*(?=[^,]*(?:“|\"|\boption [A-Z]\b))", text)[0]
    return re.split(r"\bis what option\b|\bmeans option\b", text)[0]


def _read_legend(claim: Claim, question: str) -> str | None:
    """Return the meaning that a question assigns to a number of strokes, or to a key."""
    plain_question = plain(question)
    if claim.form == "count":
        for meaning in re.finditer(r"(\w+) [\w ]+? means? [“\"]([^”\"]+)[”\"]", plain_question):
            if find_numbers(meaning[1]) == [claim.value]:
                return meaning[2]
    if claim.form == "key" and claim.other == -1:
        match = re.search(rf"\b{claim.value} is for ([^,.]+)", plain_question)
        return match[1].strip() if match else None
    return None


def _means(claim: Claim, option: str, question: str) -> bool:
    """Return whether an option says the same as a claim, as an answer to a question."""
    match claim.form:
        case "count":
            question_sounds = find_sounds(question)
            return (
                find_numbers(option) == [claim.value]
                and "how many" in plain(question)
                and (not question_sounds or bool(question_sounds[0] & claim.sounds[0]))
            )
        case "present":
            return claim.value == 0 and _ABSENT.found_in(question) and find_sounds(option)[:1] == list(claim.sounds)
        case "extreme":
            return find_ordinals(question)[-1:] == [claim.value] and find_sounds(option)[:1] == list(claim.sounds)
        case "higher" | "louder" | "longest" | "longest-pause":
            return find_ordinals(option) == [claim.value] and not _SAME.found_in(option)
        case "equal-pitch" | "equal-loudness":
            return _SAME.found_in(option)
        case "glide":
            option_claim = read_claim(f"The long tone {option}")
            return option_claim is not None and (option_claim.form, option_claim.value) == ("glide", claim.value)
        case "way":
            return find_way(option) == claim.value
        case "place":
            asks = re.search(r"\bwhere\b|\bwhich side\b", plain(question)) is not None
            return asks and find_place(option) == claim.value and claim.sounds[0] in find_sounds(question)
        case "digits":
            digits = re.sub(r"\D", "", option)
            adds = re.search(r"\bsum\b|\badd\b", plain(question)) is not None
            return digits == (str(sum(map(int, str(claim.value)))) if adds else claim.value)
    return False


def judge_steps(task: Task, hearing: Hearing) -> Sequence[bool]:
    """Return for each step of a trace whether it is erroneous, from the recording and the conclusions."""
    return TraceJudge(task, hearing).judge()
