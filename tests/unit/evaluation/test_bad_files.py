"""Common upload mistakes: the first message names the problem and the remedy, whatever else is wrong."""

import io
import random
from collections.abc import Iterator
from functools import cache

import pytest

from evaluation.predictions import Cause, PredictionFileError, Validation, problems, validate_predictions
from evaluation.predictions.problems import SHOWN_OF_A_KIND
from tests.support.samples.bad_files import CATALOGUE, ITEMS, BadFile, list_bad_files, make_rows, write_lines

MAX_CHARACTERS = 500


def check(data: bytes, *, allow_missing: bool = True) -> Validation:
    return validate_predictions(io.BytesIO(data), CATALOGUE, allow_missing=allow_missing)


@cache
def check_file(name: str) -> Validation:
    return check(next(file.data for file in list_bad_files() if file.name == name))


def test_corpus_has_at_least_sixty_files_with_unique_names() -> None:
    files = list_bad_files()
    assert len(files) >= 60
    assert len({file.name for file in files}) == len(files)


def test_first_message_is_the_relevant_one(subtests: pytest.Subtests) -> None:
    for file in list_bad_files():
        with subtests.test(name=file.name):
            verdict = check(file.data, allow_missing=False)
            assert not verdict.ok
            assert verdict.problems[0].message == file.first
            assert len(verdict.problems) == file.n_problems
            with pytest.raises(PredictionFileError) as caught:
                verdict.require()
            assert str(caught.value).startswith(file.first)


def test_counts_of_the_problems_add_up_to_all_faults(subtests: pytest.Subtests) -> None:
    for file in list_bad_files():
        with subtests.test(name=file.name):
            verdict = check_file(file.name)
            assert sum(problem.count for problem in verdict.problems) == sum(verdict.totals.values())


def test_messages_are_bounded_and_printable(subtests: pytest.Subtests) -> None:
    for file in list_bad_files():
        with subtests.test(name=file.name):
            groups = check_file(file.name).problems
            messages = [*groups, *(detail for problem in groups for detail in problem.details)]
            assert len(messages) <= 2 * SHOWN_OF_A_KIND
            assert all(len(entry.message) <= MAX_CHARACTERS and entry.message.isprintable() for entry in messages)


def list_line_files() -> Iterator[BadFile]:
    """Yield the files that have an individual fault on each of many lines."""
    for file in list_bad_files():
        lines = file.data.splitlines()
        if file.n_problems == 1 and len(lines) >= 90 and all(line.startswith(b"{") and len(line) > 9 for line in lines):
            yield file


def test_group_is_unaffected_by_damaged_and_valid_lines(subtests: pytest.Subtests) -> None:
    good = write_lines(make_rows()[:3]).splitlines(keepends=True)
    for file in list_line_files():
        with subtests.test(name=file.name):
            before = check_file(file.name).problems[0]
            lines = file.data.splitlines(keepends=True)
            for line in (7, 40):
                lines[line] = b'{"id": "amb-00\n'
            first, *others = check(b"".join([*lines, good[0]])).problems
            assert first.code == before.code
            assert before.count - 4 <= first.count <= before.count + 1
            assert sum(other.count for other in others) <= 5


def test_two_kinds_of_mistakes_are_two_groups_with_correct_counts(subtests: pytest.Subtests) -> None:
    halves = {
        "answer": [{"id": item, "run": 0, "answer": "A"} for item in ITEMS[:40]],
        "number": [{"id": item, "run": 0, "response": 2} for item in ITEMS[40:]],
        "prefix": [{"id": f"x/{item}", "run": 0, "response": "A"} for item in ITEMS[:10]],
        "run": [{"id": item, "run": 7, "response": "A"} for item in ITEMS[:5]],
    }
    for first in halves:
        for second in halves:
            with subtests.test(first=first, second=second):
                if first == second:
                    continue
                rows = halves[first] + halves[second]
                random.Random(1).shuffle(rows)
                groups = check(write_lines(rows)).problems
                assert sorted(problem.count for problem in groups) == sorted([len(halves[first]), len(halves[second])])
                assert groups[0].count >= groups[1].count


def test_ids_of_another_benchmark_are_reported_next_to_other_faults() -> None:
    others = frozenset(f"star-{number}" for number in range(50))
    belongs = Cause("These ids belong to Other 2.0. Choose it.", "have ids of Other 2.0. Remove them.", 1)

    def find_elsewhere(item_id: str) -> Cause | None:
        return belongs if item_id in others else None

    def find_first(data: bytes) -> str:
        verdict = validate_predictions(io.BytesIO(data), CATALOGUE, allow_missing=True, find_elsewhere=find_elsewhere)
        return verdict.problems[0].message

    rows = write_lines({"id": item, "response": "A"} for item in sorted(others))
    assert find_first(rows) == "These ids belong to Other 2.0. Choose it."
    assert find_first(b"{\n" + rows) == "50 lines (2, 3, 4, …) have ids of Other 2.0. Remove them."
    known = write_lines([{"id": ITEMS[0], "response": "A"}])
    assert find_first(known + rows) == "50 lines (2, 3, 4, …) have ids of Other 2.0. Remove them."


def test_report_on_many_kinds_of_unknown_ids_is_bounded(soak: bool) -> None:
    kinds = 100_000 if soak else 10_000
    rows = "".join(f'{{"id": "{number % 9}x{number:b}y/{ITEMS[0]}", "response": "A"}}\n' for number in range(kinds))
    verdict = check(rows.encode())
    assert verdict.totals == {"unknown-id": kinds}
    assert len(verdict.problems) <= SHOWN_OF_A_KIND
    messages = [*verdict.problems, *(detail for problem in verdict.problems for detail in problem.details)]
    assert sum(len(entry.message) for entry in messages) < 50_000


def test_different_prefixes_of_ids_are_one_problem() -> None:
    words = ("dcase", "clotho", "esc", "fsd", "mus", "vox")
    rows = [{"id": f"{words[number % 6]}/{item}", "response": "A"} for number, item in enumerate(ITEMS)]
    (problem,) = check(write_lines(rows)).problems
    assert problem.message == (
        'Every id has extra characters. Use the original ids: write "amb-0000" instead of "dcase/amb-0000".'
    )
    assert problem.count == len(ITEMS)


def test_validation_stops_after_the_maximum_number_of_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problems, "MAX_FAULTS", 1_000)
    verdict = check(write_lines({"id": "nobody", "response": "A"} for _ in range(5_000)))
    assert verdict.totals == {"unknown-id": 1_001, "too-many": 1}
    assert [problem.code for problem in verdict.problems] == ["unknown-id", "too-many"]
