"""Charts of MDAR: scores by category, listening gain, cascades and error types."""

from evaluation.benchmarks.chart_specs import Chart, DotChart, DotPanel, DotRow, SettingsChart, SettingsPanel
from evaluation.benchmarks.error_shares import build_share_charts
from evaluation.benchmarks.mdar.design import PART_TITLES, TITLES, list_sub_slices, slices_of

NOISE, CASCADED = "noise", "cascaded"
# Separator between the names of a captioner and of the text model that reads its captions.
JOINED = " + "
_MULTI = {"em": "Exact match", "ji": "Jaccard index", "precision": "Precision", "recall": "Recall"}


def _title(name: str) -> str:
    return TITLES[name.split("/")[1]] if "/" in name else "All"


def _build_rows(part: str, metric: str) -> tuple[DotRow, ...]:
    return tuple(DotRow(_title(name), f"{name}|{metric}") for name in slices_of(part))


_PARTS = (
    ("main", "Main: accuracy", "accuracy"),
    ("multi", "Multi: exact match", "em"),
    ("open", "Open", "judge_score"),
)

CHARTS: tuple[Chart, ...] = (
    DotChart(
        id="main",
        title="Main and Open by category",
        reading="How to read it: lines start at chance. Short line: no better than guessing. An LLM judge scores open "
        "answers: 100 is as good as the reference. Chance level unknown.",
        panels=(
            DotPanel("Main: one right option", _build_rows("main", "accuracy")),
            DotPanel(
                "Main by sub-task",
                tuple(DotRow(title, f"{name}|accuracy") for name, title in list_sub_slices().items()),
            ),
            DotPanel("Open: open-ended answers", _build_rows("open", "judge_score"), "judge’s score, %"),
        ),
    ),
    DotChart(
        id="multi",
        title="Multi by category",
        reading="How to read it: exact match requires the whole set of correct options. High recall with low "
        "precision: the model selects too many. Lines start at chance.",
        panels=tuple(DotPanel(title, _build_rows("multi", metric), f"{title}, %") for metric, title in _MULTI.items()),
    ),
    DotChart(
        id="concentration",
        title="Option concentration",
        reading="How to read it: how often the model picks its favourite option position. Long line: position bias. "
        "Lines start at an even share.",
        panels=(DotPanel("Main", (DotRow("Main", "main|option_concentration", even=1 / 4),), "largest share, %"),),
        reference="even share",
        is_whole=False,
        absent="No public row has an option concentration. The paper does not report it.",
    ),
    SettingsChart(
        id="listening",
        title="Listening gain",
        reading="How to read it: the same questions with audio and with white noise instead. What survives when audio "
        "is replaced by noise was guessed from the text.",
        panels=tuple(
            SettingsPanel(
                title,
                f"{part}|{metric}",
                (("default", "audio"), (NOISE, "white noise")),
                change=(NOISE, "default"),
            )
            for part, title, metric in _PARTS
        ),
        change_title="listening gain",
        absent="No model has public rows with audio and with noise. Submit to the setting noise to see the gain here.",
    ),
    SettingsChart(
        id="cascaded",
        title="Cascades: captioner + text model",
        reading="How to read it: each row compares a captioner alone with the same captioner and a text model. Right "
        "of the captioner's mark: the text model helps. Settings are never ranked together.",
        panels=(
            SettingsPanel(
                "Main: accuracy",
                "main|accuracy",
                (("default", "captioner alone"), (CASCADED, "with text model")),
                change=("default", CASCADED),
            ),
        ),
        joined=JOINED,
        absent="No public row is a cascade.",
    ),
    *build_share_charts("mdar", PART_TITLES),
)
