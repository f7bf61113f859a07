"""Columns of a table that are read: ours, or those of VLMEvalKit."""

from collections.abc import Sequence
from typing import NamedTuple

OUR_COLUMNS = ("id", "run", "response", "erroneous", "scores")


class TableColumns(NamedTuple):
    """Columns of a table.

    Attributes:
        at: Our name → position.
        names_runs: Whether IDs may name their run, as those of other tools do.
    """

    at: dict[str, int]
    names_runs: bool = False


def find_columns(names: Sequence[str]) -> TableColumns | None:
    """Return the columns of a table with this header, or None if it has no predictions.

    VLMEvalKit calls the ID `index`, and the raw response `prediction`. It keeps the columns of its data set, so
    a column `id` next to a numbered `index` is the ID.
    """
    at = {name: names.index(name) for name in OUR_COLUMNS if name in names}
    if "id" in at and not {"response", "erroneous"}.isdisjoint(at):
        return TableColumns(at)
    if "response" in at or not {"index", "prediction"} <= set(names):
        return None
    columns = {"id": names.index("id" if "id" in at else "index"), "response": names.index("prediction")}
    return TableColumns(columns | ({"run": at["run"]} if "run" in at else {}), names_runs=True)
