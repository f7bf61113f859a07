"""Open and closed versions of a benchmark: which accept submissions, and the notices for the others."""

from dataclasses import dataclass

from db.records import BenchmarkRecord
from evaluation.benchmarks import Benchmark
from submissions.competitions.competition_texts import NOTICE
from submissions.errors import ClosedVersionError


@dataclass(frozen=True, slots=True)
class Openness:
    """Whether a version accepts submissions.

    Attributes:
        benchmark: The version.
        parts: Parts whose questions are installed.
        open_version: The version itself if it accepts submissions, otherwise the first version that does, or None.
        is_competition: Whether the version is in competition mode.
    """

    benchmark: Benchmark
    parts: frozenset[str]
    open_version: Benchmark | None
    is_competition: bool = False

    @property
    def is_open(self) -> bool:
        """Whether this version accepts submissions."""
        return bool(self.parts)

    @property
    def closed_parts(self) -> tuple[str, ...]:
        """Titles of the parts whose questions are not installed."""
        return tuple(part.title for part in self.benchmark.parts if part.id not in self.parts)

    @property
    def notice(self) -> str | None:
        """Notice above the board and on the Submit tab; None if everything is open and shown."""
        texts = (self._part_notice, NOTICE if self.is_open and self.is_competition else None)
        return " ".join(filter(None, texts)) or None

    @property
    def _part_notice(self) -> str | None:
        if not self.is_open:
            where = f" Submissions are open for {self.open_version.version}." if self.open_version else ""
            return f"Published scores only.{where}"
        if self.benchmark.needs is None or not self.closed_parts:
            return None
        opened = [part.title for part in self.benchmark.parts if part.id in self.parts]
        verb = "shows" if len(self.closed_parts) == 1 else "show"
        return f"Submissions are open for {_join(opened)}. {_join(self.closed_parts)} {verb} scores from the paper."

    @property
    def pack_refusal(self) -> str:
        """Message for a request for the question pack of a closed version."""
        instead = f" Download the question pack of {_name(self.open_version)} instead." if self.open_version else ""
        return f"{_name(self.benchmark)} has no question pack: it shows published scores only.{instead}"

    def require(self, refusal: str | None = None) -> None:
        """Raise an error if the version is closed.

        Args:
            refusal: Message of the error; by default, one about submitting.

        Raises:
            ClosedVersionError: The version is closed.
        """
        if self.is_open:
            return
        instead = f" Submit to {_name(self.open_version)} instead." if self.open_version else ""
        message = refusal or f"{_name(self.benchmark)} is not open for submissions.{instead}"
        version = self.open_version.version if self.open_version else None
        raise ClosedVersionError(message, self.benchmark.id, version)


def has_questions(benchmark: Benchmark, registered: BenchmarkRecord | None) -> bool:
    """Tell whether questions of a version are installed or, before an evaluator registers them, will be created."""
    return bool(benchmark.made_parts) or (registered is not None and registered.n_items > 0)


def _name(benchmark: Benchmark) -> str:
    return f"{benchmark.title} {benchmark.version}"


def _join(titles: list[str] | tuple[str, ...]) -> str:
    return " and ".join(filter(None, [", ".join(titles[:-1]), *titles[-1:]]))
