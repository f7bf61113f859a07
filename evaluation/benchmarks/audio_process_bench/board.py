"""Board metrics and columns of AudioProcessBench."""

from collections.abc import Iterable

from evaluation.benchmarks.audio_process_bench.generators import generator_slice, source_slice
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.benchmarks.audio_process_bench.prompts import FEW_SHOT, ZERO_SHOT
from evaluation.benchmarks.audio_process_bench.trace_arrays import POSITIONS
from evaluation.benchmarks.column_specs import Column, Metric, SettingGap
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN, PRACTICE_GAP

METRICS = (
    Metric("overall", "Overall", "mean of the scores below it; for Overall, mean(Step, Type, Chain)"),
    Metric("fei", "FEI", "h(P(first flagged = first error | an error), P(none flagged | no error)), h = harmonic mean"),
    Metric("aei", "AEI", "h(recall, specificity) over all steps (PRMScore)"),
    Metric("recall", "Recall", "P(flagged | erroneous); for an error type, over errors of that type", ranked=False),
    Metric("specificity", "Specificity", "P(not flagged | correct)", ranked=False),
    Metric("prmscore", "PRMScore", "h(recall on errors of the type, specificity on correct steps)"),
    Metric(
        "balanced_accuracy", "Balanced accuracy", "(recall on errors of the type + specificity on correct steps) / 2"
    ),
    Metric("auroc", "AUROC", "P(score of an error of the type > score of a correct step); ties count half"),
    Metric("bon", "Best of N", "accuracy of the answer of the best chain; ties are averaged"),
    Metric("mv", "Majority vote", "accuracy of the answer with the largest sum of chain scores; ties are averaged"),
    Metric(
        "accuracy",
        "Generation accuracy",
        "share of the critic's own traces with the correct answer; only for models that wrote some of the traces",
        ranked=False,
    ),
    Metric(
        "self_critique_gap",
        "Self-critique gap",
        "AEI on the critic's own traces − AEI on the others",
        ranked=False,
        is_signed=True,
    ),
    Metric(
        "few_shot_gap",
        "Few-shot gap",
        "Overall with examples − Overall of the same model without (zero-shot)",
        ranked=False,
        is_signed=True,
    ),
    PRACTICE_GAP,
)
SETTING_GAPS = (SettingGap("overall|few_shot_gap", "overall|overall", FEW_SHOT, ZERO_SHOT),)
HEADLINE = Column("overall", "overall", "Overall", "", shown=True)

TYPE_TITLES = dict(
    zip(ERROR_TYPES, ("Existence", "Semantic", "Temporal", "Attribute", "Binding", "Reasoning"), strict=True)
)
TYPE_MEANINGS = dict(
    zip(
        ERROR_TYPES,
        (
            "a sound, speaker or cue is claimed but absent, or present but missed",
            "spoken or sung words, names or numbers are misunderstood",
            "order, timing, duration or repetition of events is wrong",
            "pitch, loudness, timbre, emotion, distance or another property of a sound is wrong",
            "a sound is linked to the wrong option, speaker or question",
            "the sounds are heard correctly, but the inference is wrong",
        ),
        strict=True,
    )
)
"""Error type → definition; after the paper's appendix A.2."""
_TYPE_METRICS = {"prmscore": "", "balanced_accuracy": " bal. acc.", "auroc": " AUROC", "recall": " recall"}


def build_columns(generators: Iterable[str], sources: Iterable[str]) -> tuple[Column, ...]:
    """Return the headline, the three paradigms, then everything else in groups.

    Args:
        generators: Names of the models that wrote the version's traces.
        sources: Names of the source benchmarks of its questions.
    """
    columns = [
        HEADLINE,
        Column("step", "overall", "Step", "", shown=True),
        Column("type", "prmscore", "Type", "", shown=True),
        Column("chain", "overall", "Chain", "", shown=True),
        PRACTICE_COLUMN,
        Column("step", "fei", "FEI", "Step correctness", shown=True),
        Column("step", "aei", "AEI", "Step correctness", shown=True),
        Column("step", "recall", "Recall", "Step correctness"),
        Column("step", "specificity", "Specificity", "Step correctness"),
        Column("step", "self_critique_gap", "Self-critique gap", "Step correctness"),
        Column("generation", "accuracy", "Generation accuracy", "Other abilities"),
        Column("overall", "few_shot_gap", "Few-shot gap", "Other abilities"),
        Column("chain", "bon", "BoN", "Chain aggregation", shown=True),
        Column("chain", "mv", "MV", "Chain aggregation", shown=True),
    ]
    columns += _type_columns()
    for generator in generators:
        for metric, title in (("fei", "FEI"), ("aei", "AEI")):
            columns.append(Column(generator_slice(generator), metric, title, f"Traces of {generator}"))
        columns += _recall_columns(generator_slice(generator), f"Traces of {generator}")
    columns += [
        Column(source_slice(source), metric, f"{source} {title}", "Source benchmark")
        for source in sources
        for metric, title in (("fei", "FEI"), ("aei", "AEI"))
    ]
    titles = [position.replace("-up", " and later") for position in POSITIONS]
    columns += [
        Column(f"position/{position}", "aei", f"Step {title}", "AEI by position")
        for position, title in zip(POSITIONS, titles, strict=True)
    ]
    for position, title in zip(POSITIONS, titles, strict=True):
        columns += _recall_columns(f"position/{position}", f"Errors at step {title}")
    return tuple(columns)


def _recall_columns(slice_name: str, group: str) -> list[Column]:
    """Return the recall of each error type within a slice."""
    return [
        Column(f"{slice_name}/type/{kind}", "recall", f"{title} recall", group) for kind, title in TYPE_TITLES.items()
    ]


def _type_columns() -> list[Column]:
    columns = []
    for metric, suffix in _TYPE_METRICS.items():
        for kind, title in TYPE_TITLES.items():
            columns.append(
                Column(f"type/{kind}", metric, f"{title}{suffix}", "Error types", shown=metric == "prmscore")
            )
        if suffix:
            columns.append(Column("type", metric, f"Mean{suffix}", "Error types"))
    return columns
