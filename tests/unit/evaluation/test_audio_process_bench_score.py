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
SAID = [
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
FOUND = {
    "existence": 1,
    "semantic": 0,
    "temporal": 1,
    "acoustic-attribute": 0,
    "cross-modal-binding": 1,
    "reasoning": 0,
}
PRMSCORE = {kind: 2 * hit * SPECIFICITY / (hit + SPECIFICITY) for kind, hit in FOUND.items()}
BALANCED = {kind: (hit + SPECIFICITY) / 2 for kind, hit in FOUND.items()}
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
    **{(f"type/{kind}", "recall"): (hit, 1) for kind, hit in FOUND.items()},
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
    return {(name, metric): figure.value for name, metric, figure in report.list_scores()}


def labels_of(key: AnswerKey, trace_id: str) -> TraceLabels:
    labels = key.answers[trace_id]
    assert isinstance(labels, TraceLabels)
    return labels


def answer_all(key: AnswerKey, flag: Any) -> list[Prediction]:
    """Return the verdicts of a critic that sees the truth of each step and makes of it what `flag` says."""
    return [
        Prediction(question["id"], 0, None, erroneous=tuple(flag(e) for e in labels_of(key, question["id"]).erroneous))
        for question in key.questions
    ]


def test_score_of_seven_traces_equals_the_figures_by_hand() -> None:
    report = score(SAID)
    found = {(name, metric): (figure.value, figure.n) for name, metric, figure in report.list_scores()}
    assert found.keys() == BY_HAND.keys()
    for key, (value, n) in BY_HAND.items():
        assert found[key] == (value if value is None else pytest.approx(value), n), key
    assert (report.parts, report.runs, report.expected, report.missing, report.unreadable) == (("traces",), 1, 7, 0, 0)


def test_outcomes_of_seven_traces_are_shares_and_verdicts() -> None:
    outcomes = score(SAID).outcomes
    assert outcomes.item_ids == ("A1", "A2", "A3", "B1", "B2", "C1", "C2")
    assert outcomes.correct[:, 0].tolist() == pytest.approx([1, 2 / 3, 0, 0, 1, 2 / 3, 1])
    assert outcomes.correct.shape == outcomes.choices.shape == (7, 1)
    assert outcomes.choices[:, 0].tolist() == [0] * 7
    assert outcomes.step_verdicts is not None
    assert outcomes.step_scores is not None
    assert outcomes.step_verdicts.tolist() == [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]
    assert (outcomes.step_verdicts.dtype, outcomes.step_scores.dtype) == (np.dtype(np.int8), np.dtype(np.float16))
    assert outcomes.step_scores[3] == np.float16(0.9)


def test_score_pools_the_tenth_step_and_all_later_ones() -> None:
    long = trace("." * 9 + "e..t", name="L")
    found = score([verdict("L", "." * 9 + "x.x.")], key_of([long])).scores
    assert found["position/10-up"]["aei"].value == pytest.approx(1 / 2)  # 1 of 2 errors, 1 of 2 right steps
    assert found["position/10-up"]["aei"].n == 4
    assert [found[f"position/{place}"]["aei"].n for place in range(1, 10)] == [1] * 9


def test_score_without_scores_takes_the_verdicts_for_them() -> None:
    bare = [Prediction(said.id, 0, None, erroneous=said.erroneous) for said in SAID]
    sure = [
        verdict(
            said.id,
            "".join(".x"[flag] for flag in said.erroneous or ()),
            [float(flag) for flag in said.erroneous or ()],
        )
        for said in SAID
    ]
    assert values(score(bare)) == values(score(sure))


# --- plain loops

rows_of_traces = st.lists(
    st.tuples(st.text("...estacr", min_size=1, max_size=4), st.integers(0, 2), st.sampled_from(OPTIONS[:3])),
    min_size=1,
    max_size=6,
)
few_scores = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def judged_traces(draw: st.DrawFn) -> tuple[AnswerKey, list[Prediction]]:
    """Return some traces and a file that may leave some of them out."""
    drawn = draw(rows_of_traces)
    rows = [
        trace(text, question=f"q{group}", final=final, generator=(STEP, QWEN)[number % 2], name=f"t{number}")
        for number, (text, group, final) in enumerate(drawn)
    ]
    said = []
    for row in rows:
        n_steps = len(row["steps"])
        if draw(st.booleans()) or row is rows[0]:
            flags = draw(st.lists(st.booleans(), min_size=n_steps, max_size=n_steps))
            scores = draw(st.none() | st.lists(few_scores, min_size=n_steps, max_size=n_steps))
            said.append(Prediction(row["id"], 0, None, None, tuple(flags), None if scores is None else tuple(scores)))
    return key_of(rows), said


Chain = tuple[str, str | None, bool, float]  # question, final answer, whether that is right, weight


def harmonic(hits: Sequence[bool], others: Sequence[bool]) -> float | None:
    if not hits or not others:
        return None
    a, b = fmean(hits), fmean(others)
    return 2 * a * b / (a + b) if a + b else 0.0


def loop_figures(key: AnswerKey, said: list[Prediction]) -> dict[tuple[str, str], float | None]:
    """Return the figures of the paper by plain loops; what is missing is the worst answer."""
    by_id = {prediction.id: prediction for prediction in said}
    steps: list[tuple[str | None, bool, float]] = []  # type of error, flagged, score
    found: list[bool] = []
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
        (clean if first_truth is None else found).append(first_flag == first_truth)
        weighed.append((question["question_id"], question["final_answer"], is_right, weight))
    kept = [not flag for kind, flag, _ in steps if kind is None]
    figures = {("step", "fei"): harmonic(found, clean)}
    figures["step", "aei"] = harmonic([flag for kind, flag, _ in steps if kind is not None], kept)
    for kind in ERROR_TYPES:
        own = [(flag, value) for other, flag, value in steps if other == kind]
        rest = [value for other, _, value in steps if other is None]
        pairs = [(high > low) + (high == low) / 2 for _, high in own for low in rest]
        figures[f"type/{kind}", "prmscore"] = harmonic([flag for flag, _ in own], kept)
        figures[f"type/{kind}", "auroc"] = fmean(pairs) if pairs else None
    figures["chain", "bon"], figures["chain", "mv"] = draw_chains(weighed)
    return figures


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
    key, said = case
    report = score(said, key)
    found = values(report)
    for name, value in loop_figures(key, said).items():
        assert found[name] == (value if value is None else pytest.approx(value, abs=1e-12)), name
    assert report.missing == len(key.questions) - len(said)


@given(judged_traces(), st.randoms(use_true_random=False))
def test_score_does_not_depend_on_the_order_of_predictions_or_traces(
    case: tuple[AnswerKey, list[Prediction]], random: Any
) -> None:
    key, said = case
    expected = values(score(said, key))
    turned = random.sample(said, len(said))
    assert values(score(turned, key)) == expected
    questions = tuple(random.sample(key.questions, len(key.questions)))
    assert values(score(said, AnswerKey(key.benchmark, "1.0", "test", "seed", key.answers, questions))) == expected


# --- known critics


def test_score_of_a_perfect_critic_is_one_everywhere() -> None:
    rows = [row for row in ROWS if row["id"] != "C1"]  # an error that leads to the right answer
    rows += [trace("r..", question="q3", final="rain", name="C1")]
    found = values(score(answer_all(key_of(rows), lambda erroneous: erroneous), key_of(rows)))
    for (name, metric), value in found.items():
        if metric != "self_critique_gap" and not name.startswith(("position", "generator")):
            assert value == 1.0, (name, metric)


def test_score_of_the_opposite_of_the_truth_is_zero() -> None:
    found = values(score(answer_all(KEY, lambda erroneous: not erroneous)))
    for name in ("step", "type", *(f"type/{kind}" for kind in ERROR_TYPES)):
        assert {value for (other, _), value in found.items() if other == name} <= {0.0, None}


@pytest.mark.parametrize("flag", [True, False])
def test_score_of_a_critic_that_says_the_same_of_every_step(flag: bool) -> None:
    found = values(score(answer_all(KEY, lambda _: flag)))
    assert found["step", "recall"] == float(flag)
    assert found["step", "specificity"] == float(not flag)
    assert found["step", "fei"] == found["step", "aei"] == found["type", "prmscore"] == 0.0
    assert found["type", "balanced_accuracy"] == found["type", "auroc"] == 0.5
    # Every chain weighs the same: BoN is the share of right traces of each question.
    assert found["chain", "bon"] == pytest.approx((1 / 3 + 1 / 2 + 1) / 3)


def test_score_of_a_generator_tells_how_often_it_answers_right() -> None:
    """B1 and C2 of the three traces by Qwen2.5-Omni-7B, A1 and C1 of the four by Step-Audio-R1."""
    for system, expected in (("qwen/Qwen2.5 Omni 7B", (2 / 3, 3)), (STEP, (2 / 4, 4))):
        found = score(SAID, system=system).scores["generation"]["accuracy"]
        assert found.value == pytest.approx(expected[0])
        assert found.n == expected[1]
    assert "generation" not in score(SAID, system="Somebody else").scores


@pytest.mark.parametrize(("source", "expected"), [("MMAU_Pro", {"source/mmau-pro"}), ("数据", set()), ("", set())])
def test_score_by_source_has_a_slice_for_each_that_has_a_name(source: str, expected: set[str]) -> None:
    found = score([SAID[0]], key_of([{**ROWS[0], "source": source}])).scores
    assert {name for name in found if name.startswith("source")} == expected


def test_score_of_no_prediction_is_no_figure() -> None:
    report = score([])
    assert report.scores == {}
    assert (report.parts, report.expected, report.missing) == ((), 0, 0)
    assert np.isnan(report.outcomes.correct).all()


def test_score_without_an_error_of_a_type_leaves_the_means_undefined() -> None:
    key = key_of([row for row in ROWS if row["id"] != "C1"])
    found = values(score([said for said in SAID if said.id != "C1"], key))
    assert found["type/reasoning", "prmscore"] is None
    assert found["type", "prmscore"] is None
    assert found["overall", "overall"] is None
    assert found["step", "overall"] is not None


@pytest.fixture(scope="module")
def paper_key() -> AnswerKey:
    return key_of(paper_shaped_traces())


def test_random_critic_on_traces_of_the_paper_s_shape_gets_the_printed_figures(paper_key: AnswerKey) -> None:
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
    for figure, expected in BENCHMARK.chance.items():
        name, metric = figure.split("|")
        if name.startswith(("step", "type", "generator")):
            # Some types of error are rare in the traces of one generator.
            assert mean[name, metric] == pytest.approx(expected, abs=0.06 if "/type/" in name else 0.015), figure


def verdict_of(row: dict[str, Any]) -> Prediction:
    return Prediction(row["id"], row["run"], None, erroneous=tuple(row["erroneous"]))


# --- what is missing, unreadable, or does not fit


@given(judged_traces(), st.integers(0))
def test_leaving_a_trace_out_never_helps(case: tuple[AnswerKey, list[Prediction]], place: int) -> None:
    key, said = case
    partial = said[:]
    del partial[place % len(said)]
    if partial:
        whole, less = values(score(said, key)), values(score(partial, key))
        for name, value in less.items():
            if name[1] != "self_critique_gap" and value is not None:
                assert value <= (whole[name] or 0.0) + 1e-12, name


@pytest.mark.parametrize("flags", [".", "x"])
def test_leaving_out_a_trace_that_is_judged_badly_does_not_help(flags: str) -> None:
    """A critic that flags everything would gain from silence on a trace without an error."""
    partial = score(SAID[:3] + SAID[4:])
    whole = score([*SAID[:3], verdict("B1", flags), *SAID[4:]])
    for name in (("step", "fei"), ("step", "aei"), ("chain", "bon"), ("chain", "mv"), ("overall", "overall")):
        assert (values(partial)[name] or 0) <= (values(whole)[name] or 0)


def test_missing_trace_counts_as_wrong_and_is_counted() -> None:
    report = score(SAID[:1])
    assert (report.expected, report.missing, report.unreadable) == (7, 6, 0)
    assert report.outcomes.choices[:, 0].tolist() == [0] + [MISSING] * 6
    assert report.outcomes.correct[:, 0].tolist() == [1.0] + [0.0] * 6
    found = values(report)
    assert found["step", "recall"] == 0.0
    assert found["step", "specificity"] == 2 / 11
    assert found["chain", "bon"] == pytest.approx((0 + 0 + 1) / 3)  # q3 has right answers only
    figures = {(name, metric): figure.n for name, metric, figure in report.list_scores()}
    assert figures["step", "aei"] == 17


def test_outcomes_of_a_missing_trace_do_not_tell_the_truth() -> None:
    outcomes = score(SAID[:1]).outcomes
    assert outcomes.step_verdicts is not None
    assert not outcomes.step_verdicts.any()


@pytest.mark.parametrize("response", [None, "", "I cannot judge this recording."])
def test_unreadable_response_counts_as_no_step_flagged(response: str | None) -> None:
    silent = score([verdict("A2", "...") if said.id == "A2" else said for said in SAID])
    report = score([Prediction("A2", 0, response) if said.id == "A2" else said for said in SAID])
    assert values(report) == values(silent)
    assert (report.unreadable, report.missing) == (1, 0)
    assert sum(report.unreadable_reasons.values()) == 1
    assert report.outcomes.choices[1, 0] == UNREADABLE
    assert report.outcomes.correct[1, 0] == pytest.approx(1 / 3)


def test_scores_beside_an_unreadable_response_are_not_used() -> None:
    with_scores = Prediction("A2", 0, "No idea.", scores=(0.9, 0.9, 0.9))
    without = Prediction("A2", 0, "No idea.")
    others = [said for said in SAID if said.id != "A2"]
    assert values(score([with_scores, *others])) == values(score([without, *others]))


def test_response_with_a_list_is_read() -> None:
    read = [Prediction("A2", 0, "[false, true, false]") if said.id == "A2" else said for said in SAID]
    plain = [verdict("A2", ".x.") if said.id == "A2" else said for said in SAID]
    assert values(score(read)) == values(score(plain))


def test_verdicts_that_do_not_fit_are_an_error(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Prediction, str]] = [
        (verdict("A2", ".x"), "`A2` has 2 verdicts, but the trace has 3 steps"),
        (verdict("A2", ".x.."), "`A2` has 4 verdicts, but the trace has 3 steps"),
        (verdict("A2", ".x.", [0.1, 0.9]), "`A2` has 2 scores, but the trace has 3 steps"),
        (verdict("A2", ".x.", [0.1, 1.5, 0.2]), "step 2 of `A2` is 1.5"),
        (verdict("A2", ".x.", [0.1, 0.9, -0.1]), "step 3 of `A2` is -0.1"),
        (verdict("A2", ".x.", [float("nan"), 0.9, 0.1]), "step 1 of `A2` is nan"),
        (Prediction("A2", 0, None, scores=(0.1, 0.9, 0.1)), "`A2` has scores but no verdicts"),
    ]
    for prediction, said in rows:
        with subtests.test(prediction=prediction, said=said), pytest.raises(StepVerdictError, match=said):
            score([SAID[0], prediction])


def test_score_of_unknown_or_double_predictions_is_an_error() -> None:
    with pytest.raises(UnknownItemError):
        score([verdict("Z9", ".")])
    with pytest.raises(DuplicatePredictionError):
        score([SAID[0], SAID[0]])
    with pytest.raises(SettingError):
        score(SAID, setting="default")


# --- the critic's own traces


def test_self_critique_gap_is_own_aei_less_the_others(subtests: pytest.Subtests) -> None:
    rows: list[str] = [QWEN, "qwen 2.5 omni 7b", "Qwen/Qwen2.5-Omni-7B", " QWEN2.5_Omni-7B "]
    for critic in rows:
        with subtests.test(critic=critic):
            figure = score(SAID, system=critic).scores["step"]["self_critique_gap"]
            own, others = BY_HAND["generator/qwen2.5-omni-7b", "aei"], BY_HAND["generator/step-audio-r1", "aei"]
            assert own[0] is not None
            assert others[0] is not None
            assert figure.value == pytest.approx(own[0] - others[0])
            assert figure.n == 17


def test_self_critique_gap_of_no_generator_is_undefined(subtests: pytest.Subtests) -> None:
    for critic in (None, "", "/", "Gemini-3-Flash", "Qwen2.5-Omni-3B"):
        with subtests.test(critic=critic):
            report = score(SAID, system=critic)
            assert report.scores["step"]["self_critique_gap"].value is None
            assert values(report) == values(score(SAID))


def test_signature_names_setting_and_version() -> None:
    assert score(SAID, setting="zero-shot").signature.setting == "zero-shot"
    assert str(score(SAID).signature).startswith("audio-process-bench:1.0|")


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


def test_signature_changes_with_everything_that_decides_a_figure(subtests: pytest.Subtests) -> None:
    for field in ("question_id", "final_answer", "generator", "steps"):
        with subtests.test(field=field):
            other = [dict(row) for row in ROWS]
            other[0][field] = ["One.", "Two."] if field == "steps" else "another"
            assert score(SAID, key_of(other)).signature != score(SAID).signature
