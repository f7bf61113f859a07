"""Archives that are one result file: logs of inspect_ai, and workbooks.

Names only decide which entries are read. They are never used as paths, and never shown.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from evaluation.predictions.problems import FileFaultError, Problems
from evaluation.predictions.tool_files.json_skimmer import JsonSkimmer, SkimError
from evaluation.predictions.tool_files.line_pieces import require_end
from evaluation.predictions.tool_files.tool_formats import INSPECT_AI
from evaluation.predictions.tool_files.tool_readers import JsonReader
from evaluation.predictions.tool_files.tool_records import make_skim_problem, read_predictions_of_record
from evaluation.predictions.tool_files.workbook import read_workbook
from evaluation.predictions.zip_archive import ZipEntries
from evaluation.types import Prediction

MAX_SAMPLES = 50_000
_MAX_DIRECTORY_BYTES = 12_000_000
_HEADER_BYTES = 30
_LENGTH_AT = slice(26, 28)
_LOG_PART = re.compile(rb"_journal/|samples/|header\.json|summaries\.json|reductions\.json")
_WORKBOOK_PART = re.compile(rb"\[Content_Types\]\.xml|_rels/|docProps/|xl/|customXml/")
_SAMPLE = re.compile(r"samples/[^/]+\.json")


def find_archive_reader(beginning: bytes) -> JsonReader | None:
    """Return the reader of a zip file that is one result file as a whole, or None; its first entry decides."""
    n_bytes = int.from_bytes(beginning[_LENGTH_AT], "little")
    name = beginning[_HEADER_BYTES : _HEADER_BYTES + n_bytes]
    if _LOG_PART.match(name):
        return read_inspect_log
    return read_workbook if _WORKBOOK_PART.match(name) else None


def read_inspect_log(file: BinaryIO, problems: Problems) -> Iterator[Prediction]:
    """Yield the predictions of a binary log, and collect the errors of its samples, which are numbered from 1.

    Raises:
        FileFaultError: The archive is damaged, unpacks to too much, has no samples, or has too many errors.
    """
    problems.place = "sample"
    archive = ZipEntries(file, max_entries=MAX_SAMPLES, max_directory_bytes=_MAX_DIRECTORY_BYTES)
    samples = [entry for entry in archive.entries if _SAMPLE.fullmatch(entry.filename)]
    if not samples:
        raise FileFaultError("wrong-form", "The log of inspect_ai has no samples, so it contains no responses.")
    for number, entry in enumerate(samples, 1):
        skimmer = JsonSkimmer(archive.open_entry(entry).read)
        try:
            record = skimmer.read_record(INSPECT_AI.wanted)
            require_end(skimmer)
        except SkimError as error:
            problems.add(make_skim_problem(error, number))
            problems.require_patience(number)
            continue
        yield from read_predictions_of_record(INSPECT_AI, record, number, problems)
        problems.require_patience(number)
