"""Every Eval Ever export: records are valid under schema 0.3.0 and complete."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft7Validator

from evaluation.benchmarks import all_benchmarks, get_benchmark
from evaluation.benchmarks.practice_comparison import is_practice_gap
from leaderboard.exports.eee import write_eee
from leaderboard.exports.view import ExportView
from tests.support.pages.export_views import HOSTILE, OVERALL, SIGNATURE, YES_BIAS, make_row, make_view

_SCHEMA = Path(__file__).parents[3] / "support/samples/schemas/every-eval-ever-0.3.0.json"


@cache
def load_validator() -> Draft7Validator:
    schema = orjson.loads(_SCHEMA.read_bytes())
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def list_errors(record: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in load_validator().iter_errors(record)]


def read_records(view: ExportView) -> list[Any]:
    """Return the exported records after validation against the schema."""
    exported = orjson.loads(write_eee(view))
    records = exported if isinstance(exported, list) else [exported]
    assert [error for record in records for error in list_errors(record)] == []
    return records


def read_record(*rows: dict[str, Any], columns: Any = (OVERALL, YES_BIAS)) -> Any:
    (record,) = read_records(make_view(list(rows), columns))
    return record


def test_eee_record_contains_score_interval_rank_and_signature() -> None:
    record = read_record(
        make_row("A model", 0.42657, interval=(0.4, 0.45), std=0.001, rank=3, more={YES_BIAS.key: 0.1})
    )
    overall, bias = record["evaluation_results"]
    assert overall["score_details"]["score"] == 0.42657
    assert overall["score_details"]["uncertainty"]["confidence_interval"]["upper"] == 0.45
    assert overall["score_details"]["details"]["rank"] == "3"
    assert record["eval_library"]["additional_details"] == {"signature": SIGNATURE}
    assert record["eval_library"]["version"] == "0.1.0"
    assert (overall["metric_config"]["lower_is_better"], bias["metric_config"]["lower_is_better"]) == (False, True)
    assert record["source_metadata"]["source_type"] == "evaluation_run"


def test_eee_reported_row_is_documentation_of_an_unknown_library() -> None:
    record = read_record(make_row("A model", 0.4, source="reported", note="Table 3."))
    assert record["source_metadata"]["source_type"] == "documentation"
    assert record["eval_library"]["name"] == "unknown"
    (result,) = record["evaluation_results"]
    assert result["score_details"]["details"]["origin"] == "reported, not scored here: Lee et al., 2026, Table 3"
    assert "row “A-model”" in record["source_metadata"]["additional_details"]["printed_in"]


def test_eee_reported_row_without_a_known_day_has_no_timestamp() -> None:
    year = read_record(make_row("A model", 0.4, source="reported", date=None, printed_on="2026"))
    assert "evaluation_timestamp" not in year
    assert year["source_metadata"]["additional_details"]["printed_on"] == "2026"
    day = datetime(2026, 6, 7, tzinfo=UTC)
    dated = read_record(make_row("A model", 0.4, source="reported", date=day, printed_on="2026-06-07"))
    assert dated["evaluation_timestamp"] == "2026-06-07T00:00:00+00:00"
    assert read_record(make_row())["evaluation_timestamp"] == "2026-11-21T20:04:36+00:00"


def test_eee_states_the_relationship_of_evaluator_and_model_author(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str | None, str | None, str]] = [
        ("verified", "Earshot", "reference", "third_party"),
        ("verified", "Lab", "LALM", "third_party"),
        ("verified", None, None, "third_party"),
        ("submitted", "Earshot", "reference", "other"),
        ("reported", "Lab", None, "other"),
    ]
    for source, organisation, kind, relationship in rows:
        with subtests.test(source=source, organisation=organisation, kind=kind, relationship=relationship):
            row = make_row(source=source)
            row["model"] |= {"organisation": organisation, "kind": kind}
            assert read_record(row)["source_metadata"]["evaluator_relationship"] == relationship


def test_eee_export_of_several_rows_omits_baselines_and_references() -> None:
    rows = [make_row("a"), make_row("people", source="human"), make_row("dice", source="random"), make_row("b")]
    rows.append(make_row("ours", source="verified", reference=True))
    records = read_records(make_view(rows))
    assert [record["model_info"]["name"] for record in records] == ["a", "b"]
    assert orjson.loads(write_eee(make_view(rows[1:2]))) == []


def test_eee_keeps_hostile_names_and_builds_ids_of_two_parts(subtests: pytest.Subtests) -> None:
    for name in HOSTILE:
        with subtests.test(name=name):
            record = read_record(make_row(name))
            assert record["model_info"]["name"] == name
            assert record["model_info"]["id"].count("/") == 1


def test_eee_error_share_states_interval_method_and_judge() -> None:
    star = get_benchmark("star-bench")
    (column,) = [candidate for candidate in star.columns if candidate.key == "temporal|perception_error_share"]
    score = {"value": 0.84, "low": 0.75, "high": 0.9, "std": None}
    note = "100 of 312 wrong answers, sorted by judge-1."
    row = make_row(scores={column.key: score}, score_notes={column.key: note}, ranks={})
    (record,) = read_records(replace(make_view([row], (column,)), benchmark=star))
    (result,) = record["evaluation_results"]
    uncertainty = result["score_details"]["uncertainty"]
    assert uncertainty["confidence_interval"]["method"].startswith("Wilson")
    assert "num_bootstrap_samples" not in uncertainty
    assert result["score_details"]["details"]["sorted"] == note
    assert result["metric_config"]["evaluation_description"].endswith("or heard something that is not there.")


def test_eee_states_whether_weights_are_open(subtests: pytest.Subtests) -> None:
    for is_open, availability in ((True, "open_weights"), (False, "closed_weights"), (None, "unknown")):
        with subtests.test(is_open=is_open):
            row = make_row()
            row["model"] |= {"open_weights": is_open}
            details = read_record(row)["model_info"]["additional_details"]
            assert (details["model_availability"], details["deployment_type"]) == (availability, "unknown")


def test_eee_is_valid_for_every_column_of_every_benchmark(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark.id, version=benchmark.version):
            scores = {column.key: {"value": 0.5, "low": 0.4, "high": 0.6, "std": 0.01} for column in benchmark.columns}
            row = make_row(scores=scores, ranks=dict.fromkeys(scores, 1))
            view = replace(make_view([row], benchmark.columns), benchmark=benchmark)
            (record,) = read_records(view)
            results = [column for column in benchmark.columns if not is_practice_gap(column.metric)]
            assert len(record["evaluation_results"]) == len(results)


def test_eee_schema_rejects_records_of_version_0_2_2() -> None:
    record = read_record(make_row())
    del record["model_info"]["additional_details"]["deployment_type"]
    assert list_errors(record) == ["$.model_info.additional_details: 'deployment_type' is a required property"]
