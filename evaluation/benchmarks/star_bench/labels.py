"""Names of tasks, categories and sub-categories in official files, and their slices."""

import re
from collections.abc import Mapping
from itertools import chain

from evaluation.benchmarks.star_bench.design import BY_SLICE, SUB_TASKS, TEMPORAL_CODES

_FILLERS = frozenset({"and", "the", "of", "task", "tasks", "reasoning", "sub", "subset"})
_WORD = re.compile(r"[a-z0-9]+")

# Slice → its names, compared without case, punctuation and word order. Messages show the first one.
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
    """Return the slice of a part for a label, or None.

    A sub-category of perception may omit its group, like `azimuth` under an absolute range.
    """
    words = _split_label(label)
    names = _VOCABULARY[part]
    slice_name = names.get(words)
    if slice_name is None and group is not None:
        slice_name = names.get(words | _split_label(group.removeprefix("perception/")))
    return slice_name


def known_labels(part: str, depth: str) -> tuple[str, ...]:
    """Return the allowed labels for a message; `depth` is `task`, `category` or `sub-category`."""
    if depth == "task":
        return _NAMES[part][:1]
    slices = dict.fromkeys(chain.from_iterable(task.lineage[1:] for task in SUB_TASKS if task.part == part))
    matching = [name for name in slices if (name in BY_SLICE) == (depth == "sub-category")]
    return tuple(_describe_slice(name) for name in matching or slices)


def _describe_slice(slice_name: str) -> str:
    return _NAMES[slice_name][0] if slice_name in _NAMES else slice_name.removeprefix("perception/").replace("/", "_")


def _split_label(label: str) -> frozenset[str]:
    return frozenset(_WORD.findall(label.casefold())) - _FILLERS


def _vocabulary(part: str) -> dict[frozenset[str], str]:
    by_label = {
        _split_label(name): path for path, names in _NAMES.items() if path.split("/")[0] == part for name in names
    }
    for task in SUB_TASKS:
        if task.part == part == "perception":
            by_label[_split_label(task.slice.removeprefix("perception/"))] = task.slice
    if part == "temporal":
        by_label |= {_split_label(code): f"temporal/{code.lower()}" for code in TEMPORAL_CODES}
    return by_label


_VOCABULARY = {part: _vocabulary(part) for part in ("perception", "temporal", "spatial")}
