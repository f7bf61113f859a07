"""MDAR: reasoning about scenes that change, from audio of one or two scenes, in Chinese.

Source: "MDAR: A Multi-scene Dynamic Audio Reasoning Benchmark" (Li et al., 2025). Version `1.0` is the release, once an
organiser's files are imported; `demo` is a few questions of our own in the same format. Details that the paper leaves
open:

* Categories are those of the released labels, nine of which form five in main (`layout.py`); the nine are sub-tasks.
  The columns of the paper's Table 5 fit these labels in another order; the reported rows have a note.
* The paper has no score across the three parts, so Earshot has none: the headline is the accuracy of main, and each
  part has its own ranking.
* A missing or unparsed answer to multi is the empty set, and all its four metrics are 0.
* IDs are the official ones with the name of the part as prefix, because the three files use the same IDs.
* There is one run. `noise` and `cascaded` change the model's input, never the prompt.
* `Outcomes.correct` of a multi item is its exact match.
* Open answers are scored from a judge's scores (`evaluation.metrics.judged`): open has no score until all answered
  items are judged. An answer without letters and digits is empty.
* The paper does not say when an open answer is wrong for error classification. Here it is below 5 of 10 (`MIN_RIGHT`).
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.audio import noise_like
from evaluation.benchmarks.baselines import Baseline, make_constant_baseline
from evaluation.benchmarks.collecting import collect_answers
from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.introduction import Example, Paper
from evaluation.benchmarks.mdar.abilities import ABILITIES, HABITS
from evaluation.benchmarks.mdar.charts import CASCADED, CHARTS, JOINED, NOISE
from evaluation.benchmarks.mdar.columns import HEADLINE, METRICS, list_columns
from evaluation.benchmarks.mdar.definitions import DEFINITIONS
from evaluation.benchmarks.mdar.design import (
    CATEGORIES,
    FILES,
    FORMATS,
    PART_TITLES,
    PARTS,
    chance_of_key,
    chance_of_released,
    list_names,
)
from evaluation.benchmarks.mdar.importer import import_questions
from evaluation.benchmarks.mdar.slices import (
    code_answers,
    find_formula,
    right_places,
    score_correct,
    score_items,
    score_slices,
)
from evaluation.benchmarks.official import DEMO, OfficialBenchmark, clip_name
from evaluation.benchmarks.reading import read_answer
from evaluation.judge.mistakes import WrongAnswer, name_wrong
from evaluation.judge.protocol import OpenQuestion
from evaluation.metrics import JudgedAnswers, Judgement, JudgementError
from evaluation.statistics import ScoreFormula
from evaluation.streams import stream
from evaluation.synthesis.scenes import render_scene
from evaluation.types import (
    OPTION_LETTERS,
    AudioPart,
    Item,
    Outcomes,
    Prediction,
    PromptPart,
    Reading,
    Report,
    Run,
    TextPart,
)

MIN_RIGHT = 0.5
"""Minimum judge's score of an open answer that is not wrong: half the score of the reference."""

_INSTRUCTIONS = {
    "choice": "以上选项中只有一个成立。请写出它的字母。",
    "choices": "以上选项中可能有几个同时成立。请写出所有成立选项的字母，用顿号隔开。",
    "text": "请用中文作答，并说明你从声音中听到的依据。",
}

_FILM = re.compile(r"(?<![^/])output_clips_[0-9]+(?![^/])")


class Mdar(OfficialBenchmark):
    """One version of MDAR in the registry."""

    id = "mdar"
    metric_version = "2"
    title = "MDAR"
    summary = (
        "What is happening in this scene? Questions in Chinese about speakers, causes and what comes next, with one "
        "correct option, several, or an open answer."
    )
    licence = "not stated; ask the authors"
    language = "zh"
    paper = Paper(
        "MDAR: A Multi-scene Dynamic Audio Reasoning Benchmark",
        (
            "Hui Li",
            "Changhao Jiang",
            "Hongyu Wang",
            "Ming Zhang",
            "Jiajun Sun",
            "Zhixiong Yang",
            "Yifei Cao",
            "Shihan Dou",
            "Xiaoran Fan",
            "Baoyu Fan",
            "others",
        ),
        "https://arxiv.org/abs/2509.22461",
        2025,
    )
    example = Example(
        "main/su",
        (
            "Where was this most likely recorded?",
            "By a road in the rain",
            "In a study room where nobody speaks",
            "In a concert hall during a performance",
            "In a mountain cabin without traffic",
        ),
    )
    citation = (
        "@misc{li2025mdar,\n"
        "  title = {{MDAR}: A Multi-scene Dynamic Audio Reasoning Benchmark},\n"
        "  author = {Li, Hui and Jiang, Changhao and Wang, Hongyu and Zhang, Ming and Sun, Jiajun and Yang, Zhixiong "
        "and Cao, Yifei and Dou, Shihan and Fan, Xiaoran and Fan, Baoyu and others},\n"
        "  year = {2025},\n"
        "  eprint = {2509.22461},\n"
        "  archiveprefix = {arXiv},\n"
        "  url = {https://arxiv.org/abs/2509.22461}\n"
        "}"
    )
    settings = ("default", NOISE, CASCADED)
    joined_settings = {CASCADED: JOINED}  # noqa: RUF012 - declared as a class variable by the base
    parts = PART_TITLES
    metrics = METRICS
    headline = HEADLINE
    abilities = ABILITIES
    habits = HABITS
    charts = CHARTS
    definitions = DEFINITIONS
    n_runs = 1
    official_files = f"at least one of {', '.join(FILES.values())} and its recordings"
    paper_items = sum(category.size for category in CATEGORIES)
    demo_dir = Path(__file__).with_name("demo")

    @property
    def columns(self) -> Sequence[Column]:
        """The three parts, then everything else grouped by part."""
        return list_columns()

    @property
    def baselines(self) -> Sequence[Baseline]:
        """Ticking every option of a multi question, whose recall is 1."""
        ticked = {key: 1.0 for key in self.chance if key.startswith("multi") and key.endswith("|recall")}
        return (make_constant_baseline(ticked, self.chance),)

    @property
    def chance(self) -> Mapping[str, float]:
        """Expected scores of random guessing on main and multi."""
        return chance_of_key(self.make_key("practice")) if self.version == DEMO else chance_of_released()

    @property
    def endpoint_settings(self) -> tuple[str, ...]:
        """All except `cascaded`, which needs the owner's captioner and text model."""
        return ("default", NOISE)

    def render_heard(self, key: AnswerKey, clip: str, setting: str) -> bytes:
        """Return a clip, or white noise with its length and level."""
        sound = self.render_clip(key, clip)
        return noise_like(sound, stream(key.seed, f"noise|{clip}")) if setting == NOISE else sound

    def items_of(self, key: AnswerKey) -> tuple[Item, ...]:
        """Return the items of a key's questions, in the order of the files."""
        return tuple(_item(question, key.seed) for question in key.questions)

    def list_paths(self, question: Mapping[str, Any]) -> Sequence[str]:
        """Return the paths of a question's clips: one, or two in multi."""
        return tuple(question["audio"])

    def name_recording(self, path: str) -> str:
        """Return the film that a clip is cut from.

        The release cuts its clips from 500 films in folders named `output_clips_1` to `output_clips_500`, below several
        parent folders. Clips of a film share voices, places and plot, and the clips of a pair always come from one
        film. Those of the demonstration set are made individually and share nothing.
        """
        film = None if self.version == DEMO else _FILM.search(posixpath.dirname(path))
        return film.group() if film else path

    def render_demo_sound(self, path: str) -> bytes:
        """Return one clip of the demonstration set as a WAV file."""
        return render_scene(self.scenes[path])

    def import_folder(self, folder: Path, seed: str) -> Imported:
        """Read an organiser's files."""
        return import_questions(folder, self.id, self.version, seed)

    def open_questions(self, key: AnswerKey) -> Mapping[str, OpenQuestion]:
        """Return item ID → question, reference and, if the organiser has one, description of the open part."""
        return {
            item_id: OpenQuestion(
                item_id, question["question"], str(key.answers[item_id]), key.descriptions.get(item_id, "")
            )
            for question in key.questions
            if question["part"] == "open" and (item_id := question["id"])
        }

    def run(self, item: Item, number: int, setting: str) -> Run:
        """Return one presentation: audio, then the question and its options, then the answer instructions."""
        self.check_setting(setting)
        prompt = (*_list_audio(item.clips), TextPart(_prompt_text(item)))
        return Run(item.id, number, setting, item.task, prompt, item.options, item.answer_format)

    def score(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        *,
        setting: str | None = None,
        system: str | None = None,  # noqa: ARG002 - no score here depends on whose answers these are
        judgements: Mapping[str, Sequence[Judgement]] | None = None,
    ) -> Report:
        """Score predictions. Missing answers of a submitted part count as wrong.

        Args:
            key: The answer key.
            predictions: Predictions with validated IDs.
            setting: Evaluation setting; None for the default.
            system: Name of the system; no score here depends on it.
            judgements: Item ID → judgement of its answer. If judgements of answered open items are missing, the report
                lists these items in `awaiting_judge` and has no scores of open.

        Raises:
            JudgementError: A judgement belongs to an item that needs none.
        """
        return self._score(key, predictions, setting, JudgedAnswers(judgements or {}))

    def score_judged(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        judged: JudgedAnswers,
        *,
        setting: str | None = None,
        system: str | None = None,  # noqa: ARG002 - no score here depends on whose answers these are
    ) -> Report:
        """Score judged predictions and sign with the judge. Answers without a verdict are excluded from means.

        Raises:
            JudgementError: A judgement belongs to an item that needs none.
        """
        return self._score(key, predictions, setting, judged)

    def _score(
        self, key: AnswerKey, predictions: Iterable[Prediction], setting: str | None, judged: JudgedAnswers
    ) -> Report:
        setting = self.begin_scoring(key, setting)
        judgements = judged.judgements
        items = self.content(key).items
        collected = collect_answers(items, predictions, _read_answer, PARTS, runs_are_seeds=self.runs_are_seeds)
        choices = collected.choices
        unanswered = [
            item.id for item, code in zip(items, choices[:, 0], strict=True) if item.part == "open" and code == 0
        ]
        _check_judged(judgements, unanswered)
        unjudged = judged.unjudged.intersection(unanswered) - judgements.keys()
        awaiting = tuple(item_id for item_id in unanswered if not judgements.get(item_id) and item_id not in unjudged)
        truth = code_answers([key.answers[item.id] for item in items])
        correct = score_correct(items, choices, truth, judgements)
        whole = None if awaiting else judgements
        scores = score_slices(items, _names(key), choices, truth, collected.parts, whole, unjudged)
        outcomes = Outcomes(tuple(item.id for item in items), correct, choices)
        signature = self.sign(key, setting=setting, runs=collected.runs)
        if unanswered and judged.judging and not awaiting:
            signature = replace(signature, judging=judged.judging)
        return collected.report(scores, outcomes, signature, awaiting, _note_unjudged(unjudged))

    def iter_wrong(
        self, key: AnswerKey, predictions: Iterable[Prediction], outcomes: Outcomes | None = None
    ) -> Iterator[WrongAnswer]:
        """Yield the wrong answers of every part; for open, those with a judge's score below `MIN_RIGHT`."""
        items = {item.id: item for item in self.content(key).items}
        worth = {} if outcomes is None else dict(zip(outcomes.item_ids, outcomes.correct[:, 0].tolist(), strict=True))
        for prediction in predictions:
            item = items.get(prediction.id)
            if item is None:
                continue
            if item.part == "open":
                # An answer without a verdict is NaN, and never below.
                if worth.get(item.id, 1.0) < MIN_RIGHT:
                    yield name_wrong(prediction, item.part, item.question, str(key.answers[item.id]), Reading())
                continue
            reading, places = _read_answer(item, prediction), right_places(key.answers[item.id])
            choice = frozenset() if reading.index is None else frozenset({reading.index})
            if (reading.indices or choice) != places:
                right = "\n".join(item.options[place] for place in sorted(places))
                yield name_wrong(prediction, item.part, _prompt_text(item), right, reading)

    def find_formula(self, key: AnswerKey, slice_name: str, metric: str) -> ScoreFormula | None:
        """Return how a score is computed from item scores."""
        return find_formula(_names(key), slice_name, metric)

    def score_items(self, key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:
        """Return a score for every item."""
        items = self.content(key).items
        return score_items(items, outcomes, code_answers([key.answers[item.id] for item in items]), score)


def _names(key: AnswerKey) -> list[tuple[str, ...]]:
    """Return the slices of each item, in the order of the items."""
    return [list_names(question) for question in key.questions]


def _read_answer(item: Item, prediction: Prediction) -> Reading:
    return read_answer(prediction, item.answer_format, item.options)


def _check_judged(judgements: Mapping[str, Sequence[Judgement]], judged: Sequence[str]) -> None:
    strangers = sorted(judgements.keys() - set(judged))
    if strangers:
        raise JudgementError(
            f"{len(strangers)} judgements are for items without an open answer, such as `{strangers[0]}`. "
            "Pass only judgements for items in `Report.awaiting_judge`."
        )


def _note_unjudged(unjudged: Collection[str]) -> tuple[str, ...]:
    if not unjudged:
        return ()
    some = "1 open answer" if len(unjudged) == 1 else f"{len(unjudged):,} open answers"
    return (f"The judge gave no verdict on {some}, so no score includes {'it' if len(unjudged) == 1 else 'them'}.",)


def _item(question: Mapping[str, Any], seed: str) -> Item:
    part = question["part"]
    return Item(
        id=question["id"],
        part=part,
        task=f"{part}/{question['category']}",
        question=question["question"],
        answer_format=FORMATS[part],
        options=tuple(question["options"]),
        runs=(0,),
        clips=tuple(clip_name(seed, path) for path in question["audio"]),
    )


def _list_audio(clips: Sequence[str]) -> list[PromptPart]:
    if len(clips) == 1:
        return [AudioPart(clips[0])]
    return [
        part for number, clip in enumerate(clips, start=1) for part in (TextPart(f"音频{number}："), AudioPart(clip))
    ]


def _prompt_text(item: Item) -> str:
    lines = [f"{letter}. {option}" for letter, option in zip(OPTION_LETTERS, item.options, strict=False)]
    return "\n".join([item.question, *lines, _INSTRUCTIONS[item.answer_format]])


__all__ = ["Mdar"]
