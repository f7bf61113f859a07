"""STAR-Bench 1.0: deep spatio-temporal reasoning over audio.

Source: "STAR-Bench: Probing Deep Spatio-Temporal Reasoning as Audio 4D Intelligence" (Liu, Niu et al.). The measures
follow the paper; details that it leaves open are fixed here and in the sibling modules:

* Sub-tasks, sizes, rotations and orders of clips: `design.py`. Labels of the official files: `labels.py`. Prompts:
  `prompts.py`. Slices and means: `slices.py`.
* The perception task of version 1.0 is generated (`rendered/`), unless an organiser's file for it is imported too.
  Temporal and spatial items are recordings that only an organiser has; importing them keeps the existing perception
  task unchanged.
* The generated answers are secret, so scores over few answers are withheld: those of incomplete files, as in
  `evaluation.benchmarks.coverage`, with levels and rows of the audiogram for complete files only; and always single
  cells of the audiogram, which the rows by frequency and by level replace.
* Items keep their official IDs, because participants' existing result files contain them. Clip names are opaque, and
  the clips of a temporal item are stored in the order of run 0.
* Only the key determines the right option of a run; of a submitted file, only ID, run and response are used. An item is
  all-correct only if every run of its plan is right, so a run submitted four times counts once, as an error.
* A caption-only prompt needs a caption of every clip, which the official files do not have: our format has the optional
  field `captions`. Participants with captions of their own can still submit in that setting.
* Difficulty levels and the audiogram have scores if the questions contain `level`, or `frequency_hz` and `level_db_hl`,
  which are optional fields of our format.
* The paper's tables use v0.5 of the questions; the authors released v1.0, with revised spatial items, without scores.
  Version 1.0 here is their v1.0, and its reported rows state that they use v0.5.
* The demonstration set is rendered for two ears with differences of time and level only, which carry no elevation cues,
  so its elevation questions use brightness.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, new_seed
from evaluation.benchmarks.baselines import Baseline, make_constant_baseline
from evaluation.benchmarks.collecting import Collected, collect_answers
from evaluation.benchmarks.column_specs import Column, Part
from evaluation.benchmarks.content import Content
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.introduction import Example, Paper
from evaluation.benchmarks.official import DEMO, OWN_DATASET_LICENCE, OfficialBenchmark, clip_name, find_sounds
from evaluation.benchmarks.reading import read_answer
from evaluation.benchmarks.star_bench import questions, rendered, resampling
from evaluation.benchmarks.star_bench.abilities import ABILITIES, HABITS
from evaluation.benchmarks.star_bench.charts import CHARTS
from evaluation.benchmarks.star_bench.columns import (
    HEADLINE,
    METRICS,
    SETTING_GAPS,
    TONES_HEADLINE,
    build_columns,
    list_tone_columns,
)
from evaluation.benchmarks.star_bench.constants import score_constants
from evaluation.benchmarks.star_bench.definitions import DEFINITIONS
from evaluation.benchmarks.star_bench.demo_sounds import render_demo_sound
from evaluation.benchmarks.star_bench.design import PARTS, SUB_TASKS
from evaluation.benchmarks.star_bench.disclosure import choose_slices
from evaluation.benchmarks.star_bench.importer import (
    FILES,
    count_items,
    list_ear_faults,
    list_made_faults,
    raise_faults,
    read_folder,
)
from evaluation.benchmarks.star_bench.prompts import CAPTION_ONLY, CHANNEL_WISE, build_prompt, question_text
from evaluation.benchmarks.star_bench.questions import GLOBAL_CAPTION, PSEUDO_STEREO, UNCUT_AUDIO
from evaluation.benchmarks.star_bench.setting_plan import (
    PARTS_OF,
    TASKS_OF,
    StarContent,
    list_played_clips,
    render_variant,
    split_clip,
)
from evaluation.benchmarks.star_bench.slices import chance_scores, score_slices, select_slices
from evaluation.benchmarks.star_bench.table import Table, make_table
from evaluation.errors import AnswerKeyError, SettingError
from evaluation.judge.mistakes import WrongAnswer, name_wrong
from evaluation.statistics import ScoreFormula
from evaluation.types import ABSENT, Item, Outcomes, Prediction, Reading, Report, Run, Split


class StarBench(OfficialBenchmark):
    """STAR-Bench in the registry."""

    id = "star-bench"
    metric_version = "3"
    title = "STAR-Bench"
    summary = (
        "What happens when, and where? Questions about pitch, loudness and duration, the order of events, and the "
        "positions and paths of sources."
    )
    licence = "Perception (rendered by Earshot): CC-BY-4.0; Temporal and Spatial (by the authors): CC-BY-NC-4.0"
    dataset_licence = OWN_DATASET_LICENCE  # Generated parts only: in version 1.0, perception.
    paper = Paper(
        "STAR-Bench: Probing Deep Spatio-Temporal Reasoning as Audio 4D Intelligence",
        (
            "Zihan Liu",
            "Zhikang Niu",
            "Qiuyang Xiao",
            "Zhisheng Zheng",
            "Ruoqi Yuan",
            "Yuhang Zang",
            "Yuhang Cao",
            "Xiaoyi Dong",
            "Jianze Liang",
            "Xie Chen",
            "Leilei Sun",
            "Dahua Lin",
            "Jiaqi Wang",
        ),
        "https://openreview.net/forum?id=Ts6j3GoZDE",
        2026,
    )
    example = Example("perception/sensitivity/pitch")
    citation = (
        "@inproceedings{starbench,\n"
        "  title = {{STAR-Bench}: Probing Deep Spatio-Temporal Reasoning as Audio {4D} Intelligence},\n"
        "  author = {Liu, Zihan and Niu, Zhikang and Xiao, Qiuyang and Zheng, Zhisheng and Yuan, Ruoqi and\n"
        "            Zang, Yuhang and Cao, Yuhang and Dong, Xiaoyi and Liang, Jianze and Chen, Xie and\n"
        "            Sun, Leilei and Lin, Dahua and Wang, Jiaqi},\n"
        "  booktitle = {International Conference on Learning Representations},\n"
        "  year = {2026},\n"
        "  url = {https://openreview.net/forum?id=Ts6j3GoZDE}\n"
        "}"
    )
    official_files = f"{', '.join(FILES.values())} (any of them) and their audio folder"
    paper_items = sum(task.items for task in SUB_TASKS)
    demo_dir = Path(__file__).parent / "demo"
    settings = tuple(PARTS_OF)
    setting_gaps = SETTING_GAPS
    parts = (Part("perception", "Perception"), Part("temporal", "Temporal"), Part("spatial", "Spatial"))
    metrics = METRICS
    headline = HEADLINE
    abilities = ABILITIES
    habits = HABITS
    charts = CHARTS
    definitions = DEFINITIONS
    n_runs = 5

    def __init__(self, version: str) -> None:
        """Select a version; the current one includes a rendered perception task."""
        super().__init__(version)
        if version != DEMO:
            self.splits = ("test", "practice")
            self.answers_are_secret = True
            self.note = (
                "The paper's scores are from STAR-Bench v0.5. The released questions are v1.0, with revised spatial "
                "items, so spatial and overall scores from the paper are not directly comparable."
            )

    @property
    def made_parts(self) -> frozenset[str]:
        """Perception, and all parts of the demonstration set."""
        return frozenset(PARTS if self.version == DEMO else ("perception",))

    @property
    def columns(self) -> Sequence[Column]:
        """Headline, ACR and the three tasks, then everything else grouped by task."""
        return _columns()

    @property
    def chance(self) -> Mapping[str, float]:
        """Expected scores of independent random guesses."""
        return _chance()

    @property
    def baselines(self) -> Sequence[Baseline]:
        """The best constant answer to each perception sub-task."""
        return _baselines(self)

    @property
    def packed_settings(self) -> tuple[str, ...]:
        """All settings of the demonstration set except pseudo-stereo; of other versions, those that need clips only.

        Further settings that a key supports are in the content, as `held_settings`.
        """
        texts = (GLOBAL_CAPTION, UNCUT_AUDIO, CAPTION_ONLY) if self.version == DEMO else ()
        return ("default", CHANNEL_WISE, *texts)

    @property
    def endpoint_settings(self) -> tuple[str, ...]:
        """The settings of every pack, and pseudo-stereo."""
        return (*self.packed_settings, PSEUDO_STEREO)

    def parts_of(self, setting: str) -> frozenset[str]:
        """Return the parts that a setting applies to."""
        self.check_setting(setting)
        return PARTS_OF[setting]

    def includes_task(self, setting: str, part: str, task: str) -> bool:
        """Return whether a setting includes the items of a task; pseudo-stereo has only the tone tasks."""
        return super().includes_task(setting, part, task) and task in TASKS_OF.get(setting, (task,))

    def headline_of(self, setting: str) -> Column:
        """Return the headline of a setting's board."""
        return super().headline_of(setting) if setting not in TASKS_OF else TONES_HEADLINE

    def columns_of(self, setting: str) -> tuple[Column, ...]:
        """Return the default columns of a setting's board."""
        return super().columns_of(setting) if setting not in TASKS_OF else list_tone_columns()

    def content(self, key: AnswerKey) -> Content:
        """Return the questions of a key's split."""
        return _content(self, key)

    def items_of(self, key: AnswerKey) -> tuple[Item, ...]:
        """Return the items of a key's questions."""
        return questions.key_items(key)

    def list_paths(self, question: questions.Question) -> Sequence[str]:
        """Return the paths of a question's clips, and the names of generated ones."""
        return questions.sound_paths(question)

    def make_key(self, split: Split, seed: str | None = None) -> AnswerKey:
        """Create the key of the generated questions: the demonstration set, or the perception task."""
        if self.version == DEMO:
            return super().make_key(split, seed)
        self.check_split(split)
        seed = seed or (PRACTICE_SEED if split == "practice" else new_seed())
        perception = rendered.make_perception(split, seed)
        return AnswerKey(self.id, self.version, split, seed, perception.answers, perception.questions)

    def check_key(self, key: AnswerKey) -> None:
        """Reject a key that does not fit, or whose perception task has an earlier design."""
        super().check_key(key)
        generated = {name for question in key.questions for name in question["audio"] if rendered.is_rendered(name)}
        if generated and generated != rendered.make_perception(key.split, key.seed).stimuli.keys():
            raise AnswerKeyError(
                f"The key of {self.id} {self.version} {key.split} belongs to another release: its rendered clips "
                "differ. Restore the original key, or move it away to create a new one."
            )

    def render_demo_sound(self, path: str) -> bytes:
        """Return one clip of the demonstration set."""
        return render_demo_sound(self.scenes, path)

    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        """Return one clip, one channel of it (`<clip>@left`, `<clip>@right`), or the clip as (x, −x)."""
        source, suffix = split_clip(clip)
        sound = super().render_clip(key, source)
        return render_variant(sound, suffix) if suffix else sound

    def made_sounds(self, key: AnswerKey) -> Mapping[str, str]:
        """Return clip → name of the generated audio: of the demonstration set, or of the perception task."""
        return super().made_sounds(key) if self.version == DEMO else _made_sounds(self, key)

    def render_made_sound(self, key: AnswerKey, name: str) -> bytes:
        """Return one generated clip as a WAV file."""
        if self.version == DEMO:
            return super().render_made_sound(key, name)
        return rendered.render_sound(key.split, key.seed, name)

    def describe_made_sounds(self) -> object:
        """Return what determines the generated audio besides the seed."""
        return super().describe_made_sounds() if self.version == DEMO else list(rendered.RENDERER)

    def import_folder(self, folder: Path, seed: str) -> Imported:
        """Read the official files of a folder; without its file, the perception task is generated from the seed."""
        read = read_folder(folder)
        joins_made = self.version != DEMO and "perception" not in read.parts
        raise_faults(list_made_faults(read, self.true_answers("test", seed) if joins_made else ()))
        if not joins_made:
            key = AnswerKey(self.id, self.version, "test", seed, read.answers, tuple(read.questions))
        else:
            own = self.make_key("test", seed)
            key = replace(own, answers={**own.answers, **read.answers}, questions=(*own.questions, *read.questions))
        brought = frozenset(path for path in self.sound_paths(key) if not rendered.is_rendered(path))
        sounds, absent = find_sounds(folder, brought, seed)
        raise_faults(list_ear_faults(read, sounds, seed))
        counts = count_items(read.questions, read.parts, is_demo=self.version == DEMO)
        return Imported(key, sounds, absent, counts, tuple(read.repaired))

    def run(self, item: Item, number: int, setting: str) -> Run:
        """Return one presentation: options rotated by the run's number, or clips in the run's order."""
        if not self.includes_task(setting, item.part, item.task):
            tasks = TASKS_OF.get(setting, self.parts_of(setting))
            kind = item.part if item.part not in self.parts_of(setting) else item.task
            raise SettingError(
                f"`{item.id}` belongs to {kind}, but the setting `{setting}` covers only {', '.join(sorted(tasks))}."
            )
        prompt = build_prompt(item, number, setting)
        options = questions.shown_options(item, number)
        return Run(item.id, number, setting, item.task, prompt, options, item.answer_format)

    def score(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        *,
        setting: str | None = None,
        system: str | None = None,  # noqa: ARG002 - no score here depends on whose answers these are
    ) -> Report:
        """Score predictions. Missing answers of a submitted part count as wrong."""
        setting = self.begin_scoring(key, setting)
        table = make_table(key)
        collected = self._collect(table, predictions, setting)
        correct = np.where(collected.choices == ABSENT, np.nan, collected.choices == table.truth).astype(np.float32)
        outcomes = Outcomes(tuple(item.id for item in table.items), correct, collected.choices)
        slices = select_slices(table.slices, TASKS_OF[setting]) if setting in TASKS_OF else table.slices
        visible = choose_slices(slices, collected.choices, table.items, table.secret)
        scores = score_slices(outcomes, collected.parts, visible)
        signature = self.sign(key, setting=setting, runs=collected.runs)
        return collected.report(scores, outcomes, signature)

    def iter_wrong(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        outcomes: Outcomes | None = None,  # noqa: ARG002 - nothing here is scored by a judge
    ) -> Iterator[WrongAnswer]:
        """Yield the wrong answers of temporal and spatial, each with the options as shown in its run.

        As in the paper, errors in perception tasks are not classified: all of them are perception errors.
        """
        table = make_table(key)
        rows = {item.id: row for row, item in enumerate(table.items)}
        for prediction in predictions:
            row = rows.get(prediction.id)
            if row is None or table.items[row].part == "perception":
                continue
            item, options = table.items[row], table.shown[prediction.id][prediction.run]
            reading = read_answer(prediction, item.answer_format, options)
            place = int(table.truth[row, prediction.run])
            if reading.index != place:
                yield name_wrong(prediction, item.part, question_text(item, options), options[place], reading)

    def find_formula(self, key: AnswerKey, slice_name: str, metric: str) -> ScoreFormula | None:
        """Return how a score is computed from item scores."""
        return resampling.find_formula(make_table(key), slice_name, metric)

    def score_items(self, key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:  # noqa: ARG002 - the outcomes say it
        """Return a score for every item."""
        return resampling.score_items(outcomes, score)

    def _collect(self, table: Table, predictions: Iterable[Prediction], setting: str) -> Collected:
        options = table.shown

        def read(item: Item, prediction: Prediction) -> Reading:
            return read_answer(prediction, item.answer_format, options[item.id][prediction.run])

        included = np.array([self.includes_task(setting, item.part, item.task) for item in table.items], dtype=np.bool_)
        collected = collect_answers(table.items, predictions, read, PARTS, runs_are_seeds=False, asked=included)
        answered = (collected.choices != ABSENT).any(axis=1)
        others = [table.items[row] for row in np.flatnonzero(answered & ~included)]
        parts = self.parts_of(setting)
        foreign = {item.task if item.part in parts else item.part for item in others}
        if foreign:
            raise SettingError(
                f"The setting `{setting}` does not include {', '.join(sorted(foreign))}. Remove those answers."
            )
        return collected


@lru_cache(maxsize=8)
def _made_sounds(benchmark: StarBench, key: AnswerKey) -> Mapping[str, str]:
    """Return clip → name of the generated audio."""
    return {clip_name(key.seed, name): name for name in benchmark.sound_paths(key) if rendered.is_rendered(name)}


@lru_cache(maxsize=8)
def _content(benchmark: StarBench, key: AnswerKey) -> StarContent:
    content = OfficialBenchmark.content(benchmark, key)
    held_settings = questions.find_held_settings(content, key, benchmark.packed_settings)
    played = list_played_clips(benchmark, content.items, (*benchmark.packed_settings, *held_settings))
    return StarContent(
        content.benchmark,
        content.version,
        content.split,
        content.items,
        content.digest,
        content.has_sounds,
        held_settings,
        played,
    )


@lru_cache(maxsize=1)
def _columns() -> tuple[Column, ...]:
    return build_columns()


@lru_cache(maxsize=2)
def _baselines(benchmark: StarBench) -> tuple[Baseline, ...]:
    key = benchmark.make_key("practice")
    perception = [item for item in benchmark.items_of(key) if item.part == "perception"]
    return (make_constant_baseline(score_constants(key, perception), benchmark.chance),)


@lru_cache(maxsize=1)
def _chance() -> Mapping[str, float]:
    return chance_scores()


__all__ = ["StarBench"]
