"""What intake knows of a benchmark: the public ids that an evaluator registered."""

from functools import lru_cache
from typing import cast

from db.records import BenchmarkRecord
from db.repositories import catalogue
from db.session import Database
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.predictions import Catalogue, CatalogueItem
from evaluation.types import AnswerFormat
from submissions.errors import NotReadyError


class Catalogues:
    """Reads catalogues from the database and keeps the few there are."""

    def __init__(self, database: Database) -> None:
        """Take the database."""
        self._database = database
        self._read = lru_cache(maxsize=16)(self._read_items)

    def find_registered(self, benchmark: Benchmark) -> BenchmarkRecord | None:
        """Return what an evaluator registered, or None when none has yet."""
        with self._database.read() as transaction:
            return catalogue.find_benchmark(transaction, benchmark.id, benchmark.version)

    def get(self, benchmark: Benchmark) -> Catalogue:
        """Return a benchmark's catalogue.

        Raises:
            NotReadyError: No evaluator has registered the benchmark yet.
        """
        record = self.find_registered(benchmark)
        if record is None:
            raise NotReadyError(f"{benchmark.title} is being prepared by the evaluator. Try again in a few seconds.")
        return self._read(benchmark.id, benchmark.version, record.content_digest, benchmark.title)

    def _read_items(self, benchmark: str, version: str, _content_digest: str, title: str) -> Catalogue:
        """Read the items; the digest is there so that other content is another entry of the cache."""
        with self._database.read() as transaction:
            items = catalogue.list_items(transaction, benchmark, version)
        known = {
            item.id: CatalogueItem(item.part, cast("AnswerFormat", item.answer_format), item.runs) for item in items
        }
        return Catalogue(f"{title} {version}", known, get_benchmark(benchmark, version).runs_are_seeds)
