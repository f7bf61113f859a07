"""Detection of misnamed fields: the intended name, and the message for files in which all lines have it."""

import difflib
from collections.abc import Sequence

from evaluation.predictions.other_tools import EXPECTED_ROW, find_tool_of_rows
from evaluation.predictions.problems import Cause

MAX_NAMES = 50
# Longer names do not resemble ours.
LONGEST_NAME = 40
_SHOWN = 40
# Names of these fields in other programs; if a line has several, the first one is intended. The right answer, which
# many files contain next to the model's, has the most common names, so these come last.
_CALLED = {
    "id": (
        *("item_id", "question_id", "questionid", "qid", "sample_id", "example_id", "query_id", "task_id", "unique_id"),
        *("custom_id", "doc_id", "audio_id", "clip_id", "data_id", "instance_id", "problem_id", "uid", "uuid", "_id"),
        *("idx", "index", "item", "key", "sample", "question"),
    ),
    "response": (
        *("model_response", "model_output", "model_answer", "model_prediction", "raw_response", "raw_output"),
        *("prediction", "predictions", "pred", "preds", "predicted", "predicted_answer", "predict", "pred_answer"),
        *("generated_text", "generation", "generated", "completion", "hypothesis", "hyp", "llm_output", "llm_response"),
        *("output_text", "output", "outputs", "reply", "result", "content", "message", "final_answer", "answer_text"),
        *("answer", "text", "choice", "label", "value"),
    ),
}
_WORDS = {"id": "id", "response": "answer"}
QUESTIONS = Cause(
    "This is questions.jsonl, the questions without answers. Run your model on every question and upload one line per "
    f"answer: {EXPECTED_ROW}",
    f"are questions without answers. Replace each by your model's answer: {EXPECTED_ROW}",
)
CHATS = Cause(
    f"Every line is a chat log. Write only the question's id and the text of the model's last message: {EXPECTED_ROW}",
    f"are chat logs. Write only the question's id and the text of the model's last message: {EXPECTED_ROW}",
)


def shorten(text: str) -> str:
    """Return the beginning of a text: a number with thousands of digits is not repeated whole."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def safe(text: str) -> str:
    """Return user-supplied text made safe for a message: short, printable, one line."""
    return f"`{make_printable(shorten(text))}`"


def make_printable(text: str) -> str:
    """Return a text without invisible characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def find_meant(wanted: str, names: Sequence[str]) -> str | None:
    """Return the name that was probably used in place of another: a misspelling, or a synonym."""
    lower = {name.lower().strip().replace("-", "_").replace(" ", "_"): name for name in names[:MAX_NAMES]}
    close = difflib.get_close_matches(wanted, lower, n=1, cutoff=0.6)
    match = next((name for name in (*close, *_CALLED[wanted]) if name in lower), None)
    return lower[match] if match is not None else None


def find_cause_of_names(wanted: str, names: Sequence[str]) -> Cause | None:
    """Return why rows with these field names lack one of ours, or None.

    Args:
        wanted: The missing field, `id` or `response`.
        names: Field names of the rows.
    """
    if {"prompt", "answer_format"} <= set(names):
        return QUESTIONS
    if (tool := find_tool_of_rows(names)) is not None:
        return tool
    if not {"messages", "choices"}.isdisjoint(names):
        return CHATS
    renamed: dict[str, str] = {}
    for name in ("id", "response"):
        if name == wanted or not {name, "erroneous"} & set(names):
            meant_name = find_meant(name, [other for other in names if other not in renamed.values()])
            if meant_name is not None:
                renamed[name] = meant_name
    return _make_rename(renamed) if wanted in renamed else None


def _make_rename(renamed: dict[str, str]) -> Cause:
    """Return the cause of renamed fields: our name → theirs."""
    renames = {our_name: f'"{make_printable(shorten(their_name))}"' for our_name, their_name in renamed.items()}
    if len(renames) == 1:
        ((our_name, their_name),) = renames.items()
        end = f'{their_name}; rename it to "{our_name}".'
        return Cause(f"Every line calls its {_WORDS[our_name]} {end}", f"call their {_WORDS[our_name]} {end}")
    end = f'{renames["response"]}; rename them to "id" and "response".'
    return Cause(
        f"Every line calls its id {renames['id']} and its answer {end}",
        f"call their id {renames['id']} and their answer {end}",
    )
