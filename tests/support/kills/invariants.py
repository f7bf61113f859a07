"""Invariants of an installation, checked against its database file and uploads without using product code.

I1 every acknowledged submission exists with its bytes · I2 no submission exists that was not sent, and none twice · I3
one result each · I4 only valid transitions, each with time and actor · I5 unfinished submissions are queued or leased ·
I6 each use of the quota counts or was refunded with its failure · I9 rebuilding a board gives identical bytes · I10 the
audit log is complete.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

from db.session import Database
from submissions.intake.artifacts import ArtifactStore
from submissions.jobs.queue import SubmissionQueue
from submissions.operations.integrity import check_installation
from submissions.scoring.evaluator import Evaluator

# Written out here rather than imported from the code under test.
ALLOWED = {
    (None, "received"),
    ("received", "queued"),
    ("queued", "running"),
    ("running", "scored"),
    ("running", "failed"),
    ("running", "queued"),
    ("failed", "queued"),
}
# idempotency key → id and digest of the acknowledgement
Acknowledged = Mapping[str, tuple[str, str]]


@contextmanager
def open_rows(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / "earshot.db", timeout=30)) as connection:
        yield connection


def check_rows(folder: Path, sent: Mapping[str, bytes], acknowledged: Acknowledged, limit: int) -> None:
    """Check I1 to I6, which must hold at any moment, even right after a kill."""
    with open_rows(folder) as rows:
        _check_kept(rows, folder, sent, acknowledged)
        _check_one_result(rows)
        _check_steps(rows)
        _check_held(rows)
        _check_uses(rows, limit)


def _check_kept(rows: sqlite3.Connection, folder: Path, sent: Mapping[str, bytes], acknowledged: Acknowledged) -> None:
    query = "select idempotency_key, id, artifact_sha256 from submissions where source = 'submitted'"
    found = {key: (name, sha256) for key, name, sha256 in rows.execute(query)}
    n_rows = rows.execute("select count(*) from submissions where source = 'submitted'").fetchone()[0]
    assert len(found) == n_rows, "I2: a key is there twice"
    assert found.keys() <= sent.keys(), "I2: what nobody sent"
    for key, told in acknowledged.items():
        assert found.get(key) == told, f"I1: {key} is lost"
    for key, (_, sha256) in found.items():
        data = (folder / "artifacts" / sha256[:2] / sha256).read_bytes()
        assert data == sent[key], f"I1: the bytes of {key}"
        assert hashlib.sha256(data).hexdigest() == sha256, f"I1: the digest of {key}"


def _check_one_result(rows: sqlite3.Connection) -> None:
    """I3. Re-evaluations are counted separately: each of their results belongs to its own row."""
    first = (
        "from evaluations where id not in (select new_evaluation_id from reevaluation_rows where new_evaluation_id > 0)"
    )
    assert _none(rows, f"select submission_id {first} group by 1 having count(*) > 1"), "I3: two scorings"
    done = "from submissions join evaluations on evaluations.id = current_evaluation_id"
    assert _none(rows, f"select 1 {done} where submissions.id <> submission_id or finished_at is null")
    wrong = "select 1 from submissions where (state = 'scored') <> (current_evaluation_id is not null)"
    assert _none(rows, wrong), "I3: scored and not, or not and scored"
    n_outcomes = "(select count(*) from outcomes where evaluation_id = evaluations.id)"
    assert _none(rows, f"select 1 from evaluations where {n_outcomes} <> (finished_at is not null)"), "I3: outcomes"
    n_scores = "(select count(*) from scores where evaluation_id = evaluations.id)"
    assert _none(rows, f"select 1 from evaluations where ({n_scores} > 0) <> (finished_at is not null)"), "I3: figures"
    twice = (
        "select submission_id from submission_events where from_state = 'running' and to_state = 'scored' group by 1"
    )
    assert _none(rows, f"{twice} having count(*) > 1"), "I3: scored twice"


def _check_steps(rows: sqlite3.Connection) -> None:
    steps: dict[str, list[tuple[str | None, str, str, str]]] = {}
    for name, *step in rows.execute(
        "select submission_id, from_state, to_state, at, actor from submission_events order by id"
    ):
        steps.setdefault(name, []).append(tuple(step))
    for name, state in rows.execute("select id, state from submissions where source = 'submitted'"):
        history = steps[name]
        assert history[-1][1] == state, f"I4: {name} is {state} and its events say {history[-1][1]}"
        for before, after in pairwise([(None, None, "", ""), *history]):
            assert before[1] == after[0], f"I4: {name} has a gap between {before} and {after}"
            assert (after[0], after[1]) in ALLOWED or after[0] == after[1], f"I4: {name} took the step {after}"
            assert before[2] <= after[2], f"I4: {name} has no time or actor at {after}"
            assert after[3], f"I4: {name} has no time or actor at {after}"


def _check_held(rows: sqlite3.Connection) -> None:
    unfinished = "select count(*) from submissions where state not in ('queued', 'running', 'scored', 'failed')"
    assert rows.execute(unfinished).fetchone() == (0,), "I5: a state that nobody takes up"
    held = "select submission_id from evaluations where finished_at is null and lease_token is not null"
    bare = f"select 1 from submissions where state = 'running' and id not in ({held} and lease_expires_at is not null)"
    assert _none(rows, bare), "I5: it runs and nobody holds it"
    assert _none(rows, f"{held} and submission_id in (select id from submissions where state <> 'running')"), "I5: held"
    assert _none(rows, "select 1 from submissions where state = 'failed' and coalesce(reason, '') = ''"), (
        "I5: no reason"
    )


def _check_uses(rows: sqlite3.Connection, limit: int) -> None:
    uses = "left join quota_uses on submission_id = submissions.id where source = 'submitted'"
    wrong = (
        f"select 1 from submissions {uses} and (submission_id is null or (refunded_at is null) = (state = 'failed'))"
    )
    assert _none(rows, wrong), "I6: a use without a submission, or a failure that was not given back"
    over = "select 1 from quota_uses where refunded_at is null group by user_id, benchmark, version"
    assert _none(rows, f"{over} having count(*) > {limit}"), "I6: more than the limit"


def _none(rows: sqlite3.Connection, query: str) -> bool:
    return rows.execute(f"{query} limit 1").fetchone() is None


def check_whole(folder: Path) -> None:
    """Check I10 and everything that `python -m db check` covers."""
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
        store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        assert [one.text for one in check_installation(database, store) if not one.is_good] == []


def check_drained(folder: Path) -> dict[str, int]:
    """Check I5: every submission has reached a final state. Return the number of submissions by state."""
    with open_rows(folder) as rows:
        ends = dict(rows.execute("select state, count(*) from submissions where source = 'submitted' group by state"))
    assert ends.keys() <= {"scored", "failed"}, f"I5: {ends}"
    return ends


def read_boards(folder: Path) -> list[str]:
    """Return the bytes of every board that is up to date."""
    with open_rows(folder) as rows:
        at_rest = f"benchmark || version || setting in ({_AT_REST})"
        return _dump_boards(rows, at_rest)


def check_boards(folder: Path) -> int:
    """Check I9: rebuild every up-to-date board from the outcomes, in a copy. Return the number of boards."""
    copy = folder / "again.db"
    copy.unlink(missing_ok=True)
    with open_rows(folder) as rows, closing(sqlite3.connect(copy)) as again:
        rows.backup(again)
        # An outdated board has standings of outcomes that no longer exist.
        again.execute("delete from standings where benchmark || version || setting not in (" + _AT_REST + ")")
        again.execute("delete from boards where changes <> revision")
        before = _dump_boards(again)
        again.execute("delete from standings")
        n_boards = again.execute("update boards set revision = revision - 1, detectable = null").rowcount
        again.commit()
    with closing(Database(f"sqlite:///{copy}")) as database:
        store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        Evaluator(database, SubmissionQueue(database, "again"), store, folder / "answer-keys").refresh_stale_boards()
    with closing(sqlite3.connect(copy)) as again:
        assert _dump_boards(again) == before, "I9: the board made again is another"
    return n_boards


_AT_REST = "select benchmark || version || setting from boards where changes = revision"


def _dump_boards(rows: sqlite3.Connection, which: str = "true") -> list[str]:
    boards = "select benchmark, version, setting, revision, rule, detectable from boards"
    queries = ("select * from standings", boards)
    order = "order by 1, 2, 3, 4, 5, 6"
    return [repr(row) for query in queries for row in rows.execute(f"{query} where {which} {order}")]
