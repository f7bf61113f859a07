"""Citation of one row: a sentence, a permanent address, a BibTeX entry, and metadata for the model's own page."""

from typing import Any

from evaluation.benchmarks import Benchmark, Column
from leaderboard.exports.bibtex import make_entry
from leaderboard.exports.model_card_rows import list_eval_results, make_model_index
from leaderboard.exports.view import (
    ExportView,
    Row,
    count_decimals,
    describe_origin,
    describe_paper_of,
    iso_date,
    link_to_row,
    name_system,
    percentage,
)
from leaderboard.exports.yaml_text import write_yaml
from submissions.ranking.best_rows import find_lead


def make_citation(view: ExportView) -> dict[str, Any]:
    """Return the citation of a view's single row, by its leading score and its rank in it."""
    (row,) = view.rows
    link = link_to_row(view.origin, row)
    title = f"{name_system(row)} on {view.title}, setting {view.setting}"
    sentence = _write_score(view, row)
    paper = describe_paper_of(row)
    origin = f"Reported in {paper}." if paper else f"Signature {row['signature'] or 'none'}."
    note = f"Earshot leaderboard. {sentence} {origin}"
    is_model = bool(view.systems)
    return {
        "submission": row["submission"],
        "text": " ".join(filter(None, [f"{title}: {sentence} {_say_where(view)}", paper and f"Reported in {paper}."])),
        "url": link,
        "signature": row["signature"],
        "bibtex": make_entry(f"earshot-{row['submission']}", title, view, note, link) + "\n" + _cite_paper(view, row),
        "hub_yaml": _write_yaml(list_eval_results(view, row)) if is_model else None,
        "model_index": _write_yaml(make_model_index(view, row)) if is_model else None,
    }


def _cite_paper(view: ExportView, row: Row) -> str:
    """Return the BibTeX entry of the paper that reports a row; empty if the row was scored here."""
    return f"\n{view.benchmark.citation}\n" if row["paper"] else ""


def find_lead_of(benchmark: Benchmark, row: Row) -> Column:
    """Return the leading score of a row; see `find_lead`."""
    return find_lead(benchmark, {key for key, score in row["scores"].items() if score["value"] is not None})


def _write_yaml(found: Any) -> str | None:
    """Return a YAML document; None for a row without scores."""
    return write_yaml(found) if found else None


def _write_score(view: ExportView, row: Row) -> str:
    lead = find_lead_of(view.benchmark, row)
    score = row["scores"].get(lead.key) or {}
    decimals = count_decimals(view.benchmark, is_scored_here=row["signature"] is not None)
    value = percentage(score.get("value"), decimals)
    origin = describe_origin(row, lead).rstrip(".")
    if value is None:
        return f"no headline score ({origin})."
    low, high = (percentage(score.get(end), decimals) for end in ("low", "high"))
    interval = f" (95 % CI {low} to {high})" if low is not None and high is not None else ""
    return f"{lead.full_title} {value} %{interval}{_say_place(row)}, {origin}."


def _say_place(row: Row) -> str:
    rank, low, high = row["rank"], row["rank_low"], row["rank_high"]
    if rank is None:
        return ""
    if low is None or high is None or low == high:
        return f", rank {rank}"
    return f", rank {rank} (95 % CI {low} to {high})"


def _say_where(view: ExportView) -> str:
    day = iso_date(view.made_at)
    return f"Earshot leaderboard, revision {view.revision}{f' of {day}' if day else ''}."
