"""What an evaluator does when it starts: keys, public ids, published results, and the chance system."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

from db.records import BenchmarkRecord, ItemRecord, NewModel, NewResult, NewSubmission, ScoreRecord, UserRecord
from db.repositories import boards, catalogue, evaluations, people, submissions
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.answer_keys import AnswerKey, find_key, save_key
from evaluation.benchmarks import Benchmark, all_benchmarks
from evaluation.packs import example_predictions, pack_name
from evaluation.published import PublishedResults, PublishedRow, read_all_published
from submissions.accounts import SYSTEM_USER
from submissions.service import Request, SubmissionService, new_submission_id

PUBLISHED_DIR = Path(__file__).parent.parent / "assets" / "published"
CHANCE_MODEL = NewModel(name="Chance", organisation="Earshot", kind="random", open_weights=True)


def ensure_key(folder: Path, benchmark: Benchmark) -> AnswerKey:
    """Return the key of a benchmark's test split, which is made with a fresh secret seed when there is none.

    Raises:
        AnswerKeyError: There is one and it does not fit.
    """
    key = find_key(folder, benchmark.id, benchmark.version, "test")
    if key is None:
        key = save_key(folder, benchmark.make_key("test"))
    benchmark.check_key(key)
    return key


def register_all(database: Database, keys_dir: Path) -> dict[str, str]:
    """Register every benchmark's public ids, and return benchmark → first eight digits of its key's digest."""
    digests = {}
    for benchmark in all_benchmarks():
        key = ensure_key(keys_dir, benchmark)
        content = benchmark.content(key)
        record = BenchmarkRecord(
            id=benchmark.id,
            version=benchmark.version,
            content_digest=content.digest,
            pack=pack_name(content),
            n_items=len(content.items),
            n_clips=len(content.clips),
        )
        items = [ItemRecord(item.id, item.part, item.task, item.answer_format, item.runs) for item in content.items]
        with database.write() as transaction:
            catalogue.register_benchmark(transaction, record, items, datetime.now(UTC))
        digests[benchmark.id] = key.digest[:8]
    return digests


def load_published(database: Database, folder: Path = PUBLISHED_DIR) -> int:
    """Put the figures that papers report on the boards served here, each row once; return the number of new rows."""
    now = datetime.now(UTC)
    added = 0
    with database.write() as transaction:
        owner = people.get_or_add_user(transaction, SYSTEM_USER, now)
    served = {(benchmark.id, benchmark.version) for benchmark in all_benchmarks()}
    for results in read_all_published(folder):
        if (results.benchmark, results.version) not in served:
            continue
        for row in results.rows:
            added += _load_row(database, results, row, owner)
    return added


def _load_row(database: Database, results: PublishedResults, row: PublishedRow, owner: UserRecord) -> bool:
    now = datetime.now(UTC)
    key = f"published/{results.benchmark}/{results.version}/{row.setting}/{row.source}/{row.model.name}"
    with database.write() as transaction:
        if submissions.find_by_idempotency_key(transaction, owner.id, key) is not None:
            return False
        model = NewModel(
            row.model.name, row.model.organisation, row.model.kind, row.model.size_billions, row.model.open_weights
        )
        new = NewSubmission(
            id=new_submission_id(),
            benchmark=results.benchmark,
            version=results.version,
            setting=row.setting,
            source=row.source,
            owner_id=owner.id,
            model_id=catalogue.get_or_add_model(transaction, model, now).id,
            visibility="public",
            allow_missing=True,
            artifact_sha256=None,
            artifact_bytes=None,
            idempotency_key=key,
        )
        submissions.add_submission(transaction, new, "scored", now)
        submissions.add_event(
            transaction,
            new.id,
            actor=SYSTEM_USER,
            from_state=None,
            to_state="scored",
            text=f"Figures taken from: {results.citation_title}.",
            now=now,
        )
        evaluations.add_finished_evaluation(transaction, new.id, _to_result(row), now)
        boards.touch_board(transaction, BoardKey(results.benchmark, results.version, row.setting), now)
    return True


def _to_result(row: PublishedRow) -> NewResult:
    return NewResult(
        signature=None,
        ranking="",
        parts=(),
        runs=None,
        expected=None,
        missing=None,
        unreadable=None,
        unreadable_reasons={},
        scores=tuple(
            ScoreRecord(
                score.slice, score.metric, score.value, None, score.std, _note(score.table, score.note, score.formula)
            )
            for score in row.scores
        ),
        notes=row.notes,
    )


def _note(table: str | None, note: str | None, formula: str | None) -> str | None:
    """Say where a figure is printed, or how it follows from printed ones, and what is odd about it."""
    origin = f"{table}." if table else f"Not printed; {formula}." if formula else None
    return " ".join(part for part in (origin, note) if part) or None


def submit_chance(service: SubmissionService, keys_dir: Path, owner: UserRecord) -> None:
    """Send the seeded chance system through the pipeline, once for each content, so that no board is ever empty."""
    for benchmark in all_benchmarks():
        key = ensure_key(keys_dir, benchmark)
        content = benchmark.content(key)
        lines = "".join(json.dumps(row) + "\n" for row in example_predictions(content))
        request = Request(
            benchmark=benchmark,
            setting=benchmark.settings[0],
            model=CHANCE_MODEL,
            publish=True,
            idempotency_key=f"chance/{benchmark.id}/{benchmark.version}/{content.digest}",
            source="random",
        )
        service.submit(owner, request, io.BytesIO(lines.encode()))
