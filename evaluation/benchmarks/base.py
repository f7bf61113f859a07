"""What a benchmark declares. Adding one is adding a subclass and one line in the registry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, AnswerValue, new_seed
from evaluation.errors import AnswerKeyError, SettingError, suggest
from evaluation.extraction import READER_VERSION
from evaluation.signature import CODE_VERSION, Signature
from evaluation.types import Item, Prediction, Report, Run, Split


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as the page explains it.

    Attributes:
        id: Name in the database and in the API.
        title: Name on the page.
        formula: One line, plain text.
        higher_is_better: Direction.
        ranked: Whether a place and a colour scale make sense.
    """

    id: str
    title: str
    formula: str
    higher_is_better: bool = True
    ranked: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """A piece that can be submitted alone."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Column:
    """A figure that the board can show.

    Attributes:
        slice: Slice name.
        metric: Metric id.
        title: Heading.
        group: Heading over several columns.
        shown: Whether it is shown before anyone chose columns.
    """

    slice: str
    metric: str
    title: str
    group: str
    shown: bool = False

    @property
    def key(self) -> str:
        """Name of the figure in the API: `<slice>|<metric>`."""
        return f"{self.slice}|{self.metric}"


@dataclass(frozen=True, slots=True)
class Content:
    """The questions of one split, as a participant may see them.

    Attributes:
        benchmark: Benchmark id.
        version: Benchmark version.
        split: `test` or `practice`.
        items: Every item, in the order of the pack.
        digest: SHA-256 over questions and over what the sounds are made from.
    """

    benchmark: str
    version: str
    split: Split
    items: tuple[Item, ...]
    digest: str

    @property
    def clips(self) -> tuple[str, ...]:
        """Names of all clips, each once, in alphabetical order, which says nothing about the items."""
        return tuple(sorted({clip for item in self.items for clip in item.clips}))


class Benchmark(ABC):
    """A benchmark: identity, questions, prompts, and how answers become figures."""

    id: ClassVar[str]
    version: ClassVar[str]
    metric_version: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    licence: ClassVar[str]
    citation: ClassVar[str]
    settings: ClassVar[tuple[str, ...]] = ("default",)
    parts: ClassVar[tuple[Part, ...]]
    metrics: ClassVar[tuple[Metric, ...]]
    headline: ClassVar[Column]
    n_runs: ClassVar[int]

    @property
    @abstractmethod
    def columns(self) -> Sequence[Column]:
        """Figures that the board can show, the headline first."""

    @property
    @abstractmethod
    def chance(self) -> Mapping[str, float]:
        """`<slice>|<metric>` → the expected figure of a system that guesses evenly."""

    @abstractmethod
    def content(self, split: Split, seed: str) -> Content:
        """Return the questions of a split."""

    @abstractmethod
    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:
        """Return the right answers that follow from a seed."""

    @abstractmethod
    def render_clip(self, split: Split, seed: str, clip: str) -> bytes:
        """Return one clip as a WAV file.

        Raises:
            KeyError: There is no such clip.
        """

    @abstractmethod
    def run(self, item: Item, number: int, setting: str) -> Run:
        """Return one presentation of an item."""

    @abstractmethod
    def score(self, key: AnswerKey, predictions: Iterable[Prediction], *, setting: str = "default") -> Report:
        """Score predictions whose ids were validated; later duplicates of a run are refused."""

    def make_key(self, split: Split, seed: str | None = None) -> AnswerKey:
        """Make the key of a split: with the public seed for practice, with a fresh secret one for test."""
        seed = seed or (PRACTICE_SEED if split == "practice" else new_seed())
        return AnswerKey(self.id, self.version, split, seed, self.true_answers(split, seed))

    def check_key(self, key: AnswerKey) -> None:
        """Refuse a key of another benchmark or version, or whose ids are not this benchmark's.

        Raises:
            AnswerKeyError: The key does not fit.
        """
        if (key.benchmark, key.version) != (self.id, self.version):
            raise AnswerKeyError(f"The key is of {key.benchmark} {key.version}; {self.id} {self.version} is scored.")
        ids = {item.id for item in self.content(key.split, key.seed).items}
        if ids != set(key.answers):
            wrong = len(ids ^ set(key.answers))
            raise AnswerKeyError(
                f"The key of {self.id} {self.version} {key.split} does not fit its questions: {wrong} ids are too many "
                "or too few. Restore the key that belongs here, or move it away to have a new split made."
            )

    def check_setting(self, setting: str) -> None:
        """Refuse a setting that this benchmark does not have.

        Raises:
            SettingError: The setting is unknown.
        """
        if setting not in self.settings:
            raise SettingError(
                f"{self.title} has no setting `{setting}`.{suggest(setting, self.settings)} "
                f"Settings: {', '.join(self.settings)}."
            )

    def sign(self, key: AnswerKey, *, setting: str, runs: int) -> str:
        """Return the signature of a score made with a key."""
        return str(
            Signature(
                benchmark=self.id,
                version=self.version,
                content_digest=self.content(key.split, key.seed).digest[:8],
                key_digest=key.digest[:8],
                setting=setting,
                runs=runs,
                missing_policy="wrong",
                reader_version=READER_VERSION,
                metric_version=self.metric_version,
                code_version=CODE_VERSION,
            )
        )
