"""Definitions of AudioMotionBench: slices, settings, items and terms."""

from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.definition_specs import Definition, Definitions

_VARIANTS = {
    "overall": "all three variants",
    "sct": "SCT: constant pitch, constant speed",
    "sdt": "SDT: each note has one of seven pitches, constant speed",
    "tat": "TAT: constant pitch, twice the speed",
}
_CONDITIONS = {
    "clean": "no added noise",
    "35db": "Gaussian noise, 35 dB below the sound",
    "25db": "Gaussian noise, 25 dB below the sound",
    "15db": "Gaussian noise, 15 dB below the sound",
}
_FORMS = {
    "mcq": "multiple choice with four options",
    "tf": "true/false, one true and one false statement for each clip",
}
_KNOWN = _CONDITIONS | _FORMS


def define_items(column: Column) -> str:
    """Describe the items of a column, and how they are averaged.

    Raises:
        KeyError: The board does not have this column.
    """
    head, *rest = column.slice.split("/")
    items = "; ".join((_VARIANTS[head], *(_KNOWN[name] for name in rest)))
    return f"Items: {items}.{'' if rest else _describe_average(head)}"


def _describe_average(head: str) -> str:
    what = "SCT, SDT and TAT" if head == "overall" else "its four noise levels"
    return f" The mean of {what}. All are the same size, so it equals the score over all pooled items."


DEFINITIONS = Definitions(
    define_items,
    {"default": "The model hears the clip and reads the question."},
    (
        Definition("SCT, SDT, TAT", "Variants: constant pitch; varying pitch; constant pitch at twice the speed."),
        Definition("35 dB, 25 dB, 15 dB", "Signal-to-noise ratio with added Gaussian noise; clean has no noise."),
        Definition("MCQ, T/F", "Multiple choice among four paths; a true or false statement about the path."),
    ),
    (
        Definition("TPR, TNR", "Share of true statements called true; share of false statements called false."),
        Definition("YesBias", "Share of false statements called true: 1 − TNR if every answer can be parsed."),
    ),
)
