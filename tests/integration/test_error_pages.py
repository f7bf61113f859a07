"""Error pages for browsers and problems for programs; closed versions link to the open one."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from db.records import BenchmarkRecord
from db.repositories import catalogue
from tests.support.servers.live_site import BENCHMARK, ITEMS, Site, problem_of, run_site

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PACK = f"/api/v1/benchmarks/{BENCHMARK.id}/pack"
CLOSED = {"benchmark": "mdar", "version": "1.0"}
REFUSAL = "MDAR 1.0 is not open for submissions. Submit to MDAR demo instead."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("site")) as site:
        closed = BenchmarkRecord("mdar", "1.0", "", "", 0, 0)
        with site.services.database.write() as transaction:
            catalogue.register_benchmark(transaction, closed, [], datetime.now(UTC))
        yield site


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        (PACK, 503, "is being prepared. Download it in about 2 minutes."),
        (
            "/api/v1/benchmarks/mdar/pack?split=test&version=1.0",
            409,
            "Download the question pack of MDAR demo instead.",
        ),
        ("/api/v1/benchmarks/audio-motion-benhc", 404, "Did you mean `audio-motion-bench`?"),
        ("/api/v1/benchmarks/%3Cscript%3E/pack", 404, "Unknown benchmark `&lt;script&gt;`."),
        ("/api/v1/nothing", 404, "There is no page at this address."),
        ("/nothing", 404, "There is no page at this address."),
        ("/api/v1/submissions?mine=true", 401, "Sign in on the Submit tab"),
        (f"{PACK}?split=train", 400, "split"),
    ],
)
def test_failed_link_is_a_page_for_browsers_and_json_for_programs(
    site: Site, path: str, status: int, words: str
) -> None:
    page = site.get(path, accept=BROWSER)
    assert page.status_code == status
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["vary"] == "Accept"
    assert "content-security-policy" in page.headers
    assert words in page.text
    assert '<a href="/">Back to the leaderboards</a>' in page.text
    assert "<script" not in page.text
    problem = site.get(path)
    assert problem_of(problem, status)["detail"]
    assert problem.headers.get("retry-after") == page.headers.get("retry-after")


def test_pack_in_preparation_has_a_retry_after_header(site: Site) -> None:
    assert site.get(PACK, accept=BROWSER).headers["retry-after"] == "120"


def test_submission_to_a_closed_version_names_the_open_one(site: Site) -> None:
    file = {"file": ("p.jsonl", b"{}")}
    token = site.token("ada")
    answers = [
        site.post("/api/v1/validations", files=file, data=CLOSED),
        site.post("/api/v1/submissions", token, files=file, data=CLOSED | {"model": '{"name": "m"}'}),
        site.post(
            "/api/v1/endpoint-submissions",
            token,
            json=CLOSED | {"model": {"name": "m"}, "base_url": "https://models.example.com/v1", "model_name": "m"},
        ),
    ]
    for answer in answers:
        problem = problem_of(answer, 409)
        assert problem["detail"] == REFUSAL
        assert problem["open_version"] == "demo"
        assert problem["url"] == "/?tab=submit&benchmark=mdar&version=demo"


def test_description_of_a_version_names_the_one_that_takes_submissions(site: Site) -> None:
    closed = site.get("/api/v1/benchmarks/mdar?version=1.0").json()
    assert closed["open_version"] == "demo"
    assert closed["needs"] == "Published scores only. Submissions are open for demo."
    own = site.get(f"/api/v1/benchmarks/{BENCHMARK.id}").json()
    assert (own["open_version"], own["needs"], own["items"]) == ("1.0", None, len(ITEMS))
