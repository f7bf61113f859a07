"""Submit tab markup: results of submissions."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from db.hub_records import HubModel
from db.practice_records import PracticeRecord, PracticeResult
from db.records import EventRecord, ScoreRecord, UserRecord
from evaluation import Benchmark, get_benchmark
from evaluation.predictions import Parsing, Problem, UnreadableExample, Validation
from leaderboard.pages.shared.hub_markup import render_hub_model, render_proposal
from leaderboard.pages.submit.markup import can_publish, render_problems, render_status, render_validation
from leaderboard.pages.submit.own_submissions.handlers import Own
from leaderboard.rendering.formatting import write_percent
from submissions.statuses import Status
from tests.support.pages.records import NOW, make_submission

if TYPE_CHECKING:  # they would load every tab
    from leaderboard.pages.submit.layout import SubmitTab
    from leaderboard.pages.submit.own_editions.handlers import OwnEditions
    from leaderboard.services import Services


def make_status(benchmark: Benchmark) -> Status:
    submission = make_submission(
        benchmark=benchmark.id, version=benchmark.version, setting=benchmark.settings[0], visibility="private"
    )
    headline = benchmark.headline
    scores = (ScoreRecord(headline.slice, headline.metric, 0.45),)
    return Status(submission, None, None, (), None, scores, lead=headline)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("audio-motion-bench", "Overall 45.0 % (chance 41.7)."),
        ("star-bench", "Overall AA 45.0 % (chance 24.3)."),
        ("mdar", "Main 45.0 % (chance 25.0)."),
    ],
)
def test_render_status_shows_the_title_of_the_headline(name: str, text: str) -> None:
    benchmark = get_benchmark(name)
    assert f"<b>{text}</b>" in render_status(make_status(benchmark), NOW)


def test_render_status_uses_board_titles_and_shows_deviations_only_if_there_are_any() -> None:
    star = get_benchmark("star-bench")
    status = make_status(star)
    others = (ScoreRecord("temporal", "reliability_gap", 0.2, 3), ScoreRecord("direction/n-s", "accuracy", 0.3, 9))
    html = render_status(replace(status, scores=status.scores + others), NOW)
    assert ">Overall AA<" in html
    assert ">Temporal: AA − ACR<" in html
    assert "reliability_gap" not in html
    assert "direction" not in html
    assert "seeds" not in html
    amb = get_benchmark("audio-motion-bench")
    spread = (ScoreRecord("sct", "accuracy", 0.5, 672, 0.01),)
    assert "± over seeds" in render_status(replace(make_status(amb), scores=spread), NOW)


GAP = PracticeResult(1, "s", "overall|accuracy", 0.95, 0.011, 0.25, 0.22, 0.28, 2016)


@pytest.mark.parametrize(
    ("state", "result", "explanation", "text"),
    [
        ("queued", None, None, "Practice answers are queued for scoring."),
        ("failed", None, "A <b>.", "Practice answers could not be scored. A &lt;b&gt;."),
        ("scored", GAP, None, "Practice 95.0 ± 1.1 %. Practice − test: 25.0 points (95 % CI 22.0 to 28.0)."),
        ("scored", replace(GAP, low=None, high=None), "Why.", "Practice − test: 25.0 points. Why."),
        ("scored", replace(GAP, gap=None), None, "± 1.1 %. The gap is computed once the test score exists."),
        ("scored", replace(GAP, gap=None), "Why.", "± 1.1 %. Why."),
        ("scored", replace(GAP, value=None, gap=None), "Why.", "Practice answers are scored. Why."),
    ],
)
def test_render_status_shows_practice_answers_and_their_gap(
    state: str, result: PracticeResult | None, explanation: str | None, text: str
) -> None:
    practice = PracticeRecord(1, "s-1", state, "0" * 64, 9, 1, NOW, result, explanation)
    status = make_status(get_benchmark("audio-motion-bench"))
    assert text in render_status(replace(status, practice=practice), NOW)
    assert "Practice" not in render_status(status, NOW)


def test_render_status_lists_error_types_by_part_with_the_largest_share_first() -> None:
    status = make_status(get_benchmark("mdar"))
    shares = {"perception": 0.25, "cannot_tell": 0.75, "knowledge": 0.0}
    note = "80 of 312 wrong answers, sorted by judge-1."
    main_scores = tuple(
        ScoreRecord("main", f"{label}_error_share", share, 80, note=note, low=share / 2, high=share)
        for label, share in shares.items()
    )
    multi = ScoreRecord("multi", "reasoning_error_share", 1.0, 7, note="7 of 7 wrong answers, sorted by judge-1.")
    html = re.sub("<[^>]*>", "", render_status(replace(status, scores=(*status.scores, *main_scores, multi)), NOW))
    assert "Error types, MDAR-main: cannot tell 75.0 % (37.5–75.0), perception 25.0 % (12.5–25.0). 80 of 312" in html
    assert "Error types, MDAR-multi: reasoning 100.0 %. 7 of 7 wrong answers" in html
    assert "knowledge 0" not in html
    assert "wrong answers" not in render_status(status, NOW)


@pytest.mark.parametrize(("lane", "is_shown"), [("judge", False), ("held", True)])
def test_render_status_shows_the_reason_only_of_a_held_submission(lane: str, is_shown: bool) -> None:
    waiting = make_submission(benchmark="mdar", version="demo", state="awaiting-judge", lane=lane, reason="Why.")
    html = render_status(Status(waiting, None, None, (), None, ()), NOW)
    assert ("Why." in html) == is_shown


@pytest.mark.parametrize("state", ["scored", "queued", "failed"])
@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("A <b>doubt</b>", "Hidden by a maintainer: A &lt;b&gt;doubt&lt;/b&gt;. Only a maintainer can restore it."),
        ("Whose model?", "Hidden by a maintainer: Whose model? Only a maintainer can restore it."),
    ],
)
def test_hidden_submission_shows_the_last_reason_and_cannot_be_published(
    state: str, reason: str, expected: str
) -> None:
    texts = ("Sent.", "Hidden: Earlier.", "Restored: Cleared.", f"Hidden: {reason}", "Scored.")
    events = tuple(EventRecord(NOW, "local", "scored", "scored", text) for text in texts)
    hidden = make_submission(state=state, visibility="hidden")
    html = str(render_status(Status(hidden, None, None, events, None, ()), NOW))
    assert f">{expected}<" in html
    assert "Publish" not in html
    assert not can_publish(hidden)


@pytest.mark.parametrize(
    ("n_shown", "total", "text"),
    [
        (1, 1, "This file cannot be scored: 1 problem."),
        (1, 6_048, "This file cannot be scored: 6,048 problems, grouped by cause."),
        (2, 6_048, "This file cannot be scored: 6,048 problems, grouped by cause."),
    ],
)
def test_problems_show_their_total_and_grouping(n_shown: int, total: int, text: str) -> None:
    assert f">{text}<" in str(render_problems([Problem("unknown-id", "It is unknown.", 1, "x")] * n_shown, total))


def test_problem_of_many_missing_items_has_a_list_of_their_ids() -> None:
    details = tuple(Problem("missing", "m", None, f"<{number}>") for number in range(12))
    problem = Problem("missing", "12 items have no prediction: <0>, … Add them.", None, "<0>", details=details)
    html = render_problems([problem], 12)
    assert "<details><summary>First 12 IDs</summary>&lt;0&gt;, &lt;1&gt;, " in html
    assert "<details>" not in render_problems([replace(problem, message="12 items have no prediction.")], 12)


def test_render_status_of_a_single_part_leads_with_that_part_and_collapses_all_scores() -> None:
    star = get_benchmark("star-bench")
    lead = next(column for column in star.columns if column.key == "perception|aa")
    scores = (
        ScoreRecord("perception", "aa", 0.4, 951),
        ScoreRecord("perception/range/azimuth", "aa", 0.3, 96),
        ScoreRecord("spatial", "aa", None, 502),
    )
    html = str(render_status(replace(make_status(star), scores=scores, lead=lead), NOW))
    assert f"<b>Perception 40.0 % (chance {write_percent(star.chance[lead.key])}).</b>" in html
    assert "<summary>All 2 scores</summary>" in html
    folded = html[html.index("<summary>All 2 scores") :]
    assert "Azimuth" in folded
    assert "Spatial" not in folded
    assert "Azimuth" not in html[: html.index("<summary>All 2 scores")]


def test_render_status_of_a_removed_version_still_shows_the_state() -> None:
    status = replace(make_status(get_benchmark("star-bench")), lead=None)
    removed = replace(status, submission=make_submission(benchmark="star-bench", version="0.1"))
    html = render_status(removed, NOW)
    assert "no longer available" in html
    assert "All scores as JSON" in html
    assert "scored" in html


@pytest.mark.parametrize(("n_sent", "has_older"), [(100, False), (101, True)])
def test_newest_submissions_are_listed_with_a_note_about_older_ones(n_sent: int, has_older: bool) -> None:
    records = [make_submission(id=f"s-{number}") for number in range(n_sent)]
    status = make_status(get_benchmark("mdar"))
    service = SimpleNamespace(list_mine=lambda owner, limit: records[:limit], status=lambda _, owner: status)
    names = ("column", "mine", "chosen", "publish", "withdraw", "key", "retry", "status", "clock", "notice", "practice")
    tab = SimpleNamespace(own=SimpleNamespace(**{name: name for name in names}))
    practice = SimpleNamespace(is_queued=lambda _: False)
    services = cast("Services", SimpleNamespace(submissions=service, practice=practice))
    own = Own(services, cast("SubmitTab", tab), cast("OwnEditions", None))
    updates = own.show_submissions(UserRecord(1, "ada"), None)
    assert ">s-99<" in updates["mine"]
    assert ">s-100<" not in updates["mine"]
    assert ("These are your newest 100 submissions. The API lists all of them" in updates["mine"]) is has_older
    assert ("<code>GET /api/v1/submissions?mine=true&amp;limit=100</code>" in updates["mine"]) is has_older
    assert "href" not in updates["mine"], "a browser would show bare JSON"
    assert len(updates["chosen"].choices) == 100


def test_render_validation_of_a_completely_parsed_file_is_one_line() -> None:
    html = render_validation(Validation(4, 4, 0, (), {}, Parsing(4, 0, ())))
    assert "✓ Valid: 4 of 4 answers, 4 parsed." in html
    assert "unreadable" not in html


@pytest.mark.parametrize(("unreadable", "css_class"), [(1, "es-quiet"), (2, "es-warning")])
def test_render_validation_warns_above_one_percent_and_escapes_examples(unreadable: int, css_class: str) -> None:
    example = UnreadableExample("q-1", 2, 17, "<script>x</script>", "refusal")
    parsing = Parsing(100 - unreadable, unreadable, (example,))
    html = render_validation(Validation(100, 100, 0, (), {}, parsing))
    assert f"100 of 100 answers, {100 - unreadable} parsed." in html
    assert f'<p class="{css_class}" role="status" data-testid="unreadable">{unreadable} answer' in html
    assert "<td>&lt;script&gt;x&lt;/script&gt;</td><td>refusal</td>" in html
    assert "<td>17</td><td>2</td><td>q-1</td>" in html


def test_render_validation_explains_why_nothing_was_parsed() -> None:
    html = render_validation(Validation(4, 4, 0, (), {}, unparsed="The pack is being prepared."))
    assert "✓ Valid: 4 of 4 answers.<" in html
    assert "The pack is being prepared.</p>" in html


def test_proposal_shows_the_command_with_the_known_repository() -> None:
    command = "python -m submissions propose --submission s-1 --repo "
    assert f"{command}lab/listener-7b</code>" in render_proposal("s-1", HubModel("lab/listener-7b"))
    assert f"{command}org/model-name</code>" in render_proposal("s-1", None)


def test_hub_model_shows_its_revision_and_escapes_the_pull_request() -> None:
    hub = HubModel("lab/x", "0123456789" * 4, "mit", ("lab/y",), "gated", "any-to-any", "2026-03-01")
    html = render_hub_model(hub, 'https://hub.example/"><script>')
    assert "revision 0123456, licence mit, base model lab/y, access gated" in html
    assert "<script>" not in html
    assert render_hub_model(None, None) == ""
