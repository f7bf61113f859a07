"""Base class of benchmarks. To add one, add a subclass, its import and its registry entry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
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
from evaluation.benchmarks.content import Content
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
from evaluation.statistics import ScoreFormula
from evaluation.streams import derive_edition_seed
from evaluation.types import Item, Outcomes, Prediction, Report, Run, Score, Split

# The digest of a design is that of its questions and sounds under this seed, so that it covers whatever theirs covers.
_DESIGN_SEED = "earshot-design-1"


class Benchmark(ABC):
    """A benchmark version: identity, questions, prompts and scoring.

    Attributes:
        id: Name of the benchmark, shared by its versions.
        version: `1.0`, or another name for our own questions.
        metric_version: Changes whenever a score could change.
        splits: Splits whose questions exist.
        needs: What an organiser must provide for a complete set of questions; None if all are generated.
        note: Note above the board of this version; None for no note.
        settings: Evaluation settings, the default first.
        parts: Parts that can be submitted alone.
        summary: Introduction for newcomers: a question, then a sentence.
        paper: Source paper; None without one.
        example: Practice question that the page shows; None for the first one.
        licence: Licence of this version's questions and audio.
        dataset_licence: Hub identifier of the licence for publishing generated questions; None: not published.
        language: Language of the questions, by ISO 639-1.
        charts: Charts under the table.
        definitions: Definitions of its own names: sets of items, settings, terms.
        abilities: Axes of a row's radar chart; the parts among the default columns if empty.
        habits: Answering habits that are reported for a row if its scores show them.
        setting_gaps: Scores that compare a model's rows in two settings; computed with a board, not with a scoring.
        joined_settings: Setting → separator between the names of the several models that form a system there.
        example_line: Example line of a prediction file.
        n_runs: Largest number of runs of an item.
        runs_are_seeds: Whether runs repeat one presentation with other decoding seeds, so that fewer may be submitted.
            Otherwise a submitted part needs all runs.
        answers_are_secret: Whether the answers of the test split are secret. Then scores over few items are hidden (see
            `disclosure`), and incomplete files have fewer scores (see `coverage`).
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
        """Scores that the board can show, the headline first."""

    def define(self, column: Column) -> str:
        """Describe a score: its formula, then its items."""
        return define_column(column, self.metrics, self.definitions)

    @property
    @abstractmethod
    def chance(self) -> Mapping[str, float]:
        """`<slice>|<metric>` → expected score of random guessing."""

    @property
    def baselines(self) -> Sequence[Baseline]:
        """Text-only strategies that score above chance; none by default."""
        return ()

    @abstractmethod
    def content(self, key: AnswerKey) -> Content:
        """Return the questions of a key's split."""

    @abstractmethod
    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:
        """Return the right answers of a generated split.

        Raises:
            DataNotHeldError: The split is imported, not generated.
        """

    @abstractmethod
    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        """Return one clip as a WAV file.

        Raises:
            KeyError: The clip does not exist.
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
        """Score predictions with validated IDs; duplicates of a run are rejected.

        Args:
            key: The answer key.
            predictions: Predictions of a system.
            setting: Evaluation setting; None for the default.
            system: Name of the system, for scores that depend on it.
        """

    def open_questions(self, key: AnswerKey) -> Mapping[str, OpenQuestion]:  # noqa: ARG002 - for those that have some
        """Return item ID → the data that a judge needs to score its answer; empty without open questions."""
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
        """Score predictions whose open answers were judged; without open answers, like `score`.

        Raises:
            JudgementError: A judgement belongs to an item that needs none.
        """
        return self.score(key, predictions, setting=setting, system=system)

    def iter_wrong(
        self,
        key: AnswerKey,  # noqa: ARG002 - the same
        predictions: Iterable[Prediction],  # noqa: ARG002 - the same
        outcomes: Outcomes | None = None,  # noqa: ARG002 - the same
    ) -> Iterator[WrongAnswer]:
        """Yield the wrong answers that can be classified by error type; none by default.

        Args:
            key: The answer key.
            predictions: Predictions of a system; unanswered items do not count as wrong answers.
            outcomes: Outcomes of the items, which contain judged scores of open answers. Without them, open answers are
                skipped.
        """
        return iter(())

    def find_formula(self, key: AnswerKey, slice_name: str, metric: str) -> ScoreFormula | None:  # noqa: ARG002 - for those that have
        """Return how a score is computed from item scores, for resampling.

        None by default, and for scores that are not computed from means over items; such scores have neither interval
        nor rank range.
        """
        return None

    def find_own_formula(self, key: AnswerKey, slice_name: str, metric: str, system: str) -> ScoreFormula | None:  # noqa: ARG002 - the same
        """Return how a score is computed from the items that belong to a model, such as its own traces."""
        return None

    def score_items(self, key: AnswerKey, outcomes: Outcomes, score: str) -> NDArray[np.float64]:  # noqa: ARG002 - the same
        """Return one kind of item score, of which scores are computed, for every item of a submission.

        A fraction in [0, 1], the mean over an item's runs; NaN if the item was not submitted.

        Raises:
            KeyError: The score is unknown.
        """
        raise KeyError(score)

    def cluster_items(self, key: AnswerKey) -> NDArray[np.int64]:
        """Return a cluster number for each item; dependent items, such as those on one recording, share it."""
        return number_clusters([item.clips for item in self.content(key).items])

    def import_folder(self, folder: Path, seed: str) -> Imported:  # noqa: ARG002 - names the sounds of those that import
        """Read an organiser's files.

        Args:
            folder: Folder with the files in their official layout.
            seed: New seed, which determines the names of clips.

        Raises:
            ImportProblemsError: The files cannot be imported; at least a hundred faulty entries are listed.
        """
        text = f"{self.title} {self.version} generates its own questions, so there is nothing to import from {folder}."
        raise ImportProblemsError([text])

    @property
    def min_public_items(self) -> int:
        """Minimum number of items behind a public score; see `disclosure`."""
        return MIN_ITEMS if self.answers_are_secret else 1

    def withholds(self, slice_name: str, metric: str) -> bool:  # noqa: ARG002 - for those that have some
        """Return whether a score over secret answers is always hidden, however many items it has."""
        return False

    def disclose(self, report: Report) -> Iterator[tuple[str, str, Score]]:
        """Yield the (slice, metric, score) of a report on the test split that may be shown; see `disclosure`.

        All of an edition's: its answers are not secret any more, and it is never used again.
        """
        for slice_name, metric, score in report.list_scores():
            if not self.answers_are_secret or report.signature.edition:
                yield slice_name, metric, score
            elif score.n >= MIN_ITEMS and not self.withholds(slice_name, metric):
                std = round_share(score.std) if score.n >= MIN_ITEMS_OF_DEVIATION else None
                yield slice_name, metric, Score(round_share(score.value), score.n, std)

    @property
    def packed_settings(self) -> tuple[str, ...]:
        """Settings with prompts of their own in a question pack; the others change how participants use them."""
        return self.settings[:1]

    @property
    def endpoint_settings(self) -> tuple[str, ...]:
        """Settings in which Earshot can query an endpoint: those that need nothing from its owner."""
        return self.packed_settings

    def render_heard(self, key: AnswerKey, clip: str, setting: str) -> bytes:  # noqa: ARG002 - for those that have one
        """Return a clip as a model hears it in a setting, as a WAV file; packs contain the original clip."""
        return self.render_clip(key, clip)

    @property
    def made_parts(self) -> frozenset[str]:
        """Parts with generated questions; the others must be imported."""
        return frozenset() if self.needs is not None else frozenset(part.id for part in self.parts)

    @property
    def n_items_of_paper(self) -> int | None:
        """Number of items in the paper, if some must be imported; None otherwise."""
        return None

    @property
    def has_editions(self) -> bool:
        """Whether a new test split can be rendered for every submitter: secret answers to generated questions."""
        return self.answers_are_secret and bool(self.made_parts)

    @property
    def design_digest(self) -> str:
        """SHA-256 of what all editions share: the digest of the questions and sounds of a seed that is public."""
        return _describe_design(self)[0]

    @property
    def n_edition_items(self) -> int:
        """Number of items of every edition: a design has as many under each seed."""
        return _describe_design(self)[1]

    def make_edition_key(self, key: AnswerKey, edition: str) -> AnswerKey:
        """Return the key of an edition, from the key of the test split."""
        return self.make_key("test", derive_edition_seed(key.seed, edition))

    def parts_of(self, setting: str) -> frozenset[str]:  # noqa: ARG002 - benchmarks whose settings differ override it
        """Return the parts that a setting applies to."""
        return frozenset(part.id for part in self.parts)

    def includes_task(self, setting: str, part: str, task: str) -> bool:  # noqa: ARG002 - the same
        """Return whether a setting includes the items of a task: those of its parts."""
        return part in self.parts_of(setting)

    def headline_of(self, setting: str) -> Column:
        """Return the headline of a setting's board: for one of several parts, that part's own score."""
        parts = self.parts_of(setting)
        own = (column for column in self.columns if len(parts) < len(self.parts) and {column.slice} == parts)
        return next((column for column in own if column.metric == self.headline.metric), self.headline)

    def columns_of(self, setting: str) -> tuple[Column, ...]:  # noqa: ARG002 - for those whose settings differ
        """Return the default columns of a setting's board."""
        return tuple(column for column in self.columns if column.shown)

    def make_key(self, split: Split, seed: str | None = None) -> AnswerKey:
        """Create the key of a split: with the public seed for practice, with a new secret seed for test.

        Raises:
            DataNotHeldError: The questions of this version must be imported, or the split does not exist.
        """
        self.check_split(split)
        seed = seed or (PRACTICE_SEED if split == "practice" else new_seed())
        return AnswerKey(self.id, self.version, split, seed, self.true_answers(split, seed))

    def check_split(self, split: Split) -> None:
        """Reject a split that this version does not have, or whose questions must all be imported.

        Raises:
            DataNotHeldError: The split is unavailable.
        """
        if split == "test" and not self.made_parts:
            raise DataNotHeldError(f"The questions of {self.title} {self.version} are not installed. {self.needs}")
        if split not in self.splits:
            raise DataNotHeldError(f"{self.title} {self.version} has no {split} split. Use another version.")

    def check_key(self, key: AnswerKey) -> None:
        """Reject a key of another benchmark or version, or with other IDs.

        Raises:
            AnswerKeyError: The key does not fit.
        """
        if (key.benchmark, key.version) != (self.id, self.version):
            raise AnswerKeyError(
                f"The key belongs to {key.benchmark} {key.version}, not to {self.id} {self.version}. "
                "Use the matching key."
            )
        wrong = len({item.id for item in self.content(key).items} ^ set(key.answers))
        if wrong:
            raise AnswerKeyError(
                f"The key of {self.id} {self.version} {key.split} does not match its questions: {wrong} ids differ. "
                "Restore the original key, or move it away to create a new split."
            )

    def begin_scoring(self, key: AnswerKey, setting: str | None) -> str:
        """Return the setting for scoring, after checking that it and the key fit.

        Raises:
            SettingError: The setting is unknown.
            AnswerKeyError: The key does not fit.
        """
        chosen = setting or self.settings[0]
        self.check_setting(chosen)
        self.check_key(key)
        return chosen

    def check_setting(self, setting: str) -> None:
        """Reject a setting that this benchmark does not have.

        Raises:
            SettingError: The setting is unknown.
        """
        if setting not in self.settings:
            raise SettingError(
                f"{self.title} has no setting `{shorten(setting)}`.{suggest(setting[:60], self.settings)} "
                f"Settings: {', '.join(self.settings)}."
            )

    def sign(self, key: AnswerKey, *, setting: str, runs: int) -> Signature:
        """Return the signature of a score computed with a key."""
        return Signature(
            design_digest=self.design_digest[:8] if key.edition else "",
            edition=key.edition,
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


@lru_cache(maxsize=32)
def _describe_design(benchmark: Benchmark) -> tuple[str, int]:
    content = benchmark.content(benchmark.make_key("test", _DESIGN_SEED))
    return content.digest, len(content.items)
