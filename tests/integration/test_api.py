import json
from datetime import UTC, datetime, timedelta

import httpx2
import pytest

from db.repositories import boards, workers
from evaluation.benchmarks import all_benchmarks
from evaluation.packs import pack_name
from tests.support.samples.question_packs import write_questions
from tests.support.servers.live_site import (
    BENCHMARK,
    DIGEST,
    ITEMS,
    PACK,
    RANKING,
    Site,
    predictions,
    problem_of,
)

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"
HEADLINE = "overall|accuracy"


def test_list_and_detail_of_benchmarks_agree_and_are_complete(board: Site) -> None:
    listed = board.get("/api/v1/benchmarks").json()["benchmarks"]
    one = board.get(f"/api/v1/benchmarks/{BENCHMARK.id}").json()
    assert [(entry["id"], entry["version"]) for entry in listed] == [(b.id, b.version) for b in all_benchmarks()]
    assert listed[0].items() <= one.items()
    assert one["version"] == "1.0"
    assert one["content_digest"] == DIGEST
    assert one["items"] == len(ITEMS)
    in_papers = {(entry["id"], entry["version"]): entry["items_of_paper"] for entry in listed}
    assert {named: n for named, n in in_papers.items() if n is not None} == {
        ("star-bench", "1.0"): 2_353,
        ("mdar", "1.0"): 2_825,
        ("audio-process-bench", "1.0"): 3_872,
    }
    assert one["settings"] == ["default"]
    assert one["headline"] == HEADLINE
    assert [part["id"] for part in one["parts"]] == ["sct", "sdt", "tat"]
    bias = next(metric for metric in one["metrics"] if metric["id"] == "yes_bias")
    assert bias["higher_is_better"] is False
    assert "P(says true" in bias["formula"]
    assert "overall" in one["slices"]
    assert one["columns"][0]["key"] == HEADLINE
    assert one["columns"][0]["chance"] == pytest.approx(one["chance"][HEADLINE])


def test_versions_of_a_benchmark_have_their_own_random_baselines(board: Site) -> None:
    for version, percent in (("1.0", 37.3), ("synthetic-3", 38.8)):
        found = board.get(f"/api/v1/benchmarks/audio-process-bench?version={version}").json()
        assert found["version"] == version
        assert round(100 * found["chance"][found["headline"]], 1) == percent


def test_unknown_benchmark_is_404_and_names_the_known_ones(board: Site) -> None:
    for path in ("benchmarks/audio-motion-benhc", "leaderboards/audio-motion-benhc"):
        problem = problem_of(board.get(f"/api/v1/{path}"), 404)
        assert "Did you mean `audio-motion-bench`?" in problem["detail"]


@pytest.mark.parametrize("path", ["benchmarks", "leaderboards"])
def test_unknown_benchmark_with_a_long_odd_name_is_shortened_and_escaped(board: Site, path: str) -> None:
    detail = problem_of(board.get(f"/api/v1/{path}/%07%1b{'x' * 3_000}"), 404)["detail"]
    assert f"Unknown benchmark `��{'x' * 58}…`." in detail
    assert detail.isprintable()


@pytest.mark.parametrize("split", ["test", "practice"])
def test_pack_that_is_not_ready_is_503_with_retry_after(site: Site, split: str) -> None:
    response = site.get(f"/api/v1/benchmarks/{BENCHMARK.id}/pack?split={split}")
    assert "is being prepared. Download it in about 2 minutes" in problem_of(response, 503)["detail"]
    assert int(response.headers["retry-after"]) > 0


def test_pack_is_streamed_with_etag_range_and_name(site: Site) -> None:
    folder = site.services.settings.packs_dir
    folder.mkdir()
    practice = pack_name(BENCHMARK.content(BENCHMARK.make_key("practice")))
    (folder / PACK).write_bytes(bytes(range(256)) * 1000)
    (folder / practice).write_bytes(b"practice")
    url = f"/api/v1/benchmarks/{BENCHMARK.id}/pack"
    whole = site.get(f"{url}?split=test")
    assert whole.status_code == 200
    assert whole.content == bytes(range(256)) * 1000
    assert whole.headers["etag"] == f'"{DIGEST}"'
    assert whole.headers["content-type"] == "application/zip"
    assert whole.headers["content-disposition"] == f'attachment; filename="{PACK}"'
    part = site.get(url, range="bytes=10-19")
    assert part.status_code == 206
    assert part.content == bytes(range(10, 20))
    assert part.headers["content-range"] == "bytes 10-19/256000"
    for odd in ("bytes=-", "bytes=5-2", "lines=1-2", "bytes=0-1,4-5", "rubbish"):
        assert site.get(url, range=odd).content == whole.content, "what a server may overlook is overlooked"
    beyond = site.get(url, range="bytes=256000-")
    assert "256000 bytes" in problem_of(beyond, 416)["detail"]
    assert beyond.headers["content-range"] == "bytes */256000"
    assert site.get(url, if_none_match=whole.headers["etag"]).status_code == 304
    head = site.client.head(url)
    assert head.headers["content-length"] == "256000"
    assert head.content == b""
    assert site.get(f"{url}?split=practice").content == b"practice"
    problem_of(site.get(f"{url}?split=train"), 400)


def check(site: Site, data: bytes, **fields: str) -> dict[str, object]:
    values = {"benchmark": BENCHMARK.id} | fields
    response = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=values)
    assert response.status_code == 200, response.text
    body: dict[str, object] = response.json()
    return body


def test_validation_of_a_valid_file_needs_no_account(board: Site) -> None:
    assert check(board, predictions()) == {
        **{"ok": True, "predictions": 4, "expected": 4, "missing": 0, "problems": [], "totals": {}},
        **{"parsed": None, "unreadable": None, "unreadable_reasons": {}, "unreadable_examples": []},
        "unparsed_reason": "Answers are not parsed yet, because the question pack is being prepared.",
    }


def test_validation_parses_answers_once_the_pack_is_ready(site: Site) -> None:
    sent = ("A", "A or B", "left", "", "\x1b[1mhm")
    lines = [json.dumps({"id": ITEMS[0], "run": run, "response": sent[run]}) for run in range(3)]
    lines += [json.dumps({"id": ITEMS[1], "run": run, "response": sent[run + 2]}) for run in range(3)]
    data = "\n".join(lines).encode()
    assert check(site, data, allow_missing="true")["parsed"] is None
    shown = {"setting": "default", "options": ["left", "right"]}
    questions = [{"id": item, "run": run} | shown for item in ITEMS for run in range(3)]
    write_questions(site.services.settings.packs_dir / PACK, questions)
    found = check(site, data, allow_missing="true")
    assert found["ok"] is True
    assert (found["predictions"], found["parsed"], found["unreadable"]) == (6, 3, 3)
    assert found["unparsed_reason"] is None
    assert found["unreadable_reasons"] == {
        "no single option chosen": 1,
        "empty response": 1,
        "no option named": 1,
    }
    assert found["unreadable_examples"] == [
        {"id": ITEMS[0], "run": 1, "line": 2, "response": "A or B", "reason": "no single option chosen"},
        {"id": ITEMS[1], "run": 1, "line": 5, "response": "", "reason": "empty response"},
        {"id": ITEMS[1], "run": 2, "line": 6, "response": "�[1mhm", "reason": "no option named"},
    ]


def test_validation_of_a_faulty_file_is_200_and_names_lines(board: Site) -> None:
    body = check(board, predictions(["amb-1", "amb-9"]) + b"nonsense\n")
    assert body["ok"] is False
    assert body["missing"] == 3
    assert body["totals"] == {"unknown-id": 1, "not-json": 1, "missing": 3}
    problems = body["problems"]
    assert isinstance(problems, list)
    assert {(problem["code"], problem["line"]) for problem in problems} >= {("unknown-id", 2), ("not-json", 3)}


def test_validation_allows_missing_when_asked(board: Site) -> None:
    assert check(board, predictions(["amb-1"]), allow_missing="true")["ok"] is True


def test_validation_bad_request_is_a_problem(board: Site) -> None:
    files = {"file": ("p.jsonl", b"")}
    problem_of(board.post("/api/v1/validations", files=files, data={"benchmark": "nope"}), 404)
    problem_of(board.post("/api/v1/validations", files=files, data={"benchmark": BENCHMARK.id, "setting": "x"}), 400)
    assert problem_of(board.post("/api/v1/validations", files=files), 400)["errors"][0]["code"] == "bad-benchmark"
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    problem_of(board.post("/api/v1/validations", content=b"--y\r\nrubbish", headers=headers), 400)


def test_ready_requires_a_live_evaluator_and_its_keys(site: Site) -> None:
    assert site.get("/healthz").json() == {"status": "ok"}
    waiting = site.get("/readyz")
    assert waiting.status_code == 503
    assert waiting.json()["evaluator_seen_seconds"] is None
    now = datetime.now(UTC)
    # One from the future was recorded before the clock was set back.
    for seen, status in ((now - timedelta(seconds=60), 503), (now + timedelta(hours=1), 503), (now, 200)):
        with site.services.database.write() as transaction:
            workers.record_heartbeat(transaction, "host/1/2", {BENCHMARK.id: "01234567"}, now, seen)
        ready = site.get("/readyz")
        assert ready.status_code == status
    assert ready.json()["keys"] == {BENCHMARK.id: "01234567"}
    assert "host/1/2" not in ready.text


def test_metrics_are_prometheus_text(board: Site) -> None:
    board.get(BOARD_URL)
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


GETS = (
    "/api/v1/benchmarks",
    f"/api/v1/benchmarks/{BENCHMARK.id}",
    BOARD_URL,
    "/api/v1/overview",
    *(f"{BOARD_URL}/export?format={name}" for name in ("csv", "json", "latex", "bibtex", "hub", "model-index", "eee")),
    "/api/v1/openapi.json",
    "/api/v1/docs",
)


def read_tag(response: httpx2.Response) -> str:
    """Return the entity tag without the suffix of a compressed response."""
    return response.headers["etag"].removeprefix("W/")


def test_public_get_supports_304_and_head(board: Site, subtests: pytest.Subtests) -> None:
    for url in GETS:
        with subtests.test(url):
            first = board.get(url)
            etag = read_tag(first)
            assert first.headers["cache-control"] == "no-cache"
            for known in (first.headers["etag"], etag, f'"other", W/{etag}', "*"):
                again = board.get(url, if_none_match=known)
                assert (again.status_code, again.content, read_tag(again)) == (304, b"", etag)
            assert board.get(url, if_none_match='"other"').content == first.content
            head = board.client.head(url)
            assert (head.status_code, head.content, read_tag(head)) == (200, b"", etag)
            assert head.headers["content-length"] == str(len(first.content))


@pytest.mark.parametrize("url", ["/api/v1/nope", "/api/v1/benchmarks/nope", "/api/v1/submissions?mine=true"])
def test_head_of_an_error_has_the_status_of_get(board: Site, url: str) -> None:
    head, get = board.client.head(url), board.get(url)
    assert head.status_code == get.status_code >= 400
    assert head.content == b""


@pytest.mark.parametrize("path", ["limits", "tokens", "admin/queue", "admin/audit", "admin/reevaluations"])
def test_private_get_is_not_cacheable(board: Site, path: str) -> None:
    response = board.get(f"/api/v1/{path}", board.token("local"))
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-store"
    assert "etag" not in response.headers


def test_unknown_address_and_method_are_problems(board: Site) -> None:
    for path in ("/api/v1/nope", "/api/v2/benchmarks", "/nope", "/api/v1/benchmarks/"):
        problem_of(board.get(path), 404)
    response = board.client.delete("/api/v1/benchmarks")
    assert "DELETE" in problem_of(response, 405)["detail"]
    assert response.headers["allow"] == "GET"


def test_unexpected_error_shows_an_incident_id_that_is_in_the_log(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("the secret text")

    monkeypatch.setattr(boards, "read_page", break_down)
    response = site.get(BOARD_URL)
    problem = problem_of(response, 500)
    assert "the secret text" not in response.text
    assert problem["incident"] in problem["detail"]
    assert problem["incident"] in caplog.text
    assert "the secret text" in caplog.text


def test_ranking_version_of_the_fixture_is_current(board: Site) -> None:
    # Rows of another ranking would have no rank at all, which would make the tests above meaningless.
    assert RANKING
    assert any(row["rank"] == 1 for row in board.get(BOARD_URL).json()["rows"])
