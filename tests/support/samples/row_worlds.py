"""Installation with two published rows, which a maintainer changes."""

from datetime import UTC, datetime
from pathlib import Path

from db.repositories import audit, evaluations, users
from db.session import Database
from submissions.accounts.credentials import Accounts
from submissions.jobs.registration import load_published
from submissions.published_rows.reported_rows import ReportedRows
from submissions.published_rows.row_lists import PublishedRowView
from tests.support.samples.printed_rows import make_csv

NOW = datetime(2026, 1, 2, tzinfo=UTC)
PUBLISHED = """{
 "benchmark": "audio-motion-bench", "version": "1.0",
 "citation": {"key": "k", "title": "A paper", "authors": ["A"], "date": "2026", "url": "https://paper.example/1"},
 "rows": [
  {"row": "One-7B", "model": {"name": "One", "formerly": ["Uno"], "size_billions": 7}, "source": "reported",
   "setting": "default", "notes": ["odd"], "scores": [
    {"table": "Table 1", "slice": "sct", "metric": "accuracy", "value": 0.5, "std": 0.1, "note": "a note"},
    {"table": "Table 1", "slice": "sdt", "metric": "accuracy", "value": 0.25}]},
  {"row": "Human", "model": {"name": "Human"}, "source": "human", "setting": "default", "scores": [
   {"table": "Table 2", "slice": "sct", "metric": "accuracy", "value": 0.9}]}
 ],
 "derived": [{"slice": "overall", "metric": "accuracy", "formula": "mean of sct, sdt"}]
}"""
Values = dict[str, float | None]


class World:
    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.rows = ReportedRows(database, Accounts(database, ("boss",)), folder)
        with database.write() as transaction:
            self.boss, self.ann = (users.get_or_add_user(transaction, name, NOW) for name in ("boss", "ann"))

    def add(self, *lines: str) -> str | None:
        (done,) = self.rows.add(self.boss, make_csv(*lines), "As printed", dry_run=False)
        return done.id

    def list_rows(self) -> dict[str, PublishedRowView]:
        return {view.row.model.name: view for view in self.rows.list_rows(self.boss, 100)}

    def values(self, model: str) -> Values:
        with self.database.read() as transaction:
            evaluation = self.list_rows()[model].row.current_evaluation_id or 0
            return {score.slice: score.value for score in evaluations.list_scores(transaction, evaluation)}

    def acts(self) -> list[tuple[str, str]]:
        with self.database.read() as transaction:
            assert audit.verify(transaction).broken_at is None
            return [(entry.actor, entry.action) for entry in audit.list_entries(transaction, limit=100)[::-1]]

    def restart(self) -> int:
        return load_published(self.database, self.folder)


def make_world(database: Database, folder: Path) -> World:
    """Return a world whose release contains the rows of `PUBLISHED`."""
    published = folder / "published"
    published.mkdir()
    (published / "bench.json").write_text(PUBLISHED)
    load_published(database, published)
    return World(database, published)
