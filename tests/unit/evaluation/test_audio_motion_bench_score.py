"""Scores of AudioMotionBench: 20 predictions computed by hand, and systems with known scores."""

from collections.abc import Callable

import pytest

from evaluation import Prediction, Report, get_benchmark
from evaluation.answer_keys import PRACTICE_SEED
from evaluation.benchmarks.audio_motion_bench.design import (
    DesignedItem,
    design_items,
    mirror_front_back,
    mirror_left_right,
    reverse,
)
from evaluation.benchmarks.collecting import DuplicatePredictionError, UnknownItemError
from evaluation.packs import example_predictions
from evaluation.synthesis import Trajectory
from evaluation.types import Score
from tests.support.samples.key_answers import position_of

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BENCHMARK.make_key("practice")
ITEMS = design_items("practice", PRACTICE_SEED)


def find(variant: str, condition: str, form: str, path: str, *, claim: bool | None = None) -> DesignedItem:
    start, end = path.split("-")
    (matching_item,) = (
        designed
        for designed in ITEMS
        if (designed.clip.variant, designed.clip.condition, designed.form) == (variant, condition, form)
        and designed.clip.trajectory == Trajectory(start, end)
        and (claim is None or designed.answer == claim)
    )
    return matching_item


def choose(condition: str, path: str, image: Callable[[Trajectory], Trajectory]) -> Prediction:
    """Answer an SCT multiple-choice item with some image of the truth."""
    designed = find("sct", condition, "mcq", path)
    letter = "ABCD"[designed.offered.index(image(designed.clip.trajectory))]
    return Prediction(designed.item.id, 0, f"({letter})")


def judge(condition: str, path: str, claim: bool, response: str) -> Prediction:
    """Answer an SCT statement that is true or false."""
    return Prediction(find("sct", condition, "tf", path, claim=claim).item.id, 0, response)


def truth(path: Trajectory) -> Trajectory:
    return path


TWENTY = [
    # clean, multiple choice: three right, one left–right mirror image, one unreadable
    choose("clean", "N-E", truth),
    choose("clean", "W-E", truth),
    choose("clean", "NE-SE", truth),
    choose("clean", "N-NE", mirror_left_right),
    Prediction(find("sct", "clean", "mcq", "S-N").item.id, 0, "I am unable to determine the direction."),
    # clean, statements: hit, hit, miss; rejection, false alarm, unreadable
    judge("clean", "N-E", True, "True"),
    judge("clean", "W-E", True, "true."),
    judge("clean", "NE-SE", True, "False"),
    judge("clean", "N-E", False, "False"),
    judge("clean", "W-E", False, "True"),
    judge("clean", "NE-SE", False, "I am unable to determine this."),
    # 35 dB: one right, one front–back mirror image, one reversal; a hit and a false alarm
    choose("35db", "N-E", truth),
    choose("35db", "N-NE", mirror_front_back),
    choose("35db", "N-SE", reverse),
    judge("35db", "N-E", True, "True"),
    judge("35db", "N-E", False, "True"),
    # 15 dB: two right; a miss and a rejection. 25 dB: nothing at all.
    choose("15db", "N-E", truth),
    choose("15db", "E-N", truth),
    judge("15db", "N-E", True, "False"),
    judge("15db", "N-E", False, "False"),
]

# A variant has 4 conditions of 56 clips, each with one multiple-choice item, one true and one false statement: 224
# multiple-choice items and 448 statements in all. Missing answers count as wrong, so these are the denominators.
ACCURACY = {
    "sct": (3 + 2 + 1 + 1 + 2 + 1 + 1, 672),  # clean 3 + 3, 35 dB 1 + 1, 15 dB 2 + 1: 11
    "sct/clean": (3 + 3, 168),
    "sct/35db": (1 + 1, 168),
    "sct/25db": (0, 168),
    "sct/15db": (2 + 1, 168),
    "sct/mcq": (3 + 1 + 2, 224),
    "sct/tf": (3 + 1 + 1, 448),
    "sct/clean/mcq": (3, 56),
    "sct/35db/mcq": (1, 56),
    "sct/25db/mcq": (0, 56),
    "sct/15db/mcq": (2, 56),
    "sct/clean/tf": (3, 112),
    "sct/35db/tf": (1, 112),
    "sct/25db/tf": (0, 112),
    "sct/15db/tf": (1, 112),
}
# slice → hits of 56 (224) true statements, rejections and false alarms of as many false ones
VERIFICATION = {
    "sct/tf": (2 + 1, 1 + 1, 1 + 1, 224),
    "sct/clean/tf": (2, 1, 1, 56),
    "sct/35db/tf": (1, 0, 1, 56),
    "sct/25db/tf": (0, 0, 0, 56),
    "sct/15db/tf": (0, 1, 0, 56),
}
# Which images of the truth the readable answers above were offered (L left–right, F front–back, R reversal). The
# families of eight get, in their order, LF (N-NE), LR (N-E), FR (N-SE), LF, LR; NE-SE has four images, of which the
# reversal is the front–back one too; W-E is offered its reversal, which is its left–right image, and is its own
# front–back image.
#   clean: N-E LR, W-E LR, NE-SE LFR, N-NE LF (chose L). 35 dB: N-E LR, N-NE LF (chose F), N-SE FR (chose R).
#   15 dB: N-E LR, E-N LR. 25 dB: nothing.
# slice → metric → (how often it was chosen, how often it was offered)
CONFUSED = {
    "sct/mcq": {"left_right_confusion": (1, 8), "front_back_confusion": (1, 4), "reversal": (1, 7)},
    "sct/clean/mcq": {"left_right_confusion": (1, 4), "front_back_confusion": (0, 2), "reversal": (0, 3)},
    "sct/35db/mcq": {"left_right_confusion": (0, 2), "front_back_confusion": (1, 2), "reversal": (1, 2)},
    "sct/25db/mcq": {"left_right_confusion": (0, 0), "front_back_confusion": (0, 0), "reversal": (0, 0)},
    "sct/15db/mcq": {"left_right_confusion": (0, 2), "front_back_confusion": (0, 0), "reversal": (0, 2)},
}


@pytest.fixture(scope="module")
def report() -> Report:
    return BENCHMARK.score(KEY, TWENTY)


def test_twenty_predictions_give_exactly_the_slices_of_their_part(report: Report) -> None:
    assert len(TWENTY) == 20
    assert set(report.scores) == set(ACCURACY)
    assert report.parts == ("sct",)
    assert report.runs == 1


def test_accuracy_of_twenty_predictions_equals_the_hand_computed_values(
    report: Report, subtests: pytest.Subtests
) -> None:
    for name in ACCURACY:
        with subtests.test(name=name):
            right, n = ACCURACY[name]
            score = report.scores[name]["accuracy"]
            assert score.value == pytest.approx(right / n, abs=1e-12)
            assert score.n == n
            assert score.std is None


def test_verification_of_twenty_predictions_equals_the_hand_computed_values(
    report: Report, subtests: pytest.Subtests
) -> None:
    for name in VERIFICATION:
        with subtests.test(name=name):
            hits, rejections, alarms, n = VERIFICATION[name]
            for metric, count in (("tpr", hits), ("tnr", rejections), ("yes_bias", alarms)):
                assert report.scores[name][metric].value == pytest.approx(count / n, abs=1e-12), metric
                assert report.scores[name][metric].n == n


def test_confusions_of_twenty_predictions_equal_the_hand_computed_values(
    report: Report, subtests: pytest.Subtests
) -> None:
    for name in CONFUSED:
        with subtests.test(name=name):
            for metric, (chosen, offered) in CONFUSED[name].items():
                expected = Score(chosen / offered, offered) if offered else Score(None, 0)
                assert report.scores[name][metric] == expected, metric


def test_every_score_of_twenty_predictions_has_a_hand_computed_value(report: Report) -> None:
    computed = len(ACCURACY) + 3 * len(VERIFICATION) + sum(len(metrics) for metrics in CONFUSED.values())
    assert len(list(report.list_scores())) == computed == 45


def test_missing_and_unreadable_answers_are_counted(report: Report) -> None:
    assert report.expected == 672
    assert report.missing == 672 - 20
    assert report.unreadable == 2
    assert report.unreadable_reasons == {"refusal": 2}
    assert report.unreadable_rate == pytest.approx(2 / 672)


def answer_all(answer: Callable[[DesignedItem], str], runs: tuple[int, ...] = (0,)) -> list[Prediction]:
    return [Prediction(designed.item.id, run, answer(designed)) for designed in ITEMS for run in runs]


def right_answer(designed: DesignedItem) -> str:
    return str(designed.answer) if designed.form == "tf" else "ABCD"[position_of(designed.answer)]


def test_perfect_answers_score_one_everywhere_and_confuse_nothing() -> None:
    report = BENCHMARK.score(KEY, answer_all(right_answer, runs=(0, 1, 2)))
    for slice_name, metric, score in report.list_scores():
        best = 0.0 if metric in ("yes_bias", "left_right_confusion", "front_back_confusion", "reversal") else 1.0
        assert score.value == best, (slice_name, metric)
        assert score.std == 0.0
    assert (report.missing, report.unreadable, report.runs, report.expected) == (0, 0, 3, 6048)


def always(word: str, letter: str) -> Callable[[DesignedItem], str]:
    def answer(designed: DesignedItem) -> str:
        return word if designed.form == "tf" else letter

    return answer


def test_constant_answers_score_exactly_chance(subtests: pytest.Subtests) -> None:
    for word in ("True", "False"):
        for letter in "ABCD":
            with subtests.test(letter=letter, word=word):
                report = BENCHMARK.score(KEY, answer_all(always(word, letter)))
                for slice_name, metrics in report.scores.items():
                    if slice_name.startswith("direction/"):
                        continue
                    expected = 1 / 4 if slice_name.endswith("mcq") else 1 / 2 if slice_name.endswith("tf") else 5 / 12
                    assert metrics["accuracy"].value == pytest.approx(expected, abs=1e-9), slice_name
                    if slice_name.endswith("tf"):
                        assert metrics["yes_bias"].value == (1.0 if word == "True" else 0.0)


def test_seeded_chance_system_is_near_chance() -> None:
    content = BENCHMARK.content(BENCHMARK.make_key("practice"))
    rows = example_predictions(content)
    report = BENCHMARK.score(KEY, (Prediction(str(r["id"]), int(str(r["run"])), str(r["response"])) for r in rows))
    # Three seeds of 672 and 1,344 answers: standard errors of 0.010, 0.008 and 0.006; four of them are allowed.
    assert report.scores["overall/mcq"]["accuracy"].value == pytest.approx(1 / 4, abs=0.040)
    assert report.scores["overall/tf"]["accuracy"].value == pytest.approx(1 / 2, abs=0.032)
    assert report.scores["overall"]["accuracy"].value == pytest.approx(5 / 12, abs=0.025)
    assert report.scores["overall"]["accuracy"].std is not None


def test_std_is_the_sample_standard_deviation_of_the_seeds() -> None:
    wrong = {True: "False", False: "True"}

    def answer(designed: DesignedItem, run: int) -> str:
        # Run 0: all right. Run 1: every statement wrong. Run 2: all wrong.
        if run == 0 or (run == 1 and designed.form == "mcq"):
            return right_answer(designed)
        return wrong[bool(designed.answer)] if designed.form == "tf" else "ABCD"[(position_of(designed.answer) + 1) % 4]

    predictions = [Prediction(d.item.id, run, answer(d, run)) for d in ITEMS for run in (0, 1, 2)]
    score = BENCHMARK.score(KEY, predictions).scores["overall"]["accuracy"]
    # Seeds: 1, 1/3, 0. Mean 4/9; deviations 5/9, −1/9, −4/9; squares (25 + 1 + 16)/81; over two.
    assert score.value == pytest.approx(4 / 9)
    assert score.std == pytest.approx((42 / 81 / 2) ** 0.5)


def test_refused_answers_leave_confusion_rates_undefined() -> None:
    report = BENCHMARK.score(KEY, answer_all(lambda _designed: "I cannot listen to audio."))
    assert report.unreadable == 2016
    assert report.scores["overall"]["accuracy"].value == 0.0
    unranked = {metric.id for metric in BENCHMARK.metrics if not metric.ranked}
    others = {"yes_bias", "practice_gap"}
    assert unranked == {"left_right_confusion", "front_back_confusion", "reversal"} | others
    confusions = {metric: report.scores["overall/mcq"][metric] for metric in unranked - others}
    assert all(score == Score(None, 0) for score in confusions.values())


def test_overall_score_needs_every_part() -> None:
    two_parts = [Prediction(d.item.id, 0, right_answer(d)) for d in ITEMS if d.clip.variant != "tat"]
    report = BENCHMARK.score(KEY, two_parts)
    assert report.parts == ("sct", "sdt")
    assert not any(name.startswith(("overall", "tat", "direction")) for name in report.scores)
    assert report.expected == 1344


def test_overall_score_has_no_std_if_parts_have_different_seeds() -> None:
    predictions = [
        Prediction(d.item.id, run, right_answer(d))
        for d in ITEMS
        for run in ((0, 1) if d.clip.variant == "sct" else (0,))
    ]
    report = BENCHMARK.score(KEY, predictions)
    assert report.scores["overall"]["accuracy"].value == 1.0
    assert report.scores["overall"]["accuracy"].std is None
    assert report.scores["sct"]["accuracy"].std == 0.0
    assert report.expected == 672 * 2 + 672 * 2


def test_order_of_predictions_does_not_change_scores() -> None:
    assert BENCHMARK.score(KEY, TWENTY[::-1]).scores == BENCHMARK.score(KEY, TWENTY).scores


def test_better_answer_never_lowers_a_score(subtests: pytest.Subtests) -> None:
    before = BENCHMARK.score(KEY, TWENTY)
    for position in range(20):
        with subtests.test(position=position):
            (designed,) = (d for d in ITEMS if d.item.id == TWENTY[position].id)
            better = [
                *TWENTY[:position],
                Prediction(designed.item.id, 0, right_answer(designed)),
                *TWENTY[position + 1 :],
            ]
            after = BENCHMARK.score(KEY, better)
            for name in ACCURACY:
                assert (after.scores[name]["accuracy"].value or 0) >= (before.scores[name]["accuracy"].value or 0)


def test_two_answers_to_one_run_are_refused() -> None:
    with pytest.raises(DuplicatePredictionError, match="answered twice"):
        BENCHMARK.score(KEY, [TWENTY[0], TWENTY[0]])


@pytest.mark.parametrize("prediction", [Prediction("amb-nobody", 0, "A"), Prediction(ITEMS[0].item.id, 3, "A")])
def test_unknown_items_and_runs_are_refused(prediction: Prediction) -> None:
    with pytest.raises(UnknownItemError, match="Validate the file first"):
        BENCHMARK.score(KEY, [prediction])


def test_no_predictions_give_no_scores() -> None:
    report = BENCHMARK.score(KEY, [])
    assert report.scores == {}
    assert (report.parts, report.runs, report.expected) == ((), 0, 0)
    assert report.missing_rate == 0.0
