"""Options that all boards share: query parameters, sources and export formats, for the API and the page's scripts."""

from dataclasses import asdict
from typing import Any

from leaderboard.boards.board_parameters import BoardFilter, BoardParameter, ParameterGroup, list_parameters
from leaderboard.exports import FORMATS, Format
from submissions.ranking.row_sources import ROW_SOURCES


def describe_board_options() -> dict[str, Any]:
    """Return the options as JSON: parameters in the order of addresses, formats with every score before the others."""
    formats = sorted(FORMATS.items(), key=lambda one: not one[1].all_columns)
    return {
        "parameters": [_describe_parameter(parameter) for parameter in list_parameters(tuple(ParameterGroup))],
        "sources": [asdict(source) for source in ROW_SOURCES.values()],
        "formats": [_describe_format(name, kind) for name, kind in formats],
    }


def _describe_parameter(parameter: BoardParameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "description": parameter.description,
        "in_address": parameter.is_in_address,
        "max_characters": parameter.max_characters,
        "filter": None if parameter.filter is None else _describe_filter(parameter.filter),
    }


def _describe_filter(chosen: BoardFilter) -> dict[str, Any]:
    return {
        "title": chosen.title,
        "form": chosen.form,
        "values": list(chosen.values),
        "unit": chosen.unit,
        "pattern": chosen.pattern,
        "offered_as": chosen.offered_as,
    }


def _describe_format(name: str, kind: Format) -> dict[str, Any]:
    return {
        "id": name,
        "label": kind.label,
        "description": kind.description,
        "extension": kind.extension,
        "media_type": kind.media_type,
        "is_table": kind.is_table,
        "all_columns": kind.all_columns,
        "models_only": kind.models_only,
    }
