"""Charts of STAR-Bench: sensitivity, tone detection, consistency, settings, error types and audiograms."""

from collections.abc import Callable, Sequence

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
    "Papers do not report them, and scores over fewer than 100 test items are hidden to protect the answer key. "
    "Version demo has them all."
)
_OWN_ITEMS = "Papers do not report it."


def _sensitivity(attribute: str) -> Panel:
    task = BY_SLICE[f"{_SENSITIVITY}/{attribute}"]
    what, steps = STEPS[attribute]
    keys = tuple(f"{level_slice(task, level)}|aa" for level in range(1, task.levels + 1))
    return Panel(task.title, steps, keys, what, whole=f"{task.slice}|aa")


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
    keys = tuple(f"{name_slice(band)}|aa" for band in bands)
    return Panel(title, names, keys, unit, whole=_WHOLE_TASK, downward=downward)


_BY_HERTZ = tuple(f"{AUDIOGRAM}/{frequency}hz|aa" for frequency in FREQUENCIES_HZ)
_BY_LEVEL = tuple(f"{AUDIOGRAM}/{level}db|aa" for level in LEVELS_DB_HL)

CHARTS: tuple[Chart, ...] = (
    LineChart(
        id="sensitivity",
        title="Accuracy by size of difference",
        reading="How to read it: the difference between two sounds grows to the right. The leftmost point is the "
        "control (no difference or the smallest). The dashed line is chance.",
        panels=tuple(_sensitivity(attribute) for attribute in STEPS),
        absent=f"No public row has scores by level. {_HIDDEN}",
    ),
    LineChart(
        id="hearing",
        title="Tone detection by frequency and level",
        reading="How to read it: accuracy by frequency (left) and by level (right, quiet at the top). Amber: human "
        "mean.",
        panels=(
            _show_bands("By frequency, all levels", FREQUENCY_BANDS, frequency_slice, "Hz"),
            _show_bands("By level, all frequencies", LEVEL_BANDS, loudness_slice, "dB HL", downward=True),
        ),
        absent=f"No public row has scores by frequency or level. {_HIDDEN}",
    ),
    PointChart(
        id="aa-acr",
        title="Accuracy vs. consistency",
        reading="How to read it: on the grey line, answers never change when options or clips are reordered. The "
        "further below, the less consistent the model.",
        x_title="AA: correct runs, %",
        y_title="ACR: items correct in every run, %",
        pairs=tuple(ScorePair(title, f"{part}|aa", f"{part}|acr") for part, title in _PARTS.items()),
        guide=Guide((0, 0, 1, 1), "AA = ACR", is_chance=False),
        is_whole=False,
    ),
    DotChart(
        id="concentration",
        title="Option concentration",
        reading="How to read it: how often the model picks its favourite option position. Long line: position bias. "
        "Lines start at an even share.",
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
        title="Scores by setting",
        reading="How to read it: each row is one model, each mark one setting of the same items. A mark to the right "
        "of the default: the setting helps. Settings are never ranked together.",
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
        absent="No model has public rows in two settings. Submit to another setting to see it here.",
    ),
    *build_share_charts("star-bench", SORTED_PARTS),
    MapChart(
        id="regions",
        title="Audiogram by region",
        reading="How to read it: frequency increases to the right, level downward. Faint cells are at chance. Each "
        "cell covers 20–30 tones.",
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
        reading="How to read it: frequency increases to the right, level downward. Cells are single tones; strips show "
        "the accuracy of whole rows and columns. Faint cells are at chance.",
        row_title="dB HL",
        rows=_LEVELS,
        column_title="Hz",
        columns=_HERTZ,
        cells=tuple(
            tuple(f"{audiogram_slice(frequency, level)}|aa" for frequency in FREQUENCIES_HZ) for level in LEVELS_DB_HL
        ),
        row_totals=_BY_LEVEL,
        column_totals=_BY_HERTZ,
        absent=f"This row has no scores for single tones. {_HIDDEN}",
    ),
)
