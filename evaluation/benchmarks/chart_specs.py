"""Chart declarations of benchmarks: which scores make a line, a point or a cell. `leaderboard.charts` draws them.

A score is named `<slice>|<metric>`, as everywhere. The drawing code adds the random baseline and, if known, the human
baseline to every chart.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What every chart has.

    Attributes:
        id: Name among the benchmark's charts.
        title: Heading.
        reading: One sentence on how to read it.
        absent: Message shown if no public row has its scores.
    """

    id: str
    title: str
    reading: str
    absent: str = "No public row has these scores."


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes of a line chart.

    Attributes:
        title: Heading.
        labels: Places on the horizontal axis.
        figures: The figure of each.
        x_title: What the places are, with their unit.
        whole: Figure of all places together: stands for people of whom nothing finer is known.
        downward: Whether the places run down the vertical axis instead, as the levels of an audiogram do.
    """

    title: str
    labels: tuple[str, ...]
    figures: tuple[str, ...]
    x_title: str
    whole: str = ""
    downward: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart(Declared):
    """A figure under growing difficulty, a line for each system.

    Attributes:
        panels: Sets of axes, side by side.
    """

    panels: tuple[Panel, ...]

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn for a system."""
        return tuple(key for panel in self.panels for key in panel.figures)

    @property
    def all_figures(self) -> tuple[str, ...]:
        """Those, and what stands for people."""
        return (*self.figures, *(panel.whole for panel in self.panels if panel.whole))


@dataclass(frozen=True, slots=True)
class FigurePair:
    """Two figures against each other.

    Attributes:
        title: Heading; empty where there is one pair only.
        x: Figure across.
        y: Figure up.
    """

    title: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Guide:
    """A line that points are read against.

    Attributes:
        ends: Where it begins and ends, as fractions (x, y, x, y).
        words: What it is called.
        is_chance: Whether guessing lies on it; it is drawn as chance is everywhere, and else as a plain line.
    """

    ends: tuple[float, float, float, float]
    words: str
    is_chance: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PointChart(Declared):
    """Pairs of figures, a square for each pair and a point for each system.

    Attributes:
        x_title: What is drawn across.
        y_title: What is drawn up.
        pairs: The pairs, side by side.
        guide: A line that points are read against; None for none.
        is_whole: Whether the axes run to 100 whatever the figures are.
    """

    x_title: str
    y_title: str
    pairs: tuple[FigurePair, ...]
    guide: Guide | None = None
    is_whole: bool = True

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return tuple(key for pair in self.pairs for key in (pair.x, pair.y))


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row of a dot chart.

    Attributes:
        label: Its name.
        figure: What is drawn.
        even: What a system without any preference has, where the benchmark names no expected figure of a guess.
    """

    label: str
    figure: str
    even: float | None = None


@dataclass(frozen=True, slots=True)
class DotPanel:
    """One set of axes of a dot chart.

    Attributes:
        title: Heading.
        places: Rows, from the top.
        x_title: What is drawn across.
    """

    title: str
    places: tuple[DotRow, ...]
    x_title: str = "accuracy, %"


@dataclass(frozen=True, slots=True, kw_only=True)
class DotChart(Declared):
    """A figure for each of several kinds of questions, a dot for each system, with a stem from chance.

    Attributes:
        panels: Sets of axes, side by side.
        reference: What the dashed mark of a row is called.
        is_whole: Whether the axes run to 100 whatever the figures are.
    """

    panels: tuple[DotPanel, ...]
    reference: str = "chance"
    is_whole: bool = True

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return tuple(place.figure for panel in self.panels for place in panel.places)


@dataclass(frozen=True, slots=True)
class SettingsPanel:
    """One figure under several settings.

    Attributes:
        title: Heading.
        figure: What is drawn.
        settings: Settings and how they are called here; the usual one first.
        change: From which setting to which a difference is written beside the row; None for no difference.
        drop: Figure that rows have which print no more than how much is lost against the usual setting.
    """

    title: str
    figure: str
    settings: tuple[tuple[str, str], ...]
    change: tuple[str, str] | None = None
    drop: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChart(Declared):
    """The same systems under several settings, side by side; never a ranking across them.

    Attributes:
        panels: Sets of axes, side by side.
        joined: Where the systems of another setting are several models named together: what stands between the names.
            Their usual row is then that of the first model; empty where the names are the same.
        change_title: How the difference is called.
    """

    panels: tuple[SettingsPanel, ...]
    joined: str = ""
    change_title: str = "difference"

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return tuple(key for panel in self.panels for key in (panel.figure, panel.drop) if key)

    @property
    def settings(self) -> tuple[str, ...]:
        """Every setting that is drawn, the usual one first."""
        return tuple(dict.fromkeys(name for panel in self.panels for name, _ in panel.settings))

    def find_first(self, model: str) -> str:
        """Return the name of the first of models that are named together, else the name as it is."""
        return model.partition(self.joined)[0] if self.joined else model


@dataclass(frozen=True, slots=True)
class ShareSegment:
    """One kind of a whole.

    Attributes:
        label: Its name.
        figures: Where its share stands; the first that a row has.
    """

    label: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareChart(Declared):
    """What a whole is made of, a bar for each system.

    Attributes:
        segments: Its kinds, in the order of the bar.
        whole: What the shares are of.
    """

    segments: tuple[ShareSegment, ...]
    whole: str

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that may be drawn."""
        return tuple(key for segment in self.segments for key in segment.figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridChart(Declared):
    """A figure for each system and each of several columns, as a map.

    Attributes:
        row_title: What a system is here.
        column_title: What a column is.
        columns: Names of the columns and their figures.
        gap: Heading and figure of a signed difference beside the map; None for none.
        is_own: Tells from a system's name and a column's whether both are the same model; such cells are framed.
    """

    row_title: str
    column_title: str
    columns: tuple[tuple[str, str], ...]
    gap: tuple[str, str] | None = None
    is_own: Callable[[str, str], bool] | None = None

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return tuple(key for _, key in self.columns)

    @property
    def all_figures(self) -> tuple[str, ...]:
        """Those, and the difference."""
        return self.figures if self.gap is None else (*self.figures, self.gap[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChart(Declared):
    """A figure for each pair of two properties, for one system.

    Attributes:
        row_title: Which property a row is.
        rows: Names of the rows, from the top.
        column_title: Which property a column is.
        columns: Names of the columns.
        cells: Figure of each row and column; None where there is none.
        row_totals: Figure of each whole row, drawn beside the map; empty for none.
        column_totals: Figure of each whole column, drawn above the map; empty for none.
        facts: Figures that are said above the map: in words, and which.
        lead: How the sentence of these figures begins, without a colon; empty for no beginning.
        has_compass: Whether rows and columns are directions, so that a compass is drawn in the margin.
    """

    row_title: str
    rows: tuple[str, ...]
    column_title: str
    columns: tuple[str, ...]
    cells: tuple[tuple[str | None, ...], ...]
    row_totals: tuple[str, ...] = ()
    column_totals: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    lead: str = ""
    has_compass: bool = False

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        cells = (key for row in self.cells for key in row if key is not None)
        return (*cells, *self.row_totals, *self.column_totals)


Chart = LineChart | PointChart | DotChart | SettingsChart | ShareChart | GridChart | MapChart


def list_figures(chart: Chart) -> tuple[str, ...]:
    """Return every figure that a chart names, whatever it is for."""
    named = chart.all_figures if isinstance(chart, LineChart | GridChart) else chart.figures
    facts = tuple(key for _, key in chart.facts) if isinstance(chart, MapChart) else ()
    return (*named, *facts)


def count_panels(chart: Chart) -> int:
    """Return how many sets of axes a chart has."""
    if isinstance(chart, PointChart):
        return len(chart.pairs)
    return len(chart.panels) if isinstance(chart, LineChart | DotChart | SettingsChart) else 1
