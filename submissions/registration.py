"""What an evaluator does when it starts: keys, public ids, published results, and the chance system."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from db.paper_records import PrintedRow
from db.records import (
    BenchmarkRecord,
    ItemRecord,
    NewModel,
    NewResult,
    NewSubmission,
    ScoreRecord,
    SubmissionRecord,
    UserRecord,
)
from db.repositories import boards, catalogue, evaluations, people, submissions
from db.repositories.boards import BoardKey
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey, find_key, replace_key, save_key
from evaluation.benchmarks import Benchmark, all_benchmarks
from evaluation.benchmarks.official import DEMO
from evaluation.packs import example_predictions, pack_name
from evaluation.published import PublishedResults, PublishedRow, read_all_published
from submissions.accounts import SYSTEM_USER
from submissions.sealing import derive_secret
from submissions.service import Request, SubmissionService, new_submission_id
from submissions.standings import find_ranking, touch_if_outdated

PUBLISHED_DIR = Path(__file__).parent.parent / "assets" / "published"
CHANCE_MODEL = NewModel(name="Chance", organisation="Earshot", kind="random", open_weights=True)


def ensure_key(folder: Path, benchmark: Benchmark) -> AnswerKey | None:
    """Return the key of a benchmark's test split.

    Where there is none it is made with a fresh secret seed, or is None: an organiser has not brought his questions.

    Raises:
        AnswerKeyError: There is one and it does not fit.
    """
    key = find_key(folder, benchmark.id, benchmark.version, "test")
    if key is None and not benchmark.made_parts:
        return None
    if key is None:
        key = save_key(folder, benchmark.make_key("test"))
    if benchmark.version == DEMO:
        key = _renew_demonstration(folder, benchmark, key)
    benchmark.check_key(key)
    return key


def _renew_demonstration(folder: Path, benchmark: Benchmark, key: AnswerKey) -> AnswerKey:
    """Return the key of today's demonstration set: a release may bring other questions, and none of them is secret."""
    today = benchmark.make_key("test", key.seed)
    same = (today.digest, today.content_digest) == (key.digest, key.content_digest)
    return key if same else replace_key(folder, today, key)


def register_all(database: Database, keys_dir: Path) -> dict[str, str]:
    """Register every benchmark's public ids, and return `<benchmark>:<version>` → first digits of its key's digest.

    Boards that were ranked under another key, reader, metric or release are asked for anew.
    """
    digests = {}
    for benchmark in all_benchmarks():
        key = ensure_key(keys_dir, benchmark)
        _register(database, benchmark, key)
        for setting in benchmark.settings:
            touch_if_outdated(database, benchmark, setting, find_ranking(benchmark, key, setting), datetime.now(UTC))
        if key is not None:
            digests[f"{benchmark.id}:{benchmark.version}"] = key.digest[:8]
    return digests


def _register(database: Database, benchmark: Benchmark, key: AnswerKey | None) -> None:
    """Write down what is public of a benchmark: its ids, or that there are none here."""
    content = None if key is None else benchmark.content(key)
    record = BenchmarkRecord(
        id=benchmark.id,
        version=benchmark.version,
        content_digest=content.digest if content else "",
        pack=pack_name(content) if content else "",
        n_items=len(content.items) if content else 0,
        n_clips=len(content.clips) if content and content.has_sounds else 0,
    )
    items = [
        ItemRecord(item.id, item.part, item.task, item.answer_format, item.runs, item.n_steps)
        for item in (content.items if content else ())
    ]
    with database.write() as transaction:
        catalogue.register_benchmark(transaction, record, items, datetime.now(UTC))


def load_published(database: Database, folder: Path = PUBLISHED_DIR) -> int:
    """Bring the boards served here to the figures that papers report; return the number of rows added or changed."""
    now = datetime.now(UTC)
    with database.write() as transaction:
        owner = people.get_or_add_user(transaction, SYSTEM_USER, now)
    served = {(benchmark.id, benchmark.version) for benchmark in all_benchmarks()}
    n_loaded = 0
    for results in read_all_published(folder):
        if (results.benchmark, results.version) not in served:
            continue
        # All rows of a file at once: to sync each alone to the disk takes seconds.
        with database.write() as transaction:
            people.lock_user(transaction, owner.id)  # another evaluator may be starting too
            n_loaded += sum(_load_row(transaction, results, row, owner) for row in results.rows)
    return n_loaded


def _load_row(transaction: Transaction, results: PublishedResults, row: PublishedRow, owner: UserRecord) -> bool:
    now = datetime.now(UTC)
    key = _name_key(results, row, row.model.name)
    known = _find_known(transaction, results, row, owner)
    if known is None:
        submission_id = _add_published(transaction, results, row, owner, key)
    elif known.state == "scored" and not _is_as_stored(transaction, known, results, row):
        submission_id = known.id
        printed = (_date(results), _describe_printed(results, row))
        submissions.describe_anew(transaction, known.id, _describe_model(row), *printed)
    else:
        return False
    submissions.add_event(
        transaction,
        submission_id,
        actor=SYSTEM_USER,
        from_state=None if known is None else "scored",
        to_state="scored",
        text=f"Figures taken {'' if known is None else 'anew '}from: {results.citation_title}.",
        now=now,
    )
    evaluations.add_finished_evaluation(transaction, submission_id, _to_result(row), now)
    boards.touch_board(transaction, BoardKey(results.benchmark, results.version, row.setting), now)
    return True


def _name_key(results: PublishedResults, row: PublishedRow, model: str) -> str:
    return f"published/{results.benchmark}/{results.version}/{row.setting}/{row.source}/{model}"


def _find_known(
    transaction: Transaction, results: PublishedResults, row: PublishedRow, owner: UserRecord
) -> SubmissionRecord | None:
    """Return the row as it was loaded before; one that had an earlier name gets today's."""
    key = _name_key(results, row, row.model.name)
    known = submissions.find_by_idempotency_key(transaction, owner.id, key)
    for name in row.model.formerly:
        before = submissions.find_by_idempotency_key(transaction, owner.id, _name_key(results, row, name))
        if known is None and before is not None:
            now = datetime.now(UTC)
            submissions.rename_printed(transaction, before.id, row.model.name, key, now)
            boards.touch_board(transaction, BoardKey(results.benchmark, results.version, row.setting), now)
            known = submissions.find_by_idempotency_key(transaction, owner.id, key)
    return known


def _add_published(
    transaction: Transaction, results: PublishedResults, row: PublishedRow, owner: UserRecord, key: str
) -> str:
    new = NewSubmission(
        id=new_submission_id(),
        benchmark=results.benchmark,
        version=results.version,
        setting=row.setting,
        source=row.source,
        owner_id=owner.id,
        model=_describe_model(row),
        visibility="public",
        allow_missing=True,
        artifact_sha256=None,
        artifact_bytes=None,
        idempotency_key=key,
        printed_on=_date(results),
        printed_in=_describe_printed(results, row),
    )
    submissions.add_submission(transaction, new, "scored", datetime.now(UTC))
    return new.id


def _date(results: PublishedResults) -> str:
    return results.citation_date or ""


def _describe_printed(results: PublishedResults, row: PublishedRow) -> PrintedRow:
    return PrintedRow(
        title=results.citation_title,
        authors=results.citation_authors,
        year=int(results.citation_date[:4]) if results.citation_date else None,
        url=results.citation_url,
        tables=row.tables,
        row=row.label,
        data_version=results.data_version,
    )


def _is_as_stored(
    transaction: Transaction, known: SubmissionRecord, results: PublishedResults, row: PublishedRow
) -> bool:
    """Tell whether the file says what it said when the row was last loaded."""
    result = _to_result(row)
    current = known.current_evaluation_id or 0
    evaluation = evaluations.find_evaluation(transaction, current)
    stored = {(score.slice, score.metric): score for score in evaluations.list_scores(transaction, current)}
    model = _describe_model(row)
    return (
        evaluation is not None
        and known.printed_on == _date(results)
        and known.printed_in == _describe_printed(results, row)
        and evaluation.notes == result.notes
        and stored == {(score.slice, score.metric): score for score in result.scores}
        and replace(model, name=known.model.name) == _as_described(known)
    )


def _as_described(known: SubmissionRecord) -> NewModel:
    model = known.model
    return NewModel(model.name, model.organisation, model.kind, model.size_billions, model.open_weights, model.url)


def _describe_model(row: PublishedRow) -> NewModel:
    model = row.model
    return NewModel(model.name, model.organisation, model.kind, model.size_billions, model.open_weights)


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
    origin = f"{table}." if table else None
    if formula:
        origin = f"{table}; computed here as the {formula}." if table else f"Not printed; {formula}."
    return " ".join(part for part in (origin, note) if part) or None


def submit_chance(service: SubmissionService, keys_dir: Path, owner: UserRecord) -> None:
    """Send the seeded chance system through the pipeline, once for each content, so that no board is ever empty.

    Its guesses are nobody's to know: next to its published figures, known answers would tell about the key.
    """
    for benchmark in all_benchmarks():
        key = ensure_key(keys_dir, benchmark)
        if key is None:
            continue
        content = benchmark.content(key)
        seed = derive_secret(key.seed, "chance submission").hex()
        # Open answers would wait for a judge, and the board for its chance row.
        open_ones = {item.id for item in content.items if item.answer_format == "text"}
        guesses = (row for row in example_predictions(content, seed) if row["id"] not in open_ones)
        lines = "".join(json.dumps(row) + "\n" for row in guesses)
        request = Request(
            benchmark=benchmark,
            setting=benchmark.settings[0],
            model=CHANCE_MODEL,
            publish=True,
            idempotency_key=f"chance/{benchmark.id}/{benchmark.version}/{content.digest}",
            source="random",
        )
        service.submit(owner, request, io.BytesIO(lines.encode()))
