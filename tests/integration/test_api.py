import base64
import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from live_site import (
    BENCHMARK,
    BOARD,
    DIGEST,
    ITEMS,
    PACK,
    RANKING,
    Site,
    add_row,
    predictions,
    problem_of,
    rank,
    result,
    run_site,
)

from db.records import LeaseRecord
from db.repositories import boards, evaluations, submissions, workers
from evaluation.answer_keys import PRACTICE_SEED
from evaluation.packs import pack_name

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"
HEADLINE = "overall|accuracy"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A board that no test changes: ties, a row without the headline figure, and every source."""
    with run_site(tmp_path_factory.mktemp("board")) as site:
        for name, value in (("best", 0.9), ("tied b", 0.5), ("Tied a", 0.5), ("tied c", 0.5), ("worst", 0.1)):
            add_row(site.services, name, value, organisation="Lab & Co")
        add_row(site.services, "without", None)
        add_row(site.services, "without either", None)
        add_row(site.services, "paper", 0.7, source="reported", n=None)
        add_row(site.services, "people", 0.95, source="human")
        add_row(site.services, "dice", 0.25, source="random")
        add_row(site.services, "secret", 0.99, visibility="private")
        rank(site.services)
        yield site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with run_site(tmp_path) as running:
        yield running


def read_pages(site: Site, query: str) -> list[list[str]]:
    pages, cursor = [], ""
    while True:
        body = site.get(f"{BOARD_URL}?{query}{cursor}").json()
        pages.append([row["model"]["name"] for row in body["rows"]])
        if body["next_cursor"] is None:
            return pages
        cursor = f"&cursor={body['next_cursor']}"


def claim(site: Site) -> LeaseRecord:
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        lease = evaluations.claim_next(
            transaction, worker="w", token="t", now=now, expires_at=now + timedelta(minutes=1)
        )
    assert lease is not None
    return lease


def score(site: Site, value: float = 0.5) -> None:
    lease = claim(site)
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        evaluations.record_result(transaction, lease, result(value), now)
        boards.touch_board(transaction, BOARD, now)


def fail(site: Site, *, retryable: bool) -> None:
    lease = claim(site)
    with site.services.database.write() as transaction:
        submissions.change_state(
            transaction,
            lease.submission.id,
            ["running"],
            datetime.now(UTC),
            state="failed",
            reason_code="internal",
            reason="We could not score this.",
            retryable=retryable,
            whose_fault="ours",
        )


# Benchmarks and packs


def test_benchmarks_list_and_one_agree_and_name_everything(board: Site) -> None:
    listed = board.get("/api/v1/benchmarks").json()["benchmarks"]
    one = board.get(f"/api/v1/benchmarks/{BENCHMARK.id}").json()
    assert [entry["id"] for entry in listed] == [BENCHMARK.id]
    assert listed[0].items() <= one.items()
    assert one["version"] == "1.0" and one["content_digest"] == DIGEST and one["items"] == len(ITEMS)
    assert one["settings"] == ["default"] and one["headline"] == HEADLINE
    assert [part["id"] for part in one["parts"]] == ["sct", "sdt", "tat"]
    bias = next(metric for metric in one["metrics"] if metric["id"] == "yes_bias")
    assert bias["higher_is_better"] is False and "P(says true" in bias["formula"]
    assert "overall" in one["slices"] and one["columns"][0]["key"] == HEADLINE
    assert one["columns"][0]["chance"] == pytest.approx(one["chance"][HEADLINE])


def test_unknown_benchmark_is_404_and_names_the_known(board: Site) -> None:
    for path in ("benchmarks/audio-motion-benhc", "leaderboards/audio-motion-benhc"):
        problem = problem_of(board.get(f"/api/v1/{path}"), 404)
        assert "Did you mean `audio-motion-bench`?" in problem["detail"]


@pytest.mark.parametrize("split", ["test", "practice"])
def test_pack_before_it_is_made_is_503_with_retry_after(site: Site, split: str) -> None:
    response = site.get(f"/api/v1/benchmarks/{BENCHMARK.id}/pack?split={split}")
    assert "still being made" in problem_of(response, 503)["detail"]
    assert int(response.headers["retry-after"]) > 0


def test_pack_is_streamed_with_etag_range_and_name(site: Site) -> None:
    folder = site.services.settings.packs_dir
    folder.mkdir()
    practice = pack_name(BENCHMARK.content("practice", PRACTICE_SEED))
    (folder / PACK).write_bytes(bytes(range(256)) * 1000)
    (folder / practice).write_bytes(b"practice")
    url = f"/api/v1/benchmarks/{BENCHMARK.id}/pack"
    whole = site.get(f"{url}?split=test")
    assert whole.status_code == 200 and whole.content == bytes(range(256)) * 1000
    assert whole.headers["etag"] == f'"{DIGEST}"' and whole.headers["content-type"] == "application/zip"
    assert whole.headers["content-disposition"] == f'attachment; filename="{PACK}"'
    part = site.get(url, range="bytes=10-19")
    assert part.status_code == 206 and part.content == bytes(range(10, 20))
    assert part.headers["content-range"] == "bytes 10-19/256000"
    assert site.get(url, if_none_match=whole.headers["etag"]).status_code == 304
    head = site.client.head(url)
    assert head.headers["content-length"] == "256000" and head.content == b""
    assert site.get(f"{url}?split=practice").content == b"practice"
    problem_of(site.get(f"{url}?split=train"), 422)


# Boards


def test_board_page_has_the_form_of_the_contract(board: Site) -> None:
    body = board.get(f"{BOARD_URL}?limit=1").json()
    assert set(body) == {"benchmark", "revision", "metric", "columns", "rows", "next_cursor"}
    assert body["benchmark"] == BENCHMARK.id and body["metric"] == HEADLINE and body["revision"] > 0
    assert len(body["columns"]) == len(BENCHMARK.columns)
    assert set(body["columns"][0]) == {
        "key",
        "slice",
        "metric",
        "title",
        "group",
        "higher_is_better",
        "shown",
        "chance",
    }
    row = body["rows"][0]
    assert set(row) == {
        *("rank", "rank_low", "rank_high", "model", "source", "setting", "scores", "parts", "missing", "unreadable"),
        *("signature", "submission", "date", "notes"),
    }
    assert set(row["model"]) == {"name", "organisation", "kind", "size_billions", "open_weights", "url"}
    assert row["scores"][HEADLINE] == {"value": 0.95, "low": None, "high": None, "std": 0.01}
    assert row["missing"] == 0.01 and row["unreadable"] == 0.02 and row["parts"] == ["sct"]


def test_board_ties_share_a_rank_and_pinned_rows_have_none(board: Site) -> None:
    rows = board.get(BOARD_URL).json()["rows"]
    ranks = {row["model"]["name"]: row["rank"] for row in rows}
    assert ranks == {
        **{"people": None, "best": 1, "paper": 2, "tied b": 3, "Tied a": 3, "tied c": 3, "dice": None},
        **{"worst": 6, "without": None, "without either": None},
    }


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("sort", [HEADLINE, "overall/clean/tf|yes_bias", "model", "date"])
@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_board_pages_by_cursor_give_every_row_once_in_order(board: Site, sort: str, order: str, limit: int) -> None:
    query = f"columns={HEADLINE}&sort={sort}&order={order}"
    pages = read_pages(board, f"{query}&limit={limit}")
    names = [name for page in pages for name in page]
    assert len(names) == len(set(names)) == 10
    assert all(len(page) == limit for page in pages[:-1])
    assert names == read_pages(board, f"{query}&limit=50")[0]


def test_board_sorts_both_ways_with_empty_figures_last(board: Site) -> None:
    down, up = (read_pages(board, f"sort={HEADLINE}&order={order}")[0] for order in ("desc", "asc"))
    assert down[:3] == ["people", "best", "paper"] and up[:2] == ["worst", "dice"]
    assert set(down[-2:]) == set(up[-2:]) == {"without", "without either"}
    by_name = read_pages(board, "sort=model")[0]
    assert by_name == sorted(by_name, key=str.lower)


def test_board_puts_the_smallest_first_where_smaller_is_better(board: Site) -> None:
    body = board.get(f"{BOARD_URL}?slice=overall/clean/tf&metric=yes_bias").json()
    assert body["metric"] == "overall/clean/tf|yes_bias"
    assert next(column for column in body["columns"] if column["metric"] == "yes_bias")["higher_is_better"] is False


def test_board_filters_by_source_and_search(board: Site) -> None:
    names = read_pages(board, "source=reported,human")[0]
    assert names == ["people", "paper"]
    assert set(read_pages(board, "q=TIED")[0]) == {"tied b", "Tied a", "tied c"}
    assert len(read_pages(board, "q=lab %26")[0]) == 5
    assert read_pages(board, "q=%25") == [[]]


def test_board_gives_the_columns_asked_for(board: Site) -> None:
    body = board.get(f"{BOARD_URL}?columns=sct|accuracy&slice=overall").json()
    assert [column["key"] for column in body["columns"]] == ["sct|accuracy"]
    assert set(body["rows"][0]["scores"]) == {"sct|accuracy"}
    assert body["rows"][1]["rank"] == 1


@pytest.mark.parametrize(
    ("query", "field", "said"),
    [
        ("slice=overal", "slice", "Did you mean `overall`?"),
        ("metric=acuracy", "metric", "accuracy"),
        ("setting=fast", None, "Settings: default"),
        ("source=submited", "source", "Did you mean `submitted`?"),
        ("sort=rank", "sort", "Allowed:"),
        ("order=up", "order", "asc and desc"),
        ("limit=0", "limit", "1 to 500"),
        ("limit=501", "limit", "1 to 500"),
        ("limit=many", "limit", "integer"),
        ("columns=x|y", "columns", "Allowed:"),
        ("cursor=%00", "cursor", "next_cursor"),
        ("cursor=eyJhIjogMX0", "cursor", "next_cursor"),
        ("cursor=WzFd", "cursor", "next_cursor"),
        (f"q={'x' * 101}", "q", "at most 100"),
        ("slcie=overall", "slcie", "Did you mean `slice`?"),
    ],
)
def test_board_bad_parameter_is_422_and_says_what_is_allowed(
    board: Site, query: str, field: str | None, said: str
) -> None:
    problem = problem_of(board.get(f"{BOARD_URL}?{query}"), 422)
    assert said in problem["detail"]
    if field is not None:
        assert problem["errors"][0]["code"] == f"bad-{field}"


@pytest.mark.parametrize(
    ("sort", "value", "row_id"),
    [
        (HEADLINE, "text", "s-x"),
        (HEADLINE, True, 5),
        (HEADLINE, 0.5, "s-\x00"),
        (HEADLINE, {}, "s-x"),
        ("model", "a\x00", "s-x"),
        ("model", 5, "s-x"),
        ("date", "yesterday", "s-x"),
        ("date", 5, "s-x"),
    ],
)
def test_board_forged_cursor_is_refused(board: Site, sort: str, value: object, row_id: object) -> None:
    forged = json.dumps([sort, True, value, row_id]).encode()
    cursor = base64.urlsafe_b64encode(forged).decode().rstrip("=")
    problem = problem_of(board.get(f"{BOARD_URL}?sort={sort}&order=desc&cursor={cursor}"), 422)
    assert problem["errors"][0]["code"] == "bad-cursor"


def test_board_cursor_of_another_order_is_refused(board: Site) -> None:
    cursor = board.get(f"{BOARD_URL}?limit=1").json()["next_cursor"]
    problem_of(board.get(f"{BOARD_URL}?limit=1&cursor={cursor}&order=asc"), 422)
    problem_of(board.get(f"{BOARD_URL}?limit=1&cursor={cursor}&sort=model"), 422)


def test_board_etag_answers_304_until_something_changes(site: Site) -> None:
    add_row(site.services, "first", 0.5)
    rank(site.services)
    first = site.get(BOARD_URL)
    assert first.headers["cache-control"] == "no-cache"
    assert site.get(BOARD_URL).content == first.content
    again = site.get(BOARD_URL, if_none_match=first.headers["etag"])
    assert again.status_code == 304 and again.content == b"" and again.headers["etag"] == first.headers["etag"]
    submission = add_row(site.services, "second", 0.6)
    rank(site.services)
    assert site.get(BOARD_URL, if_none_match=first.headers["etag"]).json()["revision"] > first.json()["revision"]
    token = site.token("ada")
    site.post(f"/api/v1/submissions/{submission}/withdraw", token)
    names = [row["model"]["name"] for row in site.get(BOARD_URL).json()["rows"]]
    assert names == ["first"], "a withdrawn row leaves before the next revision"


def test_board_without_rows_is_an_empty_page(site: Site) -> None:
    body = site.get(BOARD_URL).json()
    assert body["rows"] == [] and body["revision"] == 0 and body["next_cursor"] is None


def test_export_holds_every_row_and_neutralises_formulas(site: Site) -> None:
    for name in ("=HYPERLINK(1)", "+1", "@sum", "-2", "plain"):
        add_row(site.services, name, 0.5)
    rank(site.services)
    response = site.get(f"{BOARD_URL}/export?format=csv&columns={HEADLINE}")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in response.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert {row["model_name"] for row in rows} == {"'=HYPERLINK(1)", "'+1", "'@sum", "'-2", "plain"}
    assert {row[HEADLINE] for row in rows} == {"0.5"} and {row["rank"] for row in rows} == {"1"}
    exported = site.get(f"{BOARD_URL}/export?format=json").json()
    assert len(exported["rows"]) == 5 and exported["rows"][0]["scores"][HEADLINE]["value"] == 0.5


@pytest.mark.parametrize("file_format", ["latex", "hub", "eee"])
def test_export_format_that_is_not_offered_says_which_are(board: Site, file_format: str) -> None:
    problem = problem_of(board.get(f"{BOARD_URL}/export?format={file_format}"), 422)
    assert "not offered yet" in problem["detail"] and "csv, json" in problem["detail"]


# Validations


def check(site: Site, data: bytes, **fields: str) -> dict[str, object]:
    values = {"benchmark": BENCHMARK.id} | fields
    response = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=values)
    assert response.status_code == 200, response.text
    body: dict[str, object] = response.json()
    return body


def test_validation_of_a_good_file_needs_no_account(board: Site) -> None:
    assert check(board, predictions()) == {
        **{"ok": True, "predictions": 4, "expected": 4, "missing": 0, "problems": [], "totals": {}}
    }


def test_validation_of_a_bad_file_is_200_and_names_lines(board: Site) -> None:
    body = check(board, predictions(["amb-1", "amb-9"]) + b"nonsense\n")
    assert body["ok"] is False and body["missing"] == 3
    assert body["totals"] == {"unknown-id": 1, "not-json": 1, "missing": 3}
    problems = body["problems"]
    assert isinstance(problems, list)
    assert {(problem["code"], problem["line"]) for problem in problems} >= {("unknown-id", 2), ("not-json", 3)}


def test_validation_allows_missing_when_asked(board: Site) -> None:
    assert check(board, predictions(["amb-1"]), allow_missing="true")["ok"] is True


def test_validation_bad_request_is_a_problem(board: Site) -> None:
    files = {"file": ("p.jsonl", b"")}
    problem_of(board.post("/api/v1/validations", files=files, data={"benchmark": "nope"}), 404)
    problem_of(board.post("/api/v1/validations", files=files, data={"benchmark": BENCHMARK.id, "setting": "x"}), 422)
    assert problem_of(board.post("/api/v1/validations", files=files), 422)["errors"][0]["code"] == "bad-benchmark"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    problem_of(board.post("/api/v1/validations", content=b"--y\r\nrubbish", headers=headers), 400)


# Submissions


def test_submit_is_201_and_the_submission_can_be_read(site: Site) -> None:
    token = site.token("ada")
    model = {"name": " Hear-7B ", "organisation": "Lab", "size_billions": 7, "open_weights": True, "kind": "LALM"}
    response = site.submit(token, model=json.dumps(model))
    assert response.status_code == 201
    body = response.json()
    assert set(body) == {"id", "state", "sha256", "url"}
    assert body["state"] == "queued" and body["url"] == f"/api/v1/submissions/{body['id']}"
    assert response.headers["location"] == body["url"]
    status = site.get(body["url"], token).json()
    assert status["model"] == model | {"name": "Hear-7B", "size_billions": 7.0, "url": None}
    assert status["position"] == 0 and status["progress"] is None and status["scores"] == {}
    assert [(event["from"], event["to"]) for event in status["events"]] == [(None, "received"), ("received", "queued")]
    assert status["sha256"] == body["sha256"] and status["visibility"] == "private"


def test_scored_submission_shows_scores_and_an_estimate_for_the_next(site: Site) -> None:
    token = site.token("ada")
    first = site.submit(token).json()
    assert site.get(first["url"], token).json()["eta"] is None
    score(site)
    status = site.get(first["url"], token).json()
    assert status["state"] == "scored" and status["scores"][HEADLINE] == {"value": 0.5, "n": 100, "std": 0.01}
    assert status["missing"] == 0.01 and status["unreadable_reasons"] == {"empty": 2}
    second = site.submit(token).json()
    assert site.get(second["url"], token).json()["eta"] >= 0
    mine = site.get("/api/v1/submissions?mine=true", token).json()["submissions"]
    assert [entry["id"] for entry in mine] == [second["id"], first["id"]]


def test_list_without_mine_is_422_and_without_a_name_401(site: Site) -> None:
    problem_of(site.get("/api/v1/submissions", site.token("ada")), 422)
    problem_of(site.get("/api/v1/submissions?mine=true"), 401)


def test_private_submission_is_404_for_all_but_owner_and_maintainer(site: Site) -> None:
    owner, other, maintainer = site.token("ada"), site.token("bob"), site.token("local")
    url = site.submit(owner).json()["url"]
    score(site)
    for token in (None, other):
        problem_of(site.get(url, token), 404)
    problem_of(site.post(f"{url}/publish", other), 404)
    problem_of(site.get("/api/v1/submissions/s-nothing", other), 404)
    assert site.get(url, maintainer).json()["scores"]
    assert site.post(f"{url}/publish", owner).json()["visibility"] == "public"
    assert site.get(url).status_code == 200
    problem_of(site.post(f"{url}/withdraw", other), 403)


def test_public_view_leaves_out_figures_over_few_items(site: Site) -> None:
    submission = add_row(site.services, "few", 0.5, n=19)
    url = f"/api/v1/submissions/{submission}"
    assert site.get(url).json()["scores"] == {}
    assert site.get(url, site.token("ada")).json()["scores"]


def test_same_idempotency_key_gives_the_same_submission(site: Site) -> None:
    token = site.token("ada")
    headers = {"Idempotency-Key": "run-1"}
    first, second = (site.submit(token, headers=headers).json() for _ in range(2))
    assert first == second
    assert site.submit(token, headers={"Idempotency-Key": "run-2"}).json()["id"] != first["id"]
    assert site.submit(site.token("bob"), headers=headers).json()["id"] != first["id"]
    problem_of(site.submit(token, headers={"Idempotency-Key": "a b"}), 422)


def test_rejected_file_is_422_with_lines_and_keeps_nothing(site: Site) -> None:
    token = site.token("ada")
    lines = b"".join(b'{"id": "amb-%d", "response": "A"}\n' % number for number in range(10, 90))
    problem = problem_of(site.submit(token, lines), 422)
    assert problem["total"] == 80 and len(problem["errors"]) == 50
    assert problem["errors"][0]["line"] == 1 and problem["errors"][0]["id"] == "amb-10"
    assert site.get("/api/v1/submissions?mine=true", token).json() == {"submissions": []}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ('{"name": "x", "nmae": 1}', "unknown"),
        ('{"name": "x", "organization": "y"}', "Did you mean `organisation`?"),
        ("{}", "name"),
        ("[]", "not a JSON object"),
        ("no json", "not a JSON object"),
        ('{"name": ""}', "1 to 120 printable"),
        ('{"name": "a\\u202eb"}', "printable"),
        ('{"name": 5}', "name"),
        ('{"name": "x", "url": "javascript:alert(1)"}', "https://"),
        ('{"name": "x", "size_billions": -1}', "above 0"),
        ('{"name": "x", "size_billions": NaN}', "size_billions"),
        ('{"name": "x", "open_weights": "yes"}', "open_weights"),
    ],
)
def test_submit_bad_model_is_422_and_says_what_is_allowed(board: Site, model: str, said: str) -> None:
    problem = problem_of(board.submit(board.token("ada"), model=model), 422)
    assert said in problem["detail"]
    assert problem["errors"][0]["code"].startswith("bad-model")


def test_submit_without_file_or_with_unknown_setting_is_a_problem(board: Site) -> None:
    token = board.token("ada")
    problem_of(board.post("/api/v1/submissions", token, data={"benchmark": BENCHMARK.id, "model": "{}"}), 422)
    problem_of(board.submit(token, setting="fast"), 422)
    problem_of(board.submit(token, benchmark="nope"), 404)
    problem_of(board.post("/api/v1/submissions", token, json={"benchmark": BENCHMARK.id}), 422)


def test_publish_withdraw_retry_in_the_wrong_state_is_409(site: Site) -> None:
    token = site.token("ada")
    url = site.submit(token).json()["url"]
    problem_of(site.post(f"{url}/retry", token), 409)
    assert site.post(f"{url}/withdraw", token).json()["state"] == "withdrawn"
    for action in ("withdraw", "publish", "retry"):
        problem_of(site.post(f"{url}/{action}", token), 409)
    problem_of(site.post(f"{url}/publish"), 401)
    problem_of(site.post("/api/v1/submissions/s-nothing/publish", token), 404)


def test_retry_is_for_failures_that_were_ours(site: Site) -> None:
    token = site.token("ada")
    first = site.submit(token).json()["url"]
    fail(site, retryable=False)
    status = site.get(first, token).json()
    assert (status["state"], status["whose_fault"], status["retryable"]) == ("failed", "ours", False)
    problem_of(site.post(f"{first}/retry", token), 409)
    second = site.submit(token).json()["url"]
    fail(site, retryable=True)
    assert site.post(f"{second}/retry", token).json()["state"] == "queued"


# Health, description, problems


def test_ready_only_with_an_evaluator_seen_lately_and_its_keys(site: Site) -> None:
    assert site.get("/healthz").json() == {"status": "ok"}
    waiting = site.get("/readyz")
    assert waiting.status_code == 503 and waiting.json()["evaluator_seen_seconds"] is None
    now = datetime.now(UTC)
    for seen, status in ((now - timedelta(seconds=60), 503), (now, 200)):
        with site.services.database.write() as transaction:
            workers.beat(transaction, "host/1/2", {BENCHMARK.id: "01234567"}, now, seen)
        ready = site.get("/readyz")
        assert ready.status_code == status
    assert ready.json()["keys"] == {BENCHMARK.id: "01234567"}
    assert "host/1/2" not in ready.text


def test_metrics_are_prometheus_text(board: Site) -> None:
    response = board.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'earshot_submissions{state="scored"} 11' in response.text
    assert f'earshot_board_revision{{benchmark="{BENCHMARK.id}"' in response.text
    assert 'earshot_requests_total{status="200"}' in response.text


def test_openapi_names_every_route_and_docs_need_no_other_host(board: Site) -> None:
    paths = board.get("/api/v1/openapi.json").json()["paths"]
    assert {"/api/v1/benchmarks/{benchmark_id}/pack", "/api/v1/submissions/{submission_id}/retry"} <= set(paths)
    page = board.get("/api/v1/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert all(path in page.text for path in paths)
    assert "<script" not in page.text
    assert "https://" not in page.text


def test_unknown_address_and_method_are_problems(board: Site) -> None:
    for path in ("/api/v1/nope", "/api/v2/benchmarks", "/nope", "/api/v1/benchmarks/"):
        problem_of(board.get(path), 404)
    response = board.client.delete("/api/v1/benchmarks")
    assert "DELETE" in problem_of(response, 405)["detail"]
    assert response.headers["allow"] == "GET"


def test_unexpected_error_shows_an_incident_that_is_in_the_log(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("the secret text")

    monkeypatch.setattr(boards, "read_page", break_down)
    response = site.get(BOARD_URL)
    problem = problem_of(response, 500)
    assert "the secret text" not in response.text
    assert problem["incident"] in problem["detail"]
    assert problem["incident"] in caplog.text and "the secret text" in caplog.text


def test_ranking_of_the_fixture_is_the_one_of_today(board: Site) -> None:
    # Rows of another ranking would have no rank at all, and the tests above would show nothing.
    assert RANKING and any(row["rank"] == 1 for row in board.get(BOARD_URL).json()["rows"])
