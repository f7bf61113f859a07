"""Typical mistakes in prediction files, and the message for each."""

import io
import json
from collections.abc import Callable

import pytest

from evaluation.predictions import Catalogue, CatalogueItem, Validation, validate_predictions

ITEMS = [f"amb-{number:04}" for number in range(60)]
CATALOGUE = Catalogue("Bench 1.0", {item: CatalogueItem("p", "choice", (0, 1)) for item in ITEMS})
EXPECTED = '{"id": "…", "run": 0, "response": "the model\'s raw text"}'
NONE_KNOWN = "No line has an id of Bench 1.0. They may come from another question pack, "
ANSWERED = {"role": "assistant", "content": "A"}
Row = dict[str, object]


def check(change: Callable[[Row], Row]) -> Validation:
    rows: list[Row] = [{"id": item, "run": run, "response": "A"} for item in ITEMS for run in (0, 1)]
    data = "".join(json.dumps(change(row)) + "\n" for row in rows)
    return validate_predictions(io.BytesIO(data.encode()), CATALOGUE)


def without(row: Row, *names: str) -> Row:
    return {name: value for name, value in row.items() if name not in names}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda row: {**without(row, "response"), "model_prediction": "A"},
            'Every line calls its answer "model_prediction"; rename it to "response".',
        ),
        (
            lambda row: {**without(row, "id"), "custom_id": row["id"]},
            'Every line calls its id "custom_id"; rename it to "id".',
        ),
        (lambda row: {**row, "run": int(str(row["run"])) + 1}, "Runs start at 0; yours are 1–2. "),
        (lambda row: {**row, "run": str(row["run"])}, 'Every line has a text as its "run"; write the number without '),
        (lambda row: {**row, "response": None}, 'Every line has null as its "response"; write "" if the model '),
        (lambda row: {**row, "response": True}, 'Every line has true or false as its "response"; write it as text'),
        (lambda row: {**row, "response": ["A"]}, 'Every line has a list as its "response"; write the model output'),
        (
            lambda row: {**row, "response": {"body": {"response": 2, "id": "chat-1"}}},
            'Every line has an object as its "response"; write the model output.',
        ),
        (lambda row: {**without(row, "response"), "messages": [ANSWERED]}, "Every line is a chat log. Write only the "),
        (lambda row: {**without(row, "response"), "choices": [{"message": ANSWERED}]}, "Every line is a chat log. "),
        (
            lambda row: {**row, "id": f"set/{row['id']}"},
            'Every id begins with "set/". Remove it: write "amb-0000" instead of "set/amb-0000".',
        ),
        (
            lambda row: {**row, "id": str(row["id"]).upper()},
            'Every id has a different spelling, such as "AMB-0000" instead of "amb-0000". Copy the ids from ',
        ),
        (lambda row: {**row, "id": f"{row['id']}b"}, 'Every id ends with "b". Remove it: write "amb-0000" instead of '),
        (lambda row: {**row, "id": str(row["id"]).replace("amb", "practice")}, NONE_KNOWN),
    ],
)
def test_mistake_on_every_line_is_one_message(change: Callable[[Row], Row], message: str) -> None:
    (problem,) = check(change).problems
    assert problem.message.startswith(message)


def test_nested_id_is_not_the_id_of_a_row() -> None:
    first, *_ = check(lambda row: {"meta": {"id": row["id"]}, "response": "A"}).problems
    assert (first.message, first.id) == (f"Every line has no `id`. Expected: {EXPECTED}", None)
