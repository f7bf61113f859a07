"""The charts of STAR-Bench: what is heard, how finely and how surely; settings side by side; what goes wrong."""

from collections.abc import Callable, Sequence

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
    SettingsChart,
    SettingsPanel,
)
from evaluation.benchmarks.error_shares import build_share_charts
from evaluation.benchmarks.star_bench.columns import SORTED_PARTS
from evaluation.benchmarks.star_bench.definitions import STEPS
from evaluation.benchmarks.star_bench.design import (
    AUDIOGRAM,
    BY_SLICE,
    FREQUENCIES_HZ,
    LEVELS_DB_HL,
    SUB_TASKS,
    TONES,
    SubTask,
)
from evaluation.benchmarks.star_bench.prompts import CAPTION_ONLY, CHANNEL_WISE
from evaluation.benchmarks.star_bench.questions import GLOBAL_CAPTION, PSEUDO_STEREO, UNCUT_AUDIO
from evaluation.benchmarks.star_bench.slices import (
    BROAD_FREQUENCIES,
    BROAD_LEVELS,
    FREQUENCY_BANDS,
    LEVEL_BANDS,
    Band,
    audiogram_slice,
    frequency_slice,
    level_slice,
    loudness_slice,
    region_slice,
)

_SENSITIVITY = "perception/sensitivity"
_PARTS = {"perception": "Perception", "temporal": "Temporal", "spatial": "Spatial"}
_HIDDEN = (
    "Papers print none, and where answers are secret nobody sees a score over fewer than 100 items. The version demo "
    "has them all."
)
_OWN_ITEMS = "Papers print none of these; rows that were scored here have them."


def _sensitivity(attribute: str) -> Panel:
    task = BY_SLICE[f"{_SENSITIVITY}/{attribute}"]
    what, steps = STEPS[attribute]
    figures = tuple(f"{level_slice(task, level)}|aa" for level in range(1, task.levels + 1))
    return Panel(task.title, steps, figures, what, whole=f"{task.slice}|aa")


def _concentration(task: SubTask) -> DotRow:
    return DotRow(task.title, f"{task.slice}|option_concentration", even=1 / task.options)


def _tasks(group: str) -> tuple[SubTask, ...]:
    return tuple(task for task in SUB_TASKS if task.group == group or task.part == group)


_WHOLE_TASK = f"{AUDIOGRAM}|aa"
_HERTZ = tuple(str(frequency) for frequency in FREQUENCIES_HZ)
_LEVELS = tuple(f"−{-level}" if level < 0 else str(level) for level in LEVELS_DB_HL)


def _name_band(band: Band) -> str:
    low, high = (str(end).replace("-", "−") for end in (band[0], band[-1]))
    return f"{low}–{high}" if band[0] >= 0 else f"{low} to {high}"


def _show_bands(
    title: str, bands: Sequence[Band], name_slice: Callable[[Band], str], unit: str, *, downward: bool = False
) -> Panel:
    names = tuple(_name_band(band) for band in bands)
    figures = tuple(f"{name_slice(band)}|aa" for band in bands)
    return Panel(title, names, figures, unit, whole=_WHOLE_TASK, downward=downward)


_BY_HERTZ = tuple(f"{AUDIOGRAM}/{frequency}hz|aa" for frequency in FREQUENCIES_HZ)
_BY_LEVEL = tuple(f"{AUDIOGRAM}/{level}db|aa" for level in LEVELS_DB_HL)

CHARTS: tuple[Chart, ...] = (
    LineChart(
        id="sensitivity",
        title="How small a difference is heard",
        reading="How to read it: the further right, the larger the difference between two sounds; the first place is "
        "the control, where there is none or the smallest. A line on the dashed one is guessing.",
        panels=tuple(_sensitivity(attribute) for attribute in STEPS),
        absent=f"No public row has scores by level. {_HIDDEN}",
    ),
    LineChart(
        id="hearing",
        title="Tones heard, by frequency and by level",
        reading="How to read it: like the two margins of an audiogram; on the right, soft is at the top and loud at "
        "the bottom. A system that hears keeps to the amber line until a tone is too soft.",
        panels=(
            _show_bands("By frequency, all levels", FREQUENCY_BANDS, frequency_slice, "Hz"),
            _show_bands("By level, all frequencies", LEVEL_BANDS, loudness_slice, "dB HL", downward=True),
        ),
        absent=f"No public row has scores by frequency or level. {_HIDDEN}",
    ),
    PointChart(
        id="aa-acr",
        title="AA against ACR",
        reading="How to read it: on the grey line every item that is ever right is right in all its runs; the "
        "further below it, the more answers change when options or clips merely change places.",
        x_title="AA: right runs, %",
        y_title="ACR: items right in every run, %",
        pairs=tuple(FigurePair(title, f"{part}|aa", f"{part}|acr") for part, title in _PARTS.items()),
        guide=Guide((0, 0, 1, 1), "AA = ACR", is_chance=False),
        is_whole=False,
    ),
    DotChart(
        id="concentration",
        title="Option concentration",
        reading="How to read it: the share of the option position that is chosen most; a stem that runs far to the "
        "right of the even share is a system that likes a letter, whatever it hears.",
        panels=(
            DotPanel(
                "Absolute range", tuple(_concentration(task) for task in _tasks("perception/range")), "largest share, %"
            ),
            DotPanel(
                "Relative sensitivity", tuple(_concentration(task) for task in _tasks(_SENSITIVITY)), "largest share, %"
            ),
            DotPanel(
                "Temporal and spatial",
                (
                    DotRow("Temporal", "temporal|option_concentration", even=1 / 7),
                    DotRow("Spatial", "spatial|option_concentration", even=1 / 3),
                ),
                "largest share, %",
            ),
        ),
        reference="even share",
        is_whole=False,
        absent=f"No public row has an option concentration. {_OWN_ITEMS}",
    ),
    SettingsChart(
        id="settings",
        title="Settings side by side",
        reading="How to read it: a row is one model, a mark is one way to present the same items to it; what is right "
        "of its default mark helps. Places are never given across settings.",
        panels=(
            *(
                SettingsPanel(
                    task.title,
                    f"{task.slice}|aa",
                    (("default", "default"), (CHANNEL_WISE, "channel-wise")),
                    change=("default", CHANNEL_WISE),
                )
                for task in _tasks("spatial")
            ),
            *(
                SettingsPanel(
                    title,
                    f"{part}|aa",
                    (("default", "default"), *more, (CAPTION_ONLY, "caption only")),
                    drop=f"{part}|aa_drop" if part != "perception" else "",
                )
                for part, title, more in (
                    ("temporal", "Temporal", ((GLOBAL_CAPTION, "global caption"), (UNCUT_AUDIO, "uncut audio"))),
                    ("spatial", "Spatial, all items", ()),
                    ("perception", "Perception", ()),
                )
            ),
            SettingsPanel(
                "Tone tasks",
                f"{TONES}|aa",
                (("default", "default"), (PSEUDO_STEREO, "pseudo-stereo")),
                change=("default", PSEUDO_STEREO),
            ),
        ),
        absent="No model has public rows in two settings. Send a file under another setting to see it here.",
    ),
    *build_share_charts("star-bench", SORTED_PARTS),
    MapChart(
        id="regions",
        title="Audiogram, broad pieces",
        reading="How to read it: as an audiogram, frequency to the right and level downward; pale is guessing. Each "
        "piece holds 20 to 30 tones.",
        row_title="dB HL",
        rows=tuple(_name_band(band) for band in BROAD_LEVELS),
        column_title="Hz",
        columns=tuple(_name_band(band) for band in BROAD_FREQUENCIES),
        cells=tuple(
            tuple(f"{region_slice(frequencies, levels)}|aa" for frequencies in BROAD_FREQUENCIES)
            for levels in BROAD_LEVELS
        ),
        absent=f"This row has no scores by frequency and level. {_HIDDEN}",
    ),
    MapChart(
        id="audiogram",
        title="Audiogram",
        reading="How to read it: as an audiogram, frequency to the right and level downward. The strips are the "
        "accuracy of a whole row or column, the cells that of single tones; pale is guessing.",
        row_title="dB HL",
        rows=_LEVELS,
        column_title="Hz",
        columns=_HERTZ,
        cells=tuple(
            tuple(f"{audiogram_slice(frequency, level)}|aa" for frequency in FREQUENCIES_HZ) for level in LEVELS_DB_HL
        ),
        row_totals=_BY_LEVEL,
        column_totals=_BY_HERTZ,
        absent=f"This row has no scores of single tones. {_HIDDEN}",
    ),
)
