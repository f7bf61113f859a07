"""Slices of STAR-Bench: named sets of items, their scores, and scores of random guessing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from evaluation.benchmarks.star_bench.design import (
    AUDIOGRAM,
    FREQUENCIES_HZ,
    LEVELS_DB_HL,
    PARTS,
    SUB_TASKS,
    TEMPORAL_RUNS,
    TONE_TASKS,
    TONES,
    SubTask,
)
from evaluation.benchmarks.star_bench.questions import Question
from evaluation.metrics import (
    all_correct_rate,
    average_accuracy,
    macro_mean,
    option_concentration,
    reliability_gap,
)
from evaluation.types import Outcomes, Score

MetricScores = dict[str, Score]
Band = tuple[int, ...]

# Adjacent values are pooled, so that each band has at least 20 of the audiogram's 143 items, the minimum for a score on
# the board. The broad bands are unions of the narrow ones, so no difference of two scores covers fewer items.
FREQUENCY_BANDS: tuple[Band, ...] = ((125, 250), (500, 750), (1000, 1500), (2000, 3000), (4000, 6000, 8000))
LEVEL_BANDS: tuple[Band, ...] = ((-10, 0), (10, 20), (30, 40), (50, 60), (70, 80), (90, 100, 110))
BROAD_FREQUENCIES = tuple(tuple(chain(*FREQUENCY_BANDS[begin:end])) for begin, end in ((0, 3), (3, 5)))
BROAD_LEVELS = tuple(tuple(chain(*LEVEL_BANDS[begin:end])) for begin, end in ((0, 2), (2, 4), (4, 6)))

# Means of other slices with equal weights. Every other slice pools its items.
MACRO: Mapping[str, tuple[str, ...]] = {
    "perception/range": tuple(task.slice for task in SUB_TASKS if task.group == "perception/range"),
    "perception/sensitivity": tuple(task.slice for task in SUB_TASKS if task.group == "perception/sensitivity"),
    "perception": tuple(task.slice for task in SUB_TASKS if task.part == "perception"),
    TONES: TONE_TASKS,
    "overall": PARTS,
}


@dataclass(frozen=True)
class StarSlice:
    """A named set of items.

    Attributes:
        name: Name, such as `temporal/continuous`.
        rows: Positions of its items in the benchmark's order.
        parts: Parts that must be submitted for the slice to have scores.
        is_within: Whether it is smaller than a sub-task: a level, or a row or cell of the audiogram.
    """

    name: str
    rows: NDArray[np.int32]
    parts: frozenset[str]
    is_within: bool


def build_slices(questions: Sequence[Question], *, has_cells: bool = True) -> tuple[StarSlice, ...]:
    """Return every slice; slices of the table even if they have no questions.

    Args:
        questions: Questions in the benchmark's order.
        has_cells: Whether single cells of the audiogram have scores, each of which is the verdict on one item.
    """
    whole = [name for task in SUB_TASKS for name in _names(task)]
    rows: dict[str, list[int]] = {name: [] for name in whole}
    for row, question in enumerate(questions):
        for name in (*_names(_TASKS[question["task"]]), *_stimuli(question, has_cells=has_cells)):
            rows.setdefault(name, []).append(row)
    return tuple(
        StarSlice(name, np.array(positions, np.int32), _needed(name), name not in whole)
        for name, positions in rows.items()
    )


def select_slices(slices: Sequence[StarSlice], tasks: Collection[str]) -> tuple[StarSlice, ...]:
    """Return the slices within some tone tasks, and their overall mean."""
    pieces = tuple(f"{task}/" for task in tasks)
    return tuple(item for item in slices if item.name in (*tasks, TONES) or item.name.startswith(pieces))


def score_slices(outcomes: Outcomes, parts: Sequence[str], slices: Sequence[StarSlice]) -> dict[str, MetricScores]:
    """Return the scores of every slice whose parts are all submitted.

    If one of several slices with a common mean is omitted, that mean must be omitted too.
    """
    present = [item for item in slices if item.parts <= frozenset(parts)]
    scores = {item.name: _score_slice(item, outcomes) for item in present}
    for name, members in MACRO.items():
        if name in scores:
            means = {metric: macro_mean([scores[member][metric] for member in members]) for metric in ("aa", "acr")}
            scores[name] |= means | {"reliability_gap": reliability_gap(means["aa"], means["acr"])}
    return scores


def level_slice(sub_task: SubTask, level: int) -> str:
    """Return the slice name of a difficulty level."""
    return f"{sub_task.slice}/level-{level}"


def audiogram_slice(frequency_hz: int, level_db_hl: int) -> str:
    """Return the slice name of an audiogram cell."""
    return f"{AUDIOGRAM}/{frequency_hz}hz/{level_db_hl}db"


def audiogram_rows() -> tuple[str, ...]:
    """Return the slice names of all items at each frequency, and at each level."""
    return (
        *(f"{AUDIOGRAM}/{frequency_hz}hz" for frequency_hz in FREQUENCIES_HZ),
        *(f"{AUDIOGRAM}/{level_db_hl}db" for level_db_hl in LEVELS_DB_HL),
    )


def frequency_slice(band: Band) -> str:
    """Return the slice name of all items at some adjacent frequencies."""
    return f"{AUDIOGRAM}/{band[0]}-{band[-1]}hz"


def loudness_slice(band: Band) -> str:
    """Return the slice name of all items at some adjacent levels."""
    return f"{AUDIOGRAM}/{band[0]}-{band[-1]}db"


def region_slice(frequencies: Band, levels: Band) -> str:
    """Return the slice name of a broad region of the audiogram."""
    return f"{frequency_slice(frequencies)}/{levels[0]}-{levels[-1]}db"


def audiogram_bands() -> tuple[str, ...]:
    """Return the slice names of all bands and regions of the audiogram."""
    return (
        *(frequency_slice(band) for band in FREQUENCY_BANDS),
        *(loudness_slice(band) for band in LEVEL_BANDS),
        *(region_slice(*region) for region in product(BROAD_FREQUENCIES, BROAD_LEVELS)),
    )


def chance_scores() -> dict[str, float]:
    """Return the expected scores of independent random guesses.

    AA is 1/k for k options, ACR (1/k)^k over k rotations and (1/7)³ over three orders of clips. The mean of ten is
    25.33 % and 0.69 % on perception (published: 0.68 %, from rounded terms).
    """
    chance = {task.slice: _find_chance(task) for task in SUB_TASKS}
    for task in SUB_TASKS:
        if task.part != "perception":  # Sub-tasks of a pool have equal numbers of options: pooling changes nothing.
            chance |= dict.fromkeys(task.lineage, chance[task.slice])
        chance |= {level_slice(task, level): chance[task.slice] for level in range(1, task.levels + 1)}
    cells = (audiogram_slice(*cell) for cell in product(FREQUENCIES_HZ, LEVELS_DB_HL))
    chance |= dict.fromkeys((*audiogram_rows(), *audiogram_bands(), *cells), chance[AUDIOGRAM])
    for name, members in MACRO.items():
        aa, acr = zip(*(chance[member] for member in members), strict=True)
        chance[name] = (fmean(aa), fmean(acr))
    scores: dict[str, float] = {}
    for name, (one, every) in chance.items():
        scores |= {f"{name}|aa": one, f"{name}|acr": every, f"{name}|reliability_gap": one - every}
    return scores


_TASKS = {task.slice: task for task in SUB_TASKS}


def _names(task: SubTask) -> tuple[str, ...]:
    return ("overall", *task.lineage, *([TONES] if task.slice in TONE_TASKS else []))


def _stimuli(question: Question, *, has_cells: bool) -> list[str]:
    names = []
    if "level" in question:
        names.append(level_slice(_TASKS[question["task"]], question["level"]))
    if "frequency_hz" in question:
        frequency_hz, level_db_hl = question["frequency_hz"], question["level_db_hl"]
        names += [f"{AUDIOGRAM}/{frequency_hz}hz", f"{AUDIOGRAM}/{level_db_hl}db"]
        names += _name_bands(frequency_hz, level_db_hl)
        names += [audiogram_slice(frequency_hz, level_db_hl)] if has_cells else []
    return names


def _name_bands(frequency_hz: int, level_db_hl: int) -> list[str]:
    frequencies = (frequency_slice(band) for band in FREQUENCY_BANDS if frequency_hz in band)
    levels = (loudness_slice(band) for band in LEVEL_BANDS if level_db_hl in band)
    regions = product(BROAD_FREQUENCIES, BROAD_LEVELS)
    broad = (region_slice(*region) for region in regions if frequency_hz in region[0] and level_db_hl in region[1])
    return [*frequencies, *levels, *broad]


def _needed(name: str) -> frozenset[str]:
    head = name.split("/")[0]
    return frozenset([head] if head in PARTS else PARTS)


def _score_slice(item: StarSlice, outcomes: Outcomes) -> MetricScores:
    correct = outcomes.correct[item.rows]
    aa, acr = average_accuracy(correct), all_correct_rate(correct)
    return {
        "aa": aa,
        "acr": acr,
        "reliability_gap": reliability_gap(aa, acr),
        "option_concentration": option_concentration(outcomes.choices[item.rows]),
    }


def _find_chance(task: SubTask) -> tuple[float, float]:
    runs = TEMPORAL_RUNS if task.part == "temporal" else task.options
    return 1 / task.options, (1 / task.options) ** runs
