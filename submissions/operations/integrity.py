"""Integrity checks of an installation: consistent rows, an unbroken audit log, unchanged uploads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from db.repositories import audit, consistency
from db.repositories.consistency import Artifact, History
from db.session import Database, Transaction
from submissions.intake.artifacts import ArtifactStore, DamagedArtifactError
from submissions.lifecycle import TRANSITIONS, State

_STATES = frozenset(get_args(State))
_TARGETS: Mapping[str, frozenset[str]] = {state: frozenset(targets) for state, targets in TRANSITIONS.items()}
_FIRST = frozenset({"received", "awaiting-approval", "scored"})
_NAMED_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class IntegrityResult:
    """Result of a check, as a sentence."""

    is_good: bool
    text: str


def check_installation(database: Database, artifacts: ArtifactStore) -> Iterator[IntegrityResult]:
    """Yield the findings of each check. It reads a snapshot, so a server may run meanwhile.

    Args:
        database: A database with the newest schema.
        artifacts: The uploads.
    """
    with database.read() as transaction:
        if database.is_sqlite:
            yield _check_file(transaction)
            yield _check_references(transaction)
        yield _check_audit(transaction)
        yield _check_scored(transaction)
        yield _check_histories(transaction)
        yield _check_leases(transaction)
        named = consistency.list_artifacts(transaction)
    yield _check_artifacts(named, artifacts)


def _check_file(transaction: Transaction) -> IntegrityResult:
    damage = consistency.find_damage(transaction)
    if damage is None:
        return IntegrityResult(True, "The database file is intact.")
    return IntegrityResult(False, f"The database file is damaged ({damage}). Restore a backup.")


def _check_references(transaction: Transaction) -> IntegrityResult:
    tables = consistency.list_dangling(transaction)
    if not tables:
        return IntegrityResult(True, "All references between rows are valid.")
    return IntegrityResult(False, f"Rows of {', '.join(tables)} have broken references. Restore a backup.")


def _check_audit(transaction: Transaction) -> IntegrityResult:
    verdict = audit.verify(transaction)
    if verdict.broken_at is None:
        return IntegrityResult(
            True, f"The audit log is intact: {verdict.n_entries:,} entries, the last {verdict.digest}."
        )
    return IntegrityResult(
        False,
        f"The audit log is broken at entry {verdict.broken_at}: the entry was modified or is missing. Compare the log "
        "with the one in a backup.",
    )


def _check_scored(transaction: Transaction) -> IntegrityResult:
    faulty = consistency.list_unscored(transaction)
    if not faulty:
        return IntegrityResult(True, "Every scored submission has a complete evaluation.")
    return IntegrityResult(
        False, f"{_name(faulty)} scored without a complete evaluation with scores. Restore a backup."
    )


def _check_histories(transaction: Transaction) -> IntegrityResult:
    faulty = [history.submission_id for history in consistency.iter_histories(transaction) if not _is_possible(history)]
    if not faulty:
        return IntegrityResult(True, "The state of every submission matches its events.")
    return IntegrityResult(
        False, f"{_name(faulty)} in a state that no valid sequence of events leads to. Restore a backup."
    )


def _is_possible(history: History) -> bool:
    """Tell whether the events of a submission are allowed transitions that lead to its current state."""
    if history.state not in _STATES or not history.steps or history.steps[-1][1] != history.state:
        return False
    if history.state == "failed" and not history.reason:
        return False
    before: str | None = None
    for from_state, to_state in history.steps:
        if from_state != before or not _may_follow(from_state, to_state):
            return False
        before = to_state
    return True


def _may_follow(from_state: str | None, to_state: str) -> bool:
    if from_state is None:
        return to_state in _FIRST
    # Other events, such as a publication, do not change the state.
    return from_state == to_state or to_state in _TARGETS.get(from_state, frozenset())


def _check_leases(transaction: Transaction) -> IntegrityResult:
    faulty = consistency.list_badly_leased(transaction)
    if not faulty:
        return IntegrityResult(
            True, "Every running submission has exactly one valid lease, and no other submission has one."
        )
    return IntegrityResult(False, f"{_name(faulty)} under an invalid lease. Restart the evaluators.")


def _check_artifacts(named: Sequence[Artifact], artifacts: ArtifactStore) -> IntegrityResult:
    faulty = []
    for artifact in named:
        try:
            with artifacts.open(artifact.sha256):
                pass
        except (DamagedArtifactError, OSError):
            faulty.append(artifact)
    if not faulty:
        return IntegrityResult(True, f"All {len(named):,} uploads are present and unmodified.")
    first = faulty[0]
    return IntegrityResult(
        False,
        f"{len(faulty):,} of {len(named):,} uploads are damaged or missing; the first is {first.sha256} of "
        f"{first.submission_id}. Restore them from a backup, or ask for the files again.",
    )


def _name(submission_ids: Sequence[str]) -> str:
    shown = ", ".join(submission_ids[:_NAMED_AT_MOST])
    more = len(submission_ids) - _NAMED_AT_MOST
    return f"{shown} and {more:,} more are" if more > 0 else f"{shown} {'is' if len(submission_ids) == 1 else 'are'}"
