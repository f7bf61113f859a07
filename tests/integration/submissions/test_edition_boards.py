"""Boards with rows of several editions: ranks, intervals, comparisons, and re-scoring."""

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from db.records import NewModel, SubmissionRecord
from db.repositories import boards, workers
from db.repositories.boards import PageQuery
from evaluation.answer_keys import AnswerKey
from evaluation.signature import parse_signature
from evaluation.statistics import detectable_on_board
from evaluation.types import Outcomes
from leaderboard.api.routes.comparison_routes import describe_comparison
from leaderboard.pages.compare.markup import Compared, render_comparison
from submissions.comparisons.comparer import OUTDATED, Comparer
from submissions.comparisons.comparison_requests import Comparisons
from submissions.comparisons.differences import INDEPENDENT
from submissions.errors import StateError
from submissions.ranking.board_outcomes import EditionOutcomes
from submissions.ranking.current_rankings import find_rankings
from submissions.ranking.detectable_difference import DetectableDifference
from submissions.service import Request, board_of
from tests.support.editions.edition_places import Editions
from tests.support.servers.installation import BENCHMARK, HEADLINE, Installation, answers, copy_installation, statements

pytestmark = pytest.mark.all_resamples


@pytest.fixture
def editions(place: Installation) -> Editions:
    return Editions(place)


def submit(place: Installation, key: AnswerKey, name: str, n_wrong: int) -> SubmissionRecord:
    """Submit a file with some wrong statements; a file of an edition stays open."""
    data = answers(key, wrong=frozenset(statements(key)[:n_wrong]))
    request = Request(BENCHMARK, "default", NewModel(name), allow_missing=True, publish=True)
    return place.service.submit(place.ann, request, io.BytesIO(data))


def score_two_editions(place: Installation, editions: Editions) -> dict[str, SubmissionRecord]:
    """Score rows of the shared test split and of two editions; the names count the wrong statements."""
    first, second = (editions.open_edition(BENCHMARK) for _ in range(2))
    keys = {"": place.key, **{one: editions.key(BENCHMARK, one) for one in (first, second)}}
    rows = {
        f"{n_wrong}": submit(place, keys[edition], f"{n_wrong}", n_wrong)
        for n_wrong, edition in ((0, ""), (100, first), (200, second), (300, first), (400, ""), (500, second))
    }
    for edition in (first, second):
        editions.service.close_edition(edition, place.ann)
    place.score_all()
    return rows


class TwoEditions(NamedTuple):
    """An installation with the rows of `score_two_editions`."""

    place: Installation
    editions: Editions
    rows: dict[str, SubmissionRecord]


@pytest.fixture(scope="module")
def scored_once(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, SubmissionRecord]]:
    """Folder of an installation that is scored once and copied by each test, and its rows."""
    folder = tmp_path_factory.mktemp("scored")
    place = copy_installation(installed, folder)
    with closing(place.database):
        return folder, score_two_editions(place, Editions(place))


@pytest.fixture
def scored(scored_once: tuple[Path, dict[str, SubmissionRecord]], tmp_path: Path) -> Iterator[TwoEditions]:
    folder, rows = scored_once
    place = copy_installation(folder, tmp_path)
    with closing(place.database):
        yield TwoEditions(place, Editions(place), rows)


def read_signature(place: Installation, submission: SubmissionRecord) -> str:
    evaluation = place.status(submission).evaluation
    assert evaluation is not None
    return evaluation.signature or ""


def test_rows_of_one_design_rank_together_whatever_their_edition(scored: TwoEditions) -> None:
    place, _, rows = scored
    assert place.ranks(rows["0"]) == {"0": 1, "100": 2, "200": 3, "300": 4, "400": 5, "500": 6}


def test_rows_of_all_editions_have_intervals_and_rank_ranges(scored: TwoEditions) -> None:
    place, _, rows = scored
    with place.database.read() as transaction:
        board = board_of(rows["0"])
        page = boards.read_page(transaction, board, PageQuery(HEADLINE, descending=True), [HEADLINE])
        assert boards.list_editions(transaction, board) == {
            row.standings[HEADLINE].evaluation_id: row.submission.edition for row in page.rows if row.submission.edition
        }
    found = {row.submission.model.name: row.standings[HEADLINE] for row in page.rows}
    for standing in found.values():
        assert standing.value is not None
        assert standing.low is not None
        assert standing.high is not None
        assert standing.low <= standing.value <= standing.high
        assert standing.rank is not None
        assert standing.rank_low is not None
        assert standing.rank_high is not None
        assert standing.rank_low <= standing.rank <= standing.rank_high
    assert (found["500"].rank_low, found["0"].rank_high) == (6, 1)


def make_edition_outcomes(edition: str, draws: Callable[[NDArray[np.int64]], NDArray[np.float64]]) -> EditionOutcomes:
    """Return one system's outcomes of an edition, from a draw in [0, 1) for each item of these recordings."""
    key = BENCHMARK.make_edition_key(BENCHMARK.make_key("test", "5" * 64), edition)
    items = tuple(item.id for item in BENCHMARK.content(key).items)
    correct = (draws(BENCHMARK.cluster_items(key)) < 0.5).astype(np.float32)[:, None]
    return EditionOutcomes.of_key(key, {1: Outcomes(items, correct, correct.astype(np.int16))})


def find_detectable(key: AnswerKey, groups: list[EditionOutcomes]) -> float | None:
    return DetectableDifference(BENCHMARK, key, "default", {group.edition: group for group in groups}).find_value()


@pytest.mark.parametrize("n_editions", [1, 3])
def test_detectable_difference_of_editions_follows_from_single_systems(n_editions: int) -> None:
    key = BENCHMARK.make_key("test", "5" * 64)
    generator = np.random.default_rng(0)
    # A recording is right or wrong as a whole, so a system knows no more than its recordings.
    whole = [
        make_edition_outcomes(f"e-{number}0000000", lambda clusters: generator.random(clusters.max() + 1)[clusters])
        for number in range(n_editions)
    ]
    alone = [
        make_edition_outcomes(f"e-{number}0000000", lambda clusters: generator.random(len(clusters)))
        for number in range(n_editions)
    ]
    n_items = len(BENCHMARK.content(key).items)
    n_recordings = len(np.unique(BENCHMARK.cluster_items(key)))
    expected = detectable_on_board(n_items, n_recordings, correlation=1.0)
    assert find_detectable(key, whole) == pytest.approx(expected, rel=0.02)
    unrelated = detectable_on_board(n_items, n_recordings, correlation=0.0)
    assert find_detectable(key, alone) == pytest.approx(unrelated, rel=0.15)


class ComparedRows(NamedTuple):
    """A comparison as the API and the page show it."""

    answer: dict[str, Any]
    page: str


def compare(place: Installation, editions: Editions, a: SubmissionRecord, b: SubmissionRecord) -> ComparedRows:
    """Request a comparison, run it, and read it."""
    service = Comparisons(place.database, place.service, editions.accounts)
    with place.database.write() as transaction:
        workers.record_heartbeat(transaction, "w", {}, datetime.now(UTC), datetime.now(UTC))
    pair = service.find_pair(BENCHMARK.id, a.id, b.id, place.ann)
    assert service.find_or_ask(pair, place.ann) is None
    assert Comparer(place.database, place.keys_dir, "w").run_next()
    result = service.find_result(pair)
    assert result is not None
    answer = describe_comparison(pair, result, BENCHMARK.headline)
    return ComparedRows(answer, render_comparison(Compared(pair, result, BENCHMARK.headline)))


def test_rows_of_one_edition_are_compared_in_pairs(scored: TwoEditions) -> None:
    place, editions, rows = scored
    for a, b in (("100", "300"), ("0", "400")):
        answer, page = compare(place, editions, rows[a], rows[b])
        assert (answer["paired"], answer["reason"]) == (True, None)
        assert "paired difference" in answer["method"]["test"]
        assert answer["low"] > 0
        assert "independent samples" not in page


def test_rows_of_different_editions_are_compared_as_independent_samples(scored: TwoEditions) -> None:
    place, editions, rows = scored
    for a, b in (("100", "200"), ("0", "300"), ("500", "400")):
        answer, page = compare(place, editions, rows[a], rows[b])
        assert (answer["paired"], answer["reason"]) == (False, INDEPENDENT)
        assert "independent samples" in answer["method"]["test"]
        assert answer["method"]["tests"] > 10
        assert answer["low"] < answer["difference"] < answer["high"]
        assert answer["p_value"] < 0.05
        assert (answer["wins"], answer["losses"], answer["ties"]) == (None, None, None)
        assert INDEPENDENT in page
        assert "Score test of two independent samples" in page


def test_rows_of_another_design_are_not_compared(scored: TwoEditions, monkeypatch: pytest.MonkeyPatch) -> None:
    place, editions, rows = scored
    monkeypatch.setattr(type(BENCHMARK), "design_digest", "0" * 64)
    third = editions.open_edition(BENCHMARK)
    other = submit(place, editions.key(BENCHMARK, third), "250", 250)
    editions.service.close_edition(third, place.ann)
    place.score_all()
    with pytest.raises(StateError, match=r"use different rules \(design\)"):
        compare(place, editions, rows["100"], other)
    answer, _ = compare(place, editions, rows["100"], rows["0"])
    assert (answer["paired"], answer["reason"], answer["low"]) == (False, OUTDATED, None)


def test_rows_of_another_design_have_no_rank(
    place: Installation, editions: Editions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(BENCHMARK), "design_digest", "0" * 64)
    rows = score_two_editions(place, editions)
    monkeypatch.undo()
    submit(place, place.key, "50", 50)
    place.score_all()
    assert place.ranks(rows["0"]) == {"0": 1, "50": 2, "400": 3, "100": None, "200": None, "300": None, "500": None}


def test_rankings_of_a_benchmark_without_editions_are_those_of_its_questions(place: Installation) -> None:
    shared, design = find_rankings(BENCHMARK, place.key, "default")
    assert ("|key:" in shared, "|design:" in shared) == (True, False)
    assert ("|key:" in design, "|design:" in design) == (False, True)
    assert find_rankings(BENCHMARK, None, "default") == ()


def test_rows_of_editions_are_scored_again_with_their_own_keys(
    scored: TwoEditions, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, editions, rows = scored
    assert "Nothing would change" in (place.reevaluate(dry_run=True).explanation or "")
    monkeypatch.setattr(type(BENCHMARK), "metric_version", "99")
    preview = place.reevaluate(dry_run=True)
    assert preview.result is not None
    assert {row["model"]: row["state"] for row in preview.result["rows"]} == dict.fromkeys(rows, "scored")
    assert {row["model"]: row["rank"]["new"] for row in preview.result["rows"]} == place.ranks(rows["0"])
    assert {row["model"]: row["rank"]["old"] for row in preview.result["rows"]} == place.ranks(rows["0"])
    old = {name: place.headline(row) for name, row in rows.items()}
    editions.open_edition(BENCHMARK)  # does not change the target of the preview
    assert place.reevaluate(dry_run=False).state == "done"
    assert {name: place.headline(row) for name, row in rows.items()} == old
    found = {name: parse_signature(read_signature(place, row)) for name, row in rows.items()}
    assert {signature.metric_version for signature in found.values()} == {"99"}
    assert {name: signature.edition for name, signature in found.items()} == {
        name: row.edition or "" for name, row in rows.items()
    }
    assert place.ranks(rows["0"]) == {"0": 1, "100": 2, "200": 3, "300": 4, "400": 5, "500": 6}


def test_correction_of_the_shared_answers_does_not_affect_rows_of_editions(scored: TwoEditions) -> None:
    place, _, _ = scored
    place.correct()
    preview = place.reevaluate(dry_run=True)
    assert preview.result is not None
    assert {row["model"] for row in preview.result["rows"]} == {"0", "400"}
