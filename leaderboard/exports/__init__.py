"""A view of a board as a file, one pure module a format: aggregated figures, and nothing of single items."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from leaderboard.exports.bibtex import write_bibtex
from leaderboard.exports.board_csv import write_csv
from leaderboard.exports.board_json import write_json
from leaderboard.exports.eee import write_eee
from leaderboard.exports.latex import write_latex
from leaderboard.exports.model_card_rows import write_eval_results, write_model_index
from leaderboard.exports.view import ExportView


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    Attributes:
        write: Makes the file.
        ending: What its name ends with.
        media_type: What it is sent as.
        all_columns: Whether every figure goes in unless columns are named; otherwise those that the board shows.
        models_only: Whether it is about models, so that rows of people and of chance cannot be in it.
    """

    write: Callable[[ExportView], bytes]
    ending: str
    media_type: str
    all_columns: bool = False
    models_only: bool = False


_YAML = "application/yaml"
_JSON = "application/json"
FORMATS: Mapping[str, Format] = {
    "csv": Format(write_csv, "csv", "text/csv; charset=utf-8", all_columns=True),
    "latex": Format(write_latex, "tex", "application/x-tex; charset=utf-8"),
    "json": Format(write_json, "json", _JSON, all_columns=True),
    "bibtex": Format(write_bibtex, "bib", "application/x-bibtex; charset=utf-8"),
    "hub": Format(write_eval_results, "hub.yaml", _YAML, models_only=True),
    "model-index": Format(write_model_index, "model-index.yaml", _YAML, models_only=True),
    "eee": Format(write_eee, "eee.json", _JSON, models_only=True),
}

__all__ = ["FORMATS", "ExportView", "Format"]
