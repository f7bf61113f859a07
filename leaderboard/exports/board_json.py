"""A board as the API names it."""

import orjson

from leaderboard.exports.view import ExportView


def write_json(view: ExportView) -> bytes:
    """Return a view as JSON."""
    benchmark = view.benchmark
    said = {"benchmark": benchmark.id, "version": benchmark.version, "setting": view.setting, "rows": view.rows}
    return orjson.dumps(said)
