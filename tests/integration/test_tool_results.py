"""Result files of other tools, checked and submitted as they are: the scores are those of plain lines."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from db.records import BenchmarkRecord, ItemRecord
from db.repositories import catalogue
from evaluation import get_benchmark, read_predictions
from evaluation.types import Prediction
from tests.support.samples.tool_writers import RESULTS, TOOL_FORMS
from tests.support.samples.uneven_answers import write_uneven_example
from tests.support.servers.live_site import Site, run_site
from tests.support.servers.server import Server, wait_for

BENCHMARK = get_benchmark("audio-motion-bench")
STAR = get_benchmark("star-bench", "1.0")
FIELDS = {"benchmark": STAR.id, "version": STAR.version}
ITEMS = tuple(f"made-up-{number}" for number in range(2))
ROWS = [{"id": item, "run": run, "response": f"({'AB'[run]})"} for item in ITEMS for run in (0, 1)]
SUBMITTED = ("inspect-eval", "vlmevalkit-xlsx")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("site")) as site:
        record = BenchmarkRecord(STAR.id, STAR.version, "d", "star.zip", len(ITEMS), 1)
        items = [ItemRecord(item, "perception", "t", "choice", (0, 1)) for item in ITEMS]
        with site.services.database.write() as transaction:
            catalogue.register_benchmark(transaction, record, items, datetime.now(UTC))
        yield site


def check(site: Site, data: bytes, name: str = "p") -> Mapping[str, Any]:
    response = site.post("/api/v1/validations", files={"file": (name, data)}, data=FIELDS)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_check_of_every_tool_is_that_of_plain_lines(site: Site, subtests: pytest.Subtests) -> None:
    plain = check(site, "".join(json.dumps(row) + "\n" for row in ROWS).encode())
    assert plain["ok"]
    for form, write in TOOL_FORMS.items():
        for name in ("p", "answers.csv"):
            with subtests.test(form=form, name=name):
                assert check(site, write(ROWS), name) == plain


def test_files_that_the_tools_wrote_are_accepted(site: Site, subtests: pytest.Subtests) -> None:
    for path in sorted(RESULTS.glob("inspect-ai-*")) + sorted(RESULTS.glob("evalscope-*-reviews.jsonl")):
        with subtests.test(name=path.name):
            answer = check(site, path.read_bytes(), path.name)
            assert (answer["ok"], answer["predictions"]) == (True, 4)


def test_wrong_id_of_every_tool_is_one_problem_with_its_place(site: Site, subtests: pytest.Subtests) -> None:
    rows: Sequence[Mapping[str, Any]] = [*ROWS, {"id": "made-up-7", "run": 0, "response": "(A)"}]
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            (problem,) = check(site, write(rows))["problems"]
            assert (problem["code"], problem["id"]) == ("unknown-id", "made-up-7")
            place = {"inspect-eval": "Sample 5", "vlmevalkit-xlsx": "Row 6"}.get(form, f"Line {problem['line']}")
            assert problem["message"].startswith(f"{place}: id `made-up-7` is not in ")


def test_damaged_files_are_refused_by_the_api(site: Site, subtests: pytest.Subtests) -> None:
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            data = write(ROWS)
            answer = check(site, data[: len(data) - 40])
            assert not answer["ok"]
            assert answer["problems"][0]["message"]


def test_predictions_of_every_tool_are_those_of_plain_lines(
    server: Server, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """Equal predictions have equal scores, which takes longer to compute."""
    plain = write_uneven_example(server)
    rows = [json.loads(line) for line in plain.read_text().splitlines()]
    expected = read_all(plain)
    assert len(expected) == len(rows)
    for form, write in TOOL_FORMS.items():
        with subtests.test(form=form):
            path = tmp_path / form
            path.write_bytes(write(rows))
            assert read_all(path) == expected


def read_all(path: Path) -> list[Prediction]:
    """Return the predictions of a file without their lines and their order, which differ between tools."""
    found = (msgspec.structs.replace(prediction, line=None) for prediction in read_predictions(path, BENCHMARK))
    return sorted(found, key=lambda prediction: (prediction.id, prediction.run))


def submit(server: Server, data: bytes, model: str) -> Mapping[str, Any]:
    submission = server.send(data, model, "grace")
    headers = {"Authorization": f"Bearer {server.token('grace')}"}

    def find_end() -> Any:
        status = server.json(f"/api/v1/submissions/{submission}", headers)
        return status if status["state"] not in ("queued", "running") else None

    status: Mapping[str, Any] = wait_for(find_end, "the end of the scoring")
    assert status["state"] == "scored", status
    return status


def test_submitted_files_of_tools_have_the_scores_of_plain_lines(server: Server, subtests: pytest.Subtests) -> None:
    plain = write_uneven_example(server)
    rows = [json.loads(line) for line in plain.read_text().splitlines()]
    expected = submit(server, plain.read_bytes(), "Plain lines")
    for form in SUBMITTED:
        with subtests.test(form=form):
            status = submit(server, TOOL_FORMS[form](rows), f"From {form}")
            assert (status["scores"], status["signature"]) == (expected["scores"], expected["signature"])
