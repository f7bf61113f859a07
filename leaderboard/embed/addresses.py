"""Addresses of embedded boards: `/?tab=…&embed=1`, when `embed=1` is added to a board's own address."""

from collections.abc import Collection
from urllib.parse import parse_qsl, quote, urlencode

from leaderboard.boards.board_parameters import ParameterGroup, list_parameters
from leaderboard.embed.document import THEMES

EMBED_PATH = "/embed/"
_SAME = tuple(parameter.name for parameter in list_parameters((ParameterGroup.BOARD,)))
_MAX_CHARACTERS = 4_000
_MAX_FIELDS = 40


def find_embed_address(query: str, benchmarks: Collection[str]) -> str | None:
    """Return the address of the embedded board for a query of the page; None if the query has no `embed=1`.

    >>> find_embed_address("tab=mdar&embed=1&sort=overall|accuracy&q=x&__theme=dark", ["mdar"])
    '/embed/mdar?slice=overall&metric=accuracy&theme=dark'
    """
    if "embed=" not in query or len(query) > _MAX_CHARACTERS:
        return None
    try:
        given = dict(parse_qsl(query, max_num_fields=_MAX_FIELDS))
    except ValueError:
        return None
    if given.get("embed") not in ("1", "true") or given.get("tab") not in benchmarks:
        return None
    params = {name: given[name] for name in _SAME if name in given}
    slice_name, has_metric, metric = given.get("sort", "").partition("|")
    if has_metric:
        params |= {"slice": slice_name, "metric": metric}
    theme = given.get("theme", given.get("__theme"))
    if theme in THEMES:
        params["theme"] = theme
    path = f"{EMBED_PATH}{given['tab']}"
    return f"{path}?{urlencode(params, quote_via=quote, safe='/:,')}" if params else path
