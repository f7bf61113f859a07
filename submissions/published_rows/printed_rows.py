"""Reported rows as submissions: writing a row, and finding it again."""

from dataclasses import replace
from datetime import UTC, datetime

from db.paper_records import PrintedRow
from db.records import NewModel, NewResult, NewSubmission, ScoreRecord, SubmissionRecord, UserRecord
from db.repositories import boards, evaluations, submissions
from db.repositories.boards import BoardKey
from db.session import Transaction
from evaluation.published import PublishedResults, PublishedRow
from submissions.accounts.credentials import SYSTEM_USER
from submissions.intake.identifiers import new_submission_id


def write_row(
    transaction: Transaction,
    results: PublishedResults,
    row: PublishedRow,
    owner: UserRecord,
    told: tuple[str, str] | None = None,
) -> str | None:
    """Add or update a reported row; return its id, or None if it is unchanged.

    Args:
        transaction: Transaction in which the owner is locked.
        results: The paper.
        row: The row.
        owner: The installation's own user.
        told: Event for the row's history; by default, that its scores were taken from the paper.
    """
    now = datetime.now(UTC)
    key = name_row_key(results, row, row.model.name)
    known = _find_known(transaction, results, row, owner)
    if known is None:
        submission_id = _add_published(transaction, results, row, owner, key)
    elif known.state == "scored" and not _is_as_stored(transaction, known, results, row):
        submission_id = known.id
        printed = (_date(results), _describe_printed(results, row))
        submissions.update_description(transaction, known.id, _describe_model(row), *printed)
    else:
        return None
    actor, text = told or (
        SYSTEM_USER,
        f"Scores taken {'' if known is None else 'again '}from: {results.citation_title}.",
    )
    submissions.add_event(
        transaction,
        submission_id,
        actor=actor,
        from_state=None if known is None else "scored",
        to_state="scored",
        text=text,
        now=now,
    )
    evaluations.add_finished_evaluation(transaction, submission_id, _to_result(row), now)
    boards.touch_board(transaction, BoardKey(results.benchmark, results.version, row.setting), now)
    return submission_id


def name_row_key(results: PublishedResults, row: PublishedRow, model: str) -> str:
    """Return the identity of a row: its board, its source and a name of its model."""
    return f"published/{results.benchmark}/{results.version}/{row.setting}/{row.source}/{model}"


def _find_known(
    transaction: Transaction, results: PublishedResults, row: PublishedRow, owner: UserRecord
) -> SubmissionRecord | None:
    """Return the previously loaded row; a row with an earlier name is renamed."""
    key = name_row_key(results, row, row.model.name)
    known = submissions.find_by_idempotency_key(transaction, owner.id, key)
    for name in row.model.formerly:
        before = submissions.find_by_idempotency_key(transaction, owner.id, name_row_key(results, row, name))
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
    """Tell whether the row's content is unchanged since it was last loaded."""
    result = _to_result(row)
    current = known.current_evaluation_id or 0
    evaluation = evaluations.find_evaluation(transaction, current)
    stored = {score.key: score for score in evaluations.list_scores(transaction, current)}
    model = _describe_model(row)
    return (
        evaluation is not None
        and known.printed_on == _date(results)
        and known.printed_in == _describe_printed(results, row)
        and evaluation.notes == result.notes
        and stored == {score.key: score for score in result.scores}
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
    """Return the note on a score: where it is printed or how it is derived, and anything unusual about it."""
    origin = f"{table}." if table else None
    if formula:
        origin = f"{table}; computed here as the {formula}." if table else f"Not in the paper; {formula}."
    return " ".join(part for part in (origin, note) if part) or None


def list_row_keys(results: PublishedResults, row: PublishedRow) -> tuple[str, ...]:
    """Return the identities of a row under all names of its model, the current name first."""
    return tuple(name_row_key(results, row, name) for name in (row.model.name, *row.model.formerly))
