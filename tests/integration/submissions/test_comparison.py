"""Re-evaluation reports for rows without a headline score, which cover some parts only."""

import io
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rich.console import Console

from db.admin_records import ReevaluationRecord, ReevaluationRowRecord, Scope
from db.records import CandidateRecord, EvaluationRecord, ModelRecord, NewModel, StandingRecord, SubmissionRecord
from db.repositories.boards import JudgedRow
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey, replace_key
from evaluation.benchmarks.star_bench.table import make_table
from leaderboard.pages.admin.markup import render_result
from submissions.cli.reevaluation_tables import build_table
from submissions.jobs.registration import register_all
from submissions.operations.maintenance import ReevaluationRequest
from submissions.rescoring.changes import Change, RankChange, describe_changes, find_places
from submissions.service import Request
from tests.support.pages.records import NOW, make_submission
from tests.support.servers.installation import Installation

STAR = get_benchmark("star-bench", "1.0")
MDAR = get_benchmark("mdar", "demo")
OLD, NEW = "star-bench:1.0|old", "star-bench:1.0|new"


# --- a whole re-evaluation ------------------------------------------------------------------------------------------


def answer(key: AnswerKey, wrong: frozenset[str]) -> bytes:
    """Return a file of the perception task that is correct except for the given items."""
    table = make_table(key)
    lines = [
        {"id": item.id, "run": run, "response": "ABCDEFGH"[(int(truth[run]) + (item.id in wrong)) % len(item.options)]}
        for item, truth in zip(table.items, table.truth, strict=True)
        for run in item.runs
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def submit(place: Installation, name: str, data: bytes) -> SubmissionRecord:
    request = Request(STAR, "default", NewModel(name), allow_missing=False, publish=True)
    return place.service.submit(place.ann, request, io.BytesIO(data))


def test_rows_of_one_part_are_reported_with_its_score_and_their_ranks_in_it(place: Installation) -> None:
    key = place.key_of(STAR)
    assert STAR.content(key).parts == {"perception"}
    turned = frozenset(item.id for item in STAR.content(key).items if item.task == "perception/range/pitch-loudness")
    turned = frozenset(sorted(turned)[:40])
    right, other = submit(place, "right", answer(key, frozenset())), submit(place, "other", answer(key, turned))
    place.score_all()
    before = {one.id: read_headline(place, one) for one in (right, other)}
    numbers = {name: value for name, value in key.answers.items() if isinstance(value, int)}
    assert len(numbers) == len(key.answers)
    answers = {name: (value + (name in turned)) % 4 for name, value in numbers.items()}
    replace_key(place.keys_dir, replace(key, answers=answers), key)
    register_all(place.database, place.keys_dir)
    results = []
    for dry_run in (True, False):
        wish = ReevaluationRequest(None, STAR.id, STAR.version, dry_run, "Forty keys.")
        asked = place.maintenance.request_reevaluation(place.may, wish)
        place.run_reevaluations()
        results.append(place.find_reevaluation(asked).result)
    dry, real = results
    assert dry == real is not None
    assert dry is not None
    rows = {row["submission"]: row for row in dry["rows"]}
    after = {one.id: read_headline(place, one) for one in (right, other)}
    assert dry["headline"] == "overall|aa"
    for one in (right, other):
        row = rows[one.id]
        assert row["figure"] == "perception|aa"
        assert row["headline"] == {"old": None, "new": None}
        assert row["figures"]["perception|aa"] == {"old": before[one.id], "new": after[one.id]}
    assert (before[right.id], after[other.id]) == (1.0, 1.0)
    assert before[other.id] == after[right.id] < 1.0
    assert rows[right.id]["rank"] == {"old": 1, "new": 2}
    assert rows[other.id]["rank"] == {"old": 2, "new": 1}


def read_headline(place: Installation, one: SubmissionRecord) -> float:
    (found,) = (s.value for s in place.status(one).scores if f"{s.slice}|{s.metric}" == "perception|aa")
    assert found is not None
    return found


# --- ranks by the score that a row is known by -----------------------------------------------------------------------


def candidate(name: str, key: str, value: float, *, source: str = "submitted", ranking: str = OLD) -> CandidateRecord:
    slice_name, metric = key.split("|")
    return CandidateRecord(StandingRecord(name, hash_of(name), slice_name, metric, value), source, ranking)


def hash_of(name: str) -> int:
    """Return the id of a row's old scoring."""
    return sum(map(ord, name))


def change(name: str, figures: Mapping[str, tuple[float | None, float | None]] | None, **fields: Any) -> Change:
    submission = make_submission(
        id=name, benchmark=STAR.id, state="scored", model=ModelRecord(1, name), visibility=fields.pop("seen", "public")
    )
    old = EvaluationRecord(
        id=hash_of(name),
        submission_id=name,
        started_at=NOW,
        finished_at=NOW,
        progress=1.0,
        signature=None,
        ranking=OLD,
        parts=(),
        runs=1,
        expected=None,
        missing=None,
        unreadable=None,
        unreadable_reasons={},
        notes=(),
    )
    told = {"state": "scored", "ranking": NEW, "figures": figures, "n_figures": 9, "n_changed": 2} | fields
    return Change(submission, old, ReevaluationRowRecord(name, old_evaluation_id=old.id, **told))


WHOLE = {"overall|aa": (0.5, 0.4), "perception|aa": (0.6, 0.7)}
PART = {"perception|aa": (0.55, 0.8)}
BEFORE = [
    candidate("whole", "overall|aa", 0.5),
    candidate("whole", "perception|aa", 0.6),
    candidate("part", "perception|aa", 0.55),
    candidate("paper", "overall|aa", 0.45, source="reported", ranking=""),
    candidate("paper", "perception|aa", 0.58, source="reported", ranking=""),
    candidate("short", "perception|aa", 0.57, source="reported", ranking=""),
]


def test_each_row_is_ranked_among_all_rows_with_its_score() -> None:
    found = find_places(STAR, BEFORE, [change("whole", WHOLE), change("part", PART)], (NEW,))
    assert found == {
        "whole": RankChange("overall|aa", 1, 2),
        "paper": RankChange("overall|aa", 2, 1),
        "part": RankChange("perception|aa", 4, 1),
        "short": RankChange("perception|aa", 3, 4),
    }


def test_score_is_the_earlier_one_even_if_the_row_has_another_afterwards() -> None:
    gained = change("part", PART | {"overall|aa": (None, 0.9)})
    lost = change("whole", {"overall|aa": (0.5, None), "perception|aa": (0.6, 0.7)})
    found = find_places(STAR, BEFORE, [gained, lost], (NEW,))
    assert found["part"] == RankChange("perception|aa", 4, 1)
    assert found["whole"] == RankChange("overall|aa", 1, None)


def test_row_that_cannot_be_rescored_is_reported_with_its_kept_score() -> None:
    failed = change("part", None, state="failed", ranking="")
    assert find_places(STAR, BEFORE, [failed], (NEW,))["part"] == RankChange("perception|aa", 4, None)


def test_private_row_of_one_part_has_a_score_but_no_rank() -> None:
    private = change("mine", PART, seen="private")
    found = find_places(STAR, BEFORE, [private], (NEW,))
    assert found["mine"] == RankChange("perception|aa", None, None)
    assert found["short"].new == found["short"].old, "it takes nobody's place"


def test_judged_score_is_ranked_only_among_those_of_the_same_judge() -> None:
    figure = "open|judge_score"
    rows = [candidate(name, figure, value) for name, value in (("one", 0.3), ("two", 0.6))]
    rows.append(candidate("paper", figure, 0.9, source="reported", ranking=""))
    signatures = {name: sign_judged(judge) for name, judge in (("one", "older"), ("two", "newer"))}
    judged = [JudgedRow(hash_of(name), signature) for name, signature in signatures.items()]
    rescoring = change("one", {figure: (0.3, 0.5)}, ranking=OLD, signature=signatures["two"])
    # The other judge's scores have the same key.
    found = find_places(MDAR, rows, [rescoring], (OLD,), judged)
    # Of our two judges one is configured: the other's row has no rank before. The paper's row is first by value.
    assert found == {
        "one": RankChange(figure, None, 3),
        "two": RankChange(figure, 2, 2),
        "paper": RankChange(figure, 1, 1),
    }


def sign_judged(judge: str) -> str:
    key = MDAR.make_key("test", "a seed")
    return f"{MDAR.sign(key, setting='default', runs=1)}|judge:{judge}"


# --- presentation ---------------------------------------------------------------------------------------------------


def describe() -> dict[str, Any]:
    changes = [change("whole", WHOLE), change("part", PART)]
    return describe_changes(STAR, changes, find_places(STAR, BEFORE, changes, (NEW,)), {"short": "Short"})


def test_result_keeps_its_fields_and_adds_the_name_of_the_score() -> None:
    whole, part = describe()["rows"]
    assert (whole["figure"], whole["headline"], whole["rank"]) == (
        "overall|aa",
        {"old": 0.5, "new": 0.4},
        {"old": 1, "new": 2},
    )
    assert (part["figure"], part["headline"], part["rank"]) == (
        "perception|aa",
        {"old": None, "new": None},
        {"old": 4, "new": 1},
    )
    assert describe()["others"] == [
        {"submission": "paper", "model": None, "figure": "overall|aa", "rank": {"old": 2, "new": 1}},
        {"submission": "short", "model": "Short", "figure": "perception|aa", "rank": {"old": 3, "new": 4}},
    ]


def print_table(result: dict[str, Any]) -> list[list[str]]:
    console = Console(file=io.StringIO(), width=200)
    console.print(build_table(result))
    assert isinstance(console.file, io.StringIO)
    return [line.split() for line in console.file.getvalue().splitlines()]


def test_terminal_names_the_score_if_it_is_not_the_headline() -> None:
    head, whole, part, paper, short = print_table(describe())
    assert head[3:6] == ["overall", "aa", "%"]
    assert whole[3:9] == ["50.0", "→", "40.0", "1", "→", "2"]
    assert part[3:11] == ["perception", "aa:", "55.0", "→", "80.0", "4", "→", "1"]
    assert paper[2:] == ["not", "re-scored", "2", "→", "1"]
    assert short[2:] == ["perception", "aa:", "not", "re-scored", "3", "→", "4"]


def show(result: dict[str, Any]) -> str:
    scope = Scope(STAR.id, STAR.version)
    return render_result(ReevaluationRecord(7, scope, "ada", "r", True, "done", None, {}, result, 2, 2, NOW, NOW, NOW))


def test_page_names_the_score_if_it_is_not_the_headline() -> None:
    shown = show(describe())
    assert ">50.0 → 40.0<" in shown
    assert ">perception aa: 55.0 → 80.0<" in shown
    assert ">not re-scored<" in shown
    assert ">perception aa: not re-scored<" in shown


def test_result_of_an_earlier_release_is_shown_unchanged() -> None:
    result = describe()
    for row in (*result["rows"], *result["others"]):
        del row["figure"]
    assert ">50.0 → 40.0<" in show(result)
    assert ">– → –<" in show(result)
    assert print_table(result)[2][3:6] == ["–", "→", "–"]
