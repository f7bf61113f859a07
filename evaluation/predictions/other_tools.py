"""Result files of other evaluation tools that are not read, recognised by their field names, and how to convert them.

Most of the files that these tools write are read as they are (`tool_files/`); these are other forms of them, such as a
list of samples on its own, and tools without a reader.

Only names decide: values are ignored. A file is recognised by a row, a line of a table or a whole JSON object.
"""

from collections.abc import Iterable, Set
from typing import NamedTuple

from evaluation.predictions.problems import Cause

EXPECTED_ROW = '{"id": "…", "run": 0, "response": "the model\'s raw text"}'


class _Tool(NamedTuple):
    """A result file of a tool: its field names, its name, and the fields to use."""

    names: frozenset[str]
    tool: str
    remedy: str


def _rows(names: str, tool: str, item_id: str, response: str) -> _Tool:
    remedy = f'Write one line per answer, with "id" from {item_id} and "response" from {response}: {EXPECTED_ROW}'
    return _Tool(frozenset(names.split()), tool, remedy)


_SAMPLES_OF_LMMS_EVAL = ("lmms-eval or lm-evaluation-harness", '"doc" (our question id)', '"resps"[0][0]')
_ROWS = (
    _rows("doc_id resps", *_SAMPLES_OF_LMMS_EVAL),
    _rows("doc_id filtered_resps", *_SAMPLES_OF_LMMS_EVAL),
    _rows("id epoch input target", "inspect_ai", '"id"', '"output"."completion"'),
    _rows("index model_output messages", "EvalScope", 'the question at "index"', "the text in “model_output”"),
    _rows("index sample_score", "EvalScope", 'the question at "index"', '"sample_score"."score"."prediction"'),
    _rows("index raw_input choices", "EvalScope", 'the question at "index"', 'the text in "choices"'),
    _rows("index question prediction", "VLMEvalKit", '"index"', '"prediction"'),
    _rows("origin_prompt prediction", "OpenCompass", "the question that was asked", '"prediction"'),
    _rows("custom_id response error", "an OpenAI-style batch", '"custom_id"', "the message in “response”.“body”"),
    _rows("run_id event_id sample_id", "OpenAI Evals", '"sample_id"', '"data"."sampled"'),
)
_SCORES_ALONE = "It contains scores but no answers."
_WHOLE = (
    _Tool(
        frozenset(("results", "configs")),
        "lmms-eval or lm-evaluation-harness",
        f"{_SCORES_ALONE} Run with --log_samples and convert its samples to one line per answer: {EXPECTED_ROW}",
    ),
    _rows("evalid results", "promptfoo", "the variables of the test", '"response"."output"'),
    _Tool(
        frozenset(("dataset_name", "model_name", "metrics")),
        "EvalScope",
        f"{_SCORES_ALONE} Convert the files in its folder “predictions” to one line per answer: {EXPECTED_ROW}",
    ),
)


def find_tool_of_rows(names: Iterable[str]) -> Cause | None:
    """Return the cause if rows with these field names come from another tool, or None."""
    tool = _find_tool(_ROWS, names)
    if tool is None:
        return None
    return Cause(
        f"This looks like a result file of {tool.tool}. {tool.remedy}",
        f"look like rows of {tool.tool}. {tool.remedy}",
    )


def describe_tool_of_object(names: Iterable[str]) -> str | None:
    """Return the cause if a JSON object with these names comes from another tool, or None."""
    tool = _find_tool(_WHOLE, names)
    return None if tool is None else f"This looks like a result file of {tool.tool}. {tool.remedy}"


def _find_tool(tools: tuple[_Tool, ...], names: Iterable[str]) -> _Tool | None:
    lower_names: Set[str] = {name.lower() for name in names}
    return next((tool for tool in tools if tool.names <= lower_names), None)
