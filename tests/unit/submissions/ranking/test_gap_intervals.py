"""Intervals of the few-shot gap and of generation accuracy on a board."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from db.records import NewModel, NewResult, NewSubmission, ScoreRecord, StandingRecord
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey, PageQuery
from db.session import Database
from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.statistics import ScoreFormula
from evaluation.types import Prediction, Report
from submissions.comparisons.differences import ScoreDifference, subtract_scores
from submissions.comparisons.independent_differences import IndependentDifferences, ScoredQuestions
from submissions.comparisons.item_differences import FEW_ITEMS, ScoringOutcomes
from submissions.comparisons.paired_differences import PairedDifferences
from submissions.ranking import rank_ranges
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.rank_ranges import Uncertainty
from submissions.ranking.standings import refresh_board
from submissions.scoring.outcomes import seal_outcomes

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BENCHMARK = get_benchmark("audio-process-bench", "synthetic-3")
KEY = BENCHMARK.make_key("practice")
FEW = BoardKey(BENCHMARK.id, BENCHMARK.version, "few-shot")
ZERO = replace(FEW, setting="zero-shot")
GAP, GENERATION, OVERALL = "overall|few_shot_gap", "generation|accuracy", "overall|overall"
MODEL = "Cedar-Audio-R1"
FIRST, SECOND = "e-7f3kq9x2", "e-8g4mr0y3"


def criticise(rate: float, seed: int, key: AnswerKey = KEY) -> Iterator[Prediction]:
    """Yield verdicts on every trace, each right with the given probability."""
    rng = np.random.default_rng(seed)
    for item in BENCHMARK.content(key).items:
        truth = np.array(key.answers[item.id].erroneous)  # type: ignore[union-attr]
        flips = rng.random(len(truth)) > rate
        yield Prediction(item.id, 0, None, erroneous=tuple(bool(flag) for flag in truth ^ flips))


def add(
    database: Database, number: int, key: BoardKey, rate: float, *, model: str = MODEL, edition: str | None = None
) -> Report:
    own = KEY if edition is None else BENCHMARK.make_edition_key(KEY, edition)
    report = BENCHMARK.score(own, criticise(rate, number, own), setting=key.setting, system=model)
    name = f"s-{number}"
    scores = tuple(
        ScoreRecord(slice_name, metric, score.value, score.n)
        for slice_name, metric, score in report.list_scores()
        if f"{slice_name}|{metric}" in (OVERALL, GENERATION)
    )
    ranking = report.signature.ranking
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "ann", NOW).id
        new = NewSubmission(
            name, key.benchmark, key.version, key.setting, "submitted", owner, NewModel(model), "public", True, None,
            None, None, edition=edition,
        )  # fmt: skip
        submissions.add_submission(transaction, new, "scored", NOW)
        sealed = seal_outcomes(own, number, report.outcomes)
        result = NewResult(str(report.signature), ranking, ("traces",), 1, 1, 0, 0, {}, scores, outcomes=sealed)
        evaluations.add_finished_evaluation(transaction, name, result, NOW)
        boards.touch_board(transaction, key, NOW)
    return report


def read(database: Database, column_key: str) -> dict[str, StandingRecord]:
    assert refresh_board(database, BENCHMARK, FEW.setting, find_rankings(BENCHMARK, KEY, FEW.setting), NOW, KEY)
    with database.read() as transaction:
        rows = boards.read_page(transaction, FEW, PageQuery("date", descending=True), [column_key]).rows
    return {row.submission.id: row.standings[column_key] for row in rows if column_key in row.standings}


def compare(first: Report, second: Report) -> ScoreDifference:
    """Return the difference in Overall that a comparison of two rows shows."""
    pair = PairedDifferences(
        BENCHMARK, KEY, ScoringOutcomes("s-2", first.outcomes), ScoringOutcomes("s-1", second.outcomes)
    )
    slice_name, metric = OVERALL.split("|")
    ours, theirs = (report.scores[slice_name][metric] for report in (first, second))
    plain = subtract_scores(
        BENCHMARK,
        [ScoreRecord(slice_name, metric, ours.value, ours.n)],
        [ScoreRecord(slice_name, metric, theirs.value, theirs.n)],
    )
    return pair.add_to(plain)[0]


def test_gap_has_the_interval_of_a_paired_difference_if_answers_are_public(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(BENCHMARK), "answers_are_secret", False)
    zero = add(database, 1, ZERO, 0.6)
    report = add(database, 2, FEW, 0.8)
    standing = read(database, GAP)["s-2"]
    assert standing.value is not None
    assert standing.low is not None
    assert standing.high is not None
    assert 0 < standing.low < standing.value < standing.high < 1
    compared = compare(report, zero)
    assert (standing.low, standing.high) == (compared.low, compared.high)
    assert standing.rank is None


def test_gap_between_editions_has_the_interval_of_independent_samples(database: Database) -> None:
    zero = add(database, 1, ZERO, 0.6)
    few = add(database, 2, FEW, 0.8, edition=FIRST)
    standing = read(database, GAP)["s-2"]
    first = ScoredQuestions(BENCHMARK.make_edition_key(KEY, FIRST), few.outcomes)
    pair = IndependentDifferences(BENCHMARK, first, ScoredQuestions(KEY, zero.outcomes))
    expected = pair.compare_figures([OVERALL])[0]
    assert expected.low is not None
    assert expected.high is not None
    assert standing.value == pytest.approx(expected.difference, abs=1e-6)
    assert standing.low == pytest.approx(expected.low, abs=1e-3)
    assert standing.high == pytest.approx(expected.high, abs=1e-3)


def test_gap_subtracts_the_row_of_the_same_edition(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(BENCHMARK), "answers_are_secret", False)
    monkeypatch.setattr(type(BENCHMARK), "has_editions", True)
    same = add(database, 1, ZERO, 0.5, edition=FIRST)
    add(database, 2, ZERO, 0.7, edition=SECOND)
    few = add(database, 3, FEW, 0.9, edition=FIRST)
    add(database, 4, ZERO, 0.6)
    standing = read(database, GAP)["s-3"]
    values = [report.scores["overall"]["overall"].value for report in (few, same)]
    assert values[0] is not None
    assert values[1] is not None
    assert standing.value == pytest.approx(values[0] - values[1])
    assert standing.low is not None
    assert standing.high is not None
    assert standing.value is not None
    assert standing.low < standing.value < standing.high


def test_gap_and_its_comparison_have_no_interval_over_few_equal_answers(database: Database) -> None:
    zero = add(database, 1, ZERO, 0.6)
    report = add(database, 2, FEW, 0.8)
    assert compare(report, zero).note == FEW_ITEMS
    standing = read(database, GAP)["s-2"]
    assert standing.value == pytest.approx(0.18, abs=0.05)
    assert (standing.low, standing.high) == (None, None)


def test_gap_of_rows_that_agree_has_no_interval(database: Database) -> None:
    add(database, 1, ZERO, 1.0)
    add(database, 2, FEW, 1.0)
    standing = read(database, GAP)["s-2"]
    assert (standing.value, standing.low, standing.high) == (0.0, None, None)


def test_generation_accuracy_of_a_trace_generator_has_an_interval(database: Database) -> None:
    """Its answers are right about one recording of each pair: pairs do not vary, so the interval is the prior's."""
    add(database, 1, FEW, 0.9, model="Other-Audio-R1")
    add(database, 2, FEW, 0.8)
    standings = read(database, GENERATION)
    assert set(standings) == {"s-2"}
    standing = standings["s-2"]
    assert standing.value is not None
    assert standing.low is not None
    assert standing.high is not None
    assert 0.2 < standing.value - standing.low < 0.25
    assert 0.2 < standing.high - standing.value < 0.25


def test_generation_accuracy_has_no_rank_range_even_if_it_is_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    report = BENCHMARK.score(KEY, criticise(0.8, 1), setting=FEW.setting, system=MODEL)
    slice_name, metric = GENERATION.split("|")
    value = report.scores[slice_name][metric].value
    standings = [StandingRecord(f"s-{number}", number, slice_name, metric, value, rank=1) for number in (1, 2)]
    calls: list[str] = []
    find = BENCHMARK.find_own_formula

    def count(key: AnswerKey, slice_name: str, metric: str, system: str) -> ScoreFormula | None:
        calls.append(system)
        return find(key, slice_name, metric, system)

    monkeypatch.setattr(BENCHMARK, "find_own_formula", count)
    editions = {"": EditionOutcomes.of_key(KEY, {1: report.outcomes, 2: report.outcomes})}
    uncertainty = Uncertainty(BENCHMARK, editions, board="few-shot", revision=1, names={1: MODEL, 2: MODEL})
    for standing in uncertainty.add_to(standings):
        assert standing.low is not None
        assert (standing.rank, standing.rank_low, standing.rank_high) == (1, None, None)
    assert calls == [MODEL], "once for all rows of a model"


def test_gaps_and_generation_accuracy_count_towards_the_resampling_limit(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(BENCHMARK), "answers_are_secret", False)
    add(database, 1, ZERO, 0.6)
    add(database, 2, FEW, 0.8)
    for limit, has_intervals in ((100, (True, True)), (2, (True, False)), (1, (False, False))):
        monkeypatch.setattr(rank_ranges, "MAX_RESAMPLED", limit)
        has_interval = []
        for column_key in (GENERATION, GAP):
            with database.write() as transaction:
                boards.touch_board(transaction, FEW, NOW)
            has_interval.append(read(database, column_key)["s-2"].low is not None)
        assert tuple(has_interval) == has_intervals
