"""Competition mode: who starts it, which submissions get scores, and what everybody sees of the others."""

import io
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.records import BenchmarkRecord, ItemRecord, NewModel, SubmissionRecord, UserRecord
from db.repositories import audit, boards, catalogue, evaluations, users
from db.repositories.boards import PageQuery
from evaluation import get_benchmark
from evaluation.answer_keys import replace_key
from evaluation.benchmarks import Benchmark
from evaluation.types import Report, Score
from submissions.accounts.credentials import Accounts
from submissions.competitions.competition_service import Competitions
from submissions.competitions.competition_texts import NO_CHANGE, NO_CHANGE_CODE, NOTICE
from submissions.errors import BadRequestError, ClosedVersionError, NotAllowedError, StateError
from submissions.operations.integrity import check_installation
from submissions.operations.maintenance import ReevaluationRequest
from submissions.service import Request, board_of
from tests.support.judges.judging_installation import JudgingInstallation
from tests.support.samples.about import about
from tests.support.samples.competition_files import (
    MDAR,
    N_MAIN,
    answer_main,
    list_presented_answers,
    make_request,
)
from tests.support.servers.installation import BENCHMARK, Installation, KilledError

HEADLINE = "main|accuracy"
STAR = get_benchmark("star-bench", "1.0")


@pytest.fixture
def judging(installed: Path, tmp_path: Path) -> Iterator[JudgingInstallation]:
    made = JudgingInstallation(installed, tmp_path)
    with closing(made.database):
        yield made


def competitions_of(place: Installation) -> Competitions:
    return Competitions(place.database, place.catalogues, Accounts(place.database, ("may",)))


def start(place: Installation) -> None:
    competitions_of(place).start_competition(place.may, MDAR, "The answers cannot be redrawn.")


def end(place: Installation) -> None:
    competitions_of(place).end_competition(place.may, MDAR, "It is over.")


def send(
    place: Installation,
    n_right: int,
    name: str = "m",
    owner: UserRecord | None = None,
    *,
    setting: str = "default",
    source: str = "submitted",
) -> SubmissionRecord:
    """Submit a file with a number of right answers, and have it scored."""
    data = answer_main(place.key_of(MDAR), n_right)
    request = make_request(name, setting=setting, source=source)
    sent = place.service.submit(owner or place.ann, request, io.BytesIO(data))
    place.score_all()
    return place.service.get_visible(sent.id, place.may)


def list_rows(place: Installation, sent: SubmissionRecord) -> set[str]:
    with place.database.read() as transaction:
        page = boards.read_page(transaction, board_of(sent), PageQuery(HEADLINE, descending=True), [HEADLINE])
    return {row.submission.id for row in page.rows}


def list_acts(place: Installation) -> list[tuple[str, str, str]]:
    with place.database.read() as transaction:
        return [(one.actor, one.action, one.subject) for one in audit.list_entries(transaction, limit=20)]


# --- who starts it, and for what --------------------------------------------------------------------------------------


def test_only_maintainers_start_and_end_it_and_both_are_audited(place: Installation) -> None:
    competitions = competitions_of(place)
    with pytest.raises(NotAllowedError):
        competitions.start_competition(place.ann, MDAR, "I want to win.")
    with pytest.raises(BadRequestError):
        competitions.start_competition(place.may, MDAR, " ")
    with pytest.raises(StateError, match="not in competition mode"):
        end(place)
    assert competitions.find_competition(MDAR) is None
    start(place)
    found = competitions.find_competition(MDAR)
    assert found is not None
    assert (found.started_by, found.reason) == ("may", "The answers cannot be redrawn.")
    with pytest.raises(StateError, match="already in competition mode"):
        start(place)
    with pytest.raises(NotAllowedError):
        competitions.end_competition(place.ann, MDAR, "I lost.")
    assert place.catalogues.find_openness(MDAR).notice == NOTICE
    end(place)
    assert competitions.find_competition(MDAR) is None
    assert place.catalogues.find_openness(MDAR).notice is None
    acts = [one for one in list_acts(place) if "competition" in one[1]]
    assert acts == [("may", "end-competition", "mdar demo"), ("may", "start-competition", "mdar demo")]


def test_versions_with_editions_only_need_none(place: Installation) -> None:
    for benchmark in (BENCHMARK, STAR, get_benchmark("audio-process-bench", "synthetic-3")):
        with pytest.raises(StateError, match="renders new questions for every submitter"):
            competitions_of(place).start_competition(place.may, benchmark, "A doubt.")
    with pytest.raises(ClosedVersionError):
        competitions_of(place).start_competition(place.may, get_benchmark("mdar", "1.0"), "A doubt.")


def test_version_with_imported_parts_may_have_it(place: Installation) -> None:
    record = BenchmarkRecord(STAR.id, STAR.version, "cd" * 32, "star.zip", 2, 2)
    items = [ItemRecord("p-1", "perception", "t", "choice", (0,)), ItemRecord("s-1", "spatial", "t", "choice", (0,))]
    with place.database.write() as transaction:
        catalogue.register_benchmark(transaction, record, items, datetime.now(UTC), "fingerprint")
    competitions_of(place).start_competition(place.may, STAR, "Imported recordings.")
    notice = place.catalogues.find_openness(STAR).notice
    assert notice == f"Submissions are open for Perception and Spatial. Temporal shows scores from the paper. {NOTICE}"


# --- which submissions get scores -------------------------------------------------------------------------------------


def test_only_significant_gains_over_the_best_released_submission_get_scores(place: Installation) -> None:
    start(place)
    states = []
    for number, n_right in enumerate((7, 8, 6, 9, 10, 11)):
        states.append(send(place, n_right, f"model {number}").state)
    assert states == ["scored", "unreleased", "unreleased", "scored", "unreleased", "scored"]


def test_each_owner_and_setting_has_a_series_and_a_model_has_none(place: Installation) -> None:
    start(place)
    with place.database.write() as transaction:
        bob = users.get_or_add_user(transaction, "bob", datetime.now(UTC))
    assert send(place, 7).state == "scored"
    assert send(place, 7, "another model").state == "unreleased"
    assert send(place, 7, "his model", bob).state == "scored"
    assert send(place, 7, setting="noise").state == "scored"
    assert send(place, 8, setting="noise").state == "unreleased"


def test_scores_shown_before_it_began_belong_to_the_series(place: Installation) -> None:
    assert send(place, 9).state == "scored"
    assert send(place, 4).state == "scored"
    start(place)
    assert send(place, 10).state == "unreleased"
    end(place)
    assert send(place, 10, "again").state == "scored"


def test_withdrawing_neither_restarts_a_series_nor_returns_a_submission(place: Installation) -> None:
    start(place)
    best, other = send(place, 7), send(place, 8)
    for one in (best, other):
        place.service.withdraw(one.id, place.ann)
    assert send(place, 7).state == "unreleased"
    assert send(place, 8).state == "unreleased"
    assert place.query("select count(*), count(refunded_at) from quota_uses") == [(4, 0)]


def test_file_without_the_headline_counts_as_wrong(place: Installation) -> None:
    start(place)
    assert send(place, 3).state == "scored"
    key = place.key_of(MDAR)
    lines = [{"id": item.id, "response": "A"} for item in MDAR.content(key).items if item.part == "multi"]
    data = "\n".join(json.dumps(line) for line in lines).encode()
    sent = place.service.submit(place.ann, make_request("multi only"), io.BytesIO(data))
    place.score_all()
    assert place.status(sent).submission.state == "unreleased"


def test_files_without_a_stored_headline_form_one_series(place: Installation) -> None:
    demo = get_benchmark("star-bench", "demo")
    competitions_of(place).start_competition(place.may, demo, "The answers cannot be redrawn.")
    key, states = place.key_of(demo), []
    for number, n_right in enumerate((0, 18, 9, 12, 27)):
        lines = list_presented_answers(demo, key, n_right, part="perception")
        request = Request(demo, "default", NewModel(f"model {number}"), publish=True)
        sent = place.service.submit(place.ann, request, io.BytesIO("\n".join(lines).encode()))
        place.score_all()
        status = place.status(sent)
        assert not any(score.key == demo.headline.key and score.value is not None for score in status.scores)
        states.append(status.submission.state)
    assert states == ["scored", "scored", "unreleased", "unreleased", "scored"]


def test_system_rows_get_scores_as_always(place: Installation) -> None:
    start(place)
    assert send(place, 7, "Chance", source="random").state == "scored"
    assert send(place, 7, "Chance again", source="random").state == "scored"
    send(place, 7, "a reference system")
    place.change_rows("update submissions set is_reference = true where source = 'submitted'")
    assert send(place, 7, "not a reference").state == "scored"


def test_released_headline_is_a_multiple_of_one_item(place: Installation) -> None:
    start(place)
    sent = send(place, 9)
    scores = {score.key: score.value for score in place.status(sent).scores}
    assert scores[HEADLINE] == about(9 / N_MAIN)
    assert list_rows(place, sent) == {sent.id}


# --- what is seen of the others ---------------------------------------------------------------------------------------


def test_owner_reads_one_sentence_and_only_maintainers_see_scores(place: Installation) -> None:
    start(place)
    released = send(place, 7)
    tag = place.query("select changes, revision from boards where benchmark = 'mdar' and version = 'demo'")
    withheld = send(place, 8, "withheld")
    assert place.query("select changes, revision from boards where benchmark = 'mdar' and version = 'demo'") == tag
    status = place.service.status(withheld.id, place.ann)
    assert (status.submission.reason_code, status.submission.reason) == (NO_CHANGE_CODE, NO_CHANGE)
    assert NO_CHANGE.startswith("No significant change: ")
    assert (status.evaluation, status.scores, status.past, status.progress) == (None, (), (), None)
    assert [event.text for event in status.events][-1] == NO_CHANGE
    assert not withheld.has_scores
    assert list_rows(place, withheld) == {released.id}
    scores = {score.key: score.value for score in place.service.status(withheld.id, place.may).scores}
    assert scores[HEADLINE] == about(8 / N_MAIN)
    with pytest.raises(StateError, match="without scores"):
        place.service.publish(withheld.id, place.ann)
    with pytest.raises(StateError, match="Only a failed submission"):
        place.service.retry(withheld.id, place.ann)
    assert all(result.is_good for result in check_installation(place.database, place.store))


def test_reevaluation_and_its_preview_leave_out_what_is_withheld(place: Installation) -> None:
    start(place)
    released, withheld = send(place, 7), send(place, 8, "withheld")
    key = place.key_of(MDAR)
    replace_key(place.keys_dir, replace(key, answers={**key.answers, "main-0000": 0}), key)
    for dry_run in (True, False):
        asked = ReevaluationRequest(None, MDAR.id, MDAR.version, dry_run, "A correction.")
        found = place.maintenance.request_reevaluation(place.may, asked)
        place.run_reevaluations()
        result = place.find_reevaluation(found).result
        assert result is not None
        assert {row["submission"] for row in result["rows"]} == {released.id}
    assert place.status(withheld).submission.state == "unreleased"
    assert place.status(released).submission.state == "scored"
    with pytest.raises(StateError, match="Only a scored submission"):
        place.reevaluate(dry_run=True, submission=withheld.id)
    # The released one was re-scored under the corrected key, and its series goes on.
    assert send(place, 7, "once more").state == "unreleased"


def test_reevaluation_rounds_the_headline_as_its_release_did(
    place: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    disclose = type(MDAR).disclose

    def disclose_more(benchmark: Benchmark, report: Report) -> Iterator[tuple[str, str, Score]]:
        """Yield the headline with more decimals than a single item has, as a mean over runs has them."""
        for slice_name, metric, score in disclose(benchmark, report):
            is_headline = f"{slice_name}|{metric}" == HEADLINE
            yield slice_name, metric, replace(score, value=(score.value or 0) + 0.003) if is_headline else score

    def read_headline(sent: SubmissionRecord) -> float | None:
        evaluation = place.status(sent).evaluation
        assert evaluation is not None
        with place.database.read() as transaction:
            scores = evaluations.list_scores(transaction, evaluation.id)
        return next(score.value for score in scores if score.key == HEADLINE)

    monkeypatch.setattr(type(MDAR), "disclose", disclose_more)
    start(place)
    released = send(place, 7)
    assert read_headline(released) == 0.5
    for version, expected in (("98", 0.5), ("99", 0.503)):
        monkeypatch.setattr(type(MDAR), "metric_version", version)
        for dry_run in (True, False):
            asked = ReevaluationRequest(None, MDAR.id, MDAR.version, dry_run, "A new metric.")
            found = place.maintenance.request_reevaluation(place.may, asked)
            place.run_reevaluations()
            assert place.find_reevaluation(found).state == "done"
        assert read_headline(released) == pytest.approx(expected, abs=1e-9)
        if version == "98":
            end(place)


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["scored", "recording", "recorded"])
def test_killed_evaluator_leaves_one_decision(place: Installation, label: str) -> None:
    start(place)
    send(place, 7)

    def die() -> None:
        raise KilledError

    place.at[label] = die
    with pytest.raises(KilledError):
        send(place, 8, "killed")
    n_decided = 1 if label == "recorded" else 0
    decided = "select count(*) from submissions where state = 'unreleased'"
    stored = "select count(*) from outcomes"
    assert place.query(decided) == [(n_decided,)]
    assert place.query(stored) == [(1 + n_decided,)]
    place.change_rows(
        "update evaluations set lease_expires_at = '2000-01-01 00:00:00.000000' where finished_at is null"
    )
    place.queue.requeue_lost()
    place.score_all()
    assert place.query(decided) == [(1,)]
    assert place.query(stored) == [(2,)]
    assert place.query("select count(*) from submission_events where to_state = 'unreleased'") == [(1,)]
    assert all(result.is_good for result in check_installation(place.database, place.store))


# --- open answers -----------------------------------------------------------------------------------------------------


def answer_whole(place: JudgingInstallation, n_right: int) -> dict[str, str]:
    lines = [json.loads(line) for line in answer_main(place.mdar_key, n_right).splitlines()]
    return {line["id"]: line["response"] for line in lines} | place.half()


def test_released_submission_is_judged_and_a_withheld_one_is_not(judging: JudgingInstallation) -> None:
    start(judging)
    first = judging.send(answer_whole(judging, 7))
    assert judging.read_status(first).submission.state == "awaiting-judge"
    assert judging.read_scores(first)[HEADLINE] == about(0.5)
    second = judging.send(answer_whole(judging, 8), "withheld")
    assert judging.read_status(second).submission.state == "unreleased"
    evaluator = judging.judge_with()
    assert evaluator.run_next()
    assert not evaluator.run_next()
    assert judging.read_status(first).submission.state == "scored"
    assert judging.read_scores(first)["open|judge_score"] is not None
    only_open = judging.send(judging.half(), "only open")
    assert judging.read_status(only_open).submission.state == "awaiting-judge"
    assert evaluator.run_next()
    status = judging.read_status(only_open)
    assert (status.submission.state, status.scores) == ("unreleased", ())
