"""Core types of evaluation: items, runs, predictions, readings, scores and reports.

All types are immutable. Scores are fractions in [0, 1]; only the presentation converts them to percentages.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluation.signature import Signature

AnswerFormat = Literal["choice", "choices", "boolean", "text", "steps"]
Split = Literal["test", "practice"]

OPTION_LETTERS = "ABCDEFGHIJ"
ITEM_ID = re.compile(r"[\x21-\x7e]{1,200}")
"""Names in prediction files."""

GUESSED_ERROR_RATE = 2 / 3
"""Probability that a random guess flags a step of a trace: that of AudioProcessBench's random critic."""

UnreadableReason = Literal["empty", "refusal", "ambiguous", "contradiction", "outside-options"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text part of a prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class AudioPart:
    """An audio part of a prompt; `clip` names a clip of the benchmark."""

    clip: str


PromptPart = TextPart | AudioPart


@dataclass(frozen=True, slots=True)
class Item:
    """One question, as a participant may see it. It never contains an answer.

    Attributes:
        id: Opaque for the `test` split.
        part: Part of the benchmark that can be submitted alone, such as `sct`.
        task: Slice path of the item, such as `sct/25db/mcq`.
        question: Question text without the options.
        answer_format: How responses are parsed.
        options: Option texts in the order of run 0; empty for formats without options.
        runs: Numbers of the runs of this item.
        clips: Names of the audio clips, in order.
        n_steps: Number of steps to judge, for step verdicts; None otherwise.
        context: Additional prompt content of some settings: name → text, or name of a clip.
    """

    id: str
    part: str
    task: str
    question: str
    answer_format: AnswerFormat
    options: tuple[str, ...]
    runs: tuple[int, ...]
    clips: tuple[str, ...]
    n_steps: int | None = None
    context: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Run:
    """One presentation of an item."""

    id: str
    run: int
    setting: str
    task: str
    prompt: tuple[PromptPart, ...]
    options: tuple[str, ...]
    answer_format: AnswerFormat


class Prediction(msgspec.Struct, frozen=True, gc=False):
    """The response to one run. `line` is its line in the file, 1-based, or None.

    `response` is None if an official result file states that the system gave no answer, and if a process critic gave
    its verdicts as a list: `erroneous`, one per step, and optionally `scores`, the probability of an error in each.
    """

    id: str
    run: int
    response: str | None
    line: int | None = None
    erroneous: tuple[bool, ...] | None = None
    scores: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The parsed answer of a response. Exactly one answer field is set, or `reason` says why there is none.

    Attributes:
        index: Position of the chosen option, from 0.
        indices: Positions of the chosen options, for several-choice questions.
        value: The truth value, for true/false questions.
        verdicts: Whether each step of a trace is erroneous, for process critics.
        reason: Why no answer was parsed; None if there is one.
    """

    index: int | None = None
    indices: frozenset[int] | None = None
    value: bool | None = None
    verdicts: tuple[bool, ...] | None = None
    reason: UnreadableReason | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One score as a metric computes it; a report says of which slice and metric it is.

    Attributes:
        value: Fraction, or None if undefined (an empty set is not zero).
        n: Number of items of the score.
        std: Sample standard deviation (divisor n − 1) over decoding seeds; None with one seed.
    """

    value: float | None
    n: int
    std: float | None = None


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Outcome of every run of every item, in the order of the benchmark's items.

    Attributes:
        item_ids: One ID per row.
        correct: float32 (items × runs) in [0, 1]; NaN if the submission does not contain the item's part and run, or if
            a judge has yet to score it.
        choices: int16 (items × runs): position of the chosen option (true/false: 1 for true; several choices: the
            sum of 2^position; open answers and step verdicts: 0), or one of the codes UNREADABLE, MISSING, ABSENT.
        step_verdicts: int8 (steps of all items in their order): 1 flagged, 0 not; None without step verdicts.
        step_scores: float16 (steps): probability of an error; None without step verdicts.
    """

    item_ids: tuple[str, ...]
    correct: NDArray[np.float32]
    choices: NDArray[np.int16]
    step_verdicts: NDArray[np.int8] | None = None
    step_scores: NDArray[np.float16] | None = None


UNREADABLE = -1
MISSING = -2
ABSENT = -3


@dataclass(frozen=True, slots=True)
class Report:
    """Result of scoring.

    Attributes:
        scores: slice → metric → score.
        outcomes: Outcomes by item.
        parts: Submitted parts, in the benchmark's order.
        runs: Number of submitted runs (decoding seeds), the maximum over parts.
        expected: Number of expected runs of items.
        missing: Number of expected runs without a prediction; they count as wrong.
        unreadable: Number of unparsed predictions; they count as wrong.
        unreadable_reasons: reason → count.
        signature: Signature of the scores.
        awaiting_judge: IDs of the items whose answers wait for a judge; their scores are missing.
        notes: Important notes on the scores, in sentences.
    """

    scores: Mapping[str, Mapping[str, Score]]
    outcomes: Outcomes
    parts: tuple[str, ...]
    runs: int
    expected: int
    missing: int
    unreadable: int
    signature: Signature
    unreadable_reasons: Mapping[str, int] = field(default_factory=dict)
    awaiting_judge: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def missing_rate(self) -> float:
        """Share of expected runs without a prediction."""
        return self.missing / self.expected if self.expected else 0.0

    @property
    def unreadable_rate(self) -> float:
        """Share of expected runs whose prediction could not be parsed."""
        return self.unreadable / self.expected if self.expected else 0.0

    def list_scores(self) -> Iterator[tuple[str, str, Score]]:
        """Yield every (slice, metric, score)."""
        for slice_name, metrics in self.scores.items():
            for metric, score in metrics.items():
                yield slice_name, metric, score
