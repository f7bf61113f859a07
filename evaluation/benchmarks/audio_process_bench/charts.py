"""Charts of AudioProcessBench: recall by error type, position and generator; few-shot gap; answer selection."""

from collections.abc import Iterable, Sequence

from evaluation.benchmarks.audio_process_bench.board import TYPE_MEANINGS, TYPE_TITLES
from evaluation.benchmarks.audio_process_bench.generators import generator_slice, source_slice
from evaluation.benchmarks.audio_process_bench.prompts import FEW_SHOT, ZERO_SHOT
from evaluation.benchmarks.audio_process_bench.trace_arrays import POSITIONS, fold_name
from evaluation.benchmarks.chart_specs import (
    Chart,
    DotChart,
    DotPanel,
    DotRow,
    GridChart,
    Guide,
    LineChart,
    MapChart,
    Panel,
    PointChart,
    ScorePair,
    SettingsChart,
    SettingsPanel,
)

_NOT_PRINTED = "The paper does not report them. Version synthetic-3, selected above the table, has some."
_POSITION_TITLES = tuple(position.replace("-up", " and later") for position in POSITIONS)
_MEANINGS = " ".join(f"{title}: {TYPE_MEANINGS[kind]}." for kind, title in TYPE_TITLES.items())
_PARADIGMS = (
    ("Overall", "overall|overall"),
    ("Step", "step|overall"),
    ("Type", "type|prmscore"),
    ("Chain", "chain|overall"),
)


def build_charts(generators: Sequence[str], sources: Sequence[str]) -> tuple[Chart, ...]:
    """Return the charts of a version.

    Args:
        generators: Names of the models that wrote its traces.
        sources: Names of the source benchmarks of its questions.
    """
    return (
        _TYPES,
        _SETTINGS,
        _CHAINS,
        GridChart(
            id="generators",
            title="Critic accuracy by trace author",
            reading="How to read it: rows are critics, columns the models that wrote the traces. Faint cells are at "
            "chance. Framed cells: critics judging their own traces. Self-critique gap: own traces minus all others.",
            row_title="critic",
            column_title="AEI on traces of",
            columns=tuple((name, f"{generator_slice(name)}|aei") for name in generators),
            gap=("self-critique gap", "step|self_critique_gap"),
            is_own=_is_same,
            absent=f"No public row has scores by trace author. {_NOT_PRINTED}",
        ),
        _POSITIONS,
        _RATES,
        _GENERATION,
        DotChart(
            id="sources",
            title="AEI by source benchmark",
            reading="How to read it: AEI on traces about questions from each source. Lines start at chance.",
            panels=(DotPanel("AEI", tuple(DotRow(one, f"{source_slice(one)}|aei") for one in sources), "AEI, %"),),
            absent=f"No public row has scores by source. {_NOT_PRINTED}",
        ),
        _map_recall("generator-types", "generator", generators, map(generator_slice, generators)),
        _map_recall("position-types", "step", _POSITION_TITLES, (f"position/{one}" for one in POSITIONS)),
    )


def _map_recall(id_: str, row_title: str, rows: Iterable[str], slices: Iterable[str]) -> MapChart:
    """Return a map of recalls with a row per slice and a column per error type."""
    return MapChart(
        id=id_,
        title=f"Recall by {row_title} and error type",
        reading="How to read it: each cell is the share of errors of one type that the critic flags. Darker is higher. "
        f"Empty cells have too few errors. {_MEANINGS}",
        row_title=row_title,
        rows=tuple(rows),
        column_title="error type",
        columns=tuple(TYPE_TITLES.values()),
        cells=tuple(tuple(f"{name}/type/{kind}|recall" for kind in TYPE_TITLES) for name in slices),
        absent=f"This row has no recall by error type here. {_NOT_PRINTED}",
    )


def _is_same(critic: str, generator: str) -> bool:
    return fold_name(critic) == fold_name(generator)


_TYPES = DotChart(
    id="types",
    title="Detected errors by type",
    reading="How to read it: PRMScore weighs recall on errors and specificity on correct steps equally. Lines start at "
    f"chance. {_MEANINGS}",
    panels=(
        DotPanel(
            "PRMScore by error type",
            tuple(DotRow(title, f"type/{kind}|prmscore") for kind, title in TYPE_TITLES.items()),
            "PRMScore, %",
        ),
        DotPanel(
            "Recall by error type",
            tuple(DotRow(title, f"type/{kind}|recall") for kind, title in TYPE_TITLES.items()),
            "errors flagged, %",
        ),
    ),
)
_SETTINGS = SettingsChart(
    id="few-shot",
    title="Few-shot vs. zero-shot",
    reading="How to read it: each row is one critic, prompted without and with examples. The difference is its "
    "few-shot gap. Settings are never ranked together.",
    panels=tuple(
        SettingsPanel(title, key, ((FEW_SHOT, "few-shot"), (ZERO_SHOT, "zero-shot")), change=(ZERO_SHOT, FEW_SHOT))
        for title, key in _PARADIGMS
    ),
    change_title="few-shot gap",
    absent="No critic has public rows in both settings. Submit to the other setting to see the gap here.",
)
_CHAINS = DotChart(
    id="chains",
    title="Answer selection among reasoning chains",
    reading="How to read it: accuracy of the answer the critic selects. Line length: gain over picking at random.",
    panels=(
        DotPanel(
            "Accuracy of the selected answer",
            (DotRow("Best of N", "chain|bon"), DotRow("Majority vote", "chain|mv")),
        ),
    ),
)
_POSITIONS = LineChart(
    id="positions",
    title="Accuracy by step position",
    reading="How to read it: later steps are further right. Falling lines: the critic gets worse in later steps.",
    panels=(
        Panel(
            "AEI by step position",
            _POSITION_TITLES,
            tuple(f"position/{position}|aei" for position in POSITIONS),
            "step",
            whole="step|aei",
        ),
    ),
    absent=f"No public row has scores by step position. {_NOT_PRINTED}",
)
_RATES = PointChart(
    id="rates",
    title="Recall vs. specificity",
    reading="How to read it: top right is perfect. On the dashed line the critic flags correct steps as often as wrong "
    "ones.",
    x_title="specificity: correct steps not flagged, %",
    y_title="recall: errors flagged, %",
    pairs=(ScorePair("", "step|specificity", "step|recall"),),
    guide=Guide((0, 1, 1, 0), "guessing", is_chance=True),
    absent=f"No public row has recall and specificity. {_NOT_PRINTED}",
)
_GENERATION = PointChart(
    id="generation",
    title="Generation vs. critic ability",
    reading="How to read it: each point is a model that wrote some of the traces. Further right: more questions "
    "answered correctly. Further up: better at judging reasoning.",
    x_title="generation accuracy: own traces with the correct answer, %",
    y_title="critic ability: Overall, %",
    pairs=(ScorePair("", "generation|accuracy", "overall|overall"),),
    is_whole=False,
    absent=f"No public row belongs to a model that wrote traces. {_NOT_PRINTED}",
)
