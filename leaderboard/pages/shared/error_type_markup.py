"""Error shares in words: for each part, with intervals and the number of answers."""

from collections.abc import Mapping

from db.records import ScoreRecord, StandingRecord
from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.error_shares import GROUP, is_error_share
from leaderboard.rendering.formatting import write_interval, write_percent
from leaderboard.rendering.templating import Markup, render_template


def render_error_types(
    benchmark: Benchmark, shares: Mapping[str, ScoreRecord | StandingRecord], notes: Mapping[str, str]
) -> list[Markup]:
    """Return a line for each part with classified wrong answers: its error types, the largest share first.

    Args:
        benchmark: Defines parts and types; each type shows its definition on hover.
        shares: `<slice>|<metric>` → share; other scores are ignored.
        notes: `<slice>|<metric>` → number of answers and who classified them, or where a paper reports it.
    """
    groups: dict[str, list[Column]] = {}
    for column in benchmark.columns:
        one = shares.get(column.key) if is_error_share(column.metric) else None
        if one is not None and one.value:
            groups.setdefault(column.group, []).append(column)
    return [
        _render_part(benchmark, group, sorted(columns, key=lambda one: -(shares[one.key].value or 0.0)), shares, notes)
        for group, columns in groups.items()
    ]


def _render_part(
    benchmark: Benchmark,
    group: str,
    columns: list[Column],
    shares: Mapping[str, ScoreRecord | StandingRecord],
    notes: Mapping[str, str],
) -> Markup:
    meanings = {metric.id: metric.formula for metric in benchmark.metrics}
    return render_template(
        "pages/shared/error_types.html",
        title=group.replace(f"{GROUP} · ", f"{GROUP}, "),
        shares=[
            (f"{column.title.lower()} {_write(shares[column.key])}", meanings[column.metric]) for column in columns
        ],
        note=next((notes[one.key] for one in columns if notes.get(one.key)), ""),
    )


def _write(share: ScoreRecord | StandingRecord) -> str:
    interval = write_interval(share.low, share.high)
    return f"{write_percent(share.value)} %{f' ({interval})' if interval else ''}"
