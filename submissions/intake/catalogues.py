"""Benchmark catalogue of intake: the public item ids that an evaluator registered, and the question pack."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

from db.records import BenchmarkRecord
from db.repositories import catalogue, competitions
from db.session import Database
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark, list_versions
from evaluation.predictions import Catalogue, CatalogueItem, Options
from evaluation.types import AnswerFormat
from submissions.errors import NotReadyError
from submissions.intake.foreign_ids import (
    ForeignIds,
    Questions,
    describe_ended,
    describe_other,
    describe_practice,
    describe_setting,
)
from submissions.intake.openness import Openness
from submissions.intake.pack_options import PackOptions
from submissions.listening_test.practice_packs import practice_content


class CatalogueState(NamedTuple):
    """What the database says about all benchmark versions.

    Attributes:
        registered: What evaluators registered.
        competitions: IDs and versions in competition mode.
    """

    registered: tuple[BenchmarkRecord, ...]
    competitions: frozenset[tuple[str, str]]


class Catalogues:
    """Reads catalogues from the database and caches them."""

    def __init__(
        self, database: Database, packs_dir: Path | None = None, shared_splits_until: date | None = None
    ) -> None:
        """Take the database and, if answers are to be parsed, the folder of question packs.

        `shared_splits_until` is the last day on which the shared test splits of rendered benchmarks accept files.
        """
        self._shared_splits_until = shared_splits_until
        self._database = database
        self._pack_options = PackOptions(packs_dir) if packs_dir is not None else None
        self._read = lru_cache(maxsize=16)(self._read_items)
        # Version of the database, as read before the state.
        self._state: tuple[int | None, CatalogueState | None] = (None, None)

    def read_state(self) -> CatalogueState:
        """Return what is registered and what is in competition mode; cached until the database changes."""
        version = self._database.find_version()
        known_version, state = self._state
        if state is None or version is None or version != known_version:
            with self._database.read() as transaction:
                registered = tuple(catalogue.list_registered(transaction))
                state = CatalogueState(registered, competitions.list_competitions(transaction))
            self._state = version, state
        return state

    def find_registered(self, benchmark: Benchmark) -> BenchmarkRecord | None:
        """Return what an evaluator registered, or None if none has yet."""
        registered = self.read_state().registered
        return next((one for one in registered if (one.id, one.version) == _key_of(benchmark)), None)

    def find_served(self, benchmark_id: str, version: str | None) -> Benchmark:
        """Return the requested version; by default, the first whose questions are installed.

        Raises:
            UnknownBenchmarkError: The version does not exist.
        """
        if version is None:
            for benchmark in list_versions(benchmark_id):
                record = self.find_registered(benchmark)
                if record is not None and record.n_items > 0:
                    return benchmark
        return get_benchmark(benchmark_id, version)

    def find_openness(self, benchmark: Benchmark) -> Openness:
        """Return whether a version accepts submissions, and which version of the benchmark does."""
        versions = [benchmark, *list_versions(benchmark.id)]
        open_version = next((version for version in versions if self._find_open_parts(version)), None)
        is_competition = _key_of(benchmark) in self.read_state().competitions
        return Openness(
            benchmark,
            self._find_open_parts(benchmark),
            open_version,
            is_competition and not self.can_redraw(benchmark),
        )

    def _find_open_parts(self, benchmark: Benchmark) -> frozenset[str]:
        """Return the parts whose questions are installed or, before an evaluator registers them, will be created."""
        try:
            return self.list_parts(benchmark)
        except NotReadyError:
            return benchmark.made_parts

    def get(self, benchmark: Benchmark, setting: str) -> Catalogue:
        """Return the catalogue of a benchmark under one of its settings.

        Raises:
            NotReadyError: No evaluator has registered the benchmark yet.
            ClosedVersionError: The version accepts no submissions.
        """
        whole = self._get_whole(benchmark)
        if not whole.items:
            self.find_openness(benchmark).require()
        return whole.select_setting(benchmark, setting)

    def can_redraw(self, benchmark: Benchmark) -> bool:
        """Return whether all installed questions are rendered, so that every submitter can get others."""
        return benchmark.has_editions and self._find_open_parts(benchmark) <= benchmark.made_parts

    def offers_shared_split(self, benchmark: Benchmark) -> bool:
        """Return whether files for the shared test split are accepted.

        The shared test split of a rendered benchmark has ended, unless the maintainers still accept files that were
        begun before.
        """
        until = self._shared_splits_until
        return (until is not None and datetime.now(UTC).date() <= until) or not self.can_redraw(benchmark)

    def find_options(self, benchmark: Benchmark) -> Options | None:
        """Return the options of every run that has options, or None if the question pack is missing.

        Raises:
            NotReadyError: No evaluator has registered the benchmark yet.
        """
        formats = {item.answer_format for item in self._get_whole(benchmark).items.values()}
        if formats.isdisjoint(("choice", "choices")):
            return {}
        record = self.find_registered(benchmark)
        if record is None or self._pack_options is None:
            return None
        return self._pack_options.find_options(record.pack, benchmark.packed_settings[0])

    def find_foreign(self, chosen: Benchmark, setting: str) -> ForeignIds:
        """Return a lookup of other questions that unknown ids of a file may belong to."""
        return ForeignIds(self._list_others(chosen, setting))

    def _list_others(self, chosen: Benchmark, setting: str) -> Iterator[Questions]:
        """Yield other installed questions: first those of the selected version, then those of others.

        Ids of practice questions follow from the public seed; no answers are read.
        """
        whole = self._get_whole(chosen)
        if self.offers_shared_split(chosen):
            yield whole.items.keys() - whole.select_setting(chosen, setting).items.keys(), describe_setting(chosen)
        else:
            yield whole.items.keys(), describe_ended(chosen)
        yield from _list_practice(chosen)
        others = [benchmark for benchmark in all_benchmarks() if _key_of(benchmark) != _key_of(chosen)]
        for benchmark in others:
            record = self.find_registered(benchmark)
            if record is not None and record.n_items:
                is_offered = self.offers_shared_split(benchmark)
                cause = describe_other(benchmark, chosen) if is_offered else describe_ended(benchmark)
                yield self._get_whole(benchmark).items.keys(), cause
        for benchmark in others:
            yield from _list_practice(benchmark)

    def list_parts(self, benchmark: Benchmark) -> frozenset[str]:
        """Return the parts whose questions are installed.

        Raises:
            NotReadyError: No evaluator has registered the benchmark yet.
        """
        return frozenset(item.part for item in self._get_whole(benchmark).items.values())

    def list_ids(self, benchmark: Benchmark) -> frozenset[str]:
        """Return the IDs of the shared test questions of a version, in all settings.

        Raises:
            NotReadyError: No evaluator has registered the benchmark yet.
        """
        return frozenset(self._get_whole(benchmark).items)

    def _get_whole(self, benchmark: Benchmark) -> Catalogue:
        record = self.find_registered(benchmark)
        if record is None:
            raise NotReadyError(f"{benchmark.title} is being prepared. Try again in a few seconds.")
        return self._read(benchmark.id, benchmark.version, record.content_digest, benchmark.title)

    def _read_items(self, benchmark: str, version: str, _content_digest: str, title: str) -> Catalogue:
        """Read the items; the digest makes changed content another cache entry."""
        with self._database.read() as transaction:
            items = catalogue.list_items(transaction, benchmark, version)
        known = {
            item.id: CatalogueItem(
                item.part, cast("AnswerFormat", item.answer_format), item.runs, item.n_steps, item.task
            )
            for item in items
        }
        return Catalogue(f"{title} {version}", known, get_benchmark(benchmark, version).runs_are_seeds)


def _list_practice(benchmark: Benchmark) -> Iterator[Questions]:
    if "practice" in benchmark.splits:
        items = practice_content(benchmark.id, benchmark.version).items
        yield {item.id for item in items}, describe_practice(benchmark)


def _key_of(benchmark: Benchmark) -> tuple[str, str]:
    return benchmark.id, benchmark.version
