"""What a terminal shows of a re-evaluation: old beside new."""

from rich.table import Column, Table
from rich.text import Text

from submissions.client import Json
from submissions.reevaluation_texts import describe_places, describe_row

_NONE = "–"


def build_table(result: Json) -> Table:
    """Return a line for each submission: its headline figure, its place, how many of its figures differ."""
    headline = str(result["headline"]).replace("|", " ")
    # An id is copied, and a figure compared: neither is broken where the terminal is narrow.
    whole = [Column(title, no_wrap=True) for title in ("submission", f"{headline} %", "place")]
    table = Table(whole[0], "model", "setting", *whole[1:], "figures that differ", box=None)
    for row in result["rows"]:
        # Text: what somebody called his model is never read as markup.
        name = Text(row["model"])
        if row["state"] == "failed":
            table.add_row(row["submission"], name, row["setting"], "stays", _NONE, Text(str(row["reason"])))
            continue
        if row["state"] == "unasked":
            table.add_row(row["submission"], name, row["setting"], describe_row(row), _NONE, "")
            continue
        changed = f"{row['n_changed']:,} of {row['n_figures']:,}"
        table.add_row(
            row["submission"], name, row["setting"], _figures(row["headline"]), describe_places(row["rank"]), changed
        )
    for other in result["others"]:
        name = Text(str(other["model"]))
        table.add_row(other["submission"], name, "", "not scored anew", describe_places(other["rank"]), "")
    return table


def _figures(pair: Json) -> str:
    return f"{_percent(pair['old'])} → {_percent(pair['new'])}"


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{100 * value:.2f}"
