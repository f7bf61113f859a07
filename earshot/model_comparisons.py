"""Comparisons of two rows of a board, computed by the server."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from earshot.data_frames import make_frame
from earshot.server_connection import open_client, require_fields
from submissions.client import ClientError

if TYPE_CHECKING:
    import pandas as pd

_FIELDS = ("figure", "title", "a", "b", "difference", "low", "high", "p_value", "p_adjusted", "n_items", "note")
_MAX_WAITS = 60  # of up to eight seconds


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """Differences between two rows, a minus b.

    Attributes:
        a: First row: model, submission, source, signature.
        b: Second row.
        paired: Whether both rows answered the same questions, which are then compared in pairs.
        reason: Why they are not paired.
        differences: One for each score: `low` and `high` of its 95 % confidence interval, its two-sided p-value, and
            its p-value adjusted over all scores by Holm's method.
    """

    a: dict[str, Any]
    b: dict[str, Any]
    paired: bool
    reason: str | None
    differences: Sequence[dict[str, Any]]

    def to_pandas(self) -> "pd.DataFrame":
        """Return the differences as a DataFrame, one row for each score.

        Raises:
            ImportError: pandas is not installed.
        """
        rows = [{field: one.get(field) for field in _FIELDS} for one in self.differences]
        return make_frame(rows, _FIELDS).rename(columns={"figure": "score"})


def compare(a: str, b: str, *, benchmark: str, url: str | None = None, token: str | None = None) -> ModelComparison:
    """Compare two rows of a board; wait until the server has computed the differences.

    Args:
        a: Submission ID of the first row, as in `submission` of `BoardRows.rows`.
        b: Submission ID of the second row.
        benchmark: Benchmark of both.
        url: Address of the server; that on this machine by default.
        token: Access token; EARSHOT_TOKEN by default, then that of an earlier login.

    Raises:
        ClientError: The server cannot be reached, refuses the request, or takes minutes.
    """
    with open_client(url, token) as client:
        for n_waits in count():
            found = client.call("GET", "/api/v1/comparisons", params={"benchmark": benchmark, "a": a, "b": b})
            if found.get("state") != "waiting":
                break
            if n_waits == _MAX_WAITS:
                raise ClientError("The server has not compared the rows in minutes. Try again later.")
            client.pause_after(n_waits)
    require_fields(found, "a", "b", "paired", "reason", "slices")
    return ModelComparison(found["a"], found["b"], found["paired"], found["reason"], found["slices"])
