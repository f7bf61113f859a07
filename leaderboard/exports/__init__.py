"""A view of a board as a file, one pure module a format: aggregated scores, and nothing of single items."""

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
        label: Its name on the page.
        description: What the page's link exports, in a few words.
        extension: What its name ends with.
        media_type: What it is sent as.
        is_table: Whether it is the board's table, so that the page's link names the columns shown.
        all_columns: Whether every score goes in unless columns are named; otherwise those that the board shows.
        models_only: Whether it is about models, so that rows of people and of chance cannot be in it.
    """

    write: Callable[[ExportView], bytes]
    label: str
    description: str
    extension: str
    media_type: str
    is_table: bool = False
    all_columns: bool = False
    models_only: bool = False


_CSV, _TEX, _BIBTEX = (f"{name}; charset=utf-8" for name in ("text/csv", "application/x-tex", "application/x-bibtex"))
_YAML = "application/yaml"
_JSON = "application/json"
_TABLE = "all rows, visible columns"
FORMATS: Mapping[str, Format] = {
    "csv": Format(write_csv, "CSV", _TABLE, "csv", _CSV, is_table=True, all_columns=True),
    "latex": Format(write_latex, "LaTeX", "a table for a paper", "tex", _TEX, is_table=True),
    "json": Format(write_json, "JSON", _TABLE, "json", _JSON, is_table=True, all_columns=True),
    "bibtex": Format(write_bibtex, "BibTeX", "citations", "bib", _BIBTEX),
    "hub": Format(
        write_eval_results, "Hub YAML", "evaluation results of model cards", "hub.yaml", _YAML, models_only=True
    ),
    "model-index": Format(
        write_model_index, "model-index", "metadata of model cards", "model-index.yaml", _YAML, models_only=True
    ),
    "eee": Format(write_eee, "Every Eval Ever", "JSON, one record per row", "eee.json", _JSON, models_only=True),
}

__all__ = ["FORMATS", "ExportView", "Format"]
