"""Definitions of STAR-Bench: slices, settings, difficulty levels and terms."""

from collections.abc import Iterator, Mapping

from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.definition_specs import Definition, Definitions
from evaluation.benchmarks.star_bench.columns import GROUP_TITLES, PART_TITLES
from evaluation.benchmarks.star_bench.design import BY_SLICE, PARTS, SUB_TASKS, TONES
from evaluation.benchmarks.star_bench.prompts import CAPTION_ONLY, CHANNEL_WISE
from evaluation.benchmarks.star_bench.questions import GLOBAL_CAPTION, PSEUDO_STEREO, UNCUT_AUDIO
from evaluation.benchmarks.star_bench.rendered.room_plan import AZIMUTH_STEPS, DISTANCE_STEPS, ELEVATION_STEPS
from evaluation.benchmarks.star_bench.rendered.tone_plan import DURATION_PERCENT, LOUDNESS_DB, PITCH_CENTS
from evaluation.benchmarks.star_bench.slices import MACRO

# Attribute → the difference between the two sounds at each level; the first level is the control.
STEPS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "pitch": ("cents between two tones", tuple(str(step) for step in PITCH_CENTS)),
    "loudness": ("dB between two tones", tuple(str(step) for step in LOUDNESS_DB)),
    "duration": ("% longer", tuple(str(step) for step in DURATION_PERCENT)),
    "azimuth": ("degrees apart", tuple(f"{step}°" for step in AZIMUTH_STEPS)),
    "elevation": ("degrees apart", tuple(f"{step}°" for step in ELEVATION_STEPS)),
    "distance": ("metres between two sources", tuple(f"{least}–{most}" for (least, most), _ in DISTANCE_STEPS)),
}

_ABOUT: Mapping[str, str] = {
    "overall": "Perception, Temporal and Spatial",
    "perception": "Rendered sounds: what a model can hear, and which differences it detects",
    TONES: "Tone tasks, with the same sound in both ears: absolute pitch and loudness, and differences in pitch, "
    "loudness and duration",
    "perception/range": "What a model can hear: tones by pitch and loudness, sources by azimuth, elevation and "
    "distance",
    "perception/sensitivity": "Which of two sounds has more of an attribute",
    "perception/range/pitch-loudness": "A pure tone in the first half, in the second half, or absent",
    "perception/range/azimuth": "Which side a sound comes from",
    "perception/range/elevation": "Whether a sound comes from above, from ear level, or from below",
    "perception/range/distance": "How far away a sound is",
    "perception/sensitivity/pitch": "Which of two tones is higher",
    "perception/sensitivity/loudness": "Which of two tones is louder",
    "perception/sensitivity/duration": "Which of two tones is longer",
    "perception/sensitivity/azimuth": "Whether two sounds come from the same direction",
    "perception/sensitivity/elevation": "Which of two sounds comes from a higher position",
    "perception/sensitivity/distance": "Which of two sounds is farther away",
    "temporal": "The original order of three shuffled clips of one recording",
    "temporal/continuous": "A single event with a changing sound",
    "temporal/discrete": "Several events that follow each other",
    "temporal/osm": "A source approaches or passes by",
    "temporal/isse": "A stationary object that changes, such as a glass being filled",
    "temporal/tao": "The usual steps of using a tool",
    "temporal/dss": "The usual order of everyday activities",
    "temporal/etc": "What one event causes",
    "spatial": "Stereo recordings: positions and motion of sources",
    "spatial/localization": "The position of a single source",
    "spatial/relation": "The relative positions of several sources",
    "spatial/trajectory": "How a source moves",
}


def define_items(column: Column) -> str:
    """Describe the items of a column, and how they are averaged.

    Raises:
        KeyError: The board does not have this column.
    """
    if "/level-" in column.slice:
        return _define_level(*column.slice.split("/level-"))
    return f"{_ABOUT[column.slice]}.{_describe_average(column)}"


def _define_level(task_slice: str, level: str) -> str:
    task = BY_SLICE[task_slice]
    unit, steps = STEPS[task_slice.removeprefix("perception/sensitivity/")]
    control = ", the control" if level == "1" else ""
    return f"{_ABOUT[task_slice]}. Level {level} of {task.levels}{control}: {steps[int(level) - 1]} {unit}."


def _describe_average(column: Column) -> str:
    name = column.slice
    # The share of an option position covers all items of a slice.
    if name in MACRO and column.metric != "option_concentration":
        what = "parts" if MACRO[name] == PARTS else "sub-tasks"
        return f" Macro-averaged: the mean of its {len(MACRO[name])} {what}, equally weighted."
    n = sum(1 for task in SUB_TASKS if name in ("overall", *task.lineage))
    return f" Pooled over all items of its {n} sub-tasks." if n > 1 else ""


def _list_items() -> Iterator[Definition]:
    titles = PART_TITLES | GROUP_TITLES
    for name, text in _ABOUT.items():
        if name in BY_SLICE:
            titles_of_task = (titles[BY_SLICE[name].group], BY_SLICE[name].title)
            yield Definition(": ".join(titles_of_task), f"{text}.")
        elif name in titles:
            yield Definition(titles[name], f"{text}.")


DEFINITIONS = Definitions(
    define_items,
    {
        "default": "The model hears the clips and reads the question.",
        CHANNEL_WISE: "Spatial only: the left and right channels are two clips; the prompt says which is which.",
        GLOBAL_CAPTION: "Temporal only: one sentence about the whole scene precedes the clips.",
        UNCUT_AUDIO: "Temporal only: the uncut recording precedes the clips.",
        PSEUDO_STEREO: "Tone tasks only: the right channel of each clip is the left one with inverted phase, (x, −x). "
        "Models that average their channels hear silence.",
        CAPTION_ONLY: "No audio: a caption replaces each clip. Shows how much can be answered from text.",
    },
    tuple(_list_items()),
    (
        Definition("AA", "Average accuracy: the share of runs answered correctly."),
        Definition("ACR", "All-correct rate: the share of items answered correctly in every run."),
        Definition(
            "Run",
            "One presentation of an item: one for each rotation of its options, or one for each of three orders of its "
            "clips (temporal).",
        ),
        Definition(
            "Concentration",
            "The largest share of one option position among parsed answers. With four options, 25 % is even; 100 % "
            "means always the same letter.",
        ),
        Definition(
            "Cancellation loss",
            "AA of the tone tasks under default − under pseudo-stereo, in points. It is near 0 if a model keeps both "
            "channels, and large if it averages them.",
        ),
        Definition(
            "dB HL", "Level above the hearing threshold of young listeners with normal hearing, at each frequency."
        ),
        Definition(
            "Level",
            "Size of the difference between two sounds. Level 1 is the control: no difference, or the smallest.",
        ),
    ),
)
