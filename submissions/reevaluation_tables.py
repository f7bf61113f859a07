"""What a terminal shows of a re-evaluation: old beside new."""

from collections.abc import Iterator

from rich.table import Column, Table
from rich.text import Text

from submissions.client import Json

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
        changed = f"{row['n_changed']:,} of {row['n_figures']:,}"
        table.add_row(row["submission"], name, row["setting"], _figures(row["headline"]), _places(row["rank"]), changed)
    for other in result["others"]:
        name = Text(str(other["model"]))
        table.add_row(other["submission"], name, "", "not scored anew", _places(other["rank"]), "")
    return table


def list_signature_lines(result: Json) -> Iterator[str]:
    """Yield a line for each field of the signature that changes."""
    for field, pairs in result["signature_changes"].items():
        yield f"signature, {field}: " + ", ".join(f"{old} → {new}" for old, new in pairs)


def describe_end(reevaluation: Json) -> str:
    """Return in a sentence what a re-evaluation came to."""
    result = reevaluation["result"]
    failed = f" {result['n_failed']:,} could not be scored and keep their figures." if result["n_failed"] else ""
    if reevaluation["dry_run"]:
        return (
            f"Dry run {reevaluation['id']}: {result['n_scored']:,} would be scored anew.{failed} Nothing was changed."
        )
    return f"Re-evaluation {reevaluation['id']}: {result['n_scored']:,} were scored anew.{failed}"


def _figures(pair: Json) -> str:
    return f"{_percent(pair['old'])} → {_percent(pair['new'])}"


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{100 * value:.2f}"


def _places(pair: Json) -> str:
    old, new = (_NONE if pair[name] is None else str(pair[name]) for name in ("old", "new"))
    return old if old == new else f"{old} → {new}"
