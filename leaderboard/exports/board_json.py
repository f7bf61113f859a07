"""JSON export of a board, with the field names of the API."""

import orjson

from leaderboard.exports.view import ExportView


def write_json(view: ExportView) -> bytes:
    """Return a view as JSON."""
    benchmark = view.benchmark
    said = {"benchmark": benchmark.id, "version": benchmark.version, "setting": view.setting, "rows": view.rows}
    return orjson.dumps(said)
