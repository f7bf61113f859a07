"""The names that official files give to tasks, categories and sub-categories, and the slices they stand for."""

import re
from collections.abc import Mapping
from itertools import chain

from evaluation.benchmarks.star_bench.design import BY_SLICE, SUB_TASKS, TEMPORAL_CODES

_FILLERS = frozenset({"and", "the", "of", "task", "tasks", "reasoning", "sub", "subset"})
_WORD = re.compile(r"[a-z0-9]+")

# Slice → its names; case, punctuation and the order of the words do not matter. The first one is shown in messages.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "perception": (
        "Foundational Acoustic Perception",
        "foundational perception",
        "foundation perception",
        "perception",
    ),
    "perception/range": ("Absolute Perception Range", "absolute range", "range"),
    "perception/sensitivity": ("Relative Discrimination Sensitivity", "relative sensitivity", "sensitivity"),
    "temporal": ("Temporal Reasoning", "holistic temporal", "holistic spatio-temporal"),
    "temporal/continuous": ("Continuous Processes", "continuous process", "continuous"),
    "temporal/discrete": ("Discrete Event Sequences", "discrete event sequence", "discrete events", "discrete"),
    "temporal/osm": ("Object Spatial Motion",),
    "temporal/isse": ("In-Situ State Evolution",),
    "temporal/tao": ("Tool & Appliance Operation",),
    "temporal/dss": ("Daily Scene Scripts", "daily scene script"),
    "temporal/etc": ("Event-Triggered Consequences", "event-triggered consequence"),
    "spatial": ("Spatial Reasoning", "holistic spatial", "holistic spatio-temporal"),
    "spatial/localization": ("Single-Source Static Localization", "static localization", "localization"),
    "spatial/relation": ("Multi-Source Spatial Relation", "spatial relation", "relation"),
    "spatial/trajectory": ("Dynamic Trajectory Tracking", "trajectory tracking", "trajectory"),
}


def find_slice(part: str, label: str, group: str | None = None) -> str | None:
    """Return the slice of a part that a label names, or None.

    A sub-category of perception may leave its group out, as `azimuth` under an absolute range does.
    """
    words = _words(label)
    names = _VOCABULARY[part]
    found = names.get(words)
    if found is None and group is not None:
        found = names.get(words | _words(group.removeprefix("perception/")))
    return found


def known_labels(part: str, depth: str) -> tuple[str, ...]:
    """Return the labels that a message names as allowed; `depth` is `task`, `category` or `sub-category`."""
    if depth == "task":
        return _NAMES[part][:1]
    slices = dict.fromkeys(chain.from_iterable(task.lineage[1:] for task in SUB_TASKS if task.part == part))
    wanted = [name for name in slices if (name in BY_SLICE) == (depth == "sub-category")]
    return tuple(_shown(name) for name in wanted or slices)


def _shown(slice_name: str) -> str:
    return _NAMES[slice_name][0] if slice_name in _NAMES else slice_name.removeprefix("perception/").replace("/", "_")


def _words(label: str) -> frozenset[str]:
    return frozenset(_WORD.findall(label.casefold())) - _FILLERS


def _vocabulary(part: str) -> dict[frozenset[str], str]:
    found = {_words(name): path for path, names in _NAMES.items() if path.split("/")[0] == part for name in names}
    for task in SUB_TASKS:
        if task.part == part == "perception":
            found[_words(task.slice.removeprefix("perception/"))] = task.slice
    if part == "temporal":
        found |= {_words(code): f"temporal/{code.lower()}" for code in TEMPORAL_CODES}
    return found


_VOCABULARY = {part: _vocabulary(part) for part in ("perception", "temporal", "spatial")}
