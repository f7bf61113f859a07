"""The charts of AudioProcessBench: which errors are found, where, in whose traces; what examples and choosing add."""

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
    FigurePair,
    GridChart,
    Guide,
    LineChart,
    MapChart,
    Panel,
    PointChart,
    SettingsChart,
    SettingsPanel,
)

_NOT_PRINTED = (
    "The paper prints none; critics that were scored here have them. "
    "Version synthetic-2, chosen above the table, has some."
)
_POSITION_TITLES = tuple(position.replace("-up", " and on") for position in POSITIONS)
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
        sources: Names of the benchmarks that its questions are from.
    """
    return (
        _TYPES,
        _SETTINGS,
        _CHAINS,
        GridChart(
            id="generators",
            title="Whose traces a critic judges well",
            reading="How to read it: a row is a critic, a column the model that wrote the traces; pale is guessing. "
            "A framed cell is a critic judging its own traces, and the self-critique gap is it against all others.",
            row_title="critic",
            column_title="AEI on traces of",
            columns=tuple((name, f"{generator_slice(name)}|aei") for name in generators),
            gap=("self-critique gap", "step|self_critique_gap"),
            is_own=_is_same,
            absent=f"No public row has figures by generator. {_NOT_PRINTED}",
        ),
        _POSITIONS,
        _RATES,
        _GENERATION,
        DotChart(
            id="sources",
            title="AEI by source benchmark",
            reading="How to read it: AEI on the traces about the questions of each source; each stem begins at chance.",
            panels=(DotPanel("AEI", tuple(DotRow(one, f"{source_slice(one)}|aei") for one in sources), "AEI, %"),),
            absent=f"No public row has scores by source. {_NOT_PRINTED}",
        ),
        _map_recall("generator-types", "generator", generators, map(generator_slice, generators)),
        _map_recall("position-types", "step", _POSITION_TITLES, (f"position/{one}" for one in POSITIONS)),
    )


def _map_recall(id_: str, row_title: str, rows: Iterable[str], slices: Iterable[str]) -> MapChart:
    """Return a map of recalls: a row for each slice, a column for each error type."""
    return MapChart(
        id=id_,
        title=f"Recall by {row_title} and error type",
        reading="How to read it: each cell is the share of the errors of one type that the critic flags; darker is "
        f"more. An empty cell has too few errors. {_MEANINGS}",
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
    title="Which errors are found",
    reading="How to read it: PRMScore of each type of error, in which finding errors and leaving right steps alone "
    f"weigh the same; each stem begins at chance. {_MEANINGS}",
    panels=(
        DotPanel(
            "PRMScore by type of error",
            tuple(DotRow(title, f"type/{kind}|prmscore") for kind, title in TYPE_TITLES.items()),
            "PRMScore, %",
        ),
        DotPanel(
            "Recall by type of error",
            tuple(DotRow(title, f"type/{kind}|recall") for kind, title in TYPE_TITLES.items()),
            "errors flagged, %",
        ),
    ),
)
_SETTINGS = SettingsChart(
    id="few-shot",
    title="Few-shot against zero-shot",
    reading="How to read it: a row is one critic, asked without and with examples; the difference is its few-shot gap. "
    "Places are never given across settings.",
    panels=tuple(
        SettingsPanel(title, figure, ((FEW_SHOT, "few-shot"), (ZERO_SHOT, "zero-shot")), change=(ZERO_SHOT, FEW_SHOT))
        for title, figure in _PARADIGMS
    ),
    change_title="few-shot gap",
    absent="No critic has public rows in both settings. Send a file under the other setting to see the gap here.",
)
_CHAINS = DotChart(
    id="chains",
    title="Choosing among chains of reasoning",
    reading="How to read it: how often the answer is right that a critic’s scores pick. A critic that guesses takes "
    "any chain, so its mark at best of N is about what a single chain reaches; the stem is what choosing adds.",
    panels=(
        DotPanel(
            "Accuracy of the chosen answer",
            (DotRow("Best of N", "chain|bon"), DotRow("Majority vote", "chain|mv")),
        ),
    ),
)
_POSITIONS = LineChart(
    id="positions",
    title="Along the trace",
    reading="How to read it: the further right, the later the step; a line that falls loses the thread.",
    panels=(
        Panel(
            "AEI by position of the step",
            _POSITION_TITLES,
            tuple(f"position/{position}|aei" for position in POSITIONS),
            "step of the trace",
            whole="step|aei",
        ),
    ),
    absent=f"No public row has figures by position. {_NOT_PRINTED}",
)
_RATES = PointChart(
    id="rates",
    title="Errors found against right steps left alone",
    reading="How to read it: top right is perfect. On the dashed line a critic flags right steps as often as wrong "
    "ones: it does not tell them apart.",
    x_title="specificity: right steps left alone, %",
    y_title="recall: errors flagged, %",
    pairs=(FigurePair("", "step|specificity", "step|recall"),),
    guide=Guide((0, 1, 1, 0), "guessing", is_chance=True),
    absent=f"No public row has recall and specificity. {_NOT_PRINTED}",
)
_GENERATION = PointChart(
    id="generation",
    title="Generation and critic ability",
    reading="How to read it: a point is a model that wrote some of the traces; further right it answers more questions "
    "right, further up it judges reasoning better.",
    x_title="generation accuracy: own traces with the right answer, %",
    y_title="critic ability: Overall, %",
    pairs=(FigurePair("", "generation|accuracy", "overall|overall"),),
    is_whole=False,
    absent=f"No public row is of a model that wrote traces. {_NOT_PRINTED}",
)
