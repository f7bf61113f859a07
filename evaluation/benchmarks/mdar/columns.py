"""Board metrics and columns of MDAR."""

from functools import lru_cache

from evaluation.benchmarks.column_specs import Column, Metric
from evaluation.benchmarks.error_shares import build_share_columns, build_share_metrics
from evaluation.benchmarks.mdar.design import MULTI_METRICS, PART_TITLES, TITLES, list_sub_slices, slices_of

HEADLINE = Column("main", "accuracy", "Main", "", shown=True)
METRICS = (
    Metric("accuracy", "Accuracy", "correct answers / expected answers; missing and unreadable count as wrong"),
    Metric(
        "option_concentration",
        "Option concentration",
        "largest share of one option position among readable answers",
        higher_is_better=False,
        ranked=False,
    ),
    Metric("em", "EM", "mean of [chosen set = correct set]"),
    Metric("ji", "JI", "mean of |chosen ∩ correct| / |chosen ∪ correct|"),
    Metric("precision", "Precision", "mean of |chosen ∩ correct| / |chosen|; 0 if nothing was chosen"),
    Metric("recall", "Recall", "mean of |chosen ∩ correct| / |correct|"),
    Metric(
        "judge_score",
        "Judge's score",
        "mean over items and judgements of min(1, answer / reference); Earshot adds the cap at 1",
        judged=True,
    ),
    Metric(
        "judge_raw",
        "Judge's raw score",
        "mean over items and judgements of the answer's own score / 10",
        judged=True,
    ),
    Metric(
        "judge_spread",
        "Judge's spread",
        "mean deviation of an item's scores across judgements; low if the judge is consistent",
        higher_is_better=False,
        ranked=False,
        judged=True,
    ),
    Metric(
        "position_effect",
        "Position effect",
        "mean of (score when shown first − score when shown second); closest to 0 is best",
        higher_is_better=False,
        ranked=False,
        judged=True,
        is_signed=True,
    ),
    *build_share_metrics("mdar"),
)


@lru_cache(maxsize=1)
def list_columns() -> tuple[Column, ...]:
    """Return the three parts, then everything else grouped by part."""
    columns = [
        HEADLINE,
        Column("multi", "em", "Multi EM", "", shown=True),
        Column("open", "judge_score", "Open", "", shown=True),
    ]
    titles = {metric.id: metric.title for metric in METRICS}
    for name in slices_of("main")[1:]:
        columns.append(Column(name, "accuracy", _title(name), "MDAR-main"))
    columns.append(Column("main", "option_concentration", "Concentration", "MDAR-main"))
    columns += [Column(name, "accuracy", title, "MDAR-main sub-tasks") for name, title in list_sub_slices().items()]
    columns += [Column("multi", metric, titles[metric], "MDAR-multi") for metric in MULTI_METRICS[1:]]
    for name in slices_of("multi")[1:]:
        columns += [Column(name, metric, f"{titles[metric]} {_title(name)}", "MDAR-multi") for metric in MULTI_METRICS]
    for name in slices_of("open")[1:]:
        columns.append(Column(name, "judge_score", _title(name), "MDAR-open"))
    judges = ("judge_raw", "judge_spread", "position_effect")
    columns += [Column("open", metric, titles[metric], "MDAR-open") for metric in judges]
    return (*columns, *build_share_columns("mdar", PART_TITLES))


def _title(name: str) -> str:
    return TITLES[name.split("/")[1]]
