"""Published rows as a file that maintainers can edit and apply again, and an example of such a file."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import orjson

from leaderboard.exports.board_csv import neutralise
from submissions.published_rows.row_files import FIELDS

EXAMPLE_PATH = Path(__file__).parents[2] / "assets" / "texts" / "published-rows-example.csv"
# Dates contain the years.
_WRITTEN = tuple(name for name in FIELDS if name != "year")


def write_rows_csv(scores: Iterable[Mapping[str, object]]) -> bytes:
    """Return scores as CSV under a header, one per line."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_WRITTEN)
    writer.writerows([neutralise(score.get(name)) for name in _WRITTEN] for score in scores)
    return text.getvalue().encode()


def write_rows_json(scores: Iterable[Mapping[str, object]]) -> bytes:
    """Return scores as a JSON list of objects; fields without a value are left out."""
    said = [{name: score[name] for name in _WRITTEN if score.get(name) not in (None, "")} for score in scores]
    return orjson.dumps(said, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
