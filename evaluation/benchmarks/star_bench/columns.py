"""Board columns of STAR-Bench."""

from evaluation.benchmarks.column_specs import Column, Metric, Part, SettingGap
from evaluation.benchmarks.error_shares import build_share_columns, build_share_metrics
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN, PRACTICE_GAP
from evaluation.benchmarks.star_bench.design import SUB_TASKS, TONE_TASKS, TONES
from evaluation.benchmarks.star_bench.questions import PSEUDO_STEREO
from evaluation.benchmarks.star_bench.slices import level_slice

METRICS = (
    Metric("aa", "AA", "correct runs / expected runs; missing and unreadable count as wrong"),
    Metric("acr", "ACR", "items correct in every run / items"),
    Metric("reliability_gap", "Reliability gap", "AA − ACR", higher_is_better=False, ranked=False),
    Metric(
        "option_concentration",
        "Option concentration",
        "largest share of one option position among readable answers",
        higher_is_better=False,
        ranked=False,
    ),
    Metric(
        "cancellation_loss",
        "Cancellation loss",
        "AA under default − AA of the same model under pseudo-stereo",
        higher_is_better=False,
        ranked=False,
        is_signed=True,
    ),
    PRACTICE_GAP,
    *build_share_metrics("star-bench"),
)
HEADLINE = Column("overall", "aa", "Overall AA", "", shown=True)
TONES_HEADLINE = Column(TONES, "aa", "Tones AA", "Perception")
"""Headline of the board of `pseudo-stereo`."""
SETTING_GAPS = (SettingGap(f"{TONES}|cancellation_loss", TONES_HEADLINE.key, "default", PSEUDO_STEREO),)
PART_TITLES = {"perception": "Perception", "temporal": "Temporal", "spatial": "Spatial"}
SORTED_PARTS = (Part("temporal", "Temporal"), Part("spatial", "Spatial"))
"""Parts whose wrong answers are classified by error type: those of the paper's analysis."""
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
    columns.append(PRACTICE_COLUMN)
    columns += [Column("overall", metric, title, "Overall") for metric, title in _MORE.items()]
    for part, title in PART_TITLES.items():
        columns += _columns_of_part(part, title)
    columns += build_share_columns("star-bench", SORTED_PARTS)
    for task in SUB_TASKS:
        group = f"Levels · {task.title.lower()}"
        columns += [Column(level_slice(task, n), "aa", f"Level {n}", group) for n in range(1, task.levels + 1)]
    return tuple(columns)


def list_tone_columns() -> tuple[Column, ...]:
    """Return AA and ACR of the tone tasks, then the AA of each one."""
    keys = {TONES_HEADLINE.key, f"{TONES}|acr", *(f"{task}|aa" for task in TONE_TASKS)}
    return tuple(column for column in build_columns() if column.key in keys)


def _columns_of_part(part: str, title: str) -> list[Column]:
    columns = [Column(part, "acr", "ACR", title)]
    columns += [Column(part, metric, heading, title) for metric, heading in _MORE.items()]
    if part == "perception":
        columns += [TONES_HEADLINE, Column(TONES, "acr", "Tones ACR", title)]
        columns.append(Column(TONES, "cancellation_loss", "Cancellation loss", title))
    for name, heading in GROUP_TITLES.items():
        if name.startswith(f"{part}/"):
            columns += [Column(name, metric, f"{heading} {label}", title) for metric, label in _METRICS.items()]
    for task in (task for task in SUB_TASKS if task.part == part):
        group = GROUP_TITLES[task.group] if part == "perception" else title
        columns += [Column(task.slice, metric, f"{task.title} {label}", group) for metric, label in _METRICS.items()]
    return columns
