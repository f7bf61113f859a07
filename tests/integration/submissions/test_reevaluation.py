"""Re-evaluation: previews, real runs, refusals, and failures during a run."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import submissions.scoring.evaluator
from db.records import NewModel, NewResult, NewSubmission, ScoreRecord, SubmissionRecord
from db.repositories import boards, evaluations
from db.repositories import submissions as submission_rows
from db.repositories.boards import BoardKey
from evaluation.answer_keys import key_path
from evaluation.predictions import read_checked_predictions
from evaluation.signature import parse_signature
from submissions.errors import BadRequestError, NotAllowedError, NotFoundError, StateError
from submissions.lifecycle import MAX_ATTEMPTS
from submissions.operations.maintenance import ReevaluationRequest
from submissions.scoring.outcomes import unseal_outcomes
from tests.support.servers.installation import (
    BENCHMARK,
    HEADLINE,
    Installation,
    KilledError,
    answers,
    copy_installation,
    statements,
)

LONG_AGO = "2000-01-01 00:00:00.000000"
BOARD = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")


class Filled(NamedTuple):
    """Installation with two scored files: one right everywhere, one wrong on the items that are corrected later."""

    place: Installation
    right: SubmissionRecord
    other: SubmissionRecord


class Prepared:
    """Installations in the start states of many tests, each built once and copied."""

    def __init__(self, installed: Path, root: Path) -> None:
        self._root = root
        place = copy_installation(installed, root / "scored")
        with closing(place.database):
            ids = frozenset(statements(place.key)[:4])
            self._right = place.submit(answers(place.key), "right")
            self._other = place.submit(answers(place.key, wrong=ids), "other")
            place.score_all()
        self._add("corrected", "scored", lambda place: place.correct())
        self._add("dry-run", "corrected", lambda place: place.reevaluate(dry_run=True))

    def _add(self, name: str, before: str, act: Callable[[Installation], object]) -> None:
        place = copy_installation(self._root / before, self._root / name)
        with closing(place.database):
            act(place)

    @contextmanager
    def copy(self, name: str, folder: Path) -> Iterator[Filled]:
        place = copy_installation(self._root / name, folder)
        with closing(place.database):
            yield Filled(place, self._right, self._other)


@pytest.fixture(scope="module")
def prepared(few_resamples: None, installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return Prepared(installed, tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def filled(prepared: Prepared, tmp_path: Path) -> Iterator[Filled]:
    with prepared.copy("scored", tmp_path) as found:
        yield found


@pytest.fixture
def corrected(prepared: Prepared, tmp_path: Path) -> Iterator[Filled]:
    """The installation after the answers to four statements were inverted."""
    with prepared.copy("corrected", tmp_path) as found:
        yield found


@pytest.fixture
def tried(prepared: Prepared, tmp_path: Path) -> Iterator[Filled]:
    """The corrected installation after a preview."""
    with prepared.copy("dry-run", tmp_path) as found:
        yield found


# --- previews -------------------------------------------------------------------------------------------------------


def test_preview_reports_scores_ranks_and_signatures_and_changes_nothing(filled: Filled) -> None:
    place, right, other = filled
    assert place.ranks(right) == {"right": 1, "other": 2}
    old = {one.id: place.status(one) for one in (right, other)}
    place.correct()
    place.score_all()
    before = [place.query(f"select * from {table}") for table in ("evaluations", "scores", "outcomes", "submissions")]  # noqa: S608
    found = place.reevaluate(dry_run=True)
    assert (found.state, found.explanation, found.n_rows, found.n_done) == ("done", None, 2, 2)
    assert before == [
        place.query(f"select * from {table}")  # noqa: S608
        for table in ("evaluations", "scores", "outcomes", "submissions")
    ]
    assert found.result is not None
    rows = {row["model"]: row for row in found.result["rows"]}
    assert rows["right"]["headline"]["old"] == 1.0
    assert rows["right"]["headline"]["new"] == round(1 - 4 / 2016, 3)
    assert rows["other"]["headline"]["old"] == round(1 - 4 / 2016, 3)
    assert rows["other"]["headline"]["new"] == 1.0
    assert {name: row["rank"] for name, row in rows.items()} == {
        "right": {"old": 1, "new": 2},
        "other": {"old": 2, "new": 1},
    }
    for one in (right, other):
        row = rows[one.model.name]
        evaluation = old[one.id].evaluation
        assert evaluation is not None
        assert row["old_signature"] == evaluation.signature
        assert parse_signature(row["new_signature"]).key_digest == place.key.digest[:8]
        assert 0 < row["n_changed"] < row["n_figures"]
    assert list(found.result["signature_changes"]) == ["key"]
    assert place.status(right).events[-1].text.startswith("Scored:"), "a dry run is no event"


def test_preview_reports_the_scores_that_a_real_run_writes(corrected: Filled) -> None:
    place, right, other = corrected
    dry = place.reevaluate(dry_run=True).result
    real = place.reevaluate(dry_run=False).result
    assert dry == real
    assert dry is not None
    for one in (right, other):
        (row,) = (row for row in dry["rows"] if row["submission"] == one.id)
        written = {f"{score.slice}|{score.metric}": score.value for score in place.status(one).scores}
        assert {name: pair["new"] for name, pair in row["figures"].items()} == {n: written[n] for n in row["figures"]}
    assert place.ranks(right) == {row["model"]: row["rank"]["new"] for row in dry["rows"]}


def test_result_names_no_item_and_no_score_over_few_items(filled: Filled) -> None:
    place = filled.place
    ids = place.correct()
    found = place.reevaluate(dry_run=True)
    text = json.dumps(found.result)
    assert not any(name in text for name in ids)
    shown = {column.key for column in BENCHMARK.columns if column.shown} | {HEADLINE}
    assert found.result is not None
    assert all(set(row["figures"]) <= shown for row in found.result["rows"])


def test_row_that_is_not_rescored_but_moves_is_reported_among_the_others(filled: Filled) -> None:
    place, right, other = filled
    report(place, "s-paper", 0.9999)
    place.score_all()
    assert place.ranks(right) == {"right": 1, "s-paper": 2, "other": 3}
    place.correct()
    found = place.reevaluate(dry_run=True, submission=right.id).result
    assert found is not None
    assert [row["rank"] for row in found["rows"]] == [{"old": 1, "new": 2}]
    moved = {row["submission"]: (row["model"], row["rank"]) for row in found["others"]}
    assert moved == {
        "s-paper": ("s-paper", {"old": 2, "new": 1}),
        other.id: ("other", {"old": 3, "new": None}),
    }
    place.reevaluate(dry_run=False, submission=right.id)
    assert place.ranks(right) == {"right": 2, "s-paper": 1, "other": None}


def report(place: Installation, name: str, value: float) -> None:
    """Publish a reported score on the board."""
    now = datetime.now(UTC)
    with place.database.write() as transaction:
        new = NewSubmission(
            name, *vars_of(BOARD), "reported", place.ann.id, NewModel(name), "public", True, None, None, None
        )
        submission_rows.add_submission(transaction, new, "scored", now)
        result = NewResult(None, "", (), None, None, None, None, {}, (ScoreRecord("overall", "accuracy", value),))
        evaluations.add_finished_evaluation(transaction, name, result, now)
        boards.touch_board(transaction, BOARD, now)


def vars_of(key: BoardKey) -> tuple[str, str, str]:
    return key.benchmark, key.version, key.setting


# --- real runs ------------------------------------------------------------------------------------------------------


def test_real_run_switches_all_rows_at_once_and_keeps_the_history(filled: Filled) -> None:
    place, right, _ = filled
    first = place.status(right).evaluation
    old_key = place.key
    place.correct()
    place.score_all()
    assert place.ranks(right) == {"right": None, "other": None}, "an old signature has no place"
    place.reevaluate(dry_run=True)
    seen: list[dict[str, int | None]] = []

    def look() -> None:
        place.evaluator.refresh_stale_boards()
        seen.append(place.ranks(right))
        assert len(place.status(right).past) == 1, "what is not current yet is in no history"

    asked = place.request_reevaluation(dry_run=False)
    while place.reevaluator.run_next():
        if place.find_reevaluation(asked).state != "done":
            look()
    place.score_all()
    assert seen == [{"right": None, "other": None}] * 3
    assert place.ranks(right) == {"right": 2, "other": 1}
    status = place.status(right)
    assert first is not None
    assert status.evaluation is not None
    assert status.evaluation.id != first.id
    past = status.past
    assert [(one.id, one.value, one.reason, one.requested_by) for one in past] == [
        (status.evaluation.id, round(1 - 4 / 2016, 3), "Four keys.", "may"),
        (first.id, 1.0, None, None),
    ]
    assert (past[0].signature, past[1].signature) == (status.evaluation.signature, first.signature)
    event = status.events[-1]
    assert (event.actor, event.from_state, event.to_state, event.text) == (
        "may",
        "scored",
        "scored",
        "Re-scored: Four keys.",
    )
    # The seed is unchanged: outcomes of both scorings can be decrypted with today's key.
    for evaluation_id, share in ((first.id, 1.0), (status.evaluation.id, 1 - 4 / 2016)):
        with place.database.read() as transaction:
            sealed = evaluations.find_outcomes(transaction, evaluation_id)
        assert sealed is not None
        for key in (old_key, place.key):
            assert np.nanmean(unseal_outcomes(key, evaluation_id, sealed).correct) == pytest.approx(share)
    with place.database.read() as transaction:
        board = boards.find_board(transaction, BOARD)
    assert board is not None
    assert board.changes == board.revision


def test_single_submission_is_rescored_and_the_others_stay_unchanged(corrected: Filled) -> None:
    place, right, other = corrected
    dry = place.reevaluate(dry_run=True, submission=right.id)
    assert dry.n_rows == 1
    place.reevaluate(dry_run=False, submission=right.id)
    assert place.ranks(right) == {"right": 1, "other": None}
    assert place.headline(other) == round(1 - 4 / 2016, 3)
    assert place.query("select count(*) from evaluations") == [(3,)]
    # Only the other submission of the benchmark remains.
    assert place.reevaluate(dry_run=True).n_rows == 1


def test_private_and_hidden_submissions_are_rescored_and_keep_their_visibility(place: Installation) -> None:
    private = place.submit(answers(place.key), "private", publish=False)
    hidden = place.submit(answers(place.key), "hidden")
    place.maintenance.hide(hidden.id, place.may, "A doubt.")
    place.score_all()
    place.correct()
    place.reevaluate(dry_run=True)
    found = place.reevaluate(dry_run=False)
    assert found.n_rows == 2
    assert [place.status(one).submission.visibility for one in (private, hidden)] == ["private", "hidden"]
    assert [place.headline(one) for one in (private, hidden)] == [round(1 - 4 / 2016, 3)] * 2
    assert place.ranks(private) == {}


# --- refusals -------------------------------------------------------------------------------------------------------


def test_run_that_would_change_nothing_is_refused(filled: Filled) -> None:
    place, right, _ = filled
    for submission, said in ((None, "All 2 scored files carry"), (right.id, "The scored file carries")):
        found = place.reevaluate(dry_run=True, submission=submission)
        assert (found.state, found.result, found.n_rows) == ("refused", None, 0)
        assert found.explanation is not None
        assert said in found.explanation
    place.correct()
    place.reevaluate(dry_run=True)
    assert place.reevaluate(dry_run=False).state == "done"
    again = place.reevaluate(dry_run=False)
    assert again.state == "refused"
    assert "Nothing would change" in (again.explanation or "")
    assert place.query("select count(*) from evaluations") == [(4,)]


def test_benchmark_without_a_scored_file_is_refused(place: Installation) -> None:
    found = place.reevaluate(dry_run=True)
    assert (found.state, found.n_rows) == ("refused", 0)
    assert "no scored submission has a stored file" in (found.explanation or "")


def test_real_run_without_a_matching_preview_is_refused(corrected: Filled) -> None:
    place, right, _ = corrected
    with pytest.raises(StateError, match="Run a dry run first"):
        place.request_reevaluation(dry_run=False)
    place.reevaluate(dry_run=True, submission=right.id)
    with pytest.raises(StateError, match="Run a dry run first"):
        place.request_reevaluation(dry_run=False)
    assert place.reevaluate(dry_run=False, submission=right.id).state == "done"


def test_real_run_after_a_preview_under_another_key_is_refused(tried: Filled) -> None:
    place = tried.place
    place.correct(6)
    found = place.reevaluate(dry_run=False)
    assert found.state == "refused"
    assert "Run a new dry run first" in (found.explanation or "")
    assert place.query("select count(*) from evaluations") == [(2,)]


def test_key_that_changes_during_a_run_ends_it_without_changes(tried: Filled) -> None:
    place, right, other = tried
    asked = place.request_reevaluation(dry_run=False)
    assert place.reevaluator.run_next(), "begun"
    assert place.reevaluator.run_next(), "one scored"
    assert place.query("select count(*) from evaluations") == [(3,)]
    place.correct(6)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.state == "failed"
    assert "changed during the re-evaluation" in (found.explanation or "")
    assert place.query("select count(*) from evaluations") == [(2,)]
    assert place.query("select count(*) from outcomes") == [(2,)]
    assert [place.headline(one) for one in (right, other)] == [1.0, round(1 - 4 / 2016, 3)]
    assert place.status(right).events[-1].text.startswith("Scored:")


def test_key_that_changes_before_the_last_step_ends_the_run(tried: Filled) -> None:
    place, right, _ = tried
    asked = place.request_reevaluation(dry_run=False)
    for _ in range(3):
        assert place.reevaluator.run_next()
    place.correct(6)
    place.run_reevaluations()
    assert place.find_reevaluation(asked).state == "failed"
    assert place.headline(right) == 1.0


def test_missing_key_ends_the_run(filled: Filled, caplog: pytest.LogCaptureFixture) -> None:
    place = filled.place
    asked = place.request_reevaluation(dry_run=True)
    shutil.rmtree(key_path(place.keys_dir, BENCHMARK.id, BENCHMARK.version, "test").parent)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.state == "failed"
    assert str(place.keys_dir) not in (found.explanation or "")
    assert str(place.keys_dir) in caplog.text


def test_unexpected_failure_ends_the_run_with_an_incident(
    corrected: Filled, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    place = corrected.place
    asked = place.request_reevaluation(dry_run=True)
    monkeypatch.setattr("submissions.rescoring.reevaluator.describe_changes", lambda *_: 1 / 0)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.state == "failed"
    assert "Reference " in (found.explanation or "")
    assert "ZeroDivisionError" not in (found.explanation or "")
    assert "ZeroDivisionError" in caplog.text


def test_second_request_of_the_same_scope_waits_for_the_first(corrected: Filled) -> None:
    place = corrected.place
    first = place.request_reevaluation(dry_run=True)
    with pytest.raises(StateError, match=f"Re-evaluation {first.id} of the same submissions is still running"):
        place.request_reevaluation(dry_run=True)


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        (ReevaluationRequest(None, None, None, True, "r"), BadRequestError),
        (ReevaluationRequest("s-1", "audio-motion-bench", None, True, "r"), BadRequestError),
        (ReevaluationRequest("s-1", None, "1.0", True, "r"), BadRequestError),
        (ReevaluationRequest("s-1", None, None, True, "r"), NotFoundError),
        (ReevaluationRequest(None, "audio-motion-bench", None, True, "  "), BadRequestError),
        (ReevaluationRequest(None, "audio-motion-bench", None, True, "x" * 501), BadRequestError),
        (ReevaluationRequest(None, "audio-motion-bench", None, True, "a\u202eb"), BadRequestError),
    ],
)
def test_invalid_request_is_refused(place: Installation, wish: ReevaluationRequest, error: type[Exception]) -> None:
    with pytest.raises(error):
        place.maintenance.request_reevaluation(place.may, wish)


def test_submission_without_a_stored_file_or_a_score_is_refused(place: Installation) -> None:
    queued = place.submit(answers(place.key))
    with pytest.raises(StateError, match="this one is queued"):
        place.request_reevaluation(dry_run=True, submission=queued.id)


def test_reevaluation_requires_a_maintainer(place: Installation) -> None:
    sent = place.submit(answers(place.key))
    acts = place.maintenance
    for act in (
        lambda: acts.request_reevaluation(place.ann, ReevaluationRequest(sent.id, None, None, True, "r")),
        lambda: acts.get_reevaluation(place.ann, 1),
        lambda: acts.list_reevaluations(place.ann, 10),
        lambda: acts.view_queue(place.ann, 10),
        lambda: acts.hide(sent.id, place.ann, "r"),
        lambda: acts.restore(sent.id, place.ann, "r"),
    ):
        with pytest.raises(NotAllowedError):
            act()


# --- failures during a run ------------------------------------------------------------------------------------------


def path_of(place: Installation, one: SubmissionRecord) -> Path:
    digest = one.artifact_sha256 or ""
    return place.folder / "artifacts" / digest[:2] / digest


def test_file_that_can_no_longer_be_scored_keeps_its_scores_and_is_listed(corrected: Filled) -> None:
    place, right, other = corrected
    path_of(place, right).unlink()
    dry = place.reevaluate(dry_run=True)
    found = place.reevaluate(dry_run=False)
    for run in (dry, found):
        assert run.state == "done"
        assert run.result is not None
        assert (run.result["n_scored"], run.result["n_failed"]) == (1, 1)
        (row,) = (row for row in run.result["rows"] if row["submission"] == right.id)
        assert row["state"] == "failed"
        assert "Reference " in row["reason"]
        assert str(place.folder) not in row["reason"]
        assert row["rank"] == {"old": 1, "new": None}
    assert place.headline(right) == 1.0
    assert place.ranks(right) == {"right": None, "other": 1}
    assert place.status(right).events[-1].text == "Re-scoring failed: Four keys."
    assert len(place.status(right).past) == 1
    assert place.headline(other) == 1.0


def test_file_that_newer_rules_reject_is_listed_with_the_reason(
    corrected: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, right, _ = corrected
    rejected = path_of(place, right).read_bytes()
    real = read_checked_predictions

    def reject(file: Any, known: Any, *, allow_missing: bool) -> Any:
        if file.read() == rejected:
            file = io.BytesIO(b"no prediction")
        file.seek(0)
        return real(file, known, allow_missing=allow_missing)

    monkeypatch.setattr(submissions.scoring.evaluator, "read_checked_predictions", reject)
    found = place.reevaluate(dry_run=True)
    assert found.result is not None
    (row,) = (row for row in found.result["rows"] if row["state"] == "failed")
    assert row["submission"] == right.id
    assert row["reason"].startswith("Line 1")


def test_submission_withdrawn_during_a_run_stays_withdrawn(tried: Filled) -> None:
    place, right, other = tried
    asked = place.request_reevaluation(dry_run=False)
    place.reevaluator.run_next()
    place.service.withdraw(right.id, place.ann)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.result is not None
    assert {row["submission"]: row["reason"] for row in found.result["rows"]} == {
        right.id: "The submission was withdrawn.",
        other.id: None,
    }
    assert place.status(right).submission.state == "withdrawn"
    assert place.status(right).events[-1].to_state == "withdrawn"


def test_submission_withdrawn_before_the_last_step_is_not_switched(tried: Filled) -> None:
    place, right, _ = tried
    asked = place.request_reevaluation(dry_run=False)
    for _ in range(3):
        place.reevaluator.run_next()
    place.service.withdraw(right.id, place.ann)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.result is not None
    assert (found.result["n_scored"], found.result["n_failed"]) == (1, 1)
    assert place.status(right).events[-1].to_state == "withdrawn"


def kill() -> None:
    raise KilledError


STEP_LABELS = ("step-claimed", "read", "scored", "row-recording", "row-recorded", "switching", "switched")


def free_lease(place: Installation) -> None:
    """Expire the lease of the killed evaluator."""
    with place.database.write() as transaction:
        transaction.connection().exec_driver_sql(
            "update reevaluations set lease_expires_at = '2000-01-01 00:00:00.000000'"
        )


@pytest.mark.parametrize("label", STEP_LABELS)
def test_reevaluation_killed_at_any_point_rescores_each_submission_once(tried: Filled, label: str) -> None:
    place, right, other = tried
    asked = place.request_reevaluation(dry_run=False)
    place.at[label] = kill
    with pytest.raises(KilledError):
        place.run_reevaluations()
    free_lease(place)
    place.run_reevaluations()
    assert place.find_reevaluation(asked).state == "done"
    assert place.query("select submission_id, count(*) from evaluations group by submission_id order by 1") == sorted(
        [(right.id, 2), (other.id, 2)]
    )
    assert place.query("select count(*) from submission_events where text like 'Re-scored%'") == [(2,)]
    assert place.ranks(right) == {"right": 2, "other": 1}


def test_late_evaluator_writes_nothing_after_its_step_was_taken_over(
    tried: Filled, caplog: pytest.LogCaptureFixture
) -> None:
    place, right, _ = tried
    asked = place.request_reevaluation(dry_run=False)

    def take_over() -> None:
        free_lease(place)
        place.run_reevaluations()
        assert place.find_reevaluation(asked).state == "done"

    place.at["scored"] = take_over
    place.run_reevaluations()
    assert "was taken over" in caplog.text
    assert place.query("select count(*) from evaluations") == [(4,)]
    assert place.query("select count(*) from submission_events where text like 'Re-scored%'") == [(2,)]
    assert place.ranks(right) == {"right": 2, "other": 1}


def test_step_of_a_running_evaluator_is_not_taken_over(corrected: Filled) -> None:
    place = corrected.place
    place.request_reevaluation(dry_run=True)
    seen: list[bool] = []
    place.at["step-claimed"] = lambda: seen.append(place.reevaluator.run_next())
    assert place.reevaluator.run_next()
    assert seen == [False]


def test_file_that_repeatedly_kills_evaluators_is_skipped(corrected: Filled) -> None:
    place = corrected.place
    asked = place.request_reevaluation(dry_run=True)
    assert place.reevaluator.run_next()
    for _ in range(MAX_ATTEMPTS):
        place.at["scored"] = kill
        with pytest.raises(KilledError):
            place.reevaluator.run_next()
        free_lease(place)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.state == "done"
    assert found.result is not None
    assert (found.result["n_scored"], found.result["n_failed"]) == (1, 1)
    assert any("stopped 5 times" in (row["reason"] or "") for row in found.result["rows"])


def test_start_that_repeatedly_kills_evaluators_ends_the_run(corrected: Filled) -> None:
    place = corrected.place
    asked = place.request_reevaluation(dry_run=True)
    for _ in range(MAX_ATTEMPTS):
        place.at["step-claimed"] = kill
        with pytest.raises(KilledError):
            place.reevaluator.run_next()
        free_lease(place)
    place.run_reevaluations()
    found = place.find_reevaluation(asked)
    assert found.state == "failed"
    assert "stopped 5 times" in (found.explanation or "")


def test_lease_is_renewed_while_a_large_file_is_read(place: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    place.submit(b"\n".join(answers(place.key).splitlines()[:20]))
    place.score_all()
    place.correct()
    place.request_reevaluation(dry_run=True)
    monkeypatch.setattr(submissions.scoring.evaluator, "_KEEP_EVERY_SECONDS", -1.0)
    place.reevaluator.run_next()
    before: list[tuple[object, ...]] = []
    after: list[tuple[object, ...]] = []
    look = "select lease_expires_at from reevaluations where state = 'running'"
    place.at["step-claimed"] = lambda: before.extend(place.query(look))
    place.at["read"] = lambda: after.extend(place.query(look))
    place.reevaluator.run_next()
    assert str(after[0][0]) > str(before[0][0])
