"""What the names of AudioProcessBench mean."""

from collections.abc import Mapping

from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.definition_specs import Definition, Definitions

_ABOUT: Mapping[str, str] = {
    "overall": "The mean of Step, Type and Chain, each with the same weight.",
    "step": "All steps of all traces, pooled. Step is the mean of FEI and AEI.",
    "type": "The mean of the six error types, each with the same weight.",
    "generation": "The critic as a generator: its own traces among all traces.",
    "chain": "All groups of traces for one question. Chain is the mean of BoN and MV.",
}
_TYPES: Mapping[str, str] = dict(
    zip(
        ERROR_TYPES,
        (
            "Existence: The step claims a sound that is not there, or misses one that is",
            "Semantic: The step mishears or misunderstands speech, lyrics or numbers",
            "Temporal: The step is wrong about order, timing, duration or repetition",
            "Attribute: The step is wrong about a property of a sound, such as pitch, loudness, distance or emotion",
            "Binding: The step relates what is heard to the wrong question, option, event or speaker",
            "Reasoning: What is heard is right, what is inferred from it is not",
        ),
        strict=True,
    )
)


def define_items(column: Column) -> str:
    """Return which steps a column is over, and how they are averaged.

    Raises:
        KeyError: The board has no such column.
    """
    place, _, kind = column.slice.partition("/type/")
    if kind:
        return f"{_define_place(place)} {_TYPES[kind]}. Erroneous steps of this type only."
    return _define_place(column.slice)


def _define_place(name: str) -> str:
    head, _, rest = name.partition("/")
    if not rest:
        return _ABOUT[head]
    if head == "type":
        return f"{_TYPES[rest]}. Erroneous steps of this type, against all right steps."
    if head == "generator":
        return "The traces that this model wrote."
    if head == "source":
        return "The traces about the questions of this source."
    if head == "position":
        first, _, up = rest.partition("-")
        return f"Steps number {first}{' and later' if up else ''} of all traces."
    raise KeyError(name)


DEFINITIONS = Definitions(
    define_items,
    {
        "few-shot": "The critic's prompt holds worked examples.",
        "zero-shot": "The critic's prompt holds no examples.",
    },
    tuple(Definition(*f"{text}.".split(": ", 1)) for text in _TYPES.values()),
    (
        Definition("Trace", "The steps in which a model answers a question. A critic judges each of them."),
        Definition(
            "FEI",
            "First error identification: harmonic mean of the share of erroneous traces whose first error is found "
            "and the share of error-free traces in which nothing is flagged.",
        ),
        Definition("AEI", "All error identification: harmonic mean of recall and specificity over all steps."),
        Definition("Type", "Mean over the six error types of h(recall on the type, specificity)."),
        Definition("Chain score", "1 − the mean score of a trace's steps; a score is the probability of an error."),
        Definition("BoN", "Best of N: accuracy when the answer of the trace with the highest chain score is taken."),
        Definition("MV", "Majority vote: accuracy when the answer with the highest sum of chain scores is taken."),
        Definition("Few-shot gap", "Overall few-shot − Overall zero-shot, in points."),
        Definition("Self-critique gap", "AEI on the critic's own traces − AEI on the other traces, in points."),
        Definition("AUROC", "Probability that an error of the type scores higher than a right step; chance is 50 %."),
    ),
)
