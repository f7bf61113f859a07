"""Base class of benchmarks. Adding one adds a subclass, its import and its entry in the registry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, AnswerValue, new_seed
from evaluation.benchmarks.ability_specs import Ability, Habit
from evaluation.benchmarks.baselines import Baseline
from evaluation.benchmarks.chart_specs import Chart
from evaluation.benchmarks.clustering import number_clusters
from evaluation.benchmarks.column_specs import Column, Metric, Part, SettingGap
from evaluation.benchmarks.definition_specs import Definitions, define_column
from evaluation.benchmarks.disclosure_rule import MIN_ITEMS, MIN_ITEMS_OF_DEVIATION, round_share
from evaluation.benchmarks.imported import Imported
from evaluation.benchmarks.introduction import Example, Paper
from evaluation.errors import AnswerKeyError, DataNotHeldError, ImportProblemsError, SettingError, shorten, suggest
from evaluation.extraction import READER_VERSION
from evaluation.judge.mistakes import WrongAnswer
from evaluation.judge.protocol import OpenQuestion
from evaluation.metrics import JudgedAnswers
from evaluation.signature import CODE_VERSION, Signature
from evaluation.statistics import Figure
from evaluation.types import Item, Outcomes, Prediction, Report, Run, Score, Split


@dataclass(frozen=True, slots=True)
class Content:
    """The questions of one split, as a participant may see them.

    Attributes:
        benchmark: Benchmark id.
        version: Benchmark version.
        split: `test` or `practice`.
        items: Every item, in the order of the pack.
        digest: SHA-256 over questions and over what the sounds are made from.
        has_sounds: Whether the sounds are here; an organiser may have brought only the questions.
        held_settings: Settings beyond `packed_settings` that a pack of these questions has prompts for.
    """

    benchmark: str
    version: str
    split: Split
    items: tuple[Item, ...]
    digest: str
    has_sounds: bool = True
    held_settings: tuple[str, ...] = ()

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of all clips, each once, in alphabetical order, which says nothing about the items."""
        return tuple(sorted({clip for item in self.items for clip in item.clips}))

    @property
    def parts(self) -> frozenset[str]:
        """Parts of which there are questions here."""
        return frozenset(item.part for item in self.items)


class Benchmark(ABC):
    """A version of a benchmark: identity, questions, prompts, and how answers become figures.

    Attributes:
        id: Name of the benchmark, shared by its versions.
        version: `1.0`, or another name where the questions are ours.
        metric_version: Changes whenever a figure could.
        splits: Splits whose questions exist.
        needs: What an organiser has to bring before there are all questions; None where they are all made here.
        note: What the page says above the board of this version; None for nothing.
        settings: Conditions under which a model may be run, the usual one first.
        parts: Pieces that can be submitted alone.
        summary: What is asked, so that a newcomer understands it: a question, then a sentence.
        paper: Where it comes from; None where there is no paper.
        example: Which practice question the page shows; None for the first one.
        licence: Of this version's questions and sounds.
        dataset_licence: The Hub's identifier of the licence to publish what is made here under; None: not published.
        language: Of the questions, by ISO 639-1.
        charts: What is drawn under the table.
        definitions: What its own names mean: sets of items, settings, terms.
        abilities: What a row's radar shows; the parts among the columns first shown where nothing is named.
        habits: Ways of answering that are told of a row where its figures show them.
        setting_gaps: Scores that compare a model's rows under two settings; made with a board, not with a scoring.
        joined_settings: Setting → what stands between the names of the several models that a system is there.
        example_line: What a line of a prediction file looks like.
        n_runs: Largest number of runs of an item.
        runs_are_seeds: Whether runs repeat one presentation under other decoding seeds, so that fewer may be sent.
            Otherwise a part that is present is expected with all runs.
        answers_are_secret: Whether nobody outside may know the answers of the test split. Then scores over few
            items are shown to nobody (see `disclosure`), and fewer of files with gaps (see `coverage`).
    """

    id: ClassVar[str]
    version: str
    metric_version: ClassVar[str]
    title: ClassVar[str]
    summary: str
    licence: str
    dataset_licence: str | None = None
    language: ClassVar[str] = "en"
    citation: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    example: ClassVar[Example | None] = None
    splits: tuple[Split, ...] = ("test", "practice")
    needs: str | None = None
    note: str | None = None
    settings: ClassVar[tuple[str, ...]] = ("default",)
    parts: ClassVar[tuple[Part, ...]]
    metrics: ClassVar[tuple[Metric, ...]]
    headline: ClassVar[Column]
    charts: ClassVar[tuple[Chart, ...]] = ()
    definitions: ClassVar[Definitions] = Definitions()
    abilities: ClassVar[tuple[Ability, ...]] = ()
    habits: ClassVar[tuple[Habit, ...]] = ()
    setting_gaps: ClassVar[tuple[SettingGap, ...]] = ()
    joined_settings: ClassVar[Mapping[str, str]] = {}
    example_line: ClassVar[str] = '{"id": "…", "run": 0, "response": "B"}'
    n_runs: ClassVar[int]
    runs_are_seeds: ClassVar[bool] = False
    answers_are_secret: bool = True

    @property
    @abstractmethod
    def columns(self) -> Sequence[Column]:
        """Figures that the board can show, the headline first."""

    def define(self, column: Column) -> str:
        """Return what a score is, in words: its formula, then the items it is over."""
        return define_column(column, self.metrics, self.definitions)

    @property
    @abstractmethod
    def chance(self) -> Mapping[str, float]:
        """`<slice>|<metric>` → the expected figure of a system that guesses evenly."""

    @property
    def baselines(self) -> Sequence[Baseline]:
        """Strategies that hear nothing and score above chance; none, unless a benchmark says more."""
        return ()

    @abstractmethod
    def content(self, key: AnswerKey) -> Content:
        """Return the questions of a key's split."""

    @abstractmethod
    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:
        """Return the right answers of a split that is made here.

        Raises:
            DataNotHeldError: It is not.
        """

    @abstractmethod
    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        """Return one clip as a WAV file.

        Raises:
            KeyError: There is no such clip.
        """

    @abstractmethod
    def run(self, item: Item, number: int, setting: str) -> Run:
        """Return one presentation of an item."""

    @abstractmethod
    def score(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        *,
        setting: str | None = None,
        system: str | None = None,
    ) -> Report:
        """Score predictions whose ids were validated; later duplicates of a run are refused.

        Args:
            key: What is right.
            predictions: What a system answered.
            setting: Under which condition; the usual one unless named.
            system: Name of the system, for figures that depend on who it is.
        """

    def open_questions(self, key: AnswerKey) -> Mapping[str, OpenQuestion]:  # noqa: ARG002 - for those that have some
        """Return item id → what a judge scores its answer by; empty unless a benchmark has open questions."""
        return {}

    def score_judged(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        judged: JudgedAnswers,  # noqa: ARG002 - the same
        *,
        setting: str | None = None,
        system: str | None = None,
    ) -> Report:
        """Score predictions whose open answers were judged; where there are none, as `score` does.

        Raises:
            JudgementError: There are judgements of something that awaits none.
        """
        return self.score(key, predictions, setting=setting, system=system)

    def iter_wrong(
        self,
        key: AnswerKey,  # noqa: ARG002 - the same
        predictions: Iterable[Prediction],  # noqa: ARG002 - the same
        outcomes: Outcomes | None = None,  # noqa: ARG002 - the same
    ) -> Iterator[WrongAnswer]:
        """Yield the wrong answers that can be sorted by error type; none, unless a benchmark says more.

        Args:
            key: The right answers.
            predictions: What a system answered; what it did not answer is not among the wrong answers.
            outcomes: What happened to each item; tells which answers a judge scored low. Without them, none of those.
        """
        return iter(())

    def find_figure(self, key: AnswerKey, slice_name: str, metric: str) -> Figure | None:  # noqa: ARG002 - for those that have
        """Return how a figure follows from scores of single items, so that it can be resampled.

        None, as everywhere unless a benchmark says more, where it does not follow from means over items; such a figure
        has neither interval nor range of ranks.
        """
        return None

    def find_own_figure(self, key: AnswerKey, slice_name: str, metric: str, system: str) -> Figure | None:  # noqa: ARG002 - the same
        """Return how a figure follows from scores of the items that belong to a model, such as its own traces."""
        return None

    def score_items(self, key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:  # noqa: ARG002 - the same
        """Return one of the scores that figures are made of, for every item of a submission.

        A fraction in [0, 1]; the mean over its runs where an item has several; NaN where it was not submitted.

        Raises:
            KeyError: No figure is made of such a score.
        """
        raise KeyError(score)

    def cluster_items(self, key: AnswerKey) -> NDArray[np.int64]:
        """Return a number for each item, the same for items that share a clip or, in some benchmarks, a recording."""
        return number_clusters([item.clips for item in self.content(key).items])

    def import_folder(self, folder: Path, seed: str) -> Imported:  # noqa: ARG002 - names the sounds of those that import
        """Read an organiser's files.

        Args:
            folder: Where they lie, in their official layout.
            seed: Fresh; names of sounds follow from it.

        Raises:
            ImportProblemsError: They cannot be imported; faulty entries are named, a hundred at least.
        """
        text = f"{self.title} {self.version} generates its own questions, so there is nothing to import from {folder}."
        raise ImportProblemsError([text])

    @property
    def min_public_items(self) -> int:
        """Fewest items behind a score that anybody sees; see `disclosure`."""
        return MIN_ITEMS if self.answers_are_secret else 1

    def withholds(self, slice_name: str, metric: str) -> bool:  # noqa: ARG002 - for those that have some
        """Return whether a score over secret answers is shown to nobody, however many items are behind it."""
        return False

    def disclose(self, report: Report) -> Iterator[tuple[str, str, Score]]:
        """Yield the (slice, metric, score) of a report on the test split that may be shown; see `disclosure`."""
        for slice_name, metric, score in report.figures():
            if not self.answers_are_secret:
                yield slice_name, metric, score
            elif score.n >= MIN_ITEMS and not self.withholds(slice_name, metric):
                std = round_share(score.std) if score.n >= MIN_ITEMS_OF_DEVIATION else None
                yield slice_name, metric, Score(round_share(score.value), score.n, std)

    @property
    def packed_settings(self) -> tuple[str, ...]:
        """Settings whose prompts stand in a question pack; the others change what a participant does with them."""
        return self.settings[:1]

    @property
    def endpoint_settings(self) -> tuple[str, ...]:
        """Settings under which a model can be asked by us: those that need nothing of its owner."""
        return self.packed_settings

    def render_heard(self, key: AnswerKey, clip: str, setting: str) -> bytes:  # noqa: ARG002 - for those that have one
        """Return a clip as it is heard under a setting, as a WAV file; a pack holds it as `render_clip` has it."""
        return self.render_clip(key, clip)

    @property
    def made_parts(self) -> frozenset[str]:
        """Parts whose questions are made here; those of the others an organiser has to bring."""
        return frozenset() if self.needs is not None else frozenset(part.id for part in self.parts)

    @property
    def n_items_of_paper(self) -> int | None:
        """How many items the paper counts, where an organiser has to bring some of them; None elsewhere."""
        return None

    def parts_of(self, setting: str) -> frozenset[str]:  # noqa: ARG002 - benchmarks whose settings differ override it
        """Return the parts that a setting is for."""
        return frozenset(part.id for part in self.parts)

    def includes_task(self, setting: str, part: str, task: str) -> bool:  # noqa: ARG002 - the same
        """Return whether a setting asks the items of a task: those of its parts."""
        return part in self.parts_of(setting)

    def headline_of(self, setting: str) -> Column:
        """Return what the board of a setting opens by: where it is for one of several parts, that part's own figure."""
        parts = self.parts_of(setting)
        own = (one for one in self.columns if len(parts) < len(self.parts) and {one.slice} == parts)
        return next((one for one in own if one.metric == self.headline.metric), self.headline)

    def columns_of(self, setting: str) -> tuple[Column, ...]:  # noqa: ARG002 - for those whose settings differ
        """Return the columns that the board of a setting shows at first."""
        return tuple(column for column in self.columns if column.shown)

    def make_key(self, split: Split, seed: str | None = None) -> AnswerKey:
        """Make the key of a split: with the public seed for practice, with a fresh secret one for test.

        Raises:
            DataNotHeldError: The questions of this version are an organiser's, or the split does not exist.
        """
        self.check_split(split)
        seed = seed or (PRACTICE_SEED if split == "practice" else new_seed())
        return AnswerKey(self.id, self.version, split, seed, self.true_answers(split, seed))

    def check_split(self, split: Split) -> None:
        """Refuse a split that this version does not have, or all of whose questions an organiser has to bring.

        Raises:
            DataNotHeldError: So it is.
        """
        if split == "test" and not self.made_parts:
            raise DataNotHeldError(f"The questions of {self.title} {self.version} are not installed. {self.needs}")
        if split not in self.splits:
            raise DataNotHeldError(f"{self.title} {self.version} has no {split} split. Use another version.")

    def check_key(self, key: AnswerKey) -> None:
        """Refuse a key of another benchmark or version, or whose ids are not this benchmark's.

        Raises:
            AnswerKeyError: The key does not fit.
        """
        if (key.benchmark, key.version) != (self.id, self.version):
            raise AnswerKeyError(
                f"The key belongs to {key.benchmark} {key.version}, not to {self.id} {self.version}. "
                "Use the matching key."
            )
        ids = {item.id for item in self.content(key).items}
        if ids != set(key.answers):
            wrong = len(ids ^ set(key.answers))
            raise AnswerKeyError(
                f"The key of {self.id} {self.version} {key.split} does not match its questions: {wrong} ids differ. "
                "Restore the original key, or move it away to create a new split."
            )

    def begin_scoring(self, key: AnswerKey, setting: str | None) -> str:
        """Return the setting to score under, the usual one unless named, once it and the key are known to fit.

        Raises:
            SettingError: The setting is unknown.
            AnswerKeyError: The key does not fit.
        """
        chosen = setting or self.settings[0]
        self.check_setting(chosen)
        self.check_key(key)
        return chosen

    def check_setting(self, setting: str) -> None:
        """Refuse a setting that this benchmark does not have.

        Raises:
            SettingError: The setting is unknown.
        """
        if setting not in self.settings:
            raise SettingError(
                f"{self.title} has no setting `{shorten(setting)}`.{suggest(setting[:60], self.settings)} "
                f"Settings: {', '.join(self.settings)}."
            )

    def sign(self, key: AnswerKey, *, setting: str, runs: int) -> Signature:
        """Return the signature of a score made with a key."""
        return Signature(
            benchmark=self.id,
            version=self.version,
            content_digest=self.content(key).digest[:8],
            key_digest=key.digest[:8],
            setting=setting,
            runs=runs,
            missing_policy="wrong",
            reader_version=READER_VERSION,
            metric_version=self.metric_version,
            code_version=CODE_VERSION,
        )
