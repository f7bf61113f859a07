"""Tools whose result files are read, and the fields that are read of a sample.

docs/prediction-files.md lists them with the versions that were tested.
"""

from collections.abc import Mapping

from evaluation.predictions.tool_files.tool_records import (
    Record,
    RecordError,
    ToolFormat,
    decode_value,
    join_text_parts,
    read_number,
    read_text,
)

_LMMS_EVAL_RESPONSES = ("resps", "filtered_resps")
# Its models return this text instead of a response.
_LMMS_EVAL_FAILURE = "[LMMS_EVAL_REQUEST_FAILED "


def _read_lmms_eval_responses(record: Record) -> list[str]:
    """Return the responses; the tool drops `resps` where they equal the filtered ones."""
    path = next((path for path in _LMMS_EVAL_RESPONSES if path in record), None)
    if path is None:
        raise RecordError("missing-field", "has neither `resps` nor `filtered_resps`.")
    value = decode_value(record[path], path)
    # One request of a question: a list of lists with one text for each repeat, of which the tool removes outer lists.
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    responses = [value] if isinstance(value, str) else value
    if not isinstance(responses, list) or not responses or not all(isinstance(text, str) for text in responses):
        raise RecordError("wrong-type", f"has `{path}` that are not the texts of one request.")
    if any(text.startswith(_LMMS_EVAL_FAILURE) for text in responses):
        what = "failed in lmms-eval, so it has no response. Run the task again, and send the new samples."
        raise RecordError("missing-field", what)
    return responses


def _read_inspect_responses(record: Record) -> list[str]:
    if record.get("error", b"null") != b"null":
        what = "failed in inspect_ai, so it has no response. Run inspect eval-retry, and send the new log."
        raise RecordError("missing-field", what)
    return [read_text(record, "output.completion")]


def _read_helm_responses(record: Record) -> list[str]:
    if record.get("reference_index", b"null") != b"null":
        raise RecordError("wrong-form", "asks for the probability of a reference and not for a response.")
    if record.get("result.success", b"true") != b"true":
        raise RecordError("missing-field", "failed in HELM, so it has no response. Run it again.")
    completions = decode_value(record.get("result.completions", b"null"), "result.completions")
    if not isinstance(completions, list) or not completions:
        raise RecordError("missing-field", "has no `result.completions`.")
    texts = [completion.get("text") if isinstance(completion, dict) else None for completion in completions]
    return [join_text_parts(text, "result.completions.text") for text in texts]


def _read_helm_run(record: Record) -> int:
    n_completions = len(_read_helm_responses(record))
    return read_number(record, "train_trial_index", 0) * n_completions


def _read_evalscope_prediction(record: Record) -> list[str]:
    return [read_text(record, "model_output.choices.0.message.content")]


def _read_evalscope_review(record: Record) -> list[str]:
    return [read_text(record, "sample_score.score.prediction")]


def _read_no_run(_: Record) -> int:
    return 0


LMMS_EVAL = ToolFormat(
    "lmms-eval",
    {"doc": {"id": None}, "doc_id": None, "target": None, "resps": None, "filtered_resps": None},
    ("doc.id", "doc_id", "target"),
    _read_lmms_eval_responses,
    _read_no_run,
)
INSPECT_AI = ToolFormat(
    "inspect_ai",
    {"id": None, "epoch": None, "output": {"completion": None}, "error": None},
    ("id",),
    _read_inspect_responses,
    lambda record: read_number(record, "epoch", 1) - 1,
)
EVALSCOPE_PREDICTIONS = ToolFormat(
    "EvalScope",
    {"index": None, "metadata": {"id": None}, "model_output": {"choices": {"0": {"message": {"content": None}}}}},
    ("metadata.id", "index"),
    _read_evalscope_prediction,
    _read_no_run,
)
EVALSCOPE_REVIEWS = ToolFormat(
    "EvalScope",
    {
        "index": None,
        "sample_score": {
            "score": {"prediction": None},
            "sample_metadata": {"id": None},
            "generation_index": None,
        },
    },
    ("sample_score.sample_metadata.id", "index"),
    _read_evalscope_review,
    lambda record: read_number(record, "sample_score.generation_index", 0),
)
HELM = ToolFormat(
    "HELM",
    {
        "instance": {"id": None},
        "reference_index": None,
        "train_trial_index": None,
        "result": {"success": None, "completions": None},
    },
    ("instance.id",),
    _read_helm_responses,
    _read_helm_run,
)


def find_tool_of_line(values: Mapping[str, str]) -> ToolFormat | None:
    """Return the tool that writes samples with these first names, one on a line.

    Args:
        values: Names of the first line → beginnings of the values, up to the first one that is not complete.
    """
    names = list(values)
    if names[:1] == ["doc_id"] and names[1:2] in (["doc"], ["target"]):
        return LMMS_EVAL
    if names[:1] != ["index"] or "id" in values:
        return None
    if names[1:3] == ["model", "model_output"]:
        return EVALSCOPE_PREDICTIONS
    return EVALSCOPE_REVIEWS if "sample_score" in values or names[1:3] == ["target", "messages"] else None


def find_tool_of_object(values: Mapping[str, str]) -> tuple[ToolFormat, str] | None:
    """Return the tool that writes one object with these first names, and the name of the list of samples in it."""
    if {"version", "status", "eval"} <= values.keys():
        return INSPECT_AI, "samples"
    return (HELM, "request_states") if next(iter(values), "") == "adapter_spec" else None
