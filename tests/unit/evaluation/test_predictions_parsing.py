"""Parsing the answers of a checked file: how many are unreadable, and the first of them."""

import io
import json
from collections.abc import Sequence
from typing import Any, get_args

import pytest

from evaluation.predictions import Catalogue, CatalogueItem, Validation, unreadable_answers, validate_predictions
from evaluation.predictions.unreadable_answers import Parser
from evaluation.types import AnswerFormat, Prediction, UnreadableReason

OPTIONS = ("left", "right", "ahead", "behind")
N_STEPS = 3
# Format → (row, reason why it is unreadable).
ROWS: dict[AnswerFormat, list[tuple[dict[str, Any], str | None]]] = {
    "choice": [
        ({"response": "B"}, None),
        ({"response": "The answer is ahead."}, None),
        ({"response": ""}, "empty response"),
        ({"response": "A or B"}, "no single option chosen"),
        ({"response": "Something moves."}, "no option named"),
        ({"response": "The answer is A. The answer is B."}, "contradictory answers"),
        ({"response": "I'm sorry, I cannot listen to audio."}, "refusal"),
    ],
    "choices": [
        ({"response": "A, C"}, None),
        ({"response": " \n"}, "empty response"),
        ({"response": "A or B"}, "unclear which options are chosen"),
        ({"response": "Something moves."}, "no option named, or one that the question does not have"),
    ],
    "boolean": [
        ({"response": "True"}, None),
        ({"response": "true or false"}, "unclear whether true or false"),
        ({"response": "Something moves."}, "neither true nor false"),
    ],
    "steps": [
        ({"erroneous": [True, False, True]}, None),
        ({"response": "[true, false, true]"}, None),
        ({"response": "[true, false]"}, "no clear verdict for every step"),
        ({"response": "[true, false, true, true]"}, "no verdicts for the steps of this trace"),
        ({"response": "Something moves."}, "no verdicts for the steps of this trace"),
    ],
    "text": [({"response": "Rain on a roof."}, None), ({"response": "…"}, "empty response")],
}


def check(answer_format: AnswerFormat, rows: Sequence[dict[str, Any]]) -> Validation:
    """Check a file with one item of a format for each row."""
    n_steps = N_STEPS if answer_format == "steps" else None
    items = {f"q-{n}": CatalogueItem("part", answer_format, (0,), n_steps) for n in range(len(rows))}
    options = {(item_id, 0): OPTIONS for item_id in items} if answer_format in ("choice", "choices") else {}
    lines = [json.dumps({"id": f"q-{n}", "run": 0} | row) for n, row in enumerate(rows)]
    file = io.BytesIO("\n".join(lines).encode())
    return validate_predictions(file, Catalogue("Test 1.0", items), options=options)


def test_every_format_is_parsed_as_in_scoring_and_every_unreadable_answer_has_a_reason(
    subtests: pytest.Subtests,
) -> None:
    assert set(ROWS) == set(get_args(AnswerFormat))
    for answer_format, rows in ROWS.items():
        with subtests.test(answer_format=answer_format):
            validation = check(answer_format, [row for row, _ in rows])
            assert validation.ok, validation.problems
            assert validation.parsing is not None
            reasons = {f"q-{n}": reason for n, (_, reason) in enumerate(rows) if reason is not None}
            assert {example.id: example.reason for example in validation.parsing.examples} == reasons
            assert validation.parsing.unreadable == len(reasons)
            assert validation.parsing.parsed == len(rows) - len(reasons)


def test_every_reason_has_an_explanation_in_every_format() -> None:
    for reason in get_args(UnreadableReason):
        for answer_format in set(get_args(AnswerFormat)) - {"text"}:
            assert unreadable_answers.explain(reason, answer_format)


def test_examples_are_the_first_five_with_id_run_and_line() -> None:
    rows = [{"response": "B"}, *[{"response": f"nothing {n}"} for n in range(7)]]
    parsing = check("choice", rows).parsing
    assert parsing is not None
    assert (parsing.parsed, parsing.unreadable) == (1, 7)
    shown = [(example.id, example.run, example.line, example.response) for example in parsing.examples]
    assert shown == [(f"q-{n + 1}", 0, n + 2, f"nothing {n}") for n in range(5)]


@pytest.mark.parametrize(
    ("response", "shown"),
    [
        ("  several\n\tlines\r\n here ", "several lines here"),
        ("x" * 80, "x" * 80),
        ("x" * 81, f"…{'x' * 79}"),
        ("bell\x07 \x1b[31mred \u202eback \ud7ffx", "bell� �[31mred �back �x"),
        ("far" + "\n" * 3_000, ""),
        ("reasoning " * 500 + "so none of them", f"…{('reasoning ' * 500 + 'so none of them')[-79:]}"),
    ],
)
def test_example_is_short_printable_and_on_one_line(response: str, shown: str) -> None:
    parsing = check("boolean", [{"response": response}]).parsing
    assert parsing is not None
    assert [example.response for example in parsing.examples] == [shown]


def test_parsing_stops_without_counts_at_a_maximum_number_of_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unreadable_answers, "MAX_CHARACTERS", 10)
    for letters, is_parsed in ((5, True), (6, False)):
        validation = check("boolean", [{"response": "y" * letters}, {"response": "y" * 5}])
        assert validation.ok
        assert validation.predictions == 2
        assert (validation.parsing is not None) == is_parsed
        assert (validation.unparsed is None) == is_parsed


def test_long_response_counts_only_the_characters_that_are_parsed() -> None:
    catalogue = Catalogue("Test 1.0", {"q": CatalogueItem("part", "text", (0,))})
    parser = Parser(catalogue, {}, max_characters=20_000)
    parser.parse([Prediction("q", 0, "word " * 30_000)])
    parsing = parser.result()
    assert parsing is not None
    assert parsing.parsed == 1


def test_file_without_options_has_no_parsing_counts() -> None:
    items = {"q": CatalogueItem("part", "choice", (0,))}
    validation = validate_predictions(io.BytesIO(b'{"id": "q", "response": "?"}'), Catalogue("Test 1.0", items))
    assert validation.ok
    assert (validation.parsing, validation.unparsed) == (None, None)


def test_faulty_predictions_are_not_counted() -> None:
    validation = check(
        "boolean", [{"response": "True"}, {"id": "q-0", "response": "?"}, {"id": "other", "response": "?"}]
    )
    assert not validation.ok
    assert validation.parsing is not None
    assert (validation.predictions, validation.parsing.parsed, validation.parsing.unreadable) == (1, 1, 0)
