"""Clusters of AudioMotionBench: all conditions of a recording are resampled together in intervals and tests."""

from collections import Counter, defaultdict

import numpy as np

from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.audio_motion_bench.design import design_items
from evaluation.statistics import compare

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BENCHMARK.make_key("practice")
CLUSTERS = BENCHMARK.cluster_items(KEY)
N_RECORDINGS = 168


def test_all_conditions_of_a_recording_form_one_cluster() -> None:
    assert set(Counter(CLUSTERS.tolist()).values()) == {12}, "four conditions of three items"
    recordings = defaultdict(set)
    for number, designed in zip(CLUSTERS.tolist(), design_items(KEY.split, KEY.seed), strict=True):
        recordings[number].add((designed.clip.variant, designed.clip.trajectory))
    assert len(recordings) == N_RECORDINGS
    assert all(len(sources) == 1 for sources in recordings.values())


def test_clusters_follow_the_order_of_the_content() -> None:
    items = BENCHMARK.content(KEY).items
    clusters_of_clip = defaultdict(set)
    for number, item in zip(CLUSTERS.tolist(), items, strict=True):
        clusters_of_clip[item.clips].add(number)
    assert all(len(numbers) == 1 for numbers in clusters_of_clip.values())


def test_equal_systems_differ_at_five_percent_in_about_one_of_twenty_tests(soak: bool) -> None:
    """Models mishear recordings, not clips: with clips as clusters, every fifth of these tests would reject."""
    n_pairs = 400 if soak else 150
    rng = np.random.default_rng(7)
    n_rejected = {"recording": 0, "clip": 0}
    items = BENCHMARK.content(KEY).items
    clips = np.unique([item.clips[0] for item in items], return_inverse=True)[1]
    for _ in range(n_pairs):
        first, second = (
            (rng.random(len(items)) < rng.beta(0.5, 0.5, N_RECORDINGS)[CLUSTERS]).astype(np.float64) for _ in range(2)
        )
        for name, clusters in (("recording", CLUSTERS), ("clip", clips)):
            comparison = compare(first, second, clusters)
            assert comparison.p_value is not None
            n_rejected[name] += comparison.p_value < 0.05
    # 2.8 to 3.7 standard errors around a share of 0.05: 0.02 to 0.09 of 400 pairs, 0 to 0.115 of 150.
    low, high = (0.02, 0.09) if soak else (0.0, 0.115)
    assert low <= n_rejected["recording"] / n_pairs <= high
    assert n_rejected["clip"] / n_pairs > 0.15
