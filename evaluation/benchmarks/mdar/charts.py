"""The charts of MDAR: each part by category, what listening adds, captions instead of audio, and what goes wrong."""

from evaluation.benchmarks.chart_specs import Chart, DotChart, DotPanel, DotRow, SettingsChart, SettingsPanel
from evaluation.benchmarks.error_shares import build_share_charts
from evaluation.benchmarks.mdar.design import PART_TITLES, TITLES, list_sub_slices, slices_of

NOISE, CASCADED = "noise", "cascaded"
# Between the names of a captioner and of the text model that reads its captions.
JOINED = " + "
_MULTI = {"em": "Exact match", "ji": "Jaccard index", "precision": "Precision", "recall": "Recall"}


def _title(name: str) -> str:
    return TITLES[name.split("/")[1]] if "/" in name else "All"


def _places(part: str, metric: str) -> tuple[DotRow, ...]:
    return tuple(DotRow(_title(name), f"{name}|{metric}") for name in slices_of(part))


_PARTS = (
    ("main", "Main: accuracy", "accuracy"),
    ("multi", "Multi: exact match", "em"),
    ("open", "Open", "judge_score"),
)

CHARTS: tuple[Chart, ...] = (
    DotChart(
        id="main",
        title="Main and open, by category",
        reading="How to read it: each stem begins at chance; a short stem is guessing. Open answers are scored by a "
        "judge, 100 is as good as the reference, and nobody knows what guessing would give.",
        panels=(
            DotPanel("Main: one right option", _places("main", "accuracy")),
            DotPanel(
                "Main by sub-task",
                tuple(DotRow(title, f"{name}|accuracy") for name, title in list_sub_slices().items()),
            ),
            DotPanel("Open: free answers", _places("open", "judge_score"), "judge’s score, %"),
        ),
    ),
    DotChart(
        id="multi",
        title="Multi, by category",
        reading="How to read it: exact match wants the whole set of options; a high recall beside a low precision is a "
        "system that ticks too much. Each stem begins at chance.",
        panels=tuple(DotPanel(title, _places("multi", metric), f"{title}, %") for metric, title in _MULTI.items()),
    ),
    DotChart(
        id="concentration",
        title="Option concentration",
        reading="How to read it: how often a model picks its favorite option position; a long line is a position bias. "
        "The line begins at an even share.",
        panels=(DotPanel("Main", (DotRow("Main", "main|option_concentration", even=1 / 4),), "largest share, %"),),
        reference="even share",
        is_whole=False,
        absent="No public row has an option concentration. The paper prints none.",
    ),
    SettingsChart(
        id="listening",
        title="Listening gain",
        reading="How to read it: the same questions with the audio, and with white noise instead; what is not lost in "
        "noise was never heard but guessed from the text.",
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
        absent="No model has public rows with the audio and with noise in its place. Send a file under the setting "
        "noise to see its gain here.",
    ),
    SettingsChart(
        id="cascaded",
        title="Captioner and text model instead of one model",
        reading="How to read it: a row is a captioner and the text model that reads its captions, beside the captioner "
        "answering alone; right of its own mark the text model helps. Places are never given across settings.",
        panels=(
            SettingsPanel(
                "Main: accuracy",
                "main|accuracy",
                (("default", "captioner alone"), (CASCADED, "with text model")),
                change=("default", CASCADED),
            ),
        ),
        joined=JOINED,
        absent="No public row is of a captioner and a text model.",
    ),
    *build_share_charts("mdar", PART_TITLES),
)
