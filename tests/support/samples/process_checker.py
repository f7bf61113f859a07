"""Independent oracle for the traces of AudioProcessBench synthetic-3, based on the events of their recordings.

It shares only the form of claims with the generator of the traces: the truth of a claim follows from the events of a
scene, and its option from the texts of the question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from evaluation.benchmarks.audio_process_bench.synthetic.design import DesignedTrace
from evaluation.benchmarks.audio_process_bench.synthetic.sayings import Saying

WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
# Kind of sound in a group, where its name differs from the group's.
PARTS = {"pair": "tone", "strokes": "bell"}
KINDS = {
    "present": "existence", "absent": "existence", "count": "existence", "notes": "existence",
    "digits": "semantic", "key": "semantic",
    "order": "temporal", "pause-even": "temporal", "pause-last": "temporal", "extreme": "temporal",
    "longest": "temporal", "gap": "temporal",
    "side": "acoustic-attribute", "pitch-even": "acoustic-attribute", "pitch-last": "acoustic-attribute",
    "higher": "acoustic-attribute", "equal-pitch": "acoustic-attribute", "louder": "acoustic-attribute",
    "equal-loudness": "acoustic-attribute", "glide": "acoustic-attribute", "path": "acoustic-attribute",
    "melody": "acoustic-attribute", "target": "cross-modal-binding",
}  # fmt: skip
ASKED_NAMES = {
    "strokes of the bell": "bell", "the bell": "bell", "clicks": "click", "the clicking": "click", "beeps": "tone",
    "the beeping": "tone", "two tones": "pair", "long tone": "glide", "two strokes": "strokes",
    "bell is struck twice": "strokes", "dialled": "dial", "caller": "dial", "telephone": "dial", "three tones": "tone",
    "click": "click", "signal": "bell",
}  # fmt: skip
OPTION_NAMES = {
    "A bell": "bell", "A door falling shut": "door", "A splash": "splash", "A whistle": "whistle", "An alarm": "alarm",
    "An engine": "engine", "A hiss": "noise",
}  # fmt: skip


class RecordingFacts:
    """Facts about a recording."""

    def __init__(self, scene: Mapping[str, Any]) -> None:
        self.scene = scene
        self.events: Sequence[Mapping[str, Any]] = sorted(scene.get("events", ()), key=lambda event: event["at"])

    def of(self, name: str) -> list[Mapping[str, Any]]:
        return [event for event in self.events if event["kind"] == PARTS.get(name, name)]

    def supports(self, saying: Saying, question: str) -> bool:
        """Return whether a claim is true."""
        slots = dict(saying.slots)
        match saying.form:
            case "present" | "absent":
                return bool(self.of(slots["what"])) == (saying.form == "present")
            case "count":
                return len(self.of(slots["what"])) == WORDS.index(slots["n"])
            case "notes":
                return len(self.scene["notes"]) == WORDS.index(slots["n"])
            case "side":
                return all(self._place(event["pan"]) == slots["place"] for event in self.of(slots["what"]))
            case "order":
                return bool(self.of(slots["what"])[-1]["at"] < self.of(slots["than"])[0]["at"])
            case "pitch-even" | "pitch-last":
                *others, last = (event["pitch"] for event in self.of(slots["what"]))
                assert len(set(others)) == 1
                return bool(last > others[0] * 1.2) == (saying.form == "pitch-last")
            case "pause-even" | "pause-last":
                return (self._late(slots["what"]) > 1.5) == (saying.form == "pause-last")
            case "higher":
                return self._pitch(slots["which"]) > self._pitch(slots["other"]) * 1.1
            case "equal-pitch":
                return self._pitch("first") == self._pitch("second")
            case "louder":
                return self._gain(slots["which"]) > self._gain(slots["other"]) * 2
            case "equal-loudness":
                return self._gain("first") == self._gain("second")
            case "target":
                kinds = [event["kind"] for event in self.events]
                (place,) = (number for number, kind in enumerate(kinds) if kind == slots["what"])
                neighbours = [*kinds, None][place + 1], [None, *kinds][place]
                name = asked_name(question)
                return bool(neighbours[slots["place"] == "before"] == PARTS.get(name, name))
        return self._supports_whole(saying.form, slots)

    def _supports_whole(self, form: str, slots: Mapping[str, str]) -> bool:
        match form:
            case "glide":
                (event,) = self.of("glide")
                ratio = event["pitch_to"] / event["pitch"]
                return slots["way"] == (
                    "keeps its pitch" if ratio == 1 else "rises in pitch" if ratio > 1.5 else "falls in pitch"
                )
            case "path":
                begin, end = ("W" in place[-1] for place in self.scene["path"].split("-"))
                if begin == end:
                    return slots["way"] == ("stays on the left" if begin else "stays on the right")
                return slots["way"] == ("moves from left to right" if begin else "moves from right to left")
            case "melody":
                notes = self.scene["notes"]
                return bool(notes == sorted(notes)) == (slots["way"] == "climb")
            case "digits":
                return list(self.of("dial")[0]["digits"]) == slots["digits"].split()
            case "key":
                return bool(self.of("dial")[0]["digits"][PLACES[slots["which"]]] == slots["digit"])
            case "extreme":
                return bool(self.events[PLACES[slots["place"]]]["kind"] == slots["what"])
            case "longest":
                lengths = [event["seconds"] for event in self.of("tone")]
                return lengths.index(max(lengths)) == PLACES[slots["which"]] and max(lengths) > 1.1 * sorted(lengths)[1]
            case "gap":
                at = [event["at"] for event in self.of("click")]
                gaps = [later - earlier for earlier, later in pairwise(at)]
                return gaps.index(max(gaps)) == PLACES[slots["which"]] and max(gaps) > 1.5 * sorted(gaps)[1]
        raise AssertionError(form)

    def _place(self, pan: float) -> str:
        return "in the middle" if pan == 0 else "on the left" if pan < 0 else "on the right"

    def _late(self, name: str) -> float:
        at = [event["at"] for event in self.of(name)]
        gaps = [later - earlier for earlier, later in pairwise(at)]
        assert max(gaps[:-1]) - min(gaps[:-1]) < 0.01
        return float(gaps[-1] / gaps[0])

    def _pitch(self, which: str) -> float:
        return float(self.of("tone")[PLACES[which]]["pitch"])

    def _gain(self, which: str) -> float:
        return float(self.of("bell")[PLACES[which]]["gain"])


def option_of(saying: Saying, question: str, options: Sequence[str]) -> str | None:
    """Return the option that a claim stands for; None if the claim is not about the question."""
    slots = dict(saying.slots)
    answer: str | None = None
    match saying.form:
        case "count" if question.startswith("How many"):
            answer = slots["n"].capitalize()
        case "count":
            (answer,) = re.findall(rf"{slots['n']} strokes of the bell mean “(.*?)”", question)
        case "absent" if "not in" in question or "missing" in question:
            answer = next(option for option, name in OPTION_NAMES.items() if name == slots["what"])
        case "extreme":
            answer = next(option for option, name in OPTION_NAMES.items() if name == slots["what"])
        case "higher" | "louder" | "longest" | "gap":
            answer = f"The {slots['which']}"
        case "equal-pitch" | "equal-loudness":
            answer = "Neither"
        case "glide" | "path":
            answer = slots["way"].capitalize()
        case "side" if re.search(r"Where is|From where", question) and asked_name(question) == slots["what"]:
            answer = slots["place"].capitalize()
        case "digits":
            digits = slots["digits"]
            answer = digits if digits in options else str(sum(map(int, digits.split())))
        case "key" if slots["which"] == "last":
            (answer,) = re.findall(rf"\b{slots['digit']} is for (.*?)[,.]", question)
    assert answer is None or answer in options
    return answer


def asked_name(question: str) -> str:
    return next(name for words, name in ASKED_NAMES.items() if words in question.lower())


def judge(designed: DesignedTrace) -> Iterator[str | None]:
    """Yield the error type of each step, or None."""
    question, ears = designed.question, RecordingFacts(designed.question.scene)
    key: Saying | None = None
    root: str | None = None
    before: str | None = None
    noted: set[Saying] = set()
    for step in designed.trace.steps:
        said, kind = step.saying, None
        is_true = said is None or ears.supports(said, question.text)
        stands_for = None if said is None else option_of(said, question.text, question.options)
        if step.role in ("observe", "again"):
            assert said is not None
            kind = None if is_true else KINDS[said.form]
            if stands_for is not None:
                noted -= {key} if key is not None else set()
                key, root = said, kind
            noted.add(said)
        elif step.role == "restate":
            kind = None if said in noted else "reasoning"
        elif step.role == "add":
            assert key is not None
            digits, total = re.findall(r"\d(?: \+ \d)+", step.text)[0].split(" + "), step.option
            assert digits == dict(key.slots)["digits"].split()
            kind = root or (None if str(sum(map(int, digits))) == total else "reasoning")
        elif step.role == "decide":
            kind = (before or root or "reasoning") if step.option != question.right else None
        elif not is_true:
            assert said is not None
            kind = KINDS[said.form]
        elif stands_for is None:
            kind = "reasoning"
        else:
            fits = (step.option == stands_for) != (step.role == "exclude")
            kind = None if fits else "cross-modal-binding"
        before = kind
        yield kind
