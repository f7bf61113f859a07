"""A board as the API names it."""

import orjson

from leaderboard.exports.view import View


def write_json(view: View) -> bytes:
    """Return a view as JSON."""
    benchmark = view.benchmark
    said = {"benchmark": benchmark.id, "version": benchmark.version, "setting": view.setting, "rows": view.rows}
    return orjson.dumps(said)
