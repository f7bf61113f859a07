"""Rank ranges: plain loops over all pairs, pruning, ties, added systems, and the error rate."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.statistics import ResampledBoard, Resampling, Standings, StatisticsError, maxima, standings
from evaluation.statistics.maxima import differences_from, group_similar, largest_differences

FIELDS = ("value", "low", "high", "rank_low", "rank_high", "critical")


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def skilled(n_items: int, skills: NDArray[np.float64], seed: int = 0) -> NDArray[np.float32]:
    """Return right and wrong answers of systems of some skill to items of some difficulty."""
    rng = generator(seed)
    hardness = rng.normal(0, 1.5, n_items)
    right: NDArray[np.bool_] = rng.random((n_items, len(skills))) < 1 / (1 + np.exp(hardness[:, None] - skills))
    return right.astype(np.float32)


def families(n_items: int, n_systems: int) -> NDArray[np.float32]:
    """Return systems, many of which are near or exact copies of others."""
    rng = generator(4)
    base = skilled(n_items, rng.normal(0, 1, 6), seed=5)
    table = base[:, rng.integers(6, size=n_systems)]
    flipped = rng.random(table.shape) < rng.choice([0, 0.01, 0.1, 0.3], n_systems)
    return np.where(flipped, 1 - table, table).astype(np.float32)


def plain_ranges(
    table: NDArray[np.float32], clusters: NDArray[np.int64], drawn: Resampling
) -> tuple[list[int], list[int]]:
    """Return rank ranges by loops over pairs and resamples, in float64."""
    labels, n_items = np.unique(clusters), len(clusters)
    value = table.mean(axis=0)
    sums = np.stack([table[clusters == label].sum(axis=0) for label in labels])
    signed_sums = drawn.signs @ sums
    pairs = list(combinations(range(table.shape[1]), 2))
    errors = {(i, j): np.sqrt(((sums[:, i] - sums[:, j]) ** 2).sum()) for i, j in pairs}
    varied = [pair for pair in pairs if errors[pair] > 1e-9]
    largest = np.zeros(drawn.resamples)
    for i, j in varied:
        largest = np.maximum(largest, np.abs(signed_sums[:, i] - signed_sums[:, j]) / errors[i, j])
    critical = np.sort(largest)[-((drawn.resamples + 1) // 20)]
    low, high = [1] * len(value), [len(value)] * len(value)
    for i, j in varied:
        if abs(value[i] - value[j]) * n_items > critical * errors[i, j] * (1 + 1e-6):
            better, worse = (i, j) if value[i] > value[j] else (j, i)
            low[worse] += 1
            high[better] -= 1
    return low, high


def test_rank_ranges_equal_plain_loops(subtests: pytest.Subtests) -> None:
    for seed in range(6):
        with subtests.test(seed=seed):
            rng = generator(seed)
            table = skilled(120, rng.normal(0, 1, 11), seed)
            table[:, 3] = table[:, 4]
            table[:, 5] = 1
            table[:, 6] = 0
            clusters = rng.integers(60, size=120)
            drawn = Resampling.draw(clusters, 199, rng)
            board = ResampledBoard(drawn, table).standings()
            assert (board.rank_low.tolist(), board.rank_high.tolist()) == plain_ranges(
                table.astype(float), clusters, drawn
            )


def plain_maxima(deviations: NDArray[np.float32], precision: NDArray[np.float32]) -> NDArray[np.float32]:
    largest = np.zeros(deviations.shape[1], np.float32)
    for i, j in combinations(range(len(deviations)), 2):
        largest = np.maximum(largest, np.abs(deviations[i] - deviations[j]) * precision[i, j])
    return largest


@pytest.mark.parametrize("sample", [64, 512])
@pytest.mark.parametrize("kind", ["skilled", "families"])
def test_tail_of_maxima_equals_the_loop_over_all_pairs(kind: str, sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maxima, "_SAMPLE", sample)
    table = families(200, 60) if kind == "families" else skilled(200, generator(2).normal(0, 1, 60))
    board = ResampledBoard(Resampling.draw(np.arange(200), 2000, generator()), table)
    deviations, precision = board._turned[:60], board._precision[:60, :60]
    expected = plain_maxima(deviations, precision)
    for tail in (1, 100, 2000):
        actual = largest_differences(deviations, precision, tail)
        exact = np.argsort(expected)[-tail:]
        assert (actual[exact] == expected[exact]).all()
        assert (actual <= expected).all()


def test_floor_that_is_too_high_is_lowered(monkeypatch: pytest.MonkeyPatch) -> None:
    # Taking the largest of the sample as floor hides most of the tail at first.
    monkeypatch.setattr(maxima, "_SAFE", 0.0)
    board = ResampledBoard(Resampling.draw(np.arange(200), 2000, generator()), skilled(200, np.zeros(40)))
    deviations, precision = board._turned[:40], board._precision[:40, :40]
    expected = np.sort(plain_maxima(deviations, precision))[-100:]
    assert (np.sort(largest_differences(deviations, precision, 100))[-100:] == expected).all()


def test_differences_from_one_system_equal_the_loop() -> None:
    rng = generator()
    deviations = rng.normal(size=(70, 2100)).astype(np.float32)
    precision = rng.random((70, 70)).astype(np.float32)
    precision = np.maximum(precision, precision.T)
    expected = np.abs(deviations[1:] - deviations[0]) * precision[0, 1:, None]
    assert (differences_from(deviations[0], deviations[1:], precision[0, 1:]) == expected.max(axis=0)).all()


def test_groups_contain_every_system_once(subtests: pytest.Subtests) -> None:
    for n_systems in (1, 8, 9, 100):
        with subtests.test(n_systems=n_systems):
            scatter = generator().random(n_systems) * 10
            precision = (1 / np.hypot(*np.meshgrid(scatter, scatter))).astype(np.float32)
            np.fill_diagonal(precision, 0)
            groups = group_similar(precision)
            assert max(map(len, groups)) <= 8
            assert sorted(np.concatenate(groups).tolist()) == list(range(n_systems))


def test_equal_systems_share_their_range() -> None:
    table = families(300, 30)
    table[:, 7] = table[:, 20] = table[:, 3]
    board = standings(table, np.arange(300), resamples=999, rng=generator())
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert len(set(getattr(board, name)[[3, 7, 20]].tolist())) == 1


def test_order_of_systems_does_not_change_the_standings() -> None:
    table, order = families(300, 60), generator(9).permutation(60)
    first = standings(table, np.arange(300), resamples=2000, rng=generator())
    second = standings(table[:, order], np.arange(300), resamples=2000, rng=generator())
    assert first.critical == second.critical
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert getattr(first, name)[order].tobytes() == getattr(second, name).tobytes()


def test_rank_by_value_is_within_the_rank_range() -> None:
    board = standings(families(200, 50), np.arange(200), resamples=999, rng=generator())
    rank = 1 + (board.value[:, None] < board.value).sum(axis=1)
    assert ((board.rank_low <= rank) & (rank <= board.rank_high)).all()
    assert board.rank_low[np.argmax(board.value)] == 1
    assert board.rank_high[np.argmin(board.value)] == 50


def test_better_system_never_ranks_worse() -> None:
    # Each system is right wherever the one before is, on clips that are equally hard: nested, so equally correlated.
    table = (generator(3).random(400)[:, None] < np.linspace(0.2, 0.8, 20)).astype(np.float32)
    board = standings(table, np.arange(400), resamples=999, rng=generator())
    assert (np.diff(board.rank_low) <= 0).all()
    assert (np.diff(board.rank_high) <= 0).all()
    assert board.rank_low[0] > board.rank_high[-1], "first and last are distinguished"


def test_system_that_is_always_right_has_the_first_rank_alone() -> None:
    table = np.hstack([np.ones((100, 1)), skilled(100, np.zeros(5))])
    board = standings(table, np.arange(100), resamples=999, rng=generator())
    assert (board.rank_low[0], board.rank_high[0]) == (1, 1)
    assert (board.rank_low[1:] >= 2).all()


def test_constant_lead_is_significant_but_a_rounding_error_is_not() -> None:
    base = generator().integers(2, size=50) / 2
    table = np.stack([base, base + 0.1, base + 1e-8], axis=1)
    board = standings(table, np.arange(50), resamples=99, rng=generator())
    assert (board.rank_low.tolist(), board.rank_high.tolist()) == ([2, 1, 2], [3, 1, 3])


def assert_same(first: Standings, second: Standings) -> None:
    for name in FIELDS:
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


@pytest.mark.parametrize("start", [0, 1, 30])
def test_board_with_added_systems_equals_the_board_built_in_one_step(start: int) -> None:
    table, clusters = families(200, 70), generator(6).integers(120, size=200)
    drawn = Resampling.draw(clusters, 1500, generator())
    board = ResampledBoard(drawn, table[:, :start])
    for system in range(start, 70):
        board.add(table[:, system])
    assert_same(board.standings(), ResampledBoard(drawn, table).standings())


def test_refused_system_leaves_the_board_unchanged() -> None:
    board = ResampledBoard(Resampling.draw(np.arange(50), 99, generator()), skilled(50, np.zeros(3)))
    before = board.standings()
    with pytest.raises(StatisticsError, match=r"NaN for the systems in columns 0 \(50 items\)"):
        board.add(np.full(50, np.nan))
    assert_same(board.standings(), before)


def test_single_system_has_the_first_rank_and_an_interval() -> None:
    board = standings(skilled(50, np.zeros(1)), np.arange(50), resamples=99, rng=generator())
    assert (board.rank_low.tolist(), board.rank_high.tolist(), board.critical) == ([1], [1], None)
    assert board.low[0] < board.value[0] < board.high[0]


@given(st.integers(1, 10), st.integers(2, 40), st.integers(0, 100))
def test_rank_ranges_of_any_board_are_within_its_ranks(n_systems: int, n_items: int, seed: int) -> None:
    rng = generator(seed)
    table, clusters = rng.random((n_items, n_systems)), rng.integers(n_items, size=n_items)
    board = standings(table, clusters, resamples=99, rng=rng)
    assert ((board.rank_low >= 1) & (board.rank_low <= board.rank_high) & (board.rank_high <= n_systems)).all()


def test_equally_good_systems_all_tie_in_most_boards(soak: bool) -> None:
    # All tie in 95 % of boards; 600 have a standard error of 0.9 %, 100 one of 2.2 %; three are allowed.
    n_boards, lowest, highest = (600, 0.93, 0.975) if soak else (100, 0.885, 0.995)
    drawn = Resampling.draw(np.arange(200), 999, generator())
    tied = 0
    for seed in range(n_boards):
        board = ResampledBoard(drawn, skilled(200, np.zeros(8), seed)).standings()
        tied += bool((board.rank_high - board.rank_low == 7).all())
    assert lowest <= tied / n_boards <= highest


def test_true_ranks_are_within_all_ranges_of_most_boards(soak: bool) -> None:
    # At least 95 % should; 300 boards have a standard error of 1.3 %, 60 one of 2.8 %; three are allowed.
    n_boards, lowest = (300, 0.935) if soak else (60, 0.865)
    skills = np.array([1.5, 0.8, 0.8, 0.3, 0.0, -0.8])
    best, last = np.array([1, 2, 2, 4, 5, 6]), np.array([1, 3, 3, 4, 5, 6])
    drawn = Resampling.draw(np.arange(200), 999, generator())
    boards = [ResampledBoard(drawn, skilled(200, skills, seed)).standings() for seed in range(n_boards)]
    covered = [((board.rank_low <= best) & (last <= board.rank_high)).all() for board in boards]
    assert np.mean(covered) >= lowest
    assert np.mean([board.rank_high[0] == 1 for board in boards]) > 0.2, "the ranges distinguish systems"
