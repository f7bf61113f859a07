"""What a benchmark wants drawn, in words: which figures make a line, a point or a cell. Drawing is somebody else's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes of a line chart.

    Attributes:
        title: Heading.
        figures: `<slice>|<metric>` for each place on the horizontal axis.
    """

    title: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineChart:
    """A figure under growing difficulty, a line for each system.

    Attributes:
        id: Name among the benchmark's charts.
        title: Heading.
        reading: One sentence on how to read it.
        x_title: What the horizontal axis is.
        labels: Its places.
        panels: Sets of axes, side by side.
    """

    id: str
    title: str
    reading: str
    x_title: str
    labels: tuple[str, ...]
    panels: tuple[Panel, ...]

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return tuple(key for panel in self.panels for key in panel.figures)


@dataclass(frozen=True, slots=True)
class PointChart:
    """Two figures against each other, a point for each system.

    Attributes:
        id: Name among the benchmark's charts.
        title: Heading.
        reading: One sentence on how to read it.
        x: Figure across.
        x_title: What it is.
        y: Figure up.
        y_title: What it is.
        guide: Where a dashed line begins and ends, as fractions (x, y, x, y), and what it is called; None for none.
    """

    id: str
    title: str
    reading: str
    x: str
    x_title: str
    y: str
    y_title: str
    guide: tuple[tuple[float, float, float, float], str] | None = None

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class MapChart:
    """A figure for each pair of two properties, for one system.

    Attributes:
        id: Name among the benchmark's charts.
        title: Heading.
        reading: One sentence on how to read it.
        row_title: Which property a row is.
        rows: Names of the rows, from the top.
        column_title: Which property a column is.
        columns: Names of the columns.
        cells: Figure of each row and column; None where there is none.
        facts: Figures that are said above the map: in words, and which.
        lead: How the sentence of these figures begins, without a colon; empty for no beginning.
        absent: What to say where a system has none of the figures.
    """

    id: str
    title: str
    reading: str
    row_title: str
    rows: tuple[str, ...]
    column_title: str
    columns: tuple[str, ...]
    cells: tuple[tuple[str | None, ...], ...]
    facts: tuple[tuple[str, str], ...] = ()
    lead: str = ""
    absent: str = "This row has no such figures."

    @property
    def figures(self) -> tuple[str, ...]:
        """Every figure that is drawn."""
        return tuple(key for row in self.cells for key in row if key is not None)


Chart = LineChart | PointChart | MapChart
