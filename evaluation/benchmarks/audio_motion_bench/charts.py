"""The charts of AudioMotionBench: accuracy against noise, true against false statements, a map of the directions."""

from evaluation.benchmarks.audio_motion_bench.design import CONDITIONS
from evaluation.benchmarks.charts import Chart, LineChart, MapChart, Panel, PointChart

_VARIANTS = {"sct": "SCT: constant pitch and speed", "sdt": "SDT: varying pitch", "tat": "TAT: double speed"}
_DECIBELS = {"clean": "clean", "35db": "35", "25db": "25", "15db": "15"}
_ARROWS = {"N": "↑", "NE": "↗", "E": "→", "SE": "↘", "S": "↓", "SW": "↙", "W": "←", "NW": "↖"}


def _cell(start: str, end: str) -> str | None:
    return None if start == end else f"direction/{start}-{end}|accuracy"


_COMPASS = tuple(f"{arrow} {name}" for name, arrow in _ARROWS.items())

CHARTS: tuple[Chart, ...] = (
    LineChart(
        id="snr",
        title="Accuracy against noise",
        reading="How to read it: the further right, the more noise. A line on the dashed one is guessing.",
        x_title="dB SNR",
        labels=tuple(_DECIBELS[condition] for condition in CONDITIONS),
        panels=tuple(
            Panel(title, tuple(f"{variant}/{condition}|accuracy" for condition in CONDITIONS))
            for variant, title in _VARIANTS.items()
        ),
    ),
    PointChart(
        id="true-false",
        title="True and false statements, clean clips",
        reading="How to read it: top right is perfect. On the dashed line a model says “true” just as often about "
        "false statements as about true ones: it does not hear the difference.",
        x="overall/clean/tf|tnr",
        x_title="TNR: right about false statements",
        y="overall/clean/tf|tpr",
        y_title="TPR: right about true statements",
        guide=((0, 1, 1, 0), "guessing"),
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
        absent="Nothing is known by direction: papers print no such figures, and a file with gaps gets none. "
        "Choose another model.",
    ),
)
