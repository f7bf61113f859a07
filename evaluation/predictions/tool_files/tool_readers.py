"""Readers of result files with one sample on a line, or with a list of samples within an object."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import BinaryIO

from evaluation.predictions.problems import FileFaultError, Problems
from evaluation.predictions.tool_files.json_skimmer import CUT_OFF, JsonSkimmer, SkimError
from evaluation.predictions.tool_files.line_pieces import find_lines, require_end, skip_mark
from evaluation.predictions.tool_files.tool_formats import find_tool_of_line, find_tool_of_object
from evaluation.predictions.tool_files.tool_records import (
    ToolFormat,
    make_skim_problem,
    read_predictions_of_record,
)
from evaluation.predictions.tool_files.ultraeval_records import is_ultraeval_record, read_ultraeval_records
from evaluation.types import Prediction

JsonReader = Callable[[BinaryIO, Problems], Iterator[Prediction]]


def find_json_reader(values: Mapping[str, str]) -> JsonReader | None:
    """Return the reader of a tool's file, or None.

    Args:
        values: Names of the first object → beginnings of the values, up to the first one that is not complete.
    """
    if is_ultraeval_record(values):
        return read_ultraeval_records
    line_tool = find_tool_of_line(values)
    if line_tool is not None:
        return partial(read_samples_on_lines, tool=line_tool)
    object_tool = find_tool_of_object(values)
    if object_tool is None:
        return None
    tool, list_name = object_tool
    return partial(read_samples_in_object, tool=tool, list_name=list_name)


def read_samples_on_lines(file: BinaryIO, problems: Problems, *, tool: ToolFormat) -> Iterator[Prediction]:
    """Yield the predictions of a file with one sample on a line, and collect the errors of invalid lines.

    Raises:
        FileFaultError: There are too many errors.
    """
    for skimmer in find_lines(file, problems):
        line = skimmer.line
        try:
            record = skimmer.read_record(tool.wanted)
            require_end(skimmer)
        except SkimError as error:
            problems.add(make_skim_problem(error, line))
            problems.require_patience(line)
            continue
        yield from read_predictions_of_record(tool, record, line, problems)
        problems.require_patience(line)


def read_samples_in_object(
    file: BinaryIO, problems: Problems, *, tool: ToolFormat, list_name: str
) -> Iterator[Prediction]:
    """Yield the predictions of samples in a list within an object, and collect the errors of invalid ones.

    Raises:
        FileFaultError: The object cannot be read further, has no such list or two of them, or has too many errors.
    """
    skimmer = skip_mark(JsonSkimmer(file.read))
    has_list = False
    try:
        for name in skimmer.find_names():
            if name != list_name or skimmer.peek_byte() != ord("["):
                skimmer.pass_value()
                continue
            if has_list:
                raise SkimError(f"has `{name}` more than once.", "duplicate-field")
            has_list = True
            for _ in skimmer.find_elements():
                line = skimmer.line
                record = skimmer.read_record(tool.wanted)
                yield from read_predictions_of_record(tool, record, line, problems)
                problems.require_patience(line)
        require_end(skimmer)
    except SkimError as error:
        where = f"The file of {tool.tool} cannot be read from line {skimmer.line} on: it {error.what}"
        remedy = " Send all of it." if error.what == CUT_OFF else ""
        raise FileFaultError(error.code, f"{where}{remedy}", skimmer.line) from None
    if not has_list:
        raise FileFaultError(
            "wrong-form", f"The file of {tool.tool} has no `{list_name}`, so it contains no responses.", 1
        )
