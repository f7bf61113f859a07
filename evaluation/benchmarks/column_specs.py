"""Columns, metrics and parts of a benchmark."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and its public description.

    Attributes:
        id: Name in the database and in the API.
        title: Name on the page.
        formula: One line, plain text.
        higher_is_better: Whether higher values are better.
        ranked: Whether ranks and a colour scale are meaningful.
        judged: Whether it depends on a judge; such scores are compared under the same judge only.
        is_signed: Whether it is a difference with values down to −1.
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
    """A part that can be submitted alone."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Column:
    """A score that the board can show.

    Attributes:
        slice: Slice name.
        metric: Metric id.
        title: Heading.
        group: Heading above several columns.
        shown: Whether it is a default column.
        needs_value: Whether boards leave it out while no row has a value in it.
    """

    slice: str
    metric: str
    title: str
    group: str
    shown: bool = False
    needs_value: bool = False

    @property
    def key(self) -> str:
        """Name of the score in the API: `<slice>|<metric>`."""
        return f"{self.slice}|{self.metric}"

    @property
    def full_title(self) -> str:
        """Title outside its column group."""
        return f"{self.group}: {self.title}" if self.group else self.title


@dataclass(frozen=True, slots=True)
class SettingGap:
    """A difference between two settings: a row's score minus that of its model's row in the other setting.

    Attributes:
        key: `<slice>|<metric>` of the gap.
        figure: `<slice>|<metric>` of the score in both settings.
        setting: Setting whose board shows the gap.
        against: Setting whose score is subtracted.
    """

    key: str
    figure: str
    setting: str
    against: str
