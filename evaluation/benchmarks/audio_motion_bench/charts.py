"""Charts of AudioMotionBench: by noise level, by question type, true vs. false statements, by direction."""

from evaluation.benchmarks.audio_motion_bench.design import CONDITIONS
from evaluation.benchmarks.chart_specs import (
    Chart,
    DotChart,
    DotPanel,
    DotRow,
    Guide,
    LineChart,
    MapChart,
    Panel,
    PointChart,
    ScorePair,
)

_VARIANTS = {"sct": "SCT: constant pitch and speed", "sdt": "SDT: varying pitch", "tat": "TAT: double speed"}
_FORMS = {"mcq": "Multiple choice", "tf": "True or false"}
_DECIBELS = {"clean": "clean", "35db": "35", "25db": "25", "15db": "15"}
_ARROWS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}


def _cell(start: str, end: str) -> str | None:
    return None if start == end else f"direction/{start}-{end}|accuracy"


_COMPASS = tuple(f"{arrow} {name}" for name, arrow in _ARROWS.items())

CHARTS: tuple[Chart, ...] = (
    LineChart(
        id="snr",
        title="Accuracy by noise level",
        reading="How to read it: noise increases to the right. The dashed line is chance.",
        panels=tuple(
            Panel(
                title,
                tuple(_DECIBELS[condition] for condition in CONDITIONS),
                tuple(f"{variant}/{condition}|accuracy" for condition in CONDITIONS),
                "dB SNR",
            )
            for variant, title in _VARIANTS.items()
        ),
    ),
    DotChart(
        id="forms",
        title="Accuracy by question type, clean clips",
        reading="How to read it: lines start at chance (25 % multiple choice, 50 % true/false). Short line: no better "
        "than guessing.",
        panels=tuple(
            DotPanel(
                title,
                tuple(DotRow(variant.upper(), f"{variant}/clean/{form}|accuracy") for variant in _VARIANTS),
            )
            for form, title in _FORMS.items()
        ),
    ),
    PointChart(
        id="true-false",
        title="True and false statements, clean clips",
        reading="How to read it: top right is perfect. On the dashed line the model says “true” regardless of the "
        "audio.",
        x_title="TNR: false statements called false, %",
        y_title="TPR: true statements called true, %",
        pairs=(ScorePair("", "overall/clean/tf|tnr", "overall/clean/tf|tpr"),),
        guide=Guide((0, 1, 1, 0), "guessing", is_chance=True),
    ),
    MapChart(
        id="directions",
        title="Accuracy by direction",
        reading="How to read it: rows show where the sound starts, columns where it ends; you face north. "
        "Faint cells are at chance. Look for left–right and front–back pairs.",
        row_title="from",
        rows=_COMPASS,
        column_title="to",
        columns=_COMPASS,
        cells=tuple(tuple(_cell(start, end) for end in _ARROWS) for start in _ARROWS),
        facts=(
            ("left–right", "overall/mcq|left_right_confusion"),
            ("front–back", "overall/mcq|front_back_confusion"),
            ("reversed", "overall/mcq|reversal"),
        ),
        lead="Mirror-image errors",
        absent="Hidden to protect the answer key: each direction has only 36 test items. Score the practice split to "
        "see your own model's map.",
        has_compass=True,
    ),
)
