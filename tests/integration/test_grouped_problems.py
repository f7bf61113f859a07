"""A file for another benchmark is recognised by its ids, by the check and by a submission."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from db.records import BenchmarkRecord, ItemRecord
from db.repositories import catalogue
from tests.support.servers.live_site import BENCHMARK, Site, predictions, problem_of, run_site

OTHERS = [f"star-{number}" for number in range(6)]
MESSAGE = (
    "These ids belong to STAR-Bench 1.0. Choose STAR-Bench 1.0 as the benchmark instead of "
    f"{BENCHMARK.title} {BENCHMARK.version}."
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("site")) as site:
        record = BenchmarkRecord("star-bench", "1.0", "d", "star.zip", len(OTHERS), 1)
        items = [ItemRecord(item, "perception", "t", "choice", (0,)) for item in OTHERS]
        with site.services.database.write() as transaction:
            catalogue.register_benchmark(transaction, record, items, datetime.now(UTC))
        yield site


@pytest.mark.parametrize("n_rows", [1, 6])
def test_file_of_another_benchmark_is_told_which_to_choose(site: Site, n_rows: int) -> None:
    data = predictions(OTHERS[:n_rows])
    fields = {"benchmark": BENCHMARK.id, "allow_missing": "true"}
    checked = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=fields).json()
    assert [problem["message"] for problem in checked["problems"]] == [MESSAGE]
    refused = problem_of(site.submit(site.token("ada"), data, **fields), 422)
    assert [problem["message"] for problem in refused["errors"]] == [MESSAGE]


def test_renamed_field_is_one_problem_of_the_answer(site: Site) -> None:
    rows = [json.loads(line) for line in predictions().splitlines()]
    data = "".join(json.dumps({"answer": row.pop("response"), **row}) + "\n" for row in rows).encode()
    fields = {"benchmark": BENCHMARK.id}
    checked = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=fields).json()
    (problem,) = checked["problems"]
    assert problem["message"] == 'Every line calls its answer "answer"; rename it to "response".'
    assert problem["line"] == 1
    assert checked["totals"] == {"missing-field": len(rows)}


def test_missing_items_stand_in_the_details_of_the_answer(site: Site) -> None:
    lines = predictions().splitlines(keepends=True)
    fields = {"benchmark": BENCHMARK.id}
    refused = problem_of(site.submit(site.token("bob"), lines[0], **fields), 422)
    (problem,) = refused["errors"]
    missing = [str(json.loads(line)["id"]) for line in lines[1:]]
    assert {detail["id"] for detail in problem["details"]} <= set(missing)
    assert len(problem["details"]) == min(50, len(missing))
    assert set(problem["details"][0]) == {"code", "message", "line", "id"}
