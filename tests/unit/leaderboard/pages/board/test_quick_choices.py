"""Quick choices above a table: existing scores, each group from one part."""

import pytest

from evaluation.benchmarks import all_benchmarks, get_benchmark
from leaderboard.pages.board.quick_choices import list_views


def test_views_of_every_benchmark_have_existing_columns_and_start_with_a_ranked_one(
    subtests: pytest.Subtests,
) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark):
            first, *parts = list_views(benchmark)
            columns = {column.key: column for column in benchmark.columns}
            metrics = {metric.id: metric for metric in benchmark.metrics}
            assert first.columns == ()
            assert first.descending
            assert len(parts) >= 3
            for view in parts:
                ranked = columns[view.columns[0]]
                assert not ranked.group
                assert metrics[ranked.metric].ranked
                assert view.descending is metrics[ranked.metric].higher_is_better
                assert all(columns[key].slice.split("/")[0] == ranked.slice for key in view.columns)
                assert len(set(view.columns)) == len(view.columns) <= 25


def test_views_of_parts_have_the_titles_of_the_parts() -> None:
    assert [view.title for view in list_views(get_benchmark("star-bench"))] == [
        *("Overall", "Perception", "Temporal", "Spatial"),
    ]
    assert [view.title for view in list_views(get_benchmark("mdar"))][:2] == ["All parts", "MDAR-main"]


def test_view_of_a_part_omits_deeper_slices() -> None:
    sct = next(view for view in list_views(get_benchmark("audio-motion-bench")) if view.title == "SCT")
    assert {"sct|accuracy", "sct/15db|accuracy"} < set(sct.columns)
    assert not any(key.startswith("sct/clean/") for key in sct.columns)
