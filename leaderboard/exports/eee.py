"""Board rows in the schema of Every Eval Ever, for comparison with results of other leaderboards.

Follows version 0.3.0 of its `eval.schema.json`: aggregated results, one record per row. Instance-level records are not
written, because they would reveal the answers.
"""

import re
from typing import Any, Final

import orjson

from evaluation.benchmarks import Benchmark, Column, Metric
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.errors import EvaluationError
from evaluation.signature import parse_signature
from leaderboard.exports.view import (
    ExportView,
    Row,
    describe_origin,
    describe_paper_of,
    in_utc,
    link_to_row,
    list_results,
)

SCHEMA_VERSION: Final = "0.3.0"
_US: Final = "Earshot"
_HOW: Final = {
    "verified": "Earshot queried an endpoint of the model and scored its answers.",
    "submitted": "A submitter ran the model and uploaded its answers; Earshot scored them.",
    "reported": "A paper reports these scores; Earshot did not compute them.",
}
_AVAILABILITY: Final = {True: "open_weights", False: "closed_weights", None: "unknown"}
_INTERVAL: Final = "Wilson on the effective number of items, recordings as clusters"
_INTERVAL_OF_SHARES: Final = "Wilson score interval on the effective number of classified answers"
_LEVEL: Final = 0.95


def write_eee(view: ExportView) -> bytes:
    """Return one record for a single row, otherwise a list of records."""
    records = [make_record(view, row) for row in view.systems]
    return orjson.dumps(records[0] if len(view.rows) == 1 and records else records, option=orjson.OPT_INDENT_2)


def make_record(view: ExportView, row: Row) -> dict[str, Any]:
    """Return a row as a record in the schema."""
    made_at = str(int(in_utc(view.made_at or row["date"]).timestamp()))
    dated = {} if row["date"] is None else {"evaluation_timestamp": in_utc(row["date"]).isoformat(timespec="seconds")}
    model = _describe_model(row)
    is_reported = row["source"] == "reported"
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"earshot-{view.benchmark.id}-{view.setting}/{model['id']}/{row['submission']}/{made_at}",
        **dated,
        "retrieved_timestamp": made_at,
        "source_metadata": {
            "source_name": f"Earshot: {view.title}",
            "source_type": "documentation" if is_reported else "evaluation_run",
            "source_organization_name": _US,
            "evaluator_relationship": _describe_evaluator(row),
            "additional_details": _texts(
                source=row["source"],
                how=_HOW[row["source"]],
                url=link_to_row(view.origin, row),
                revision=view.revision,
                printed_on=row["printed_on"],
                printed_in=describe_paper_of(row),
                notes=" ".join(row["notes"]) or None,
            ),
        },
        "eval_library": _describe_library(row["signature"]),
        "model_info": model,
        "evaluation_results": [_describe_result(view, row, column, score) for column, score in list_results(view, row)],
    }


def _describe_evaluator(row: Row) -> str:
    """Return the evaluator's relationship to the model's developer; that of a submitter is unknown."""
    return "third_party" if row["source"] == "verified" else "other"


def _describe_model(row: Row) -> dict[str, Any]:
    model = row["model"]
    developer = model["organisation"]
    found = {
        "name": model["name"],
        "id": f"{_slug(developer or 'unknown')}/{_slug(model['name'])}",
        "additional_details": _texts(
            earshot_id=model["id"],
            sent_as=model["sent_as"],
            kind=model["kind"],
            # Neither a prediction file nor an endpoint's address tells who operates the model.
            deployment_type="unknown",
            model_availability=_AVAILABILITY[model["open_weights"]],
            size_billions=model["size_billions"],
            open_weights=model["open_weights"],
            url=model["url"],
        ),
    }
    return found | ({"developer": developer} if developer else {})


def _describe_library(signature: str | None) -> dict[str, Any]:
    if signature is None:
        return {"name": "unknown", "version": "unknown"}
    try:
        version = parse_signature(signature).code_version
    except EvaluationError:
        version = "unknown"
    return {"name": "earshot", "version": version, "additional_details": {"signature": signature}}


def _describe_result(view: ExportView, row: Row, column: Column, score: Any) -> dict[str, Any]:
    missing, unreadable = row["missing"], row["unreadable"]
    return {
        "evaluation_result_id": f"{row['submission']}/{column.key}",
        "evaluation_name": f"{view.title}, {column.full_title}",
        "source_data": {
            "dataset_name": view.benchmark.title,
            "source_type": "other",
            "source_id": view.benchmark.id,
            "source_version": view.benchmark.version,
            "additional_details": _texts(
                slice=column.slice, setting=view.setting, board=view.link, licence=view.benchmark.licence
            ),
        },
        "metric_config": _describe_metric(view.benchmark, column),
        "score_details": {
            "score": score["value"],
            "details": _texts(
                origin=describe_origin(row, column),
                sorted=row["score_notes"].get(column.key) if is_error_share(column.metric) else None,
                rank=row["ranks"].get(column.key),
                standard_deviation_over_runs=score["std"],
                missing_share=missing,
                unreadable_share=unreadable,
            ),
            **_describe_uncertainty(score, column),
        },
        "generation_config": {"additional_details": {"setting": view.setting}},
    }


def _describe_metric(benchmark: Benchmark, column: Column) -> dict[str, Any]:
    metric: Metric = next(one for one in benchmark.metrics if one.id == column.metric)
    return {
        "evaluation_description": metric.formula,
        "metric_id": f"{benchmark.id}.{metric.id}",
        "metric_name": metric.title,
        "metric_unit": "proportion",
        "lower_is_better": not metric.higher_is_better,
        "score_type": "continuous",
        "min_score": -1 if metric.is_signed else 0,
        "max_score": 1,
        "additional_details": _texts(chance=benchmark.chance.get(column.key)),
    }


def _describe_uncertainty(score: Any, column: Column) -> dict[str, Any]:
    if score["low"] is None or score["high"] is None:
        return {}
    is_share = is_error_share(column.metric)
    interval = {
        "lower": score["low"],
        "upper": score["high"],
        "confidence_level": _LEVEL,
        "method": _INTERVAL_OF_SHARES if is_share else _INTERVAL,
    }
    return {"uncertainty": {"confidence_interval": interval}}


def _texts(**values: object) -> dict[str, str]:
    """Return the known values as strings: the schema allows no other type here."""
    return {name: str(value) for name, value in values.items() if value is not None}


def _slug(name: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", name).strip("-") or "unnamed"
