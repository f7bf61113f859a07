"""Structure of MDAR: parts, files, categories by official label, and scores of random guessing."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from typing import Any

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.column_specs import Part
from evaluation.metrics import chance_of_multi_label
from evaluation.types import AnswerFormat

PARTS = ("main", "multi", "open")
PART_TITLES = (
    Part("main", "MDAR-main · one right option"),
    Part("multi", "MDAR-multi · several right options, two recordings"),
    Part("open", "MDAR-open · open answers"),
)
FILES = {part: f"MDAR-{part}.json" for part in PARTS}
FORMATS: Mapping[str, AnswerFormat] = {"main": "choice", "multi": "choices", "open": "text"}
MULTI_METRICS = ("em", "ji", "precision", "recall")


@dataclass(frozen=True, slots=True)
class Category:
    """One official label of a part.

    Attributes:
        part: `main`, `multi` or `open`.
        label: Label in the files.
        slug: Our slug; several labels of main share one.
        size: Number of items in version 1.0.
        sub_task: Our slug for the label itself, in main; empty in the other parts, where labels are the categories.
    """

    part: str
    label: str
    slug: str
    size: int
    sub_task: str = ""

    @property
    def slice(self) -> str:
        """Name of the slice, such as `main/sr`."""
        return f"{self.part}/{self.slug}"

    @property
    def sub_slice(self) -> str:
        """Name of the label's own slice, such as `main/sr/intent`; empty if it has none."""
        return f"{self.slice}/{self.sub_task}" if self.sub_task else ""


CATEGORIES = (
    Category("main", "人物身份关联任务", "sr", 218, "identity"),
    Category("main", "社交意图推理任务", "sr", 457, "intent"),
    Category("main", "事件因果推理任务", "er", 397, "causality"),
    Category("main", "事件顺序推理任务", "er", 11, "order"),
    Category("main", "场景定位任务", "su", 88, "location"),
    Category("main", "场景变化（切换）推理任务", "su", 28, "change"),
    Category("main", "场景要素识别", "su", 57, "elements"),
    Category("main", "异常检测与安全任务", "ad", 174, "safety"),
    Category("main", "时间推理任务", "tr", 70, "time"),
    Category("multi", "情节发展推理任务", "pdr", 701),
    Category("multi", "连续场景推理任务", "csr", 28),
    Category("multi", "多角色互动推理任务", "mcir", 96),
    Category("open", "人物关系与社交推理类", "sr", 200),
    Category("open", "事件推理类", "er", 263),
    Category("open", "场景理解类", "su", 30),
    Category("open", "异常检测与安全任务", "ad", 5),
    Category("open", "时间推理任务", "tr", 2),
)
TITLES = {
    "sr": "Social relations",
    "er": "Events",
    "su": "Scenes",
    "ad": "Anomaly and safety",
    "tr": "Time",
    "pdr": "Plot development",
    "csr": "Continuous scenes",
    "mcir": "Interaction of characters",
}
SUB_TASK_TITLES = {
    "identity": "Identity and relations",
    "intent": "Social intent",
    "causality": "Cause and effect",
    "order": "Order of events",
    "location": "Location",
    "change": "Scene change",
    "elements": "Scene elements",
    "safety": "Anomaly and safety",
    "time": "Time",
}
"""The nine official labels of main; three categories have several."""


def slices_of(part: str) -> tuple[str, ...]:
    """Return the slices of a part: the whole part, then its categories in default order."""
    return (part, *dict.fromkeys(category.slice for category in CATEGORIES if category.part == part))


def list_sub_slices() -> dict[str, str]:
    """Return the slices of main's nine sub-tasks with their titles."""
    return {category.sub_slice: SUB_TASK_TITLES[category.sub_task] for category in CATEGORIES if category.sub_task}


def list_names(question: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the slices of a question. Keys imported by earlier releases have no sub-tasks."""
    part, category, sub_task = question["part"], question["category"], question.get("sub_task")
    whole = (part, f"{part}/{category}")
    return (*whole, f"{part}/{category}/{sub_task}") if sub_task else whole


# Scores of random guessing on the released questions of multi: the average of `chance_of_multi_label` over them, in the
# order EM, JI, precision, recall. EM and recall depend on the numbers of options only. Precision and JI also depend on
# the number of right options; a mean over at least 28 questions reveals nothing about any one of them, and without it a
# precision of 70 % would be hard to interpret.
_RELEASED_MULTI = {
    "multi": (0.064687, 0.447305, 0.699697, 0.532343),
    "multi/pdr": (0.064680, 0.447123, 0.699215, 0.532340),
    "multi/csr": (0.065438, 0.451767, 0.710714, 0.532719),
    "multi/mcir": (0.064516, 0.447327, 0.700000, 0.532258),
}
_OF_FOUR_OPTIONS = 0.25


def chance_of_released() -> dict[str, float]:
    """Return the expected scores of random guessing in version 1.0; judged scores of guesses are unknown."""
    scores = {f"{name}|accuracy": _OF_FOUR_OPTIONS for name in (*slices_of("main"), *list_sub_slices())}
    for name, values in _RELEASED_MULTI.items():
        scores |= {f"{name}|{metric}": value for metric, value in zip(MULTI_METRICS, values, strict=True)}
    return scores


def chance_of_key(key: AnswerKey) -> dict[str, float]:
    """Return the expected scores of random guessing, averaged over a key's questions."""
    scores: dict[str, list[float]] = {}
    for question in key.questions:
        part, n_options = question["part"], len(question["options"])
        answer = key.answers[question["id"]]
        for name in list_names(question):
            if part == "main":
                scores.setdefault(f"{name}|accuracy", []).append(1 / n_options)
            elif isinstance(answer, tuple):
                for metric, value in chance_of_multi_label(n_options, len(answer))._asdict().items():
                    scores.setdefault(f"{name}|{metric}", []).append(value)
    return {key: fsum(values) / len(values) for key, values in scores.items()}
