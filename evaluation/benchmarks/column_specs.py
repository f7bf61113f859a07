"""Columns, metrics and parts of a benchmark."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as the page explains it.

    Attributes:
        id: Name in the database and in the API.
        title: Name on the page.
        formula: One line, plain text.
        higher_is_better: Direction.
        ranked: Whether a place and a colour scale make sense.
        judged: Whether it follows from what a judge said; such figures are compared under the same judge only.
        is_signed: Whether it is a difference that may be below 0, down to −1.
    """

    id: str
    title: str
    formula: str
    higher_is_better: bool = True
    ranked: bool = True
    judged: bool = False
    is_signed: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A piece that can be submitted alone."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Column:
    """A figure that the board can show.

    Attributes:
        slice: Slice name.
        metric: Metric id.
        title: Heading.
        group: Heading over several columns.
        shown: Whether it is shown before anyone chose columns.
    """

    slice: str
    metric: str
    title: str
    group: str
    shown: bool = False

    @property
    def key(self) -> str:
        """Name of the figure in the API: `<slice>|<metric>`."""
        return f"{self.slice}|{self.metric}"

    @property
    def full_title(self) -> str:
        """Its name where other groups of columns stand beside its own."""
        return f"{self.group}: {self.title}" if self.group else self.title


@dataclass(frozen=True, slots=True)
class SettingGap:
    """A score that subtracts one setting from another: a row's figure less that of its model's row elsewhere.

    Attributes:
        key: `<slice>|<metric>` of the gap.
        figure: `<slice>|<metric>` of what is subtracted.
        setting: Setting whose board shows the gap.
        against: Setting that is subtracted.
    """

    key: str
    figure: str
    setting: str
    against: str
