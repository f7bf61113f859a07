"""Boards: the rows that a server shows, as dictionaries and as DataFrames."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from earshot.data_frames import make_frame
from earshot.server_connection import open_client, require_fields
from submissions.client import quote_name

if TYPE_CHECKING:
    import pandas as pd

_MODEL_FIELDS = ("name", "organisation", "kind", "size_billions", "open_weights")
_ROW_FIELDS = ("rank", "rank_low", "rank_high", "source", "submission", "signature")
_SCORE_FIELDS = ("value", "low", "high", "std")


@dataclass(frozen=True, slots=True)
class BoardRows:
    """Rows of a board, in its order.

    Attributes:
        benchmark: Benchmark ID.
        version: Benchmark version.
        setting: Setting.
        rows: Rows as the API sends them. `scores` maps `slice|metric` to value, interval and standard deviation.
    """

    benchmark: str
    version: str
    setting: str
    rows: list[dict[str, Any]]

    @property
    def score_names(self) -> list[str]:
        """Names of the scores, `slice|metric`, in the board's order."""
        return list(dict.fromkeys(name for row in self.rows for name in row["scores"]))

    def to_pandas(self, *, long: bool = False) -> "pd.DataFrame":
        """Return the board as a DataFrame.

        Args:
            long: Return one row for each score, with its interval, instead of one row for each row of the board.

        Returns:
            Ranks, model and source, then a column for each score with its value. If long: `score`, `value`, `low`,
            `high`, `std` instead. Scores are as the board states them, fractions but for the judge's.

        Raises:
            ImportError: pandas is not installed.
        """
        names = self.score_names
        if not long:
            values = [{name: (row["scores"].get(name) or {}).get("value") for name in names} for row in self.rows]
            rows = [_describe_row(row) | scores for row, scores in zip(self.rows, values, strict=True)]
            return make_frame(rows, [*_list_fields(), *names])
        rows = [
            _describe_row(row) | {"score": name} | {field: score.get(field) for field in _SCORE_FIELDS}
            for row in self.rows
            for name, score in row["scores"].items()
        ]
        return make_frame(rows, [*_list_fields(), "score", *_SCORE_FIELDS])


def board(
    benchmark: str,
    *,
    version: str | None = None,
    setting: str | None = None,
    url: str | None = None,
    token: str | None = None,
    **filters: str,
) -> BoardRows:
    """Read a board from a server.

    Args:
        benchmark: Benchmark ID, such as `star-bench`.
        version: Version; the server's first by default.
        setting: Setting; the benchmark's default by default.
        url: Address of the server; that on this machine by default.
        token: Access token; EARSHOT_TOKEN by default, then that of an earlier login.
        **filters: Other query parameters of boards, such as `source="submitted"`.

    Raises:
        ClientError: The server cannot be reached, or refuses the request.
    """
    said = {"version": version, "setting": setting, **filters, "format": "json"}
    params = {name: value for name, value in said.items() if value is not None}
    with open_client(url, token) as client:
        found = client.call("GET", f"/api/v1/leaderboards/{quote_name(benchmark)}/export", params=params)
    require_fields(found, "benchmark", "version", "setting", "rows")
    return BoardRows(found["benchmark"], found["version"], found["setting"], found["rows"])


def _list_fields() -> list[str]:
    return [*_ROW_FIELDS[:3], "model", *_MODEL_FIELDS[1:], *_ROW_FIELDS[3:]]


def _describe_row(row: dict[str, Any]) -> dict[str, Any]:
    model = {"model" if field == "name" else field: row["model"].get(field) for field in _MODEL_FIELDS}
    return {field: row.get(field) for field in _ROW_FIELDS} | model
