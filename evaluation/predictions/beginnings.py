"""Description of a file's first line that is neither JSON nor a CSV header with our columns."""

import re

from evaluation.predictions.kinds import FORMS

_CELLS = re.compile(r"[,;\t|]")
_YAML = re.compile(r"-\s|---|[A-Za-z_]+:\s")
_ID_LIKE = re.compile(r"\s*\"?[\x21-\x7e]*[0-9][\x21-\x7e]*\"?\s*")
_LONGEST_LINE = 2_000


def describe_beginning(line: str) -> str:
    """Return a description of the line and the fix, as the predicate of a sentence."""
    line = line.strip()[:_LONGEST_LINE]
    cells = [cell.strip().lower() for cell in _CELLS.split(line)]
    if line.lower().startswith("sep="):
        return "only defines the cell separator of a spreadsheet. Remove it."
    if line.startswith("|"):
        return "is a row of a Markdown table. Send the table as CSV with the header id,run,response."
    if "|" in line and "id" in cells:
        return "has cells separated by |. Separate them by commas."
    if "id" not in cells and len(cells) > 1 and _ID_LIKE.fullmatch(_CELLS.split(line)[0]):
        return "is a row of a table without a header. Begin the file with id,run,response."
    if _YAML.match(line) and " " in line and len(line) < 200:
        return f"is YAML or plain text. Send {FORMS}."
    return f"is neither JSON nor a CSV header with `id` and `response`. Send {FORMS}."
