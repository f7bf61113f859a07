"""Scores of AudioProcessBench: seven traces by hand, plain loops, critics with known scores, missing predictions."""

import itertools
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.answer_keys import AnswerKey, TraceLabels
from evaluation.benchmarks.audio_process_bench import AudioProcessBench
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.benchmarks.collecting import DuplicatePredictionError, UnknownItemError
from evaluation.benchmarks.reading import StepVerdictError
from evaluation.errors import SettingError
from evaluation.packs import example_predictions
from evaluation.types import MISSING, UNREADABLE, Prediction, Report
from tests.support.samples.process_traces import OPTIONS, key_of, paper_shaped_traces, trace, verdict

BENCHMARK = AudioProcessBench("1.0")
STEP, QWEN = "Step-Audio-R1", "Qwen2.5-Omni-7B"

# `.` right, e existence, s semantic, t temporal, a attribute, c binding, r reasoning. Right is "a bell".
ROWS = [
    trace("..", question="q1", name="A1"),
    trace(".es", question="q1", final="rain", name="A2", generator=QWEN),
    trace("a.", question="q1", final="rain", name="A3"),
    trace(".", question="q2", name="B1", generator=QWEN),
    trace(".tc", question="q2", final="a siren", name="B2"),
    trace("r..", question="q3", name="C1"),
    trace("...", question="q3", name="C2", generator=QWEN),
]
KEY = key_of(ROWS)
PREDICTIONS = [
    verdict("A1", "..", [0.1, 0.3]),
    verdict("A2", ".x.", [0.2, 0.9, 0.4]),
    verdict("A3", ".x", [0.5, 0.7]),
    verdict("B1", "x", [0.6]),
    verdict("B2", ".xx", [0.3, 0.8, 0.7]),
    verdict("C1", "...", [0.4, 0.2, 0.0]),
    verdict("C2", "...", [0.1, 0.2, 0.3]),
]
# 6 erroneous steps: A2 e flagged, s not; A3 a not; B2 t and c flagged; C1 r not. 11 right ones, 2 flagged: of A3, B1.
RECALL, SPECIFICITY = 3 / 6, 9 / 11
# With an error: A2 found, A3 late, B2 found, C1 none: 2/4. Without: A1 clean, B1 flagged, C2 clean: 2/3.
FEI = 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)
AEI = 2 * RECALL * SPECIFICITY / (RECALL + SPECIFICITY)
HITS = {
    "existence": 1,
    "semantic": 0,
    "temporal": 1,
    "acoustic-attribute": 0,
    "cross-modal-binding": 1,
    "reasoning": 0,
}
PRMSCORE = {kind: 2 * hit * SPECIFICITY / (hit + SPECIFICITY) for kind, hit in HITS.items()}
BALANCED = {kind: (hit + SPECIFICITY) / 2 for kind, hit in HITS.items()}
# Scores of the right steps, in order: 0 .1 .1 .2 .2 .2 .3 .3 .3 .6 .7. An error beats so many of the 11, ties half:
AUROC = {
    "existence": 11 / 11,  # 0.9
    "semantic": 9 / 11,  # 0.4
    "temporal": 11 / 11,  # 0.8
    "acoustic-attribute": 9 / 11,  # 0.5
    "cross-modal-binding": 10.5 / 11,  # 0.7, once equal
    "reasoning": 9 / 11,  # 0.4
}
# Chains: A1 .8, A2 .5, A3 .4; B1 .4, B2 .4; C1 and C2 .8, both right.
# BoN: q1 right, q2 a draw of B1 (right) and B2, q3 right. MV: q1 .8 against .9 wrong, q2 a draw, q3 right.
BON, MV = (1 + 1 / 2 + 1) / 3, (0 + 1 / 2 + 1) / 3
STEP_MEAN, TYPE_MEAN, CHAIN_MEAN = fmean([FEI, AEI]), fmean(PRMSCORE.values()), fmean([BON, MV])

BY_HAND = {
    ("overall", "overall"): (fmean([STEP_MEAN, TYPE_MEAN, CHAIN_MEAN]), 7),
    ("step", "overall"): (STEP_MEAN, 7),
    ("step", "fei"): (FEI, 7),
    ("step", "aei"): (AEI, 17),
    ("step", "recall"): (RECALL, 6),
    ("step", "specificity"): (SPECIFICITY, 11),
    ("step", "self_critique_gap"): (None, 17),
    ("type", "prmscore"): (TYPE_MEAN, 17),
    ("type", "balanced_accuracy"): (fmean(BALANCED.values()), 17),
    ("type", "auroc"): (fmean(AUROC.values()), 17),
    **{(f"type/{kind}", "prmscore"): (value, 12) for kind, value in PRMSCORE.items()},
    **{(f"type/{kind}", "balanced_accuracy"): (value, 12) for kind, value in BALANCED.items()},
    **{(f"type/{kind}", "auroc"): (value, 12) for kind, value in AUROC.items()},
    ("chain", "overall"): (CHAIN_MEAN, 3),
    ("chain", "bon"): (BON, 3),
    ("chain", "mv"): (MV, 3),
    # A2, B1, C2: recall 1/2, specificity 4/5; the one error found, one of two others clean
    ("generator/qwen2.5-omni-7b", "aei"): (2 * 0.5 * 0.8 / 1.3, 7),
    ("generator/qwen2.5-omni-7b", "fei"): (2 * 1 * 0.5 / 1.5, 3),
    # A1, A3, B2, C1: recall 2/4, specificity 5/6; one of three errors found, the clean one clean
    ("generator/step-audio-r1", "aei"): (2 * (2 / 4) * (5 / 6) / (2 / 4 + 5 / 6), 10),
    ("generator/step-audio-r1", "fei"): (2 * (1 / 3) * 1 / (4 / 3), 4),
    # First steps: neither of 2 errors flagged. Second: A2 e, B2 t of 2 flagged, of 4 right ones A3's flagged.
    ("position/1", "aei"): (0.0, 7),
    ("position/2", "aei"): (2 * 1 * (3 / 4) / (7 / 4), 6),
    ("position/3", "aei"): (2 * (1 / 2) * 1 / (3 / 2), 4),
    **{(f"position/{place}", "aei"): (None, 0) for place in ("4", "5", "6", "7", "8", "9", "10-up")},
    ("type", "recall"): (3 / 6, 17),
    **{(f"type/{kind}", "recall"): (hit, 1) for kind, hit in HITS.items()},
    # All traces are from one source.
    ("source/ours", "aei"): (AEI, 17),
    ("source/ours", "fei"): (FEI, 7),
}
# Generator or position, and type of error → whether the only such step was flagged; there are no others.
CROSSED = {
    ("generator/qwen2.5-omni-7b", "existence"): 1,
    ("generator/qwen2.5-omni-7b", "semantic"): 0,
    ("generator/step-audio-r1", "acoustic-attribute"): 0,
    ("generator/step-audio-r1", "temporal"): 1,
    ("generator/step-audio-r1", "cross-modal-binding"): 1,
    ("generator/step-audio-r1", "reasoning"): 0,
    ("position/1", "acoustic-attribute"): 0,
    ("position/1", "reasoning"): 0,
    ("position/2", "existence"): 1,
    ("position/2", "temporal"): 1,
    ("position/3", "semantic"): 0,
    ("position/3", "cross-modal-binding"): 1,
}
_PLACES = [
    *("generator/qwen2.5-omni-7b", "generator/step-audio-r1"),
    *(f"position/{place}" for place in (*range(1, 10), "10-up")),
]
BY_HAND |= {
    (f"{place}/type/{kind}", "recall"): (hit, 0 if hit is None else 1)
    for place in _PLACES
    for kind in ERROR_TYPES
    for hit in [CROSSED.get((place, kind))]
}


def score(predictions: Iterable[Prediction], key: AnswerKey = KEY, **options: Any) -> Report:
    return BENCHMARK.score(key, predictions, **options)


def values(report: Report) -> dict[tuple[str, str], float | None]:
    return {(name, metric): entry.value for name, metric, entry in report.list_scores()}


def labels_of(key: AnswerKey, trace_id: str) -> TraceLabels:
    labels = key.answers[trace_id]
    assert isinstance(labels, TraceLabels)
    return labels


def answer_all(key: AnswerKey, flag: Any) -> list[Prediction]:
    """Return the verdicts of a critic that knows the truth of each step and returns `flag` of it."""
    return [
        Prediction(question["id"], 0, None, erroneous=tuple(flag(e) for e in labels_of(key, question["id"]).erroneous))
        for question in key.questions
    ]


def test_scores_of_seven_traces_equal_the_hand_computed_values() -> None:
    report = score(PREDICTIONS)
    computed = {(name, metric): (entry.value, entry.n) for name, metric, entry in report.list_scores()}
    assert computed.keys() == BY_HAND.keys()
    for key, (value, n) in BY_HAND.items():
        assert computed[key] == (value if value is None else pytest.approx(value), n), key
    assert (report.parts, report.runs, report.expected, report.missing, report.unreadable) == (("traces",), 1, 7, 0, 0)


def test_outcomes_of_seven_traces_contain_shares_and_verdicts() -> None:
    outcomes = score(PREDICTIONS).outcomes
    assert outcomes.item_ids == ("A1", "A2", "A3", "B1", "B2", "C1", "C2")
    assert outcomes.correct[:, 0].tolist() == pytest.approx([1, 2 / 3, 0, 0, 1, 2 / 3, 1])
    assert outcomes.correct.shape == outcomes.choices.shape == (7, 1)
    assert outcomes.choices[:, 0].tolist() == [0] * 7
    assert outcomes.step_verdicts is not None
    assert outcomes.step_scores is not None
    assert outcomes.step_verdicts.tolist() == [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]
    assert (outcomes.step_verdicts.dtype, outcomes.step_scores.dtype) == (np.dtype(np.int8), np.dtype(np.float16))
    assert outcomes.step_scores[3] == np.float16(0.9)


def test_score_pools_the_tenth_and_all_later_steps() -> None:
    long_trace = trace("." * 9 + "e..t", name="L")
    scores = score([verdict("L", "." * 9 + "x.x.")], key_of([long_trace])).scores
    assert scores["position/10-up"]["aei"].value == pytest.approx(1 / 2)  # 1 of 2 errors, 1 of 2 right steps
    assert scores["position/10-up"]["aei"].n == 4
    assert [scores[f"position/{place}"]["aei"].n for place in range(1, 10)] == [1] * 9


def test_score_uses_verdicts_if_scores_are_missing() -> None:
    without_scores = [Prediction(prediction.id, 0, None, erroneous=prediction.erroneous) for prediction in PREDICTIONS]
    with_scores = [
        verdict(
            prediction.id,
            "".join(".x"[flag] for flag in prediction.erroneous or ()),
            [float(flag) for flag in prediction.erroneous or ()],
        )
        for prediction in PREDICTIONS
    ]
    assert values(score(without_scores)) == values(score(with_scores))


# --- plain loops

rows_of_traces = st.lists(
    st.tuples(st.text("...estacr", min_size=1, max_size=4), st.integers(0, 2), st.sampled_from(OPTIONS[:3])),
    min_size=1,
    max_size=6,
)
few_scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def judged_traces(draw: st.DrawFn) -> tuple[AnswerKey, list[Prediction]]:
    """Return traces, and predictions that may omit some of them."""
    drawn = draw(rows_of_traces)
    rows = [
        trace(text, question=f"q{group}", final=final, generator=(STEP, QWEN)[number % 2], name=f"t{number}")
        for number, (text, group, final) in enumerate(drawn)
    ]
    predictions = []
    for row in rows:
        n_steps = len(row["steps"])
        if draw(st.booleans()) or row is rows[0]:
            flags = draw(st.lists(st.booleans(), min_size=n_steps, max_size=n_steps))
            scores = draw(st.none() | st.lists(few_scores, min_size=n_steps, max_size=n_steps))
            predictions.append(
                Prediction(row["id"], 0, None, None, tuple(flags), None if scores is None else tuple(scores))
            )
    return key_of(rows), predictions


Chain = tuple[str, str | None, bool, float]  # question, final answer, whether that is right, weight


def harmonic(hits: Sequence[bool], others: Sequence[bool]) -> float | None:
    if not hits or not others:
        return None
    a, b = fmean(hits), fmean(others)
    return 2 * a * b / (a + b) if a + b else 0.0


def loop_scores(key: AnswerKey, predictions: list[Prediction]) -> dict[tuple[str, str], float | None]:
    """Compute the scores of the paper in plain loops; a missing trace counts as the worst answer."""
    by_id = {prediction.id: prediction for prediction in predictions}
    steps: list[tuple[str | None, bool, float]] = []  # type of error, flagged, score
    detected: list[bool] = []
    clean: list[bool] = []
    weighed: list[tuple[str, str | None, bool, float]] = []
    for question in key.questions:
        labels = labels_of(key, question["id"])
        prediction = by_id.get(question["id"])
        is_right = question["final_answer"] == labels.answer
        flags = [not e for e in labels.erroneous] if prediction is None else list(prediction.erroneous or ())
        scores = [float(flag) for flag in flags]
        if prediction is not None and prediction.scores is not None:
            scores = list(prediction.scores)
        weight = 1 - fmean(scores) if prediction is not None else float(not is_right)
        steps += zip(labels.error_types, flags, scores, strict=True)
        first_flag = flags.index(True) if True in flags else None
        first_truth = labels.erroneous.index(True) if True in labels.erroneous else None
        (clean if first_truth is None else detected).append(first_flag == first_truth)
        weighed.append((question["question_id"], question["final_answer"], is_right, weight))
    specificity = [not flag for kind, flag, _ in steps if kind is None]
    results = {("step", "fei"): harmonic(detected, clean)}
    results["step", "aei"] = harmonic([flag for kind, flag, _ in steps if kind is not None], specificity)
    for kind in ERROR_TYPES:
        own = [(flag, value) for other, flag, value in steps if other == kind]
        rest = [value for other, _, value in steps if other is None]
        pairs = [(high > low) + (high == low) / 2 for _, high in own for low in rest]
        results[f"type/{kind}", "prmscore"] = harmonic([flag for flag, _ in own], specificity)
        results[f"type/{kind}", "auroc"] = fmean(pairs) if pairs else None
    results["chain", "bon"], results["chain", "mv"] = draw_chains(weighed)
    return results


def draw_chains(weighed: list[Chain]) -> tuple[float, float]:
    """Return BoN and MV as the mean accuracy over all ways in which ties may fall."""
    best, voted = [], []
    for group in {question for question, *_ in weighed}:
        own = [(final, right, weight) for question, final, right, weight in weighed if question == group]
        top = max(weight for *_, weight in own)
        best.append([right for _, right, weight in own if weight == pytest.approx(top, abs=1e-11)])
        sums = {(final, right): sum(w for other, _, w in own if other == final) for final, right, _ in own}
        most = max(sums.values())
        voted.append([right for (_, right), total in sums.items() if total == pytest.approx(most, abs=1e-11)])
    return tuple(fmean(fmean(draw) for draw in itertools.product(*winners)) for winners in (best, voted))  # type: ignore[return-value] # two of them


@given(judged_traces())
def test_score_equals_plain_loops(case: tuple[AnswerKey, list[Prediction]]) -> None:
    key, predictions = case
    report = score(predictions, key)
    scores = values(report)
    for name, value in loop_scores(key, predictions).items():
        assert scores[name] == (value if value is None else pytest.approx(value, abs=1e-12)), name
    assert report.missing == len(key.questions) - len(predictions)


@given(judged_traces(), st.randoms(use_true_random=True))
def test_score_does_not_depend_on_the_order_of_predictions_or_traces(
    case: tuple[AnswerKey, list[Prediction]], random: Any
) -> None:
    key, predictions = case
    expected = values(score(predictions, key))
    shuffled = random.sample(predictions, len(predictions))
    assert values(score(shuffled, key)) == expected
    questions = tuple(random.sample(key.questions, len(key.questions)))
    assert (
        values(score(predictions, AnswerKey(key.benchmark, "1.0", "test", "seed", key.answers, questions))) == expected
    )


# --- known critics


def test_score_of_a_perfect_critic_is_one_everywhere() -> None:
    rows = [row for row in ROWS if row["id"] != "C1"]  # an error that leads to the right answer
    rows += [trace("r..", question="q3", final="rain", name="C1")]
    scores = values(score(answer_all(key_of(rows), lambda erroneous: erroneous), key_of(rows)))
    for (name, metric), value in scores.items():
        if metric != "self_critique_gap" and not name.startswith(("position", "generator")):
            assert value == 1.0, (name, metric)


def test_score_of_inverted_verdicts_is_zero() -> None:
    scores = values(score(answer_all(KEY, lambda erroneous: not erroneous)))
    for name in ("step", "type", *(f"type/{kind}" for kind in ERROR_TYPES)):
        assert {value for (other, _), value in scores.items() if other == name} <= {0.0, None}


@pytest.mark.parametrize("flag", [True, False])
def test_score_of_a_constant_critic_is_zero_or_chance(flag: bool) -> None:
    scores = values(score(answer_all(KEY, lambda _: flag)))
    assert scores["step", "recall"] == float(flag)
    assert scores["step", "specificity"] == float(not flag)
    assert scores["step", "fei"] == scores["step", "aei"] == scores["type", "prmscore"] == 0.0
    assert scores["type", "balanced_accuracy"] == scores["type", "auroc"] == 0.5
    # Every chain weighs the same: BoN is the share of right traces of each question.
    assert scores["chain", "bon"] == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)


def test_score_of_a_generator_includes_the_accuracy_of_its_answers() -> None:
    """B1 and C2 of the three traces by Qwen2.5-Omni-7B, A1 and C1 of the four by Step-Audio-R1."""
    for system, expected in (("qwen/Qwen2.5 Omni 7B", (2 / 3, 3)), (STEP, (2 / 4, 4))):
        accuracy = score(PREDICTIONS, system=system).scores["generation"]["accuracy"]
        assert accuracy.value == pytest.approx(expected[0])
        assert accuracy.n == expected[1]
    assert "generation" not in score(PREDICTIONS, system="Somebody else").scores


@pytest.mark.parametrize(("source", "expected"), [("MMAU_Pro", {"source/mmau-pro"}), ("数据", set()), ("", set())])
def test_score_has_a_slice_for_each_named_source(source: str, expected: set[str]) -> None:
    scores = score([PREDICTIONS[0]], key_of([{**ROWS[0], "source": source}])).scores
    assert {name for name in scores if name.startswith("source")} == expected


def test_no_predictions_give_no_scores() -> None:
    report = score([])
    assert report.scores == {}
    assert (report.parts, report.expected, report.missing) == ((), 0, 0)
    assert np.isnan(report.outcomes.correct).all()


def test_missing_errors_of_a_type_leave_the_means_undefined() -> None:
    key = key_of([row for row in ROWS if row["id"] != "C1"])
    scores = values(score([prediction for prediction in PREDICTIONS if prediction.id != "C1"], key))
    assert scores["type/reasoning", "prmscore"] is None
    assert scores["type", "prmscore"] is None
    assert scores["overall", "overall"] is None
    assert scores["step", "overall"] is not None


@pytest.fixture(scope="module")
def paper_key() -> AnswerKey:
    return key_of(paper_shaped_traces())


def test_random_critic_on_traces_of_the_paper_s_shape_gets_the_printed_scores(paper_key: AnswerKey) -> None:
    content = BENCHMARK.content(paper_key)
    assert sum(item.n_steps or 0 for item in content.items) == 23_497
    draws = []
    for seed in range(8):
        rows: Any = example_predictions(content, f"draw {seed}")
        draws.append(values(score([verdict_of(row) for row in rows], paper_key)))
    mean = {name: fmean(float(draw[name] or 0) for draw in draws) for name in draws[0]}
    assert mean["step", "aei"] == pytest.approx(0.442, abs=0.01)
    assert mean["step", "fei"] == pytest.approx(0.026, abs=0.01)
    for kind in ERROR_TYPES:
        assert 0.439 - 0.01 < mean[f"type/{kind}", "prmscore"] < 0.446 + 0.01
        assert mean[f"type/{kind}", "balanced_accuracy"] == pytest.approx(0.5, abs=0.015)
        assert mean[f"type/{kind}", "auroc"] == pytest.approx(0.5, abs=0.015)
    for column, expected in BENCHMARK.chance.items():
        name, metric = column.split("|")
        if name.startswith(("step", "type", "generator")):
            # Some types of error are rare in the traces of one generator.
            assert mean[name, metric] == pytest.approx(expected, abs=0.06 if "/type/" in name else 0.015), column


def verdict_of(row: dict[str, Any]) -> Prediction:
    return Prediction(row["id"], row["run"], None, erroneous=tuple(row["erroneous"]))


# --- missing, unreadable and malformed predictions


@given(judged_traces(), st.integers(0))
def test_omitting_a_trace_never_raises_a_score(case: tuple[AnswerKey, list[Prediction]], place: int) -> None:
    key, predictions = case
    partial = predictions[:]
    del partial[place % len(predictions)]
    if partial:
        whole, less = values(score(predictions, key)), values(score(partial, key))
        for name, value in less.items():
            if name[1] != "self_critique_gap" and value is not None:
                assert value <= (whole[name] or 0.0) + 1e-12, name


@pytest.mark.parametrize("flags", [".", "x"])
def test_omitting_a_badly_judged_trace_does_not_raise_a_score(flags: str) -> None:
    """A critic that flags everything would gain from silence on a trace without an error."""
    partial = score(PREDICTIONS[:3] + PREDICTIONS[4:])
    whole = score([*PREDICTIONS[:3], verdict("B1", flags), *PREDICTIONS[4:]])
    for name in (("step", "fei"), ("step", "aei"), ("chain", "bon"), ("chain", "mv"), ("overall", "overall")):
        assert (values(partial)[name] or 0) <= (values(whole)[name] or 0)


def test_missing_trace_counts_as_wrong_and_missing() -> None:
    report = score(PREDICTIONS[:1])
    assert (report.expected, report.missing, report.unreadable) == (7, 6, 0)
    assert report.outcomes.choices[:, 0].tolist() == [0] + [MISSING] * 6
    assert report.outcomes.correct[:, 0].tolist() == [1.0] + [0.0] * 6
    scores = values(report)
    assert scores["step", "recall"] == 0.0
    assert scores["step", "specificity"] == 2 / 11
    assert scores["chain", "bon"] == pytest.approx((0 + 0 + 1) / 3)  # q3 has right answers only
    counts = {(name, metric): entry.n for name, metric, entry in report.list_scores()}
    assert counts["step", "aei"] == 17


def test_outcomes_of_a_missing_trace_do_not_reveal_its_labels() -> None:
    outcomes = score(PREDICTIONS[:1]).outcomes
    assert outcomes.step_verdicts is not None
    assert not outcomes.step_verdicts.any()


@pytest.mark.parametrize("response", [None, "", "I cannot judge this recording."])
def test_unreadable_response_flags_no_step(response: str | None) -> None:
    silent = score([verdict("A2", "...") if prediction.id == "A2" else prediction for prediction in PREDICTIONS])
    report = score(
        [Prediction("A2", 0, response) if prediction.id == "A2" else prediction for prediction in PREDICTIONS]
    )
    assert values(report) == values(silent)
    assert (report.unreadable, report.missing) == (1, 0)
    assert sum(report.unreadable_reasons.values()) == 1
    assert report.outcomes.choices[1, 0] == UNREADABLE
    assert report.outcomes.correct[1, 0] == pytest.approx(1 / 3)


def test_scores_of_an_unreadable_response_are_ignored() -> None:
    with_scores = Prediction("A2", 0, "No idea.", scores=(0.9, 0.9, 0.9))
    without = Prediction("A2", 0, "No idea.")
    others = [prediction for prediction in PREDICTIONS if prediction.id != "A2"]
    assert values(score([with_scores, *others])) == values(score([without, *others]))


def test_list_in_a_response_is_read_as_verdicts() -> None:
    read = [
        Prediction("A2", 0, "[false, true, false]") if prediction.id == "A2" else prediction
        for prediction in PREDICTIONS
    ]
    plain = [verdict("A2", ".x.") if prediction.id == "A2" else prediction for prediction in PREDICTIONS]
    assert values(score(read)) == values(score(plain))


def test_verdicts_of_wrong_length_or_range_are_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Prediction, str]] = [
        (verdict("A2", ".x"), "`A2` has 2 verdicts, but the trace has 3 steps"),
        (verdict("A2", ".x.."), "`A2` has 4 verdicts, but the trace has 3 steps"),
        (verdict("A2", ".x.", [0.1, 0.9]), "`A2` has 2 scores, but the trace has 3 steps"),
        (verdict("A2", ".x.", [0.1, 1.5, 0.2]), "step 2 of `A2` is 1.5"),
        (verdict("A2", ".x.", [0.1, 0.9, -0.1]), "step 3 of `A2` is -0.1"),
        (verdict("A2", ".x.", [float("nan"), 0.9, 0.1]), "step 1 of `A2` is nan"),
        (Prediction("A2", 0, None, scores=(0.1, 0.9, 0.1)), "`A2` has scores but no verdicts"),
    ]
    for prediction, message in rows:
        with subtests.test(prediction=prediction, message=message), pytest.raises(StepVerdictError, match=message):
            score([PREDICTIONS[0], prediction])


def test_unknown_item_duplicate_prediction_or_unknown_setting_is_refused() -> None:
    with pytest.raises(UnknownItemError):
        score([verdict("Z9", ".")])
    with pytest.raises(DuplicatePredictionError):
        score([PREDICTIONS[0], PREDICTIONS[0]])
    with pytest.raises(SettingError):
        score(PREDICTIONS, setting="default")


# --- the critic's own traces


def test_self_critique_gap_is_own_aei_minus_that_of_the_others(subtests: pytest.Subtests) -> None:
    rows: list[str] = [QWEN, "qwen 2.5 omni 7b", "Qwen/Qwen2.5-Omni-7B", " QWEN2.5_Omni-7B "]
    for critic in rows:
        with subtests.test(critic=critic):
            gap = score(PREDICTIONS, system=critic).scores["step"]["self_critique_gap"]
            own, others = BY_HAND["generator/qwen2.5-omni-7b", "aei"], BY_HAND["generator/step-audio-r1", "aei"]
            assert own[0] is not None
            assert others[0] is not None
            assert gap.value == pytest.approx(own[0] - others[0])
            assert gap.n == 17


def test_self_critique_gap_is_undefined_for_systems_without_traces(subtests: pytest.Subtests) -> None:
    for critic in (None, "", "/", "Gemini-3-Flash", "Qwen2.5-Omni-3B"):
        with subtests.test(critic=critic):
            report = score(PREDICTIONS, system=critic)
            assert report.scores["step"]["self_critique_gap"].value is None
            assert values(report) == values(score(PREDICTIONS))


def test_signature_names_setting_and_version() -> None:
    assert score(PREDICTIONS, setting="zero-shot").signature.setting == "zero-shot"
    assert str(score(PREDICTIONS).signature).startswith("audio-process-bench:1.0|")


def test_unreadable_response_is_counted_under_its_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str | None, str]] = [
        (None, "empty"),
        (" \n", "empty"),
        ("It is hard to say.", "refusal"),
        ('{"erroneous": 1}', "outside-options"),
        ("[true, false]", "ambiguous"),
    ]
    for response, reason in rows:
        with subtests.test(response=response, reason=reason):
            report = score([Prediction("A2", 0, response)])
            assert report.unreadable_reasons == {reason: 1}


def test_signature_changes_with_everything_that_affects_a_score(subtests: pytest.Subtests) -> None:
    for field in ("question_id", "final_answer", "generator", "steps"):
        with subtests.test(field=field):
            other = [dict(row) for row in ROWS]
            other[0][field] = ["One.", "Two."] if field == "steps" else "another"
            assert score(PREDICTIONS, key_of(other)).signature != score(PREDICTIONS).signature
