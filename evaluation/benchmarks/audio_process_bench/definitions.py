"""Definitions of AudioProcessBench: slices, settings, error types and terms."""

from collections.abc import Mapping

from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.definition_specs import Definition, Definitions

_ABOUT: Mapping[str, str] = {
    "overall": "The mean of Step, Type and Chain, equally weighted.",
    "step": "All steps of all traces, pooled. Step is the mean of FEI and AEI.",
    "type": "The mean of the six error types, equally weighted.",
    "generation": "The critic as a generator: only the traces it wrote.",
    "chain": "All groups of traces for one question. Chain is the mean of BoN and MV.",
}
_TYPES: Mapping[str, str] = dict(
    zip(
        ERROR_TYPES,
        (
            "Existence: The step claims a sound that is absent, or misses one that is present",
            "Semantic: The step mishears or misunderstands speech, lyrics or numbers",
            "Temporal: The step is wrong about order, timing, duration or repetition",
            "Attribute: The step is wrong about a property of a sound, such as pitch, loudness, distance or emotion",
            "Binding: The step links a sound to the wrong question, option, event or speaker",
            "Reasoning: The step hears correctly but draws the wrong conclusion",
        ),
        strict=True,
    )
)


def define_items(column: Column) -> str:
    """Describe the steps of a column, and how they are averaged.

    Raises:
        KeyError: The board does not have this column.
    """
    place, _, kind = column.slice.partition("/type/")
    if kind:
        return f"{_define_place(place)} {_TYPES[kind]}. Only erroneous steps of this type."
    return _define_place(column.slice)


def _define_place(name: str) -> str:
    head, _, rest = name.partition("/")
    if not rest:
        return _ABOUT[head]
    if head == "type":
        return f"{_TYPES[rest]}. Erroneous steps of this type against all correct steps."
    if head == "generator":
        return "Traces written by this model."
    if head == "source":
        return "Traces about questions from this source."
    if head == "position":
        first, _, up = rest.partition("-")
        return f"Step {first}{' and later' if up else ''} of all traces."
    raise KeyError(name)


DEFINITIONS = Definitions(
    define_items,
    {
        "few-shot": "The critic's prompt includes worked examples.",
        "zero-shot": "The critic's prompt includes no examples.",
    },
    tuple(Definition(*f"{text}.".split(": ", 1)) for text in _TYPES.values()),
    (
        Definition("Trace", "The step-by-step reasoning of a model about a question. The critic judges each step."),
        Definition(
            "FEI",
            "First error identification: harmonic mean of the share of erroneous traces whose first error is found "
            "and the share of error-free traces with nothing flagged.",
        ),
        Definition("AEI", "All error identification: harmonic mean of recall and specificity over all steps."),
        Definition("Type", "Mean over the six error types of h(recall on the type, specificity)."),
        Definition(
            "Chain score", "1 − the mean score of a trace's steps, where a step's score is its probability of an error."
        ),
        Definition("BoN", "Best of N: accuracy of the answer of the trace with the highest chain score."),
        Definition("MV", "Majority vote: accuracy of the answer with the highest sum of chain scores."),
        Definition("Few-shot gap", "Overall few-shot − Overall zero-shot, in points."),
        Definition("Self-critique gap", "AEI on the critic's own traces − AEI on the other traces, in points."),
        Definition("AUROC", "Probability that an error of the type scores higher than a correct step; chance is 50 %."),
    ),
)
