"""Responses reveal neither local paths nor texts of unknown errors."""

from collections.abc import Iterator

import pytest
from sqlalchemy.exc import OperationalError

from submissions.service import SubmissionService
from tests.support.servers.live_site import BENCHMARK, Site, problem_of, run_site

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("strangers"), max_upload_mb=1) as running:
        yield running


def test_unknown_error_is_an_incident_without_its_text(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    class DriverError(Exception):
        sqlite_errorname = "SQLITE_CORRUPT"

    for error in (
        OSError(5, "Input/output error", "/data/secret"),
        ValueError("/data/secret"),
        OperationalError("SELECT secret", {}, DriverError("/data/secret")),
    ):

        def fail(*_args: object, failure: Exception = error, **_options: object) -> None:
            raise failure

        monkeypatch.setattr(SubmissionService, "status", fail)
        response = site.get("/api/v1/submissions/s-x")
        problem = problem_of(response, 500)
        assert len(problem["incident"]) == 8
        assert problem["incident"] in problem["detail"]
        assert "secret" not in response.text


def test_full_database_is_507(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    class DriverError(Exception):
        sqlite_errorname = "SQLITE_FULL"

    def fail(*_args: object, **_options: object) -> None:
        raise OperationalError("INSERT secret", {}, DriverError("database or disk is full"))

    monkeypatch.setattr(SubmissionService, "submit", fail)
    response = site.submit(site.token("ada"))
    assert "disk is full" in problem_of(response, 507)["detail"]
    assert "secret" not in response.text


PATHS = [
    "/api/v1/benchmarks",
    f"/api/v1/benchmarks/{BENCHMARK.id}",
    f"/api/v1/benchmarks/{BENCHMARK.id}/pack",
    "/api/v1/benchmarks/..%2f..%2fetc",
    BOARD_URL,
    f"{BOARD_URL}/export?format=/etc/passwd",
    f"{BOARD_URL}?cursor=%00",
    f"{BOARD_URL}?sort=/etc/passwd",
    "/api/v1/submissions/..%2f..%2fearshot.db",
    "/api/v1/submissions/%00",
    "/api/v1/docs",
    "/api/v1/nothing",
    "/readyz",
    "/metrics",
]


def test_no_response_contains_a_local_path(site: Site, subtests: pytest.Subtests) -> None:
    for path in PATHS:
        with subtests.test(path):
            response = site.get(path)
            assert response.status_code < 500 or path == "/readyz" or response.status_code == 503
            for word in (str(site.services.settings.data_dir), "/site-packages", "Traceback", "sqlalchemy", ".py"):
                assert word not in response.text
