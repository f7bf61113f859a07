"""Files for another benchmark are recognised by their ids, in checks and submissions."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from db.records import BenchmarkRecord, ItemRecord
from db.repositories import catalogue
from submissions.listening_test.practice_packs import practice_content
from tests.support.servers.live_site import BENCHMARK, ITEMS, Site, predictions, problem_of, run_site

OTHERS = [f"star-{number}" for number in range(60)]
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


@pytest.mark.parametrize("n_rows", [1, 6, 50])
def test_file_of_another_benchmark_is_reported_with_the_one_to_choose(site: Site, n_rows: int) -> None:
    data = predictions(OTHERS[:n_rows])
    fields = {"benchmark": BENCHMARK.id, "allow_missing": "true"}
    checked = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=fields).json()
    assert [problem["message"] for problem in checked["problems"]] == [MESSAGE]
    refused = problem_of(site.submit(site.token("ada"), data, **fields), 422)
    assert [problem["message"] for problem in refused["errors"]] == [MESSAGE]


def test_long_file_of_another_benchmark_is_reported_with_the_one_to_choose(site: Site) -> None:
    (problem,) = check(site, predictions(OTHERS))
    assert problem["message"] == MESSAGE
    assert [detail["id"] for detail in problem["details"]] == OTHERS[:50]


@pytest.mark.parametrize("n_made_up", [1, 4, 500])
def test_file_with_one_id_of_another_benchmark_is_not_attributed_to_it(site: Site, n_made_up: int) -> None:
    problems = check(site, predictions([OTHERS[0], *(f"made-up-{number}" for number in range(n_made_up))]))
    assert not [problem for problem in problems if "belong" in problem["message"]]


def check(site: Site, data: bytes) -> list[dict[str, Any]]:
    fields = {"benchmark": BENCHMARK.id}
    answer = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=fields).json()
    return cast("list[dict[str, Any]]", answer["problems"])


def test_renamed_field_is_one_problem_in_the_response(site: Site) -> None:
    rows = [json.loads(line) for line in predictions().splitlines()]
    data = "".join(json.dumps({"answer": row.pop("response"), **row}) + "\n" for row in rows).encode()
    fields = {"benchmark": BENCHMARK.id}
    checked = site.post("/api/v1/validations", files={"file": ("p.jsonl", data)}, data=fields).json()
    (problem,) = checked["problems"]
    assert problem["message"] == 'Every line calls its answer "answer"; rename it to "response".'
    assert problem["line"] == 1
    assert checked["totals"] == {"missing-field": len(rows)}


def test_missing_items_are_listed_in_the_details(site: Site) -> None:
    first, *others = ITEMS
    data = "".join(json.dumps({"id": first, "run": run, "response": "A"}) + "\n" for run in range(2)).encode()
    refused = problem_of(site.submit(site.token("bob"), data, benchmark=BENCHMARK.id), 422)
    (problem,) = refused["errors"]
    assert problem["message"].startswith("3 items have no prediction (all runs): ")
    assert [(detail["code"], detail["id"]) for detail in problem["details"]] == [("missing", item) for item in others]
    assert set(problem["details"][0]) == {"code", "message", "line", "id"}


def test_ids_of_practice_questions_are_recognised_despite_a_damaged_line(site: Site) -> None:
    practice = [item.id for item in practice_content(BENCHMARK.id, BENCHMARK.version).items[:30]]
    title = f"{BENCHMARK.title} {BENCHMARK.version}"
    alone, *others = check(site, predictions(practice))
    assert others == []
    assert alone["message"] == (
        f"These ids belong to the practice questions of {title}. Answer the questions of the test pack instead."
    )
    first, damaged = check(site, predictions(practice) + b"{\n")
    assert first["message"] == (
        f"30 lines (1, 2, 3, …) have ids of the practice questions of {title}. Remove these lines, or answer the test "
        "questions instead."
    )
    assert (first["count"], damaged["line"]) == (30, 31)


def test_ids_of_another_benchmark_are_recognised_among_known_ones_and_damaged_lines(site: Site) -> None:
    data = predictions([ITEMS[0]]) + predictions(OTHERS) + b"{\n"
    first, *_ = check(site, data)
    assert first["message"] == (
        "60 lines (2, 3, 4, …) have ids of STAR-Bench 1.0. Remove these lines, or choose STAR-Bench 1.0."
    )
    assert (first["count"], len(first["details"])) == (60, 50)
