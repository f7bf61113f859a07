"""Faulty files: the page, the command line and the API report the same problems."""

import html
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import submissions.__main__ as command_line
from db.records import BenchmarkRecord, ItemRecord
from db.repositories import catalogue
from evaluation.benchmarks import get_benchmark
from leaderboard.pages.submit.markup import render_validation
from tests.support.samples.bad_files import CATALOGUE, ITEMS, list_bad_files
from tests.support.servers.live_site import Site, problem_of, run_site

# Some ids without leading zeros are those of another benchmark here.
FILES = {file.name: file for file in list_bad_files() if file.name != "ids without zeros"}
IN_THE_SHELL = (
    "Python dicts",
    "empty",
    "runs from 1, two damaged lines",
    "lmms-eval samples",
    "csv wrong cells",
    "twice",
    "inspect eval",
)
STAR = get_benchmark("star-bench", "1.0")
FIELDS = {"benchmark": STAR.id, "version": STAR.version, "allow_missing": "true"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("site")) as site:
        record = BenchmarkRecord(STAR.id, STAR.version, "d", "star.zip", len(ITEMS), 1)
        items = [ItemRecord(item, "perception", "t", "choice", (0, 1, 2)) for item in ITEMS]
        with site.services.database.write() as transaction:
            catalogue.register_benchmark(transaction, record, items, datetime.now(UTC))
        yield site


def check(site: Site, data: bytes) -> dict[str, Any]:
    answer: dict[str, Any] = site.post("/api/v1/validations", files={"file": ("p", data)}, data=FIELDS).json()
    return answer


@pytest.fixture(scope="module")
def checks(site: Site) -> dict[str, dict[str, Any]]:
    """Response of the API for each file."""
    return {name: check(site, file.data) for name, file in FILES.items()}


def said_of(first: str) -> str:
    return first.replace(CATALOGUE.title, f"{STAR.title} {STAR.version}")


def test_page_and_api_report_the_same_for_every_faulty_file(
    site: Site, checks: dict[str, dict[str, Any]], subtests: pytest.Subtests
) -> None:
    for file in FILES.values():
        with subtests.test(name=file.name):
            checked = checks[file.name]
            assert checked["problems"][0]["message"] == said_of(file.first)
            verdict = site.services.submissions.validate(
                STAR, STAR.settings[0], io.BytesIO(file.data), None, allow_missing=True
            )
            page = html.unescape(str(render_validation(verdict)))
            assert f"{sum(checked['totals'].values()):,} problem" in page
            for problem in checked["problems"]:
                assert problem["message"] in page
            assert sum(problem["count"] for problem in checked["problems"]) == sum(checked["totals"].values())


def test_submission_is_refused_with_the_problems_of_the_check(
    site: Site, checks: dict[str, dict[str, Any]], subtests: pytest.Subtests
) -> None:
    token = site.token("ada")
    for file in FILES.values():
        with subtests.test(name=file.name):
            refused = problem_of(site.submit(token, file.data, **FIELDS), 422)
            checked = checks[file.name]
            assert refused["errors"] == checked["problems"]
            assert refused["total"] == sum(checked["totals"].values())
            assert refused["detail"].startswith(said_of(file.first))


@pytest.mark.parametrize("name", IN_THE_SHELL)
def test_command_line_prints_the_problems_of_the_check(
    site: Site,
    checks: dict[str, dict[str, Any]],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Consoles are created when the module is imported, before output is captured.
    monkeypatch.setattr(command_line._ERR, "width", 500)
    path = tmp_path / "predictions"
    path.write_bytes(FILES[name].data)
    board = ("--benchmark", STAR.id, "--version", STAR.version, "--allow-missing")
    server = ("--url", f"http://127.0.0.1:{site.port}")
    assert command_line.main(("validate", str(path), *board, *server)) == 1
    said = capsys.readouterr().err
    checked = checks[name]
    assert f"This file cannot be scored: {sum(checked['totals'].values())} problem" in said
    for problem in checked["problems"]:
        assert problem["message"] in said
    assert json.dumps(checked["problems"][0]["line"]).replace("null", "–") in said
