"""Boards with several editions: one edition as before, plain loops over pairs of editions, and the error rate."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.statistics import (
    Estimator,
    HarmonicMeanOf,
    ItemMean,
    JointBoard,
    ResampledBoard,
    Resampling,
    Standings,
    StatisticsError,
)
from evaluation.statistics.intervals import NORMAL_QUANTILE

FIELDS = ("value", "low", "high", "rank_low", "rank_high", "critical", "n_items", "n_clusters")
Table = NDArray[np.float64]


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def draw_table(n_items: int, accuracies: list[float], seed: int) -> Table:
    return (generator(seed).random((n_items, len(accuracies))) < accuracies).astype(np.float64)


def draw_resamples(clusters: NDArray[np.int64], seed: int, resamples: int = 499) -> Resampling:
    return Resampling.draw(clusters, resamples, generator(1000 + seed))


def join_tables(tables: list[Table], clusters: NDArray[np.int64], resamples: int = 499) -> Standings:
    board = JointBoard()
    for seed, table in enumerate(tables):
        board.add_edition(draw_resamples(clusters, seed, resamples), table)
    return board.standings()


def assert_same(first: Standings, second: Standings) -> None:
    for name in FIELDS:
        one, other = np.asarray(getattr(first, name)), np.asarray(getattr(second, name))
        assert one.dtype == other.dtype, name
        assert one.tobytes() == other.tobytes(), name


@pytest.mark.parametrize("n_systems", [0, 1, 2, 30])
@pytest.mark.parametrize("n_clusters", [1, 50])
def test_board_with_one_edition_equals_the_board_of_its_systems(n_systems: int, n_clusters: int) -> None:
    table = draw_table(200, np.linspace(0.2, 0.9, n_systems).tolist(), 3)
    drawn = draw_resamples(np.arange(200) % n_clusters, 1)
    board = JointBoard()
    board.add_edition(drawn, table)
    if n_systems:
        assert_same(board.standings(), ResampledBoard(drawn, table).standings())
    else:
        with pytest.raises(StatisticsError, match="no system"):
            board.standings()


def test_harmonic_mean_of_one_edition_equals_the_board_of_its_systems() -> None:
    weights = np.repeat([1, 0], 100), np.repeat([0, 1], 100)
    formula = HarmonicMeanOf(ItemMean("x", weights[0]), ItemMean("x", weights[1]))
    estimator = Estimator(formula, draw_resamples(np.arange(200) // 2, 1))
    scores = {"x": draw_table(200, [0.3, 0.5, 0.8], 2)}
    board = JointBoard()
    board.add_edition(estimator, scores)
    assert_same(board.standings(), ResampledBoard(estimator, scores).standings())


def deviate(outcomes: Table, clusters: NDArray[np.int64], centre: float) -> Table:
    """Return the sums of a system's deviations from some score over each cluster."""
    return np.array([(outcomes[clusters == label] - centre).sum() for label in np.unique(clusters)])


def plain_joint_ranges(
    tables: list[Table], clusters: NDArray[np.int64], draws: list[Resampling]
) -> tuple[list[int], list[int], float]:
    """Return rank ranges and the critical value by loops over pairs."""
    n_items, sizes = len(clusters), np.unique(clusters, return_counts=True)[1]
    systems = [(edition, table[:, at]) for edition, table in enumerate(tables) for at in range(table.shape[1])]
    correction = np.sqrt(1 - sizes / n_items)
    largest, leads = np.zeros(draws[0].resamples), {}
    for (i, (edition, a)), (j, (other, b)) in combinations(enumerate(systems), 2):
        d = a.mean() - b.mean()
        if edition == other:
            difference = deviate(a - b, clusters, 0)
            turned, error = draws[edition].signs @ difference, np.sqrt((difference**2).sum())
            lead = d * n_items / error
        else:
            first, second = (deviate(one, clusters, one.mean()) / correction for one in (a, b))
            turned = draws[edition].signs @ first - draws[other].signs @ second
            error = np.sqrt((first**2).sum() + (second**2).sum())
            pooled = ((first + d / 2 * sizes) ** 2).sum() + ((second - d / 2 * sizes) ** 2).sum()
            lead = d * n_items / np.sqrt(pooled)
        leads[i, j] = lead
        largest = np.maximum(largest, np.abs(turned) / error)
    critical = max(float(np.sort(largest)[-((len(largest) + 1) // 20)]), NORMAL_QUANTILE)
    low, high = [1] * len(systems), [len(systems)] * len(systems)
    for (i, j), lead in leads.items():
        if abs(lead) > critical:
            better, worse = (i, j) if lead > 0 else (j, i)
            low[worse] += 1
            high[better] -= 1
    return low, high, critical


def test_joint_rank_ranges_equal_plain_loops(subtests: pytest.Subtests) -> None:
    for seed in range(6):
        with subtests.test(seed=seed):
            clusters = generator(seed).integers(40, size=160)
            accuracies = [[0.3, 0.5, 0.9], [0.6], [0.2, 0.7], [0.97]]
            tables = [draw_table(160, some, 10 * seed + at) for at, some in enumerate(accuracies)]
            draws = [draw_resamples(clusters, 10 * seed + at) for at in range(4)]
            board = JointBoard()
            for drawn, table in zip(draws, tables, strict=True):
                board.add_edition(drawn, table)
            joint = board.standings()
            low, high, critical = plain_joint_ranges(tables, clusters, draws)
            assert joint.critical == pytest.approx(critical, rel=1e-4)
            assert (joint.rank_low.tolist(), joint.rank_high.tolist()) == (low, high)


def test_scores_and_intervals_do_not_depend_on_other_editions() -> None:
    clusters = np.arange(300) // 3
    tables = [draw_table(300, [0.4, 0.6], 1), draw_table(300, [0.5], 2)]
    joint = join_tables(tables, clusters)
    for name in ("value", "low", "high"):
        alone = [
            getattr(ResampledBoard(draw_resamples(clusters, seed), table).standings(), name)
            for seed, table in enumerate(tables)
        ]
        assert getattr(joint, name).tobytes() == np.concatenate(alone).tobytes()


def test_order_of_editions_does_not_change_the_ranges() -> None:
    clusters = np.arange(200) // 2
    tables = [draw_table(200, np.linspace(0.2, 0.8, 4).tolist(), seed) for seed in range(5)]
    boards = JointBoard(), JointBoard()
    for board, order in zip(boards, (range(5), reversed(range(5))), strict=True):
        for seed in order:
            board.add_edition(draw_resamples(clusters, seed), tables[seed])
    first, second = (board.standings() for board in boards)
    order = np.arange(20).reshape(5, 4)[::-1].ravel()
    assert first.critical == second.critical
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert getattr(first, name)[order].tobytes() == getattr(second, name).tobytes()


def test_systems_that_are_always_right_in_two_editions_tie() -> None:
    joint = join_tables([np.ones((40, 1)), np.ones((40, 1)), np.zeros((40, 1))], np.arange(40))
    assert joint.critical == NORMAL_QUANTILE
    assert (joint.rank_low.tolist(), joint.rank_high.tolist()) == ([1, 1, 3], [2, 2, 3])


def test_difference_in_few_clusters_is_never_significant() -> None:
    table = np.zeros((40, 1))
    table[:3] = 1
    joint = join_tables([np.zeros((40, 1)), table], np.arange(40))
    assert (joint.rank_low.tolist(), joint.rank_high.tolist()) == ([1, 1], [2, 2])


def test_edition_with_one_cluster_has_no_interval_and_all_ranks() -> None:
    board = JointBoard()
    for seed, (n_clusters, accuracy) in enumerate(((100, 0.9), (1, 0.5), (100, 0.1))):
        board.add_edition(draw_resamples(np.arange(100) % n_clusters, seed), draw_table(100, [accuracy], seed))
    joint = board.standings()
    assert np.isnan(joint.low).tolist() == [False, True, False]
    assert (joint.rank_low.tolist(), joint.rank_high.tolist()) == ([1, 1, 2], [2, 3, 3])
    assert joint.n_clusters == 1


def find_lead(n_right: tuple[int, int], n_items: tuple[int, int]) -> tuple[float, Standings]:
    """Return the studentised lead of the better of two systems in two editions of single items."""
    board = JointBoard()
    for seed, (right, n) in enumerate(zip(n_right, n_items, strict=True)):
        board.add_edition(draw_resamples(np.arange(n), seed), np.arange(n)[:, None] < right)
    joint = board.standings()
    return float(board._join_editions(joint.value)[0].max()), joint


def test_lead_between_editions_of_single_items_is_that_of_the_chi_square_test() -> None:
    lead, _ = find_lead((240, 280), (400, 400))
    chi_square = 800 * (240 * 120 - 160 * 280) ** 2 / (400 * 400 * 520 * 280)
    assert lead**2 == pytest.approx(chi_square, rel=0.003), "apart from the corrected variances"


def test_editions_of_different_sizes_deviate_from_the_mean_of_all_items() -> None:
    lead, joint = find_lead((24, 420), (60, 600))
    pooled = 444 / 660
    variance = (24 * (1 - pooled) ** 2 + 36 * pooled**2) / 60**2
    variance += (420 * (1 - pooled) ** 2 + 180 * pooled**2) / 600**2
    assert lead == pytest.approx((0.7 - 0.4) / np.sqrt(variance), rel=0.01)
    assert joint.n_items == 60


def test_shared_or_unequal_resamples_are_refused_and_leave_the_board_unchanged() -> None:
    table, drawn = draw_table(50, [0.5], 1), draw_resamples(np.arange(50), 1)
    board = JointBoard()
    board.add_edition(drawn, table)
    before = board.standings()
    with pytest.raises(StatisticsError, match="same resamples"):
        board.add_edition(drawn, table)
    with pytest.raises(StatisticsError, match="499 and 99 resamples"):
        board.add_edition(draw_resamples(np.arange(50), 2, resamples=99), table)
    with pytest.raises(StatisticsError, match="NaN"):
        board.add_edition(draw_resamples(np.arange(50), 2), table * np.nan)
    assert_same(board.standings(), before)


def test_clearly_better_editions_have_ranks_of_their_own() -> None:
    tables = [draw_table(2000, [accuracy], seed) for seed, accuracy in enumerate((0.9, 0.7, 0.5, 0.3))]
    joint = join_tables(tables, np.arange(2000) // 4)
    assert joint.rank_low.tolist() == joint.rank_high.tolist() == [1, 2, 3, 4]
    assert all(before > after for before, after in pairwise(joint.value.tolist()))
