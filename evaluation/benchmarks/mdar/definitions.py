"""Definitions of MDAR: slices, settings, items and terms."""

from collections.abc import Mapping

from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.definition_specs import Definition, Definitions
from evaluation.benchmarks.mdar.charts import CASCADED, NOISE
from evaluation.benchmarks.mdar.design import SUB_TASK_TITLES

_PARTS: Mapping[str, str] = {
    "main": "MDAR-main: One correct option of four",
    "multi": "MDAR-multi: Two recordings, one or more correct options",
    "open": "MDAR-open: Open-ended answers, scored by an LLM judge",
}
_CATEGORIES: Mapping[str, str] = {
    "sr": "Social relations: Who the people are to each other, and what they intend",
    "er": "Events: Causes, consequences and order",
    "su": "Scenes: Where a recording was made, what belongs there, and how it changes",
    "ad": "Anomaly and safety: What is unusual or dangerous, and what to do",
    "tr": "Time: When something happens and how long it lasts",
    "pdr": "Plot development: How the story continues",
    "csr": "Continuous scenes: How consecutive scenes are related",
    "mcir": "Interaction of characters: What each person wants, and where they agree or conflict",
}


def define_items(column: Column) -> str:
    """Describe the items of a column, and how they are averaged.

    Raises:
        KeyError: The board does not have this column.
    """
    part, *rest = column.slice.split("/")
    category = (_CATEGORIES[name] for name in rest[:1])
    sub_task = (f"Sub-task: {SUB_TASK_TITLES[name].lower()}" for name in rest[1:])
    items = ". ".join((_PARTS[part], *category, *sub_task))
    return f"{items}.{'' if rest else ' Pooled over all items.'}"


DEFINITIONS = Definitions(
    define_items,
    {
        "default": "The model hears the recordings and reads the question.",
        NOISE: "White noise of the same length replaces the audio. Shows how much can be answered without listening.",
        CASCADED: "A captioning model describes the audio; a text model reads the caption and answers.",
    },
    tuple(Definition(*f"{text}.".split(": ", 1)) for text in (*_PARTS.values(), *_CATEGORIES.values())),
    (
        Definition("EM", "Exact match: the share of items where exactly the correct options are chosen."),
        Definition(
            "JI",
            "Jaccard index: options both chosen and correct / options chosen or correct; mean over items.",
        ),
        Definition(
            "Listening gain", f"Score under default − score under {NOISE}, in points: the contribution of the audio."
        ),
        Definition(
            "Open", "The judge's score of the answer / its score of the reference answer, at most 1; mean over items."
        ),
    ),
)
