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
# Format → (what is sent, the reason why it cannot be read).
SENT: dict[AnswerFormat, list[tuple[dict[str, Any], str | None]]] = {
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
    """Check a file that answers as many items of one format."""
    n_steps = N_STEPS if answer_format == "steps" else None
    items = {f"q-{n}": CatalogueItem("part", answer_format, (0,), n_steps) for n in range(len(rows))}
    options = {(item_id, 0): OPTIONS for item_id in items} if answer_format in ("choice", "choices") else {}
    lines = [json.dumps({"id": f"q-{n}", "run": 0} | row) for n, row in enumerate(rows)]
    file = io.BytesIO("\n".join(lines).encode())
    return validate_predictions(file, Catalogue("Test 1.0", items), options=options)


def test_every_format_is_parsed_as_for_scoring_and_every_unreadable_answer_has_its_reason(
    subtests: pytest.Subtests,
) -> None:
    assert set(SENT) == set(get_args(AnswerFormat))
    for answer_format, sent in SENT.items():
        with subtests.test(answer_format=answer_format):
            found = check(answer_format, [row for row, _ in sent])
            assert found.ok, found.problems
            assert found.parsing is not None
            reasons = {f"q-{n}": reason for n, (_, reason) in enumerate(sent) if reason is not None}
            assert {example.id: example.reason for example in found.parsing.examples} == reasons
            assert found.parsing.unreadable == len(reasons)
            assert found.parsing.parsed == len(sent) - len(reasons)


def test_every_reason_of_every_format_has_words() -> None:
    for reason in get_args(UnreadableReason):
        for answer_format in set(get_args(AnswerFormat)) - {"text"}:
            assert unreadable_answers.explain(reason, answer_format)


def test_examples_are_the_first_five_with_id_run_and_line() -> None:
    rows = [{"response": "B"}, *[{"response": f"nothing {n}"} for n in range(7)]]
    found = check("choice", rows).parsing
    assert found is not None
    assert (found.parsed, found.unreadable) == (1, 7)
    shown = [(example.id, example.run, example.line, example.response) for example in found.examples]
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
def test_example_shows_a_response_short_printable_and_on_one_line(response: str, shown: str) -> None:
    found = check("boolean", [{"response": response}]).parsing
    assert found is not None
    assert [example.response for example in found.examples] == [shown]


def test_responses_are_parsed_up_to_a_number_of_characters_then_nothing_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unreadable_answers, "MAX_CHARACTERS", 10)
    for letters, is_parsed in ((5, True), (6, False)):
        found = check("boolean", [{"response": "y" * letters}, {"response": "y" * 5}])
        assert found.ok
        assert found.predictions == 2
        assert (found.parsing is not None) == is_parsed
        assert (found.unparsed is None) == is_parsed


def test_long_response_counts_with_what_a_reader_looks_at() -> None:
    catalogue = Catalogue("Test 1.0", {"q": CatalogueItem("part", "text", (0,))})
    parser = Parser(catalogue, {}, max_characters=20_000)
    parser.parse([Prediction("q", 0, "word " * 30_000)])
    found = parser.result()
    assert found is not None
    assert found.parsed == 1


def test_file_that_is_not_to_be_parsed_has_no_counts() -> None:
    items = {"q": CatalogueItem("part", "choice", (0,))}
    found = validate_predictions(io.BytesIO(b'{"id": "q", "response": "?"}'), Catalogue("Test 1.0", items))
    assert found.ok
    assert (found.parsing, found.unparsed) == (None, None)


def test_predictions_with_faults_are_not_counted() -> None:
    found = check("boolean", [{"response": "True"}, {"id": "q-0", "response": "?"}, {"id": "other", "response": "?"}])
    assert not found.ok
    assert found.parsing is not None
    assert (found.predictions, found.parsing.parsed, found.parsing.unreadable) == (1, 1, 0)
