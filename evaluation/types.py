"""The nouns of evaluation: items, runs, predictions, readings, scores and reports.

Everything here is an immutable value. Scores are fractions in [0, 1]; percentages are made where people read them.
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
"""What a prediction file can name."""

GUESSED_ERROR_RATE = 2 / 3
"""How often a guess flags a step of a trace: that of the random critic of AudioProcessBench."""

UnreadableReason = Literal["empty", "refusal", "ambiguous", "contradiction", "outside-options"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of prompt that is read."""

    text: str


@dataclass(frozen=True, slots=True)
class AudioPart:
    """A piece of prompt that is heard; `clip` names a clip of the benchmark."""

    clip: str


PromptPart = TextPart | AudioPart


@dataclass(frozen=True, slots=True)
class Item:
    """One question, as a participant may see it. It never holds an answer.

    Attributes:
        id: Opaque for the `test` split.
        part: The piece of the benchmark that can be submitted alone, such as `sct`.
        task: Slice path of the item, such as `sct/25db/mcq`.
        question: What is asked, without the options.
        answer_format: How a response is read.
        options: Option texts in the order they are shown in run 0; empty where the format has none.
        runs: Numbers of the runs of this item.
        clips: Names of the audio clips that are heard, in order.
        n_steps: Number of steps that are judged, where the answer is one verdict a step; None elsewhere.
        context: What some settings add to the prompt: name → text, or name of a clip.
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
    """What a system said to one run. `line` is where it stands in its file, 1-based, or None.

    `response` is None where an official result file says that the system gave nothing, and where a process critic
    gave its verdicts as a list: `erroneous`, one a step, and perhaps `scores`, how probable an error is in each.
    """

    id: str
    run: int
    response: str | None
    line: int | None = None
    erroneous: tuple[bool, ...] | None = None
    scores: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader understood from a response. Exactly one answer field is set, or `reason` says why none is.

    Attributes:
        index: 0-based position of the chosen option.
        indices: Positions of the chosen options, for several-choice questions.
        value: The truth value, for true/false questions.
        verdicts: Whether each step of a trace is erroneous, for process critics.
        reason: Why nothing was read; None when something was.
    """

    index: int | None = None
    indices: frozenset[int] | None = None
    value: bool | None = None
    verdicts: tuple[bool, ...] | None = None
    reason: UnreadableReason | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """One figure.

    Attributes:
        value: Fraction, or None where the figure is undefined (an empty set is not zero).
        n: Number of items behind the figure.
        std: Sample standard deviation (divisor n − 1) over decoding seeds; None with one seed.
    """

    value: float | None
    n: int
    std: float | None = None


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What happened in every run of every item, in the order of the benchmark's items.

    Attributes:
        item_ids: One id a row.
        correct: float32 (items × runs) in [0, 1]; NaN where the submission does not hold the item's part and run, and
            where a judge has still to score it.
        choices: int16 (items × runs): position of the chosen option (true/false: 1 for true; several choices: the
            sum of 2^position; open answers and step verdicts: 0), or one of the codes UNREADABLE, MISSING, ABSENT.
        step_verdicts: int8 (steps of all items in their order): 1 flagged, 0 not; None without step verdicts.
        step_scores: float16 (steps): how probable an error is; None without step verdicts.
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
    """Everything a scoring yields.

    Attributes:
        scores: slice → metric → score.
        outcomes: Per-item outcomes.
        parts: Parts the submission covers, in the benchmark's order.
        runs: Number of runs (decoding seeds) covered, the largest over parts.
        expected: Number of runs of items that were expected.
        missing: Number of expected runs without a prediction; they count as wrong.
        unreadable: Number of predictions that could not be read; they count as wrong.
        unreadable_reasons: reason → count.
        signature: One line that identifies how the figures came to be.
        awaiting_judge: Ids of the items whose answers a judge has still to score; their figures are not there yet.
        notes: What has to be known of the figures, in sentences.
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
        """Share of expected runs whose prediction could not be read."""
        return self.unreadable / self.expected if self.expected else 0.0

    def figures(self) -> Iterator[tuple[str, str, Score]]:
        """Yield every (slice, metric, score)."""
        for slice_name, metrics in self.scores.items():
            for metric, score in metrics.items():
                yield slice_name, metric, score
