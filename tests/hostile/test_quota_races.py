"""Quota races: fifty requests at once on the last use of every quota, of which exactly one succeeds.

On SQLite, transactions that write take turns. On PostgreSQL they run at once, and only a lock decides.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import combinations, islice
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from db.models import Evaluation, Outcome
from db.repositories import workers
from submissions.accounts.credentials import MAX_TOKENS
from tests.support.editions.practice_files import PRACTICE_KEY, guess_answers
from tests.support.hostile.furnished_site import API, OWNER, STRANGER, FurnishedSite, run_furnished_site
from tests.support.servers.live_site import BENCHMARK, add_row, predictions
from tests.support.servers.postgres import Databases

N_REQUESTS = 50
# Rows of so many users have more pairs than requests.
N_ROWS = 11
Send = Callable[[FurnishedSite, int], httpx2.Response]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def furnished(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[FurnishedSite]:
    folder = tmp_path_factory.mktemp("races")
    settings: dict[str, Any] = {"submissions_per_day": 1, "open_editions": 1}
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        if request.param == "postgresql":
            settings["database_url"] = stack.enter_context(databases.lend(request.param, folder))
        made = stack.enter_context(run_furnished_site(folder / "site", **settings))
        patch.setattr("leaderboard.api.routes.comparison_routes.WAIT_SECONDS", 0.0)
        patch.setattr("submissions.comparisons.comparison_requests.MAX_WAITING_OF_VISITORS", 1)
        patch.setattr("submissions.endpoints.endpoint_service.MAX_AWAITING", 1)
        patch.setattr("submissions.listening_test.listening_tests.MAX_A_DAY", 1)
        patch.setattr("submissions.practice.practice_service.MAX_FILES", 1)
        yield made


def count_answers(furnished: FurnishedSite, send: Send) -> Counter[int]:
    """Send fifty requests at once, and count their statuses; a full queue of uploads counts as a limit, too."""
    together = threading.Barrier(N_REQUESTS)

    def send_with_others(number: int) -> int:
        together.wait()
        response = send(furnished, number)
        is_queue_full = response.status_code == 503 and "too many uploads" in response.text
        return 429 if is_queue_full else response.status_code

    with ThreadPoolExecutor(N_REQUESTS) as pool:
        return Counter(pool.map(send_with_others, range(N_REQUESTS)))


def submit_file(furnished: FurnishedSite, number: int) -> httpx2.Response:
    return furnished.site.submit(furnished.tokens[STRANGER], predictions(), model=f'{{"name": "Model {number}"}}')


def submit_endpoint(furnished: FurnishedSite, number: int) -> httpx2.Response:
    endpoint = {"base_url": f"https://m{number}.example.com/v1", "model_name": "m", "api_key": "sk-1234567"}
    body = {"benchmark": BENCHMARK.id, "model": {"name": f"Model {number}"}} | endpoint
    return furnished.site.post(f"{API}/endpoint-submissions", furnished.tokens[OWNER], json=body)


def request_edition(furnished: FurnishedSite, _number: int) -> httpx2.Response:
    return furnished.site.post(f"{API}/benchmarks/{BENCHMARK.id}/editions", furnished.tokens[OWNER])


@pytest.mark.parametrize("send", [submit_file, submit_endpoint, request_edition])
def test_last_use_of_a_limit_is_granted_once(furnished: FurnishedSite, send: Send) -> None:
    assert count_answers(furnished, send) == {201: 1, 429: N_REQUESTS - 1}


def test_last_token_of_a_user_is_created_once(furnished: FurnishedSite) -> None:
    token = furnished.site.token("max")
    for _ in range(MAX_TOKENS - 2):
        furnished.site.token("max")
    found = count_answers(furnished, lambda site, _number: site.site.post(f"{API}/tokens", token, json={}))
    assert found == {201: 1, 400: N_REQUESTS - 1}
    assert len(furnished.site.get(f"{API}/tokens", token).json()["tokens"]) == MAX_TOKENS


def test_last_practice_file_of_a_submission_is_attached_once(furnished: FurnishedSite) -> None:
    address = f"{API}/submissions/{furnished.make_public_row()['submission_id']}/practice"
    files = [guess_answers(PRACTICE_KEY, 0.5, seed) for seed in range(N_REQUESTS)]

    def attach_file(site: FurnishedSite, number: int) -> httpx2.Response:
        return site.site.post(address, site.tokens[OWNER], files={"file": ("p", files[number])})

    found = count_answers(furnished, attach_file)
    assert found[200] == 1
    assert found[409] + found[429] == N_REQUESTS - 1


def test_last_listening_result_of_a_day_is_kept_once(furnished: FurnishedSite) -> None:
    asked = furnished.call("get", f"{API}/listening/{BENCHMARK.id}")
    answers = {one["id"]: True if one["answer_format"] == "boolean" else 0 for one in asked["questions"]}
    body = {"n": 10, "seed": 0, "answers": answers, "seconds": 100.0, "consent": True}
    kept = Counter[bool]()

    def send_round(site: FurnishedSite, _number: int) -> httpx2.Response:
        response = site.site.post(f"{API}/listening/{BENCHMARK.id}/results", json=body)
        kept[response.json()["kept"]["id"] is not None] += 1
        return response

    assert count_answers(furnished, send_round) == {200: N_REQUESTS}
    assert kept == {True: 1, False: N_REQUESTS - 1}


def test_last_place_of_visitors_among_waiting_comparisons_is_given_once(furnished: FurnishedSite) -> None:
    services = furnished.site.services
    rows = [add_row(services, f"Model of {number}", 0.5, owner=f"user{number}") for number in range(N_ROWS)]
    pairs = list(islice(combinations(rows, 2), N_REQUESTS))
    now = datetime.now(UTC)
    with services.database.write() as transaction:
        workers.record_heartbeat(transaction, "x/x/1/1", {}, now, now)
        for evaluation_id in transaction.scalars(select(Evaluation.id).where(Evaluation.submission_id.in_(rows))):
            transaction.add(Outcome(evaluation_id=evaluation_id, n_items=4, n_runs=1, data=b"sealed"))

    def compare_pair(site: FurnishedSite, number: int) -> httpx2.Response:
        a, b = pairs[number]
        return site.site.get(f"{API}/comparisons?benchmark={BENCHMARK.id}&a={a}&b={b}")

    assert count_answers(furnished, compare_pair) == {202: 1, 429: N_REQUESTS - 1}
