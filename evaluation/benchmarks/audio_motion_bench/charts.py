"""The charts of AudioMotionBench: against noise, by kind of question, true against false statements, by direction."""

from evaluation.benchmarks.audio_motion_bench.design import CONDITIONS
from evaluation.benchmarks.chart_specs import (
    Chart,
    DotChart,
    DotPanel,
    DotRow,
    FigurePair,
    Guide,
    LineChart,
    MapChart,
    Panel,
    PointChart,
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
        title="Accuracy against noise",
        reading="How to read it: the further right, the more noise; a line on the dashed one is guessing.",
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
        title="Accuracy by kind of question, clean clips",
        reading="How to read it: each stem begins at chance, which is 25 % of multiple choice and 50 % of true or "
        "false; a short stem is guessing.",
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
        reading="How to read it: top right is perfect. On the dashed line a model says “true” just as often about "
        "false statements as about true ones: it does not hear the difference.",
        x_title="TNR: right about false statements, %",
        y_title="TPR: right about true statements, %",
        pairs=(FigurePair("", "overall/clean/tf|tnr", "overall/clean/tf|tpr"),),
        guide=Guide((0, 1, 1, 0), "guessing", is_chance=True),
    ),
    MapChart(
        id="directions",
        title="Accuracy by direction",
        reading="How to read it: rows are where the sound starts, columns where it ends; you face north. "
        "A pale cell is at chance; pale left–right or front–back pairs are the classic confusions.",
        row_title="from",
        rows=_COMPASS,
        column_title="to",
        columns=_COMPASS,
        cells=tuple(tuple(_cell(start, end) for end in _ARROWS) for start in _ARROWS),
        facts=(
            ("left–right mirror image", "overall/mcq|left_right_confusion"),
            ("front–back mirror image", "overall/mcq|front_back_confusion"),
            ("path run backwards", "overall/mcq|reversal"),
        ),
        lead="Chosen where it was offered",
        absent="Hidden: a direction has 36 secret items, and nobody sees a score over fewer than 100. To see your own "
        "model's map, score the practice split: python -m evaluation score.",
        has_compass=True,
    ),
)
