"""Chart declarations of benchmarks: the scores behind lines, points and cells. `leaderboard.charts` draws them.

Scores are named `<slice>|<metric>`. The drawing code adds the random baseline and, if known, the human baseline to
every chart.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """Fields of every chart.

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
        labels: Labels on the horizontal axis.
        keys: The score at each label.
        x_title: Title of the horizontal axis, with its unit.
        whole: Score over all labels; used for human baselines without finer scores.
        downward: Whether the labels run down the vertical axis instead, like the levels of an audiogram.
    """

    title: str
    labels: tuple[str, ...]
    keys: tuple[str, ...]
    x_title: str
    whole: str = ""
    downward: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart(Declared):
    """A score at increasing difficulty, one line per system.

    Attributes:
        panels: Sets of axes, side by side.
    """

    panels: tuple[Panel, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """All scores drawn for a system."""
        return tuple(key for panel in self.panels for key in panel.keys)

    @property
    def all_keys(self) -> tuple[str, ...]:
        """These scores, and those of the human baseline."""
        return (*self.keys, *(panel.whole for panel in self.panels if panel.whole))


@dataclass(frozen=True, slots=True)
class ScorePair:
    """Two scores plotted against each other.

    Attributes:
        title: Heading; empty for a single pair.
        x: Horizontal score.
        y: Vertical score.
    """

    title: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Guide:
    """A reference line in a point chart.

    Attributes:
        ends: Start and end, as fractions (x, y, x, y).
        words: Label.
        is_chance: Whether random guessing lies on it; drawn in the style of chance, otherwise as a plain line.
    """

    ends: tuple[float, float, float, float]
    words: str
    is_chance: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PointChart(Declared):
    """Pairs of scores, with one square per pair and one point per system.

    Attributes:
        x_title: Title of the horizontal axis.
        y_title: Title of the vertical axis.
        pairs: The pairs, side by side.
        guide: Reference line; None for none.
        is_whole: Whether the axes always extend to 100.
    """

    x_title: str
    y_title: str
    pairs: tuple[ScorePair, ...]
    guide: Guide | None = None
    is_whole: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        """All drawn scores."""
        return tuple(key for pair in self.pairs for key in (pair.x, pair.y))


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row of a dot chart.

    Attributes:
        label: Label of the row.
        key: The drawn score.
        even: Score of a system without any preference, if the benchmark declares no chance score.
    """

    label: str
    key: str
    even: float | None = None


@dataclass(frozen=True, slots=True)
class DotPanel:
    """One set of axes of a dot chart.

    Attributes:
        title: Heading.
        places: Rows, from top to bottom.
        x_title: Title of the horizontal axis.
    """

    title: str
    places: tuple[DotRow, ...]
    x_title: str = "accuracy, %"


@dataclass(frozen=True, slots=True, kw_only=True)
class DotChart(Declared):
    """A score for each of several question types: one dot per system, with a stem from chance.

    Attributes:
        panels: Sets of axes, side by side.
        reference: Label of a row's dashed mark.
        is_whole: Whether the axes always extend to 100.
    """

    panels: tuple[DotPanel, ...]
    reference: str = "chance"
    is_whole: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        """All drawn scores."""
        return tuple(place.key for panel in self.panels for place in panel.places)


@dataclass(frozen=True, slots=True)
class SettingsPanel:
    """One score in several settings.

    Attributes:
        title: Heading.
        key: The drawn score.
        settings: Settings and their labels; the default first.
        change: Pair of settings whose difference is shown next to the row; None for no difference.
        drop: Score of rows that report only the loss relative to the default setting.
    """

    title: str
    key: str
    settings: tuple[tuple[str, str], ...]
    change: tuple[str, str] | None = None
    drop: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChart(Declared):
    """The same systems in several settings, side by side; never a ranking across them.

    Attributes:
        panels: Sets of axes, side by side.
        joined: Separator between the names of several models that form a system in another setting. Its default row is
            that of the first model. Empty if the names are the same.
        change_title: Title of the difference.
    """

    panels: tuple[SettingsPanel, ...]
    joined: str = ""
    change_title: str = "difference"

    @property
    def keys(self) -> tuple[str, ...]:
        """All drawn scores."""
        return tuple(key for panel in self.panels for key in (panel.key, panel.drop) if key)

    @property
    def settings(self) -> tuple[str, ...]:
        """All drawn settings, the default first."""
        return tuple(dict.fromkeys(name for panel in self.panels for name, _ in panel.settings))

    def find_first(self, model: str) -> str:
        """Return the first of several joined model names, or the name itself."""
        return model.partition(self.joined)[0] if self.joined else model


@dataclass(frozen=True, slots=True)
class ShareSegment:
    """One category of a whole.

    Attributes:
        label: Label of the category.
        keys: Scores that may contain its share; the first one that a row has is used.
    """

    label: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareChart(Declared):
    """Composition of a whole, one bar per system.

    Attributes:
        segments: Categories, in the order of the bar.
        whole: What the shares refer to.
    """

    segments: tuple[ShareSegment, ...]
    whole: str

    @property
    def keys(self) -> tuple[str, ...]:
        """All scores that may be drawn."""
        return tuple(key for segment in self.segments for key in segment.keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridChart(Declared):
    """A heatmap of a score by system and column.

    Attributes:
        row_title: Title of the system axis.
        column_title: Title of the column axis.
        columns: Column labels and their scores.
        gap: Heading and score of a signed difference next to the map; None for none.
        is_own: Given a system's name and a column label, whether both are the same model; such cells are framed.
    """

    row_title: str
    column_title: str
    columns: tuple[tuple[str, str], ...]
    gap: tuple[str, str] | None = None
    is_own: Callable[[str, str], bool] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """All drawn scores."""
        return tuple(key for _, key in self.columns)

    @property
    def all_keys(self) -> tuple[str, ...]:
        """These scores, and the difference."""
        return self.keys if self.gap is None else (*self.keys, self.gap[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChart(Declared):
    """A heatmap of a score by two properties, for one system.

    Attributes:
        row_title: Property on the row axis.
        rows: Row labels, from top to bottom.
        column_title: Property on the column axis.
        columns: Column labels.
        cells: Score of each row and column; None for an empty cell.
        row_totals: Score of each whole row, next to the map; empty for none.
        column_totals: Score of each whole column, above the map; empty for none.
        facts: Scores stated above the map: text and score.
        lead: Start of the sentence with these scores, without a colon; empty for none.
        has_compass: Whether rows and columns are directions, so that the margin shows a compass.
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
    def keys(self) -> tuple[str, ...]:
        """All drawn scores."""
        cells = (key for row in self.cells for key in row if key is not None)
        return (*cells, *self.row_totals, *self.column_totals)


Chart = LineChart | PointChart | DotChart | SettingsChart | ShareChart | GridChart | MapChart


def list_keys(chart: Chart) -> tuple[str, ...]:
    """Return every score that a chart refers to, for any purpose."""
    names = chart.all_keys if isinstance(chart, LineChart | GridChart) else chart.keys
    facts = tuple(key for _, key in chart.facts) if isinstance(chart, MapChart) else ()
    return (*names, *facts)


def count_panels(chart: Chart) -> int:
    """Return the number of a chart's panels."""
    if isinstance(chart, PointChart):
        return len(chart.pairs)
    return len(chart.panels) if isinstance(chart, LineChart | DotChart | SettingsChart) else 1
