"""Result of a re-evaluation in words, for the terminal and the page."""

from collections.abc import Iterator, Mapping
from typing import Any

_NONE = "–"
_Json = Mapping[str, Any]


def describe_end(number: int, result: _Json, *, dry_run: bool) -> str:
    """Return the result of a re-evaluation in one sentence."""
    failed = f" {result['n_failed']:,} failed and keep their scores." if result["n_failed"] else ""
    scored = "1 submission" if result["n_scored"] == 1 else f"{result['n_scored']:,} submissions"
    if dry_run:
        asked = _describe_judge_calls(result.get("judge_calls"))
        return f"Preview {number}: {scored} would be re-scored.{failed}{asked} Nothing was changed."
    return f"Re-evaluation {number}: {scored} re-scored.{failed}"


def _describe_judge_calls(calls: _Json | None) -> str:
    """Return the judge calls it would take; empty if all verdicts are cached, and for results of earlier releases."""
    if not calls or not calls["submissions"]:
        return ""
    return (
        f" {calls['submissions']:,} more need the judge (about {calls['usual']:,} calls, at most {calls['most']:,}); "
        "their new scores are not known yet."
    )


def describe_row(row: _Json) -> str:
    """Return why a row has no new scores; empty if it has."""
    if row["state"] == "unasked":
        return "needs the judge"
    return f"unchanged: {row['reason']}" if row["state"] == "failed" else ""


def describe_pending(row: _Json) -> str:
    """Return that a row's open answers wait for the judge; empty for other rows and results of earlier releases."""
    return "other parts only; open answers wait for the judge" if row.get("open_pending") else ""


def find_lead_pair(result: _Json, row: _Json) -> tuple[str, _Json]:
    """Return the old and new leading score, and its name if it is not the headline."""
    name = name_score(result, row)
    return name, row["figures"].get(row["figure"], {"old": None, "new": None}) if name else row["headline"]


def name_score(result: _Json, row: _Json) -> str:
    """Return the name of a row's ranking score; empty for the headline, and for results of earlier releases."""
    key = row.get("figure", result["headline"])
    return "" if key == result["headline"] else f"{key.replace('|', ' ')}: "


def list_signature_lines(result: _Json) -> Iterator[str]:
    """Yield a line for each changed field of the signature."""
    for field, pairs in result["signature_changes"].items():
        yield f"signature, {field}: " + ", ".join(f"{old} → {new}" for old, new in pairs)


def describe_places(pair: _Json) -> str:
    """Return a rank, or the old and the new one."""
    old, new = (_NONE if pair[name] is None else str(pair[name]) for name in ("old", "new"))
    return old if old == new else f"{old} → {new}"
