"""Options of `reevaluate`, and tables of old and new scores."""

import argparse
from collections.abc import Mapping
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from submissions.client import Json
from submissions.rescoring.change_texts import (
    describe_pending,
    describe_places,
    describe_row,
    find_lead_pair,
    name_score,
)

_NONE = "–"


def add_reevaluate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for scope and reason."""
    scope = parser.add_mutually_exclusive_group(required=True)
    scope.add_argument("--submission", metavar="ID")
    scope.add_argument("--benchmark", metavar="B")
    parser.add_argument("--version", help="benchmark version; default: the first that is open on the server")
    parser.add_argument(
        "--dry-run", action="store_true", help="only preview the changes; required before the first real run"
    )
    parser.add_argument(
        "--reason", metavar="TEXT", required=True, help="reason, shown in the history of every submission"
    )


def build_table(result: Json) -> Table:
    """Return a line for each submission: its headline score, its rank, and how many of its scores differ."""
    headline = str(result["headline"]).replace("|", " ")
    # Ids are copied and scores compared: a narrow terminal must not break them.
    whole = [Column(title, no_wrap=True) for title in ("submission", f"{headline} %", "rank")]
    table = Table(whole[0], "model", "setting", *whole[1:], "changed scores", box=None)
    for row in result["rows"]:
        # Text: the name of a model is never interpreted as markup.
        name = Text(row["model"])
        if row["state"] == "failed":
            table.add_row(row["submission"], name, row["setting"], "stays", _NONE, Text(str(row["reason"])))
            continue
        if row["state"] == "unasked":
            table.add_row(row["submission"], name, row["setting"], describe_row(row), _NONE, "")
            continue
        changed = "; ".join(filter(None, (f"{row['n_changed']:,} of {row['n_figures']:,}", describe_pending(row))))
        scores = _write_scores(*find_lead_pair(result, row))
        table.add_row(row["submission"], name, row["setting"], scores, describe_places(row["rank"]), changed)
    for other in result["others"]:
        name = Text(str(other["model"]))
        kept = f"{name_score(result, other)}not re-scored"
        table.add_row(other["submission"], name, "", kept, describe_places(other["rank"]), "")
    return table


def _write_scores(name: str, pair: Mapping[str, Any]) -> str:
    return f"{name}{_percent(pair['old'])} → {_percent(pair['new'])}"


def _percent(value: float | None) -> str:
    return _NONE if value is None else write_percentage(value)


def write_percentage(fraction: float) -> str:
    """Return a fraction as a percentage with two decimals, or one if it has only three decimals.

    Servers round scores over secret answers to three decimals; another digit would be made up.
    """
    return f"{100 * fraction:.1f}" if round(fraction, 3) == fraction else f"{100 * fraction:.2f}"
