"""Design of STAR-Bench: sub-tasks, numbers of items and runs, and the presentation of runs.

Perception and spatial items have one run per rotation of their options (CircularEval). Temporal items have three runs,
each with their three clips in another order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

PARTS = ("perception", "temporal", "spatial")


@dataclass(frozen=True, slots=True)
class SubTask:
    """The smallest named set of items.

    Attributes:
        slice: Slice name, such as `perception/range/azimuth`.
        title: Title on the page.
        group: The slice between it and its part; the part itself if there is none.
        items: Number of items in version 1.0.
        options: Number of options of each item.
        levels: Number of difficulty levels; 0 for none.
    """

    slice: str
    title: str
    group: str
    items: int
    options: int
    levels: int = 0

    @property
    def part(self) -> str:
        """The part that it belongs to."""
        return self.slice.split("/")[0]

    @property
    def lineage(self) -> tuple[str, ...]:
        """The part, the group and the sub-task itself, without duplicates."""
        return tuple(dict.fromkeys((self.part, self.group, self.slice)))

    @property
    def runs(self) -> tuple[int, ...]:
        """Numbers of the runs: three orders of the clips, or one rotation per option."""
        return tuple(range(TEMPORAL_RUNS if self.part == "temporal" else self.options))


TEMPORAL_RUNS = 3
_RANGE, _SENSITIVITY = "perception/range", "perception/sensitivity"
_CONTINUOUS, _DISCRETE = "temporal/continuous", "temporal/discrete"

# Sizes follow from the smallest steps of the published all-correct rates, and agree with 2,353 items and 7,986 runs.
SUB_TASKS = (
    SubTask(f"{_RANGE}/pitch-loudness", "Pitch and loudness", _RANGE, 143, 4),
    SubTask(f"{_RANGE}/azimuth", "Azimuth", _RANGE, 96, 5),
    SubTask(f"{_RANGE}/elevation", "Elevation", _RANGE, 72, 4),
    SubTask(f"{_RANGE}/distance", "Distance", _RANGE, 51, 4),
    SubTask(f"{_SENSITIVITY}/pitch", "Pitch", _SENSITIVITY, 120, 4, levels=6),
    SubTask(f"{_SENSITIVITY}/loudness", "Loudness", _SENSITIVITY, 120, 4, levels=6),
    SubTask(f"{_SENSITIVITY}/duration", "Duration", _SENSITIVITY, 120, 4, levels=6),
    SubTask(f"{_SENSITIVITY}/azimuth", "Azimuth", _SENSITIVITY, 120, 3, levels=6),
    SubTask(f"{_SENSITIVITY}/elevation", "Elevation", _SENSITIVITY, 64, 4, levels=4),
    SubTask(f"{_SENSITIVITY}/distance", "Distance", _SENSITIVITY, 45, 4, levels=4),
    SubTask("temporal/osm", "Object spatial motion", _CONTINUOUS, 269, 7),
    SubTask("temporal/isse", "In-situ state evolution", _CONTINUOUS, 215, 7),
    SubTask("temporal/tao", "Tool and appliance operation", _DISCRETE, 204, 7),
    SubTask("temporal/dss", "Daily scene scripts", _DISCRETE, 180, 7),
    SubTask("temporal/etc", "Event-triggered consequences", _DISCRETE, 32, 7),
    SubTask("spatial/localization", "Single-source static localization", "spatial", 283, 3),
    SubTask("spatial/relation", "Multi-source spatial relation", "spatial", 113, 3),
    SubTask("spatial/trajectory", "Dynamic trajectory tracking", "spatial", 106, 3),
)
BY_SLICE = {sub_task.slice: sub_task for sub_task in SUB_TASKS}

AUDIOGRAM = f"{_RANGE}/pitch-loudness"
TONES = "perception/tones"
"""Slice of the sub-tasks whose audio is the same in both ears."""
TONE_TASKS = (AUDIOGRAM, *(f"{_SENSITIVITY}/{attribute}" for attribute in ("pitch", "loudness", "duration")))
FREQUENCIES_HZ = (125, 250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000, 8000)
LEVELS_DB_HL = tuple(range(-10, 111, 10))

# Their order determines each one's start in the cycle of clip orders.
TEMPORAL_CODES = ("OSM", "ISSE", "TAO", "DSS", "ETC")
CLIP_ORDERS = tuple(permutations((1, 2, 3)))
_TEMPORAL_ID = re.compile(rf".*_({'|'.join(TEMPORAL_CODES)})_([0-9]{{1,9}})")
_ORDER = re.compile(r"clip\s*([123])\s*->\s*clip\s*([123])\s*->\s*clip\s*([123])\.?", re.IGNORECASE)

ClipOrder = tuple[int, ...]


def parse_temporal_id(item_id: str) -> tuple[str, int] | None:
    """Return the slice and number at the end of a temporal item's ID, or None for other IDs."""
    match = _TEMPORAL_ID.fullmatch(item_id)
    return (f"temporal/{match.group(1).lower()}", int(match.group(2))) if match else None


def clip_order(item_id: str, run: int) -> ClipOrder:
    """Return which of the clips 1, 2, 3 (in true order) is heard first, second, third in a run.

    Raises:
        ValueError: The ID does not belong to a temporal item.
    """
    parsed = parse_temporal_id(item_id)
    if parsed is None:
        raise ValueError(f"`{item_id}` does not end in _SUBTASK_NUMBER; sub-tasks are {', '.join(TEMPORAL_CODES)}")
    slice_name, number = parsed
    start = TEMPORAL_CODES.index(slice_name.removeprefix("temporal/").upper())
    return CLIP_ORDERS[(number + (run % 6 + start) % 6) % 6]


def heard_in_run(item_id: str, run: int) -> tuple[int, ...]:
    """Return for each position in a run the position (from 0) of the same clip in run 0."""
    first = clip_order(item_id, 0)
    return tuple(first.index(clip) for clip in clip_order(item_id, run))


def right_order(heard: ClipOrder) -> ClipOrder:
    """Return the positions (from 1) of the clips 1, 2 and 3: the text of the right option."""
    return tuple(heard.index(clip) + 1 for clip in (1, 2, 3))


def parse_order(option: str) -> ClipOrder | None:
    """Return the order in an option, `clip a -> clip b -> clip c`, or None without one."""
    match = _ORDER.fullmatch(option.strip())
    return tuple(int(place) for place in match.groups()) if match else None


def rotate(options: Sequence[str], run: int) -> tuple[str, ...]:
    """Return the options rotated right by the run's number."""
    return (*options[-run:], *options[:-run]) if run else tuple(options)
