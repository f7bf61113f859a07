"""AudioMotionBench 1.0: auditory motion from binaural audio.

Source: "AudioMotionBench: Evaluating Auditory Motion Perception in Audio LLMs" (Sun, Cai, Yao, Wang). The measures
follow the paper; details that it leaves open are fixed here and in the sibling modules:

* Distractors and statements: `design.py`. Sounds: `sound.py` and `evaluation.synthesis`. Slices: `slices.py`.
* A clip lasts 6 s (TAT, at twice the speed, 3 s) whatever the length of its path, so that the duration reveals nothing.
* Runs 0, 1, 2 are decoding seeds; a single one is accepted and shown without a standard deviation.
* `accuracy` of a variant pools its four conditions, which have equal sizes, so it is their mean, the paper's AVG;
  `overall` is likewise the mean of the three AVG.
* Acc-T/F equals (TPR + TNR)/2, because each clip has one true and one false statement.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey, AnswerValue
from evaluation.benchmarks.ability_specs import Habit
from evaluation.benchmarks.audio_motion_bench import resampling, sound
from evaluation.benchmarks.audio_motion_bench.charts import CHARTS
from evaluation.benchmarks.audio_motion_bench.definitions import DEFINITIONS
from evaluation.benchmarks.audio_motion_bench.design import CONDITIONS, RUNS, VARIANTS, design_items
from evaluation.benchmarks.audio_motion_bench.slices import (
    CONFUSIONS,
    DIRECTION,
    chance_scores,
    layout,
    score_slices,
)
from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.baselines import Baseline, make_constant_baseline
from evaluation.benchmarks.collecting import collect_answers
from evaluation.benchmarks.column_specs import Column, Metric, Part
from evaluation.benchmarks.content import Content
from evaluation.benchmarks.coverage import judge_coverage
from evaluation.benchmarks.introduction import Example, Paper
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN, PRACTICE_GAP
from evaluation.benchmarks.reading import read_answer
from evaluation.statistics import ScoreFormula
from evaluation.synthesis import RENDERER_VERSION, Trajectory
from evaluation.types import ABSENT, AudioPart, Item, Outcomes, Prediction, Reading, Report, Run, Split, TextPart

_CONDITION_TITLES = {"clean": "clean", "35db": "35 dB", "25db": "25 dB", "15db": "15 dB"}
_FORM_TITLES = {"mcq": "MCQ", "tf": "T/F"}


def _confusion_metric(metric: str, title: str, image: str) -> Metric:
    formula = f"P(chose {image} | offered and answer readable)"
    return Metric(metric, title, formula, higher_is_better=False, ranked=False)


class AudioMotionBench(Benchmark):
    """AudioMotionBench in the registry."""

    id = "audio-motion-bench"
    version = "1.0"
    metric_version = "2"
    title = "AudioMotionBench"
    summary = (
        "Where does the sound move? One source passes by in a binaural recording; the model names the start and end "
        "of its path."
    )
    licence = "CC-BY-4.0"
    dataset_licence = "cc-by-4.0"
    paper = Paper(
        "AudioMotionBench: Evaluating Auditory Motion Perception in Audio LLMs",
        ("Zhe Sun", "Yujun Cai", "Jiayu Yao", "Yiwei Wang"),
        "https://arxiv.org/abs/2511.13273",
        2025,
    )
    example = Example("sct/clean/mcq")
    citation = (
        "@misc{audiomotionbench,\n"
        "  title = {AudioMotionBench: Evaluating Auditory Motion Perception in Audio {LLMs}},\n"
        "  author = {Sun, Zhe and Cai, Yujun and Yao, Jiayu and Wang, Yiwei},\n"
        "  year = {2025},\n"
        "  eprint = {2511.13273},\n"
        "  archiveprefix = {arXiv},\n"
        "  url = {https://arxiv.org/abs/2511.13273}\n"
        "}"
    )
    parts = (
        Part("sct", "SCT · constant pitch and speed"),
        Part("sdt", "SDT · varying pitch"),
        Part("tat", "TAT · double speed"),
    )
    metrics = (
        Metric("accuracy", "Accuracy", "correct answers / expected answers; missing and unreadable count as wrong"),
        Metric("tpr", "TPR", "P(says true | statement true)"),
        Metric("tnr", "TNR", "P(says false | statement false)"),
        Metric("yes_bias", "YesBias", "P(says true | statement false)", higher_is_better=False, ranked=False),
        _confusion_metric("left_right_confusion", "Left–right confusion", "the left–right mirror image"),
        _confusion_metric("front_back_confusion", "Front–back confusion", "the front–back mirror image"),
        _confusion_metric("reversal", "Reversal", "the reversed path"),
        PRACTICE_GAP,
    )
    headline = Column("overall", "accuracy", "Overall", "", shown=True)
    charts = CHARTS
    definitions = DEFINITIONS
    habits = (Habit("overall/tf|yes_bias", "of false statements are called true"),)
    n_runs = len(RUNS)
    runs_are_seeds = True

    @property
    def columns(self) -> Sequence[Column]:
        """Headline, the three averages, the paper's scores for clean recordings, then the rest."""
        return _columns()

    @property
    def chance(self) -> Mapping[str, float]:
        """Expected scores of random guessing."""
        return chance_scores()

    @property
    def baselines(self) -> Sequence[Baseline]:
        """Always "true", always "false", and linking the statements about a clip."""
        return _baselines()

    def withholds(self, slice_name: str, metric: str) -> bool:
        """Return whether a score over secret answers is always hidden.

        Directions reveal their members' answers. Confusions are shown for whole variants only. Forms of a single
        variant and condition are hidden: they have 56 and 112 items, and one follows from the other.
        """
        head, *rest = slice_name.split("/")
        if head == DIRECTION:
            return True
        return len(rest) > 1 and (head != "overall" or metric in CONFUSIONS)

    def content(self, key: AnswerKey) -> Content:
        """Return the 2,016 questions of a key's split."""
        return _content(key.split, key.seed)

    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:
        """Return the right answers for a seed."""
        return {designed.item.id: designed.answer for designed in design_items(split, seed)}

    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        """Return one clip as a WAV file."""
        return sound.render_clip(key.split, key.seed, clip)

    def run(self, item: Item, number: int, setting: str) -> Run:
        """Return one presentation: audio first, then the question. It does not depend on the decoding seed."""
        self.check_setting(setting)
        prompt = (AudioPart(item.clips[0]), TextPart(_prompt_text(item)))
        return Run(item.id, number, setting, item.task, prompt, item.options, item.answer_format)

    def score(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        *,
        setting: str | None = None,
        system: str | None = None,  # noqa: ARG002 - no score here depends on whose answers these are
    ) -> Report:
        """Score predictions. Missing answers of a submitted part and seed count as wrong.

        `evaluation.benchmarks.coverage` decides which scores an incomplete file has.
        """
        setting = self.begin_scoring(key, setting)
        items = self.content(key).items
        collected = collect_answers(items, predictions, _read_answer, VARIANTS, runs_are_seeds=True)
        truth = np.array([key.answers[item.id] for item in items], dtype=np.int16)
        outcomes = Outcomes(tuple(item.id for item in items), _correct(collected.choices, truth), collected.choices)
        disclosure = judge_coverage(collected.choices, items, is_secret=key.is_secret)
        scores = score_slices(outcomes, truth, collected.parts, layout(key.split, key.seed), disclosure)
        signature = self.sign(key, setting=setting, runs=collected.runs)
        return collected.report(scores, outcomes, signature)

    def find_formula(self, key: AnswerKey, slice_name: str, metric: str) -> ScoreFormula | None:
        """Return how a score is computed from item scores."""
        return resampling.find_formula(key.split, key.seed, slice_name, metric)

    def score_items(self, key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:  # noqa: ARG002 - the outcomes say it
        """Return a score for every item."""
        return resampling.score_items(outcomes, score)

    def cluster_items(self, key: AnswerKey) -> NDArray[np.int64]:
        """Return a cluster number for each item; items of one recording share it.

        The four conditions of a recording have the same notes and path, and only the noise differs: a model that
        mishears one mishears the others. A split has 168 recordings, one per trajectory and variant.
        """
        numbers: dict[tuple[str, Trajectory], int] = {}
        recordings = (designed.clip.recording for designed in design_items(key.split, key.seed))
        return np.array([numbers.setdefault(recording, len(numbers)) for recording in recordings], dtype=np.int64)


def _read_answer(item: Item, prediction: Prediction) -> Reading:
    return read_answer(prediction, item.answer_format, item.options)


def _correct(choices: NDArray[np.int16], truth: NDArray[np.int16]) -> NDArray[np.float32]:
    return np.where(choices == ABSENT, np.nan, choices == truth[:, None]).astype(np.float32)


def _prompt_text(item: Item) -> str:
    if item.answer_format == "boolean":
        return f"{item.question}\nAnswer only with True or False."
    lines = [f"{letter}. {option}" for letter, option in zip("ABCD", item.options, strict=True)]
    return "\n".join([item.question, *lines, "Answer with one letter: A, B, C or D."])


@lru_cache(maxsize=8)
def _content(split: Split, seed: str) -> Content:
    items = tuple(designed.item for designed in design_items(split, seed))
    public = [[item.id, item.task, item.question, item.options, item.clips] for item in items]
    # The seed and the renderer's version determine every sample, so their digest identifies the audio.
    source = [AudioMotionBench.id, AudioMotionBench.version, split, RENDERER_VERSION, sound.SOUND_VERSION, seed, public]
    digest = hashlib.sha256(json.dumps(source).encode()).hexdigest()
    return Content(AudioMotionBench.id, AudioMotionBench.version, split, items, digest)


@lru_cache(maxsize=1)
def _columns() -> tuple[Column, ...]:
    columns = [AudioMotionBench.headline]
    columns += [Column(variant, "accuracy", variant.upper(), "", shown=True) for variant in VARIANTS]
    # Tables 4 and 5 of the paper use the clean condition. So do the default columns, because reported rows fill them.
    columns += [
        Column("overall/clean/mcq", "accuracy", "MCQ clean", "", shown=True),
        Column("overall/clean/tf", "accuracy", "T/F clean", "", shown=True),
        Column("overall/clean/tf", "tpr", "TPR clean", "", shown=True),
        Column("overall/clean/tf", "tnr", "TNR clean", "", shown=True),
        PRACTICE_COLUMN,
    ]
    for head, group in (("overall", "All variants"), *((variant, variant.upper()) for variant in VARIANTS)):
        columns += _build_group(head, group)
    unique = {column.key: column for column in reversed(columns)}
    return tuple(reversed(unique.values()))


@lru_cache(maxsize=1)
def _baselines() -> tuple[Baseline, ...]:
    """Return the value of text alone; the tests of text baselines measure the second baseline.

    One of the two statements about a clip is true, and its path is among the options. A system that links them chooses
    between two paths, and is right about all three items or about none, each with probability 1/2.
    """
    chance = chance_scores()
    constant = {key: 1.0 for key in chance if key.endswith(("|tpr", "|tnr"))}
    linking = {key: 1 / 2 for key in chance if key.endswith(("|accuracy", "|tpr", "|tnr"))}
    description = (
        "Links the questions about a clip by their texts: one of its two mirrored statements is true, and the options "
        "include that path. Picking one of the two at random is correct half of the time in every item."
    )
    return (
        make_constant_baseline(constant, chance),
        Baseline("linking", "Text-only linking", description, linking),
    )


def _build_group(head: str, group: str) -> list[Column]:
    columns = [Column(f"{head}/{name}", "accuracy", title, group) for name, title in _CONDITION_TITLES.items()]
    for name, title in (("", ""), *((f"/{condition}", f" {_CONDITION_TITLES[condition]}") for condition in CONDITIONS)):
        columns += [
            Column(f"{head}{name}/{form}", "accuracy", f"{_FORM_TITLES[form]}{title}", group) for form in ("mcq", "tf")
        ]
        columns += [
            Column(f"{head}{name}/tf", metric, f"{label}{title}", group)
            for metric, label in (("tpr", "TPR"), ("tnr", "TNR"), ("yes_bias", "YesBias"))
        ]
    columns += [
        Column(f"{head}/mcq", "left_right_confusion", "L–R confusion", group),
        Column(f"{head}/mcq", "front_back_confusion", "F–B confusion", group),
        Column(f"{head}/mcq", "reversal", "Reversal", group),
    ]
    return columns
