"""Comparisons over HTTP: a real server and database, real outcomes, and an evaluator that runs on demand."""

import io
import json
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import leaderboard.api.routes.comparison_routes
import submissions.comparisons.comparison_requests
from db.records import NewModel, UserRecord
from db.repositories import comparisons, evaluations, users, workers
from evaluation import compare
from evaluation.answer_keys import AnswerKey
from leaderboard.api.schemas.model_answers import ComparisonAnswer
from submissions.comparisons.comparer import MAX_ATTEMPTS, OUTDATED, Comparer
from submissions.comparisons.comparison_requests import NO_OUTCOMES, REPORTED, SPENT
from submissions.comparisons.differences import RULE
from submissions.ranking.board_outcomes import read_outcomes
from submissions.service import Request
from tests.support.servers.installation import BENCHMARK, Installation, answers, install, statements
from tests.support.servers.live_site import Site, add_row, problem_of, run_site

URL = f"/api/v1/comparisons?benchmark={BENCHMARK.id}"
OTHERS = "elsewhere/x/1/1"
NAMES = ("strong", "weak", "twin", "hidden one", "hidden two")


@dataclass
class Place:
    """A server with its services."""

    site: Site
    folder: Path
    key: AnswerKey
    ids: dict[str, str]

    def url(self, a: str, b: str, **more: str) -> str:
        words = "".join(f"&{name}={value}" for name, value in more.items())
        return f"{URL}&a={self.ids.get(a, a)}&b={self.ids.get(b, b)}{words}"

    def comparer(self, worker: str = OTHERS, checkpoint: Any = lambda _label: None) -> Comparer:
        return Comparer(self.site.services.database, self.folder / "answer-keys", worker, checkpoint)

    def get(self, a: str, b: str, token: str | None = None, **more: str) -> Any:
        """Request a comparison while an evaluator is running."""
        with self.evaluator():
            response = self.site.get(self.url(a, b, **more), token)
        assert response.status_code == 200, response.text
        return response.json()

    @contextmanager
    def evaluator(self) -> Iterator[None]:
        stop = threading.Event()

        def work() -> None:
            comparer = self.comparer()
            while not stop.is_set():
                if not comparer.run_next():
                    stop.wait(0.02)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / "earshot.db")) as connection:
            rows = connection.execute(sql).fetchall()
            connection.commit()
        return rows


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Five scored files: three public ones of three users, two private ones of bob."""
    folder = install(tmp_path_factory.mktemp("compared"))
    place = Installation(folder)
    with closing(place.database):
        found = statements(place.key)
        strong = answers(place.key, wrong=frozenset(found[:200]))
        files = {
            "strong": ("ann", strong),
            "weak": ("cyd", answers(place.key, wrong=frozenset(found[100:600]))),
            "twin": ("ann", strong),
            "hidden one": ("bob", answers(place.key, wrong=frozenset(found[::3]))),
            "hidden two": ("bob", answers(place.key, wrong=frozenset(found[::2]))),
        }
        ids = {}
        for name, (owner, data) in files.items():
            with place.database.write() as transaction:
                person: UserRecord = users.get_or_add_user(transaction, owner, datetime.now(UTC))
            request = Request(BENCHMARK, "default", NewModel(name), True, not name.startswith("hidden"))
            ids[name] = place.service.submit(person, request, io.BytesIO(data)).id
        place.score_all()
    return folder, ids


@pytest.fixture(scope="module")
def running(scored: tuple[Path, dict[str, str]]) -> Iterator[Place]:
    folder, ids = scored
    here = Installation(folder)
    with closing(here.database), pytest.MonkeyPatch.context() as patch:
        # A busy machine may take longer than a visitor's timeout.
        patch.setattr(leaderboard.api.routes.comparison_routes, "WAIT_SECONDS", 300.0)
        patch.setattr(leaderboard.api.routes.comparison_routes, "_LOOK_EVERY_SECONDS", 0.02)
        with run_site(folder, maintainers="may") as site:
            yield Place(site, folder, here.key, ids)


@pytest.fixture
def place(running: Place) -> Iterator[Place]:
    """The shared server without comparisons, with a recent evaluator heartbeat."""
    running.query("delete from comparisons")
    record_heartbeat(running, datetime.now(UTC))
    yield running
    running.ids = {name: submission for name, submission in running.ids.items() if name in NAMES}


def record_heartbeat(place: Place, seen: datetime) -> None:
    with place.site.services.database.write() as transaction:
        workers.record_heartbeat(transaction, OTHERS, {}, seen, seen)


# --- numbers --------------------------------------------------------------------------------------------------------


def test_comparison_matches_evaluation_compare_on_the_outcomes(place: Place) -> None:
    body = place.get("strong", "weak")
    first, second = sorted((place.ids["strong"], place.ids["weak"]))
    with place.site.services.database.read() as transaction:
        of = dict(place.query("select id, current_evaluation_id from submissions"))
        sealed = {of[one]: evaluations.find_outcomes(transaction, of[one]) for one in (first, second)}
    opened = read_outcomes(BENCHMARK, place.key, {one: kept for one, kept in sealed.items() if kept is not None})
    right = {name: np.nanmean(opened[of[place.ids[name]]].correct, axis=1) for name in ("strong", "weak")}
    expected = compare(right["strong"], right["weak"], BENCHMARK.cluster_items(place.key))
    assert expected.low is not None
    assert expected.high is not None
    assert body["difference"] == pytest.approx(expected.difference, abs=1e-3)
    assert body["low"] == pytest.approx(expected.low, abs=1e-3)
    assert body["low"] <= expected.low
    assert body["high"] == pytest.approx(expected.high, abs=1e-3)
    assert body["high"] >= expected.high
    assert expected.p_value is not None
    assert expected.p_value <= body["p_value"] <= expected.p_value + 1e-3 + 1e-9
    assert (body["n_items"], body["n_clusters"]) == (expected.n_items, expected.n_clusters)
    # By hand: 200 and 500 statements are wrong, 100 of them in both. Counts would amount to exact scores over secret
    # answers.
    assert (expected.wins, expected.losses, expected.ties) == (400, 100, 1516)
    assert (body["wins"], body["losses"], body["ties"]) == (None, None, None)


def test_comparison_lists_both_sides_the_method_and_every_slice(place: Place) -> None:
    body = place.get("strong", "weak", slice="sct")
    assert (body["benchmark"], body["version"], body["setting"]) == (BENCHMARK.id, "1.0", "default")
    assert (body["figure"], body["paired"], body["reason"]) == ("sct|accuracy", True, None)
    assert [body[side]["submission"] for side in "ab"] == [place.ids["strong"], place.ids["weak"]]
    assert body["a"]["signature"] == body["b"]["signature"]
    assert body["a"]["runs"] == 1
    by_score = {one["figure"]: one for one in body["slices"]}
    chosen = by_score["sct|accuracy"]
    assert body["a"]["value"] == chosen["a"]
    assert body["difference"] == chosen["difference"]
    assert set(by_score) <= {column.key for column in BENCHMARK.columns}
    assert by_score["overall|accuracy"]["difference"] == pytest.approx(300 / 2016, abs=1e-3)
    assert (body["method"]["adjustment"], body["method"]["rule"]) == ("holm", RULE)
    assert body["method"]["tests"] == sum(one["p_value"] is not None for one in body["slices"]) > 10
    assert place.key.seed not in json.dumps(body)
    assert all(one["wins"] is None for one in body["slices"])
    for one in body["slices"]:
        for name in ("a", "b", "difference", "low", "high", "p_value", "p_adjusted"):
            assert one[name] is None or one[name] == round(one[name], 3), (one["figure"], name)


def test_comparison_in_reverse_order_is_the_mirror_image(place: Place) -> None:
    there, back = place.get("strong", "weak"), place.get("weak", "strong")
    assert place.query("select count(*) from comparisons") == [(1,)]
    for one, other in zip(there["slices"], back["slices"], strict=True):
        assert (other["a"], other["b"], other["difference"]) == (one["b"], one["a"], 0 - one["difference"])
        assert (other["wins"], other["losses"]) == (one["losses"], one["wins"])
        assert other["p_value"] == one["p_value"]
        assert other["p_adjusted"] == one["p_adjusted"]
        if one["low"] is not None:
            assert (other["low"], other["high"]) == (0 - one["high"], 0 - one["low"])


def test_comparison_of_equal_files_is_zero_without_a_test(place: Place) -> None:
    body = place.get("strong", "twin")
    assert (body["difference"], body["low"], body["high"], body["p_value"], body["ties"]) == (0, None, None, None, None)
    overall = next(one for one in body["slices"] if one["figure"] == "overall|accuracy")
    assert overall["note"].startswith("The two files differ on fewer than 10 clips")


def test_comparison_is_cached_and_reproducible_byte_for_byte(place: Place) -> None:
    place.get("strong", "weak")
    first = place.site.get(place.url("strong", "weak"))
    same = place.site.get(place.url("strong", "weak"), if_none_match=first.headers["etag"])
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])
    assert first.headers["cache-control"] == "no-cache"
    place.query("delete from comparisons")
    place.get("strong", "weak")
    again = place.site.get(place.url("strong", "weak"))
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])


# --- visibility -----------------------------------------------------------------------------------------------------


def test_private_submissions_look_unknown_to_other_users(place: Place) -> None:
    for token in (None, place.site.token("cyd")):
        for pair in (("strong", "hidden one"), ("hidden one", "strong"), ("hidden one", "hidden two")):
            private = place.site.get(place.url(*pair), token)
            unknown = place.site.get(place.url("strong", "s-00000000000000"), token)
            assert (private.status_code, private.content) == (404, unknown.content)
    assert place.query("select count(*) from comparisons") == [(0,)]


def test_owner_and_maintainer_see_private_comparisons_and_others_not_even_cached_ones(place: Place) -> None:
    bob = place.site.token("bob")
    body = place.get("hidden one", "strong", bob)
    response = place.site.get(place.url("hidden one", "strong"), bob)
    assert response.headers["cache-control"] == "private, no-cache"
    assert place.site.get(place.url("hidden one", "strong"), place.site.token("may")).json() == body
    problem_of(place.site.get(place.url("hidden one", "strong")), 404)
    problem_of(place.site.get(place.url("hidden one", "strong"), if_none_match=response.headers["etag"]), 404)


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ("b=same", 400, "the same submission"),
        ("setting='other'", 409, "setting other"),
        ("version='9'", 409, "version 9"),
        ("state='failed'", 409, "is failed"),
        ("benchmark='mdar'", 409, "belongs to mdar"),
    ],
)
def test_pair_from_different_boards_is_refused(place: Place, change: str, status: int, said: str) -> None:
    bob = place.site.token("bob")
    if change == "b=same":
        response = place.site.get(place.url("hidden one", "hidden one"), bob)
    else:
        name = change.split("=")[0]
        before = place.query(f"select {name} from submissions where id = '{place.ids['hidden one']}'")[0][0]  # noqa: S608
        place.query(f"update submissions set {change} where id = '{place.ids['hidden one']}'")  # noqa: S608
        try:
            response = place.site.get(place.url("strong", "hidden one"), bob)
        finally:
            place.query(f"update submissions set {name} = '{before}' where id = '{place.ids['hidden one']}'")  # noqa: S608
    assert said in problem_of(response, status)["detail"]


def test_scores_of_other_rules_are_refused_and_outdated_ones_get_plain_differences(place: Place) -> None:
    of = dict(place.query("select id, current_evaluation_id from submissions"))
    strong, weak = of[place.ids["strong"]], of[place.ids["weak"]]
    (today,) = place.query(f"select ranking from evaluations where id = {strong}")[0]  # noqa: S608
    old = today.replace("reader:", "reader:0")
    try:
        place.query(f"update evaluations set ranking = '{old}' where id = {strong}")  # noqa: S608
        problem = problem_of(place.site.get(place.url("strong", "weak")), 409)
        assert "(reader)" in problem["detail"]
        place.query(f"update evaluations set ranking = '{old}' where id = {weak}")  # noqa: S608
        body = place.get("strong", "weak")
    finally:
        place.query(f"update evaluations set ranking = '{today}' where id in ({strong}, {weak})")  # noqa: S608
    assert (body["paired"], body["reason"], body["p_value"], body["method"]) == (False, OUTDATED, None, None)
    assert body["difference"] == pytest.approx(300 / 2016, abs=1e-3)


def test_reported_scores_are_subtracted_without_an_evaluator(place: Place) -> None:
    place.ids["paper"] = add_row(place.site.services, "paper", 0.7, source="reported", n=None)
    body = place.site.get(place.url("paper", "strong")).json()
    assert (body["paired"], body["reason"], body["low"], body["wins"]) == (False, REPORTED, None, None)
    assert body["difference"] == pytest.approx(0.7 - (1 - 200 / 2016), abs=1e-3)
    missing = place.site.get(place.url("paper", "strong", slice="tat")).json()
    assert (missing["a"]["value"], missing["difference"]) == (None, None)
    assert "missing in one" in missing["note"]
    place.ids["lost"] = add_row(place.site.services, "lost", 0.7)
    place.query(f"update evaluations set ranking = '' where submission_id = '{place.ids['lost']}'")  # noqa: S608
    assert place.site.get(place.url("lost", "strong")).json()["reason"] == NO_OUTCOMES
    assert place.query("select count(*) from comparisons") == [(0,)]


def test_scores_over_few_items_are_shown_to_nobody(place: Place) -> None:
    place.ids["few"] = add_row(place.site.services, "few", 0.7, source="human", n=19)
    assert place.site.get(place.url("few", "strong"), place.site.token("may")).json()["slices"] == []


def test_unknown_parameters_and_values_are_refused(place: Place) -> None:
    assert "`slice`" in problem_of(place.site.get(place.url("strong", "weak", slcie="sct")), 400)["detail"]
    assert "Unknown slice `sc`" in problem_of(place.site.get(place.url("strong", "weak", slice="sc")), 400)["detail"]
    problem_of(place.site.get(f"{URL}&a={place.ids['strong']}"), 400)


# --- waiting --------------------------------------------------------------------------------------------------------


def test_slow_comparison_is_202_and_available_later(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard.api.routes.comparison_routes, "WAIT_SECONDS", 0.0)
    waiting = place.site.get(place.url("strong", "weak"))
    assert (waiting.status_code, waiting.headers["retry-after"], waiting.json()["state"]) == (202, "2", "waiting")
    assert waiting.headers["cache-control"] == "no-store"
    assert place.comparer().run_next()
    assert not place.comparer().run_next()
    assert place.site.get(place.url("strong", "weak")).status_code == 200


def test_comparison_without_an_evaluator_is_503_and_not_queued(place: Place) -> None:
    record_heartbeat(place, datetime(2026, 1, 1, tzinfo=UTC))
    response = place.site.get(place.url("strong", "weak"))
    assert "No evaluator" in problem_of(response, 503)["detail"]
    assert response.headers["retry-after"]
    assert place.query("select count(*) from comparisons") == [(0,)]


def test_concurrent_requests_are_computed_once(place: Place) -> None:
    with place.evaluator(), ThreadPoolExecutor(6) as pool:
        pairs = [("strong", "weak"), ("weak", "strong")] * 3
        found = list(pool.map(lambda pair: place.site.get(place.url(*pair)), pairs))
    assert [response.status_code for response in found] == [200] * 6
    assert place.query("select count(*), sum(attempts) from comparisons") == [(1, 1)]


def test_waiting_comparisons_are_limited_in_total_and_per_user(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard.api.routes.comparison_routes, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(submissions.comparisons.comparison_requests, "MAX_WAITING_OF_VISITORS", 1)
    monkeypatch.setattr(submissions.comparisons.comparison_requests, "MAX_WAITING_OF_ONE", 1)
    monkeypatch.setattr(submissions.comparisons.comparison_requests, "MAX_WAITING", 2)
    bob = place.site.token("bob")
    assert place.site.get(place.url("strong", "weak")).status_code == 202
    assert place.site.get(place.url("strong", "weak")).status_code == 202, "it waits already"
    response = place.site.get(place.url("twin", "weak"))
    assert "for visitors are already queued" in problem_of(response, 429)["detail"]
    assert response.headers["retry-after"] == "5"
    assert place.site.get(place.url("hidden one", "weak"), bob).status_code == 202
    refused = place.site.get(place.url("hidden two", "weak"), bob)
    assert "for you are already queued" in problem_of(refused, 429)["detail"]
    assert (
        "2 comparisons are already queued"
        in problem_of(place.site.get(place.url("twin", "weak"), place.site.token("cyd")), 429)["detail"]
    )
    assert place.query("select count(*) from comparisons") == [(2,)]


def test_request_beyond_the_waiting_limit_is_refused_immediately(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without an evaluator a waiting request would block for a minute, longer than the client's timeout.
    monkeypatch.setattr(leaderboard.api.routes.comparison_routes, "MAX_WAITING_REQUESTS", 0)
    assert place.site.get(place.url("strong", "weak")).status_code == 202


def test_pairs_beyond_the_allowance_get_plain_differences(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions.comparisons.comparison_requests, "MAX_CHARGED_PAIRS", 1)
    bob, may = place.site.token("bob"), place.site.token("may")
    assert place.get("hidden one", "hidden two", bob)["paired"]
    spent = place.get("hidden one", "strong", bob)
    assert (spent["paired"], spent["reason"], spent["wins"]) == (False, SPENT, None)
    assert place.get("hidden two", "hidden one", bob)["paired"], "a pair counts once"
    assert place.get("strong", "twin")["paired"], "two published ones of ann: her other allowance"
    assert place.get("strong", "weak")["paired"], "of two people: no allowance"
    assert place.get("hidden two", "strong", may)["paired"], "a maintainer sees everything anyway"
    charges = place.query("select charge from comparisons order by id")
    assert [charge and charge.split("|")[0] for (charge,) in charges] == ["private", "public", None, None]


def test_results_are_dropped_but_counted_pairs_are_remembered(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = place.site.token("bob")
    place.get("hidden one", "hidden two", bob)
    place.get("strong", "weak")
    with place.site.services.database.write() as transaction:
        comparisons.drop_oldest(transaction, keep=0)
    assert place.query("select state, result from comparisons") == [("forgotten", None)]
    monkeypatch.setattr(submissions.comparisons.comparison_requests, "MAX_CHARGED_PAIRS", 1)
    assert not place.get("hidden one", "strong", bob)["paired"]
    assert place.get("hidden one", "hidden two", bob)["paired"]


# --- evaluators that die --------------------------------------------------------------------------------------------


def ask(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(leaderboard.api.routes.comparison_routes, "WAIT_SECONDS", 0.0)
        assert place.site.get(place.url("strong", "weak")).status_code == 202


class KilledError(BaseException):
    pass


def test_comparison_of_a_dead_evaluator_is_taken_over_and_a_late_one_writes_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ask(place, monkeypatch)
    passed: list[bool] = []

    def stop_and_be_overtaken(label: str) -> None:
        if label == "compared":
            assert not place.comparer().run_next(), "the lease holds"
            place.query("update comparisons set lease_expires_at = '2000-01-01 00:00:00.000000'")
            passed.append(place.comparer().run_next())

    assert place.comparer(checkpoint=stop_and_be_overtaken).run_next()
    assert passed == [True]
    assert "was taken over" in caplog.text
    assert place.query("select state, attempts from comparisons") == [("done", 2)]


def test_comparison_that_repeatedly_kills_evaluators_fails_and_can_be_requested_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(place, monkeypatch)

    def die(_label: str) -> None:
        raise KilledError

    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(KilledError):
            place.comparer(checkpoint=die).run_next()
        place.query("update comparisons set lease_expires_at = '2000-01-01 00:00:00.000000'")
    assert place.comparer().run_next()
    response = place.site.get(place.url("strong", "weak"))
    assert f"stopped {MAX_ATTEMPTS} times" in problem_of(response, 503)["detail"]
    place.query("update comparisons set finished_at = '2000-01-01 00:00:00.000000'")
    assert place.get("strong", "weak")["paired"]


def test_comparison_without_a_key_or_with_an_unknown_error_reveals_no_details(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ask(place, monkeypatch)
    assert Comparer(place.site.services.database, tmp_path, OTHERS).run_next()
    detail = problem_of(place.site.get(place.url("strong", "weak")), 503)["detail"]
    assert "answer key is missing or unusable" in detail
    assert str(tmp_path) not in detail
    place.query("delete from comparisons")
    ask(place, monkeypatch)

    def fail(*_: object) -> None:
        raise RuntimeError("the secret text")

    monkeypatch.setattr("submissions.comparisons.comparer.find_rankings", fail)
    assert place.comparer().run_next()
    detail = problem_of(place.site.get(place.url("strong", "weak")), 503)["detail"]
    assert "Reference" in detail
    assert "secret" not in detail
    assert detail.rpartition("Reference ")[2].rstrip(".") in caplog.text


# --- documentation --------------------------------------------------------------------------------------------------


def test_openapi_has_an_example_of_the_actual_response(place: Place) -> None:
    example = place.site.get("/api/v1/openapi.json").json()["components"]["schemas"]["ComparisonAnswer"]["example"]
    body = place.get("strong", "weak")
    for shown, answered in [(example, body), (example["slices"][0], body["slices"][0])]:
        assert set(answered) == set(shown)
    ComparisonAnswer.model_validate_json(json.dumps(body), strict=True)
    for name in ("a", "b", "method"):
        assert set(example[name]) == set(body[name])
    assert "/api/v1/comparisons" in place.site.get("/api/v1/docs").text


def test_web_process_reads_no_outcomes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.get("strong", "weak")

    def refuse(*_: object) -> None:
        raise AssertionError("outcomes are an evaluator's")

    monkeypatch.setattr(evaluations, "find_outcomes", refuse)
    assert place.site.get(place.url("strong", "weak")).status_code == 200
    stored = place.query("select result from comparisons")[0][0]
    assert not any(item.id in stored for item in BENCHMARK.content(place.key).items[:50])
