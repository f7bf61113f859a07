"""Which form a prediction file has, told by how it begins."""

from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.json_list import read_json_list
from evaluation.predictions.jsonl import BOM, read_jsonl
from evaluation.predictions.problems import Problems
from evaluation.types import Prediction

_LOOK_BYTES = 4096


def read_rows(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a file, one JSON list or JSON Lines, and collect its faults.

    Args:
        file: At its beginning, and able to return there.
        problems: Where faults go.
    """
    beginning = file.read(_LOOK_BYTES).removeprefix(BOM).lstrip()
    file.seek(0)
    if beginning.startswith(b"["):
        return read_json_list(file, problems)
    return read_jsonl(file, problems)
