"""The figures of STAR-Bench that a board can show."""

from evaluation.benchmarks.columns import Column, Part
from evaluation.benchmarks.error_shares import build_share_columns
from evaluation.benchmarks.star_bench.design import SUB_TASKS
from evaluation.benchmarks.star_bench.slices import level_slice

HEADLINE = Column("overall", "aa", "Overall AA", "", shown=True)
PART_TITLES = {"perception": "Perception", "temporal": "Temporal", "spatial": "Spatial"}
SORTED_PARTS = (Part("temporal", "Temporal"), Part("spatial", "Spatial"))
"""Parts whose wrong answers are sorted by error type: those of the paper's analysis."""
GROUP_TITLES = {
    "perception/range": "Absolute range",
    "perception/sensitivity": "Relative sensitivity",
    "temporal/continuous": "Continuous",
    "temporal/discrete": "Discrete",
}
_METRICS = {"aa": "AA", "acr": "ACR"}
_MORE = {"reliability_gap": "AA − ACR", "option_concentration": "Concentration"}


def build_columns() -> tuple[Column, ...]:
    """Return the headline, the three tasks, then everything else by task."""
    columns = [HEADLINE, Column("overall", "acr", "Overall ACR", "", shown=True)]
    columns += [Column(part, "aa", title, "", shown=True) for part, title in PART_TITLES.items()]
    columns += [Column("overall", metric, title, "Overall") for metric, title in _MORE.items()]
    for part, title in PART_TITLES.items():
        columns += _columns_of_part(part, title)
    columns += build_share_columns("star-bench", SORTED_PARTS)
    for task in SUB_TASKS:
        group = f"Levels · {task.title.lower()}"
        columns += [Column(level_slice(task, n), "aa", f"Level {n}", group) for n in range(1, task.levels + 1)]
    return tuple(columns)


def _columns_of_part(part: str, title: str) -> list[Column]:
    columns = [Column(part, "acr", "ACR", title)]
    columns += [Column(part, metric, heading, title) for metric, heading in _MORE.items()]
    for name, heading in GROUP_TITLES.items():
        if name.startswith(f"{part}/"):
            columns += [Column(name, metric, f"{heading} {label}", title) for metric, label in _METRICS.items()]
    for task in (task for task in SUB_TASKS if task.part == part):
        group = GROUP_TITLES[task.group] if part == "perception" else title
        columns += [Column(task.slice, metric, f"{task.title} {label}", group) for metric, label in _METRICS.items()]
    return columns
