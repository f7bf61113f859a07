"""Text-only baselines on boards: constant answers and linking get their declared scores."""

import pytest

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, all_benchmarks, get_benchmark
from evaluation.benchmarks.baselines import Baseline, find_largest_share, make_constant_baseline
from evaluation.benchmarks.star_bench.questions import shown_options
from evaluation.types import Item, Prediction, Report

AMB, STAR = get_benchmark("audio-motion-bench"), get_benchmark("star-bench")


def find(benchmark: Benchmark, name: str) -> Baseline:
    return next(baseline for baseline in benchmark.baselines if baseline.id == name)


def test_baselines_name_columns_and_constants_are_above_chance(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=f"{benchmark.id} {benchmark.version}"):
            for baseline in benchmark.baselines:
                assert all(0 <= value <= 1 for value in baseline.scores.values())
                assert baseline.scores.keys() <= benchmark.chance.keys()
                assert baseline.id != "constant" or all(v > benchmark.chance[k] for k, v in baseline.scores.items())


@pytest.mark.parametrize(("answer", "metric"), [("True", "tpr"), ("False", "tnr")])
def test_constant_true_and_false_have_the_rates_of_the_baseline(answer: str, metric: str) -> None:
    key = AMB.make_key("test", "one")
    items = AMB.content(key).items
    rows = [Prediction(item.id, 0, answer if item.answer_format == "boolean" else "A") for item in items]
    report = AMB.score(key, rows)
    constant = find(AMB, "constant").scores
    for name in ("overall/clean/tf", "sct/tf", "tat/15db/tf"):
        assert report.scores[name][metric].value == constant[f"{name}|{metric}"] == 1
        assert f"{name}|accuracy" not in constant
        assert report.scores[name]["accuracy"].value == AMB.chance[f"{name}|accuracy"]


def test_linking_scores_a_half_everywhere_on_audio_motion_bench() -> None:
    linking = find(AMB, "linking").scores
    assert linking["overall|accuracy"] == linking["overall/clean/mcq|accuracy"] == 0.5
    assert set(linking.values()) == {0.5}


def answer_all_alike(key: AnswerKey, items: list[Item], text: str) -> Report:
    return STAR.score(
        key,
        [
            Prediction(item.id, run, f"<{'ABCDE'[shown_options(item, run).index(text)]}>")
            for item in items
            for run in item.runs
        ],
    )


@pytest.mark.parametrize(
    ("task", "text", "share"),
    [
        ("perception/sensitivity/azimuth", "No, from different azimuths", 100 / 120),
        ("perception/range/distance", "Medium (3 to 8 metres)", 27 / 51),
        ("perception/sensitivity/pitch", "The first tone is higher", 50 / 120),
    ],
)
def test_best_constant_answer_of_star_bench_has_the_declared_score(task: str, text: str, share: float) -> None:
    key = STAR.make_key("practice")
    items = [item for item in STAR.content(key).items if item.task == task]
    report = answer_all_alike(key, items, text)
    constant = find(STAR, "constant").scores
    assert report.scores[task]["aa"].value == pytest.approx(share)
    assert constant[f"{task}|aa"] == constant[f"{task}|acr"] == pytest.approx(share)
    assert share > STAR.chance[f"{task}|aa"]


def test_constant_baseline_omits_scores_that_are_not_above_chance() -> None:
    baseline = make_constant_baseline({"a|x": 0.5, "b|x": 0.6, "c|x": 0.9}, {"a|x": 0.5, "b|x": 0.5})
    assert baseline.scores == {"b|x": 0.6}
    assert find_largest_share(["a", "b", "a"]) == pytest.approx(2 / 3)
