"""Records hold to the schema of Every Eval Ever 0.2.2: required fields, no others, its words and kinds of values."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
import orjson
import pytest

from evaluation.benchmarks import get_benchmark
from leaderboard.exports.eee import write_eee
from tests.support.pages.export_views import HOSTILE, OVERALL, SIGNATURE, YES_BIAS, make_row, make_view

_Texts = dict[str, str]
_Text = Annotated[str, msgspec.Meta(min_length=1)]


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    pass


class Source(_Strict):
    source_type: Literal["documentation", "evaluation_run"]
    source_organization_name: _Text
    evaluator_relationship: Literal["first_party", "third_party", "collaborative", "other"]
    source_name: _Text
    additional_details: _Texts


class Library(_Strict):
    name: _Text
    version: _Text
    additional_details: _Texts = {}


class Model(_Strict):
    name: _Text
    id: Annotated[str, msgspec.Meta(pattern=r"^[^/\s]+/[^/\s]+$")]
    additional_details: _Texts
    developer: str | None = None


class Data(_Strict):
    dataset_name: _Text
    source_type: Literal["other"]
    source_id: str
    source_version: str
    additional_details: _Texts


class MetricConfig(_Strict):
    lower_is_better: bool
    score_type: Literal["continuous"]
    min_score: float
    max_score: float
    evaluation_description: str
    metric_id: str
    metric_name: str
    metric_unit: str
    additional_details: _Texts


class Interval(_Strict):
    lower: float
    upper: float
    confidence_level: Annotated[float, msgspec.Meta(ge=0, le=1)]
    method: str


class Uncertainty(_Strict):
    confidence_interval: Interval


class ScoreDetails(_Strict):
    score: float
    details: _Texts
    uncertainty: Uncertainty | None = None


class Generation(_Strict):
    additional_details: _Texts


class Result(_Strict):
    evaluation_name: _Text
    source_data: Data
    metric_config: MetricConfig
    score_details: ScoreDetails
    evaluation_result_id: str
    generation_config: Generation


class Record(_Strict):
    schema_version: Literal["0.2.2"]
    evaluation_id: str
    retrieved_timestamp: Annotated[str, msgspec.Meta(pattern=r"^\d+$")]
    source_metadata: Source
    model_info: Model
    eval_library: Library
    evaluation_results: list[Result]
    evaluation_timestamp: str | None = None


def read_one(*rows: dict[str, Any], columns: Any = (OVERALL, YES_BIAS)) -> Record:
    return msgspec.json.decode(write_eee(make_view(list(rows), columns)), type=Record)


def test_eee_record_holds_figure_interval_place_and_signature() -> None:
    record = read_one(make_row("A model", 0.42657, interval=(0.4, 0.45), std=0.001, rank=3, more={YES_BIAS.key: 0.1}))
    overall, bias = record.evaluation_results
    assert overall.score_details.score == 0.42657
    assert overall.score_details.uncertainty is not None
    assert overall.score_details.uncertainty.confidence_interval.upper == 0.45
    assert overall.score_details.details["rank"] == "3"
    assert record.eval_library.additional_details == {"signature": SIGNATURE}
    assert record.eval_library.version == "0.1.0"
    assert (overall.metric_config.lower_is_better, bias.metric_config.lower_is_better) == (False, True)
    assert record.source_metadata.source_type == "evaluation_run"


def test_eee_reported_row_is_documentation_of_an_unknown_library() -> None:
    record = read_one(make_row("A model", 0.4, source="reported", note="Table 3."))
    assert record.source_metadata.source_type == "documentation"
    assert record.eval_library.name == "unknown"
    (result,) = record.evaluation_results
    assert result.score_details.details["origin"] == "reported, not scored here: Lee et al., 2026, Table 3"
    assert "row “A-model”" in record.source_metadata.additional_details["printed_in"]


def test_eee_row_of_a_paper_has_its_day_or_no_timestamp() -> None:
    year = read_one(make_row("A model", 0.4, source="reported", date=None, printed_on="2026"))
    assert year.evaluation_timestamp is None
    assert year.source_metadata.additional_details["printed_on"] == "2026"
    day = datetime(2026, 6, 7, tzinfo=UTC)
    dated = read_one(make_row("A model", 0.4, source="reported", date=day, printed_on="2026-06-07"))
    assert dated.evaluation_timestamp == "2026-06-07T00:00:00+00:00"
    assert read_one(make_row()).evaluation_timestamp == "2026-11-21T20:04:36+00:00"


def test_eee_says_how_we_stand_to_who_made_the_model(subtests: pytest.Subtests) -> None:
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
            assert read_one(row).source_metadata.evaluator_relationship == relationship


def test_eee_several_rows_are_a_list_without_people_and_chance() -> None:
    rows = [make_row("a"), make_row("people", source="human"), make_row("dice", source="random"), make_row("b")]
    rows.append(make_row("ours", source="verified", reference=True))
    records = msgspec.json.decode(write_eee(make_view(rows)), type=list[Record])
    assert [record.model_info.name for record in records] == ["a", "b"]
    assert orjson.loads(write_eee(make_view(rows[1:2]))) == []


def test_eee_hostile_name_is_a_text_and_its_id_has_two_parts(subtests: pytest.Subtests) -> None:
    for name in HOSTILE:
        with subtests.test(name=name):
            record = read_one(make_row(name))
            assert record.model_info.name == name
            assert record.model_info.id.count("/") == 1


def test_share_of_an_error_type_says_how_its_interval_was_made_and_who_sorted() -> None:
    star = get_benchmark("star-bench")
    (column,) = [one for one in star.columns if one.key == "temporal|perception_error_share"]
    score = {"value": 0.84, "low": 0.75, "high": 0.9, "std": None}
    note = "100 of 312 wrong answers, sorted by judge-1."
    row = make_row(scores={column.key: score}, score_notes={column.key: note}, ranks={})
    (result,) = orjson.loads(write_eee(replace(make_view([row], (column,)), benchmark=star)))["evaluation_results"]
    uncertainty = result["score_details"]["uncertainty"]
    assert uncertainty["confidence_interval"]["method"].startswith("Wilson")
    assert "num_bootstrap_samples" not in uncertainty
    assert result["score_details"]["details"]["sorted"] == note
    assert result["metric_config"]["evaluation_description"].endswith("or heard something that is not there.")
