"""Admin tab markup: user-supplied names are escaped."""

from datetime import timedelta

import pytest

from db.admin_records import QueueEntry, ReevaluationRecord, Scope
from db.audit_records import AuditRecord
from db.judge_records import JudgeSpend
from db.records import JudgeRecord, ModelRecord
from db.worker_records import WorkerRecord
from evaluation import get_benchmark
from leaderboard.pages.admin.markup import (
    list_reevaluation_choices,
    render_absent,
    render_audit,
    render_judge,
    render_queue,
    render_reevaluations,
    render_result,
)
from submissions.intake.openness import Openness
from submissions.jobs.judge_usage import JudgeView
from submissions.operations.maintenance import QueuedSubmission, QueueView
from tests.support.pages.records import NOW, make_submission

HOSTILE = "<img src=x onerror=alert(1)>"
RESULT = {
    "headline": "overall|accuracy",
    "n_scored": 1,
    "n_failed": 1,
    "signature_changes": {"key": [["1a", "2b"]]},
    "rows": [
        {
            "submission": "s-1",
            "model": HOSTILE,
            "setting": "default",
            "state": "scored",
            "reason": None,
            "headline": {"old": 0.436, "new": 0.44},
            "n_figures": 12,
            "n_changed": 3,
            "open_pending": True,
            "rank": {"old": 2, "new": 1},
        },
        {
            "submission": "s-2",
            "model": "Other",
            "setting": "default",
            "state": "failed",
            "reason": "its file is gone",
            "headline": {"old": None, "new": None},
            "n_figures": 0,
            "n_changed": 0,
            "rank": {"old": None, "new": None},
        },
    ],
    "others": [{"submission": "s-3", "model": "Third", "rank": {"old": 1, "new": 2}}],
}


def make_reevaluation(**fields: object) -> ReevaluationRecord:
    values: dict[str, object] = {
        "id": 7,
        "scope": Scope("audio-motion-bench", "1.0"),
        "requested_by": "ada",
        "reason": HOSTILE,
        "dry_run": True,
        "state": "done",
        "explanation": None,
        "target": {},
        "result": RESULT,
        "n_rows": 2,
        "n_done": 2,
        "created_at": NOW,
        "started_at": NOW,
        "finished_at": NOW,
    }
    return ReevaluationRecord(**values | fields)  # type: ignore[arg-type]


def test_queue_without_evaluators_states_that_nothing_is_scored() -> None:
    html = render_queue(QueueView((), {}), [], NOW)
    assert "No evaluator is running, so submissions are not scored. Start one." in html
    assert "The queue is empty." in html


def test_queue_shows_position_and_escaped_name_of_each_submission() -> None:
    waiting = make_submission(id="s-9", state="queued", model=ModelRecord(1, HOSTILE), attempts=2)
    entry = QueuedSubmission(QueueEntry(5, 5, waiting, None, None, None, 0.25), 4, 10.0)
    html = render_queue(QueueView((entry,), {"queued": 1}), [WorkerRecord("vm/1", NOW, NOW, {})], NOW)
    assert "s-9" in html
    assert "1 queued" in html
    assert "25.0 %" in html
    assert "<td>AudioMotionBench 1.0, default</td>" in html
    assert ">4<" in html
    assert ">2<" in html
    assert "<img" not in html


def test_queue_shows_removed_benchmarks_by_id_and_unknown_progress_as_a_dash() -> None:
    waiting = make_submission(state="queued", benchmark="gone", version="0.1")
    entry = QueuedSubmission(QueueEntry(5, 5, waiting, None, None, None, None), 4, 10.0)
    html = render_queue(QueueView((entry,), {"queued": 1}), [], NOW)
    assert "<td>gone 0.1, default</td>" in html
    assert '<td class="es-number">–</td>' in html


@pytest.mark.parametrize(("seconds", "is_silent"), [(30, False), (31, True)])
def test_queue_marks_a_silent_evaluator_as_stopped(seconds: float, is_silent: bool) -> None:
    worker = WorkerRecord("vm/1", NOW, NOW - timedelta(seconds=seconds), {})
    assert ("stopped (last heartbeat" in render_queue(QueueView((), {}), [worker], NOW)) == is_silent


def test_result_shows_old_and_new_scores_ranks_and_signatures() -> None:
    html = render_result(make_reevaluation())
    assert "Preview 7: 1 submission would be re-scored. 1 failed and keep their scores." in html
    assert "43.6 → 44.0" in html
    assert "2 → 1" in html
    assert "3 of 12; other parts only; open answers wait for the judge" in html
    assert "unchanged: its file is gone" in html
    assert "not re-scored" in html
    assert "1 → 2" in html
    assert "signature, key: 1a → 2b" in html
    assert "<img" not in html


def test_result_of_an_applied_reevaluation_states_what_was_done() -> None:
    assert "Re-evaluation 7: 1 submission re-scored." in render_result(make_reevaluation(dry_run=False))


def test_missing_result_has_an_explanation() -> None:
    assert "Nothing would change." in render_result(
        make_reevaluation(state="refused", result=None, explanation="Nothing would change.")
    )
    assert "It is queued." in render_result(make_reevaluation(state="queued", result=None))
    assert render_result(None) == ""


def test_reevaluations_show_kind_scope_and_escaped_reason() -> None:
    html = render_reevaluations([make_reevaluation(dry_run=False)], NOW)
    assert "applied" in html
    assert "audio-motion-bench 1.0" in html
    assert "<img" not in html
    assert list_reevaluation_choices([make_reevaluation()]) == [("7 · preview · audio-motion-bench 1.0 · done", "7")]
    assert "No re-scoring yet." in render_reevaluations([], NOW)


def test_audit_log_escapes_details() -> None:
    entry = AuditRecord(
        3, "2026-01-01T00:00:00", HOSTILE, "hide", "s-1", {"reason": "spam", "n": 2}, "0" * 64, "a" * 64
    )
    html = render_audit([entry])
    assert "reason: spam; n: 2" in html
    assert "a" * 12 in html
    assert "a" * 13 not in html
    assert "<img" not in html


def test_render_absent_shows_maintainers_how_to_install_questions() -> None:
    star, mdar = get_benchmark("star-bench", "1.0"), get_benchmark("mdar", "1.0")
    demo = get_benchmark("mdar", "demo")
    html = render_absent([Openness(star, frozenset({"perception"}), star), Openness(mdar, frozenset(), demo)])
    assert "STAR-Bench 1.0</td><td>Temporal, Spatial</td>" in html
    assert "python -m evaluation keys import --benchmark mdar FOLDER" in html
    assert render_absent([Openness(demo, frozenset({"main"}), demo)]) == ""


def test_cost_of_judging_is_estimated_before_the_first_call() -> None:
    unpriced = str(render_judge(JudgeView(None, JudgeSpend(), JudgeSpend(), n_waiting=2, n_held=0, n_open=14)))
    assert "No judge is configured for open answers." in unpriced
    assert "about 45 calls (45,000 input and 6,750 output tokens, assumed, no calls yet)." in unpriced
    judge = JudgeRecord("lab/judge", "j", 100, sort_errors=50, max_cost_per_day=5.0, price_input=1.0, price_output=10.0)
    today = JudgeSpend(10, 20_000, 2_000)
    priced = str(render_judge(JudgeView(judge, today, today, n_waiting=2, n_held=0, n_open=14, n_unsorted=3)))
    assert "90 of 100 calls are left today. Spent today: 0.04 of 5.00 at the configured prices." in priced
    assert "45 calls (90,000 input and 9,000 output tokens, as in the last 30 days, cost 0.18)." in priced
    start = "Error sorting reads up to 50 wrong answers per submission and takes up to 450 calls (900,000 input "
    assert f"{start}and 90,000 output tokens, as in the last 30 days, cost 1.80)." in priced


def test_cost_of_error_sorting_is_estimated_while_it_is_off() -> None:
    judge = JudgeRecord("lab/judge", "j", 100, price_input=1.0, price_output=10.0)
    unused = JudgeSpend()
    html = str(render_judge(JudgeView(judge, unused, unused, n_waiting=0, n_held=0, n_unsorted=3)))
    assert (
        "Error sorting is off (EARSHOT_JUDGE_SORT_ERRORS). Sorting up to 200 wrong answers per submission would take "
        "up to 1,800 calls (1,800,000 input and 270,000 output tokens, assumed, no calls yet, cost 4.50)."
    ) in html
    idle = str(render_judge(JudgeView(judge, unused, unused, n_waiting=0, n_held=0)))
    assert "Error sorting is off (EARSHOT_JUDGE_SORT_ERRORS). No submissions to sort." in idle


def test_stopped_judging_states_what_waits_and_how_to_resume() -> None:
    judge = JudgeRecord(HOSTILE, "j", 100, is_sorting_stopped=True, sort_errors=5)
    view = JudgeView(
        judge, JudgeSpend(), JudgeSpend(), n_waiting=2, n_held=0, stopped=("s-1",), stop_reason=f"Why {HOSTILE}."
    )
    text = str(render_judge(view))
    assert "3 submissions are waiting. Check the judge" in text
    assert "then release <code>s-1</code> to resume." in text
    assert "Error sorting is stopped" in text
    assert "<img" not in text
