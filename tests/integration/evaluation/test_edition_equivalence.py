"""Editions, which are test splits from different seeds: their scores spread as predicted, and they share no item."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from bench import edition_equivalence, edition_listening
from bench.edition_digests import N_EDITIONS, count_shared, digest_editions
from bench.edition_equivalence import (
    STEPS,
    EditionScore,
    EditionSpread,
    adjust_spreads,
    find_p_value,
    list_columns,
    main,
    measure_spread,
    measure_spreads,
)
from bench.edition_listening import (
    VERSIONS,
    Answers,
    DesignPlace,
    PlacedEdition,
    answer_items,
    find_answers,
    make_edition,
    sample_items,
)
from evaluation import Benchmark, get_benchmark
from evaluation.benchmarks.audio_motion_bench.design import SNR_DB
from evaluation.benchmarks.column_specs import Column
from evaluation.listeners import LISTENERS
from evaluation.types import Prediction

MOTION = get_benchmark("audio-motion-bench", "1.0")
STAR = get_benchmark("star-bench", "1.0")
TRACES = get_benchmark("audio-process-bench", "synthetic-3")
NOISIEST = Column("tat/15db/mcq", "accuracy", "", "")
TONES = [Column("perception/range/pitch-loudness", metric, "", "") for metric in ("aa", "acr")]
CHAINS = [Column("step", "aei", "", ""), Column("chain", "overall", "", "")]
N_SMALL = 5
SIGNIFICANT = 0.05


def answer(
    benchmark: Benchmark, number: int, system: str, columns: Sequence[Column], step: int
) -> tuple[PlacedEdition, Answers]:
    """Have a reference system answer a sample of an edition, or of the tasks that columns name."""
    edition = make_edition(benchmark, number)
    tasks = {column.slice for column in columns}
    items = sample_items(benchmark, edition, step)
    own = [item for item in items if item.task in tasks]
    return edition, answer_items(benchmark, edition.key, own or items, (system,))


def list_unequal(spreads: dict[tuple[str, str], EditionSpread]) -> list[tuple[str, str]]:
    """Return the scores that spread more than their intervals or the design predict.

    Less spread is no fault: what a design fixes beyond the factors that are known here makes editions more alike.
    """
    adjusted = dict(zip(spreads, adjust_spreads(list(spreads.values())), strict=True))
    return [
        name
        for name, spread in adjusted.items()
        if (spread.p_design < SIGNIFICANT and spread.deviation > spread.design_error)
        or (spread.p_interval < SIGNIFICANT and spread.deviation > spread.error)
    ]


@pytest.fixture(scope="module")
def noisiest() -> list[tuple[PlacedEdition, Answers]]:
    """Several editions of 28 paths in the noisiest condition, answered by the binaural listener."""
    return [answer(MOTION, number, "earshot-binaural", [NOISIEST], 2) for number in range(N_SMALL)]


def test_scores_spread_over_editions_as_predicted(noisiest: list[tuple[PlacedEdition, Answers]]) -> None:
    spreads = measure_spreads(MOTION, noisiest, [NOISIEST])
    tones = (answer(STAR, number, "earshot-mono", TONES, 6) for number in range(N_SMALL))
    spreads |= measure_spreads(STAR, tones, TONES)
    chains = (answer(TRACES, number, "earshot-mono", CHAINS, 15) for number in range(N_SMALL - 1))
    spreads |= measure_spreads(TRACES, chains, CHAINS)
    assert len(spreads) == 5
    assert list_unequal(spreads) == []


def test_one_edition_with_10_db_more_noise_spreads_scores_too_much(
    noisiest: list[tuple[PlacedEdition, Answers]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SNR_DB, "15db", 5.0)
    louder = answer(MOTION, 0, "earshot-binaural", [NOISIEST], 2)
    spreads = measure_spreads(MOTION, [louder, *noisiest[1:]], [NOISIEST])
    assert list_unequal(spreads) == list(spreads)


@pytest.mark.slow
@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("benchmark_id", VERSIONS)
def test_scores_spread_over_50_editions_as_predicted(benchmark_id: str, tmp_path: Path) -> None:
    benchmark = get_benchmark(benchmark_id, VERSIONS[benchmark_id])
    answered = (
        (make_edition(benchmark, number), find_answers(benchmark, number, STEPS[benchmark_id], tmp_path))
        for number in range(edition_equivalence.N_EDITIONS)
    )
    assert list_unequal(measure_spreads(benchmark, answered, list_columns(benchmark))) == []


# --- the tests themselves -------------------------------------------------------------------------------------------


def simulate(rng: np.random.Generator, n_editions: int, shift: float = 0.0) -> EditionSpread:
    """Return the spread of a score over editions of 100 units; every second edition is easier by a shift."""
    chances = rng.uniform(0.2, 0.9, 100)
    scores = []
    for number in range(n_editions):
        right = rng.random(100) < chances + shift * (number % 2)
        value = float(right.mean())
        by_unit = {DesignPlace(unit, (unit,)): float(right[unit] - value) / 100 for unit in range(100)}
        scores.append(EditionScore(value, (value * (1 - value) / 100) ** 0.5, 0.0, 1.0, by_unit))
    return measure_spread(scores)


def test_p_value_is_twice_the_smaller_tail_of_the_chi_square_distribution() -> None:
    # 2.5 % of the chi-square distribution with 10 degrees of freedom lie below 3.247, and 2.5 % above 20.483.
    assert find_p_value(0.3247, 1.0, 10) == pytest.approx(0.05, abs=1e-4)
    assert find_p_value(2.0483 * 7, 7.0, 10) == pytest.approx(0.05, abs=1e-4)
    assert find_p_value(0.934, 1.0, 10) == pytest.approx(1, abs=0.01)
    assert find_p_value(0.0, 0.0, 10) == 1
    assert find_p_value(1.0, 0.0, 10) == 0


def test_prediction_of_the_design_holds_for_equal_editions_and_that_of_the_interval_is_larger() -> None:
    rng = np.random.default_rng(1)
    spreads = [simulate(rng, 20) for _ in range(200)]
    rejected = np.mean([spread.p_design < 0.05 for spread in spreads])
    assert 0.02 <= rejected <= 0.09
    assert np.mean([spread.design_error / spread.error for spread in spreads]) == pytest.approx(0.92, abs=0.03)
    assert np.mean([spread.deviation / spread.design_error for spread in spreads]) == pytest.approx(1, abs=0.04)


def test_unequal_editions_are_detected() -> None:
    rng = np.random.default_rng(1)
    assert all(simulate(rng, 20, shift=0.3).p_design < 1e-6 for _ in range(20))


def test_variance_of_units_with_two_factors_excludes_the_effects_of_both() -> None:
    editions = []
    rng = np.random.default_rng(1)
    for _ in range(50):
        dealt = rng.permutation(np.repeat(np.arange(4), 5)).tolist()
        editions.append(
            {
                DesignPlace(unit, (("unit", unit), ("dealt", value))): unit + 10.0 * value + float(rng.normal())
                for unit, value in enumerate(dealt)
            }
        )
    assert edition_equivalence.predict_variance(editions) == pytest.approx(20, rel=0.1)


# --- the command ----------------------------------------------------------------------------------------------------


def test_answers_are_saved_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = find_answers(TRACES, 1, 60, tmp_path)
    monkeypatch.setattr(edition_listening, "answer_items", None)
    assert find_answers(TRACES, 1, 60, tmp_path) == first
    assert {system: len(predictions) for system, predictions in first.items()} == dict.fromkeys(LISTENERS, 12)


def test_command_prints_a_row_for_each_system_and_score(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def guess(benchmark: Benchmark, number: int, step: int, folder: Path) -> Answers:
        assert (step, folder) == (STEPS[benchmark.id], edition_equivalence.FOLDER)
        rng = np.random.default_rng(number)
        guesses = [
            Prediction(item.id, 0, str(rng.choice(list("ABCD" if item.options else ("True", "False")))))
            for item in make_edition(benchmark, number).items
        ]
        return {"earshot-chance": guesses}

    monkeypatch.setattr("sys.argv", ["edition_equivalence", "--benchmark", "audio-motion-bench", "--editions", "4"])
    monkeypatch.setattr(edition_equivalence, "find_answers", guess)
    main()
    heading, _, *rows = capsys.readouterr().out.splitlines()
    assert heading.startswith("| benchmark | system | score | mean | SD |")
    assert [row.split(" | ")[:3] for row in rows[:2]] == [
        ["| AudioMotionBench", "Earshot chance", "Overall (overall)"],
        ["| AudioMotionBench", "Earshot chance", "SCT (sct)"],
    ]
    assert all(row.count("|") == heading.count("|") for row in rows)


# --- items ----------------------------------------------------------------------------------------------------------


@pytest.mark.timeout(3_600)
def test_no_two_editions_share_an_item(subtests: pytest.Subtests, soak: bool) -> None:
    for benchmark_id, version in VERSIONS.items():
        with subtests.test(benchmark=benchmark_id):
            benchmark = get_benchmark(benchmark_id, version)
            n_editions = N_EDITIONS if soak else 3
            shared = digest_editions(benchmark, range(n_editions))
            n_items = len(benchmark.content(benchmark.make_key("practice")).items)
            assert shared.items.total() == n_items * n_editions
            assert count_shared(shared.items) == 0
            assert count_shared(shared.ids) == 0
            assert benchmark is not TRACES or count_shared(shared.clips) == 0


def test_two_keys_of_one_seed_share_every_item() -> None:
    shared = digest_editions(TRACES, (1, 1))
    assert count_shared(shared.items) == len(shared.items)
    assert count_shared(shared.clips) == len(shared.clips)


def list_like_clips(benchmark: Benchmark, number: int) -> Iterator[bytes]:
    """Yield the clips of the first places in the design: those most alike in all editions."""
    edition = make_edition(benchmark, number)
    in_order = sorted(
        zip(edition.places, edition.items, strict=True), key=lambda row: (str(row[0].factors), row[1].task)
    )
    for clip in list(dict.fromkeys(clip for _, item in in_order for clip in item.clips))[:3]:
        yield benchmark.render_clip(edition.key, clip)


def test_rendered_clips_of_the_same_place_differ_between_editions(subtests: pytest.Subtests, soak: bool) -> None:
    n_editions = 3 if soak else 2
    for benchmark in (MOTION, STAR, TRACES):
        with subtests.test(benchmark=benchmark.id):
            clips = [data for number in range(n_editions) for data in list_like_clips(benchmark, number)]
            assert len(set(clips)) == len(clips) == 3 * n_editions
