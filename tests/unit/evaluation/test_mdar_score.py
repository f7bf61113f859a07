"""Scores of MDAR: hand-computed values, plain loops, and invariants."""

import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Prediction, Report, read_choice, read_choices
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.benchmarks.mdar import Mdar
from evaluation.errors import SettingError
from evaluation.metrics import Judgement, JudgementError
from evaluation.packs import example_predictions
from evaluation.predictions import PredictionFileError, catalogue_of, read_checked_predictions
from evaluation.published import read_published
from evaluation.types import ABSENT, MISSING, UNREADABLE, AudioPart, Score, TextPart

ASSETS = Path(__file__).parents[3] / "assets"
BENCHMARK = Mdar("demo")
KEY = BENCHMARK.make_key("practice")
ITEMS = BENCHMARK.content(KEY).items
LETTERS = "ABCDEFGHIJ"
CONCENTRATION = "main|option_concentration"
# Official label → the slice of its sub-task.
SUB_TASKS = {
    "人物身份关联任务": "main/sr/identity",
    "社交意图推理任务": "main/sr/intent",
    "事件因果推理任务": "main/er/causality",
    "事件顺序推理任务": "main/er/order",
    "场景定位任务": "main/su/location",
    "场景变化（切换）推理任务": "main/su/change",
    "场景要素识别": "main/su/elements",
    "异常检测与安全任务": "main/ad/safety",
    "时间推理任务": "main/tr/time",
}
_OFFICIAL = json.loads((Mdar.demo_dir / "MDAR-main.json").read_text(encoding="utf-8"))
SUB_OF = {f"main-{entry['id']}": SUB_TASKS[entry["category"]] for entry in _OFFICIAL}
MULTI_METRICS = ("em", "ji", "precision", "recall")
OPEN_METRICS = ("judge_score", "judge_raw", "judge_spread", "position_effect")


def right_response(item_id: str) -> str:
    answer = KEY.answers[item_id]
    if isinstance(answer, tuple):
        return "、".join(LETTERS[place] for place in answer)
    return LETTERS[answer] if isinstance(answer, int) else str(answer)


RIGHT = [Prediction(item.id, 0, right_response(item.id)) for item in ITEMS]
OPEN_IDS = tuple(item.id for item in ITEMS if item.part == "open")


def of_part(part: str) -> list[Prediction]:
    return [prediction for prediction in RIGHT if prediction.id.startswith(part)]


def judge_all(candidate: float = 8.0, reference: float = 10.0) -> dict[str, list[Judgement]]:
    return {
        item_id: [Judgement(candidate, reference, candidate_first=first) for first in (True, False)]
        for item_id in OPEN_IDS
    }


def list_values(report: Report) -> dict[str, float | None]:
    return {f"{name}|{metric}": score.value for name, metric, score in report.list_scores()}


def test_right_answers_have_perfect_scores() -> None:
    report = BENCHMARK.score(KEY, RIGHT, judgements=judge_all(9, 9))
    values = list_values(report)
    assert {
        values.pop(f"{name}|{m}") for name in report.scores if name.startswith("open") for m in OPEN_METRICS[2:]
    } == {0.0}
    assert {values.pop(f"{name}|judge_raw") for name in report.scores if name.startswith("open")} == {0.9}
    assert 1 / 4 < (values.pop(CONCENTRATION) or 0) < 1 / 2, "the right answers are spread over the options"
    assert set(values.values()) == {1.0}
    assert (report.parts, report.runs, report.missing, report.unreadable) == (("main", "multi", "open"), 1, 0, 0)
    assert (report.expected, report.awaiting_judge) == (len(ITEMS), ())


def test_slices_are_the_parts_and_their_categories() -> None:
    report = BENCHMARK.score(KEY, RIGHT, judgements=judge_all())
    five = ("sr", "er", "su", "ad", "tr")
    metrics = {name: tuple(scores) for name, scores in report.scores.items()}
    assert metrics == {
        "main": ("accuracy", "option_concentration"),
        **dict.fromkeys((*(f"main/{slug}" for slug in five), *SUB_TASKS.values()), ("accuracy",)),
        **dict.fromkeys(("multi", "multi/pdr", "multi/csr", "multi/mcir"), MULTI_METRICS),
        **dict.fromkeys(("open", *(f"open/{slug}" for slug in five)), OPEN_METRICS),
    }
    for name, scores in report.scores.items():
        own = [f"{SUB_OF.get(item.id, item.task)}/".startswith(f"{name}/") for item in ITEMS]
        assert {score.n for score in scores.values()} == {sum(own)}


def test_columns_and_published_rows_name_scores_of_a_report() -> None:
    known = set(list_values(BENCHMARK.score(KEY, RIGHT, judgements=judge_all())))
    columns = [column.key for column in BENCHMARK.columns if not is_error_share(column.metric)]
    assert set(columns) == known - {
        f"open/{slug}|{m}" for slug in ("sr", "er", "su", "ad", "tr") for m in OPEN_METRICS[1:]
    }
    assert len(columns) == len(set(columns))
    assert [column.key for column in BENCHMARK.columns if column.shown] == [
        "main|accuracy",
        "multi|em",
        "open|judge_score",
    ]
    assert BENCHMARK.columns[0] == BENCHMARK.headline
    assert {column.metric for column in BENCHMARK.columns} <= {metric.id for metric in BENCHMARK.metrics}
    published = {
        f"{score.slice}|{score.metric}"
        for row in read_published(ASSETS / "published" / "mdar.json").rows
        for score in row.scores
    }
    assert published - known == {"main|reasoning_error_share"}
    assert set(BENCHMARK.chance) <= known


def test_main_scores_of_a_few_answers_equal_the_hand_computed_values() -> None:
    # Of 14 items: two right, one wrong, one unreadable, ten missing.
    main = of_part("main")
    wrong = LETTERS[(int(str(KEY.answers[main[2].id])) + 1) % 4]
    report = BENCHMARK.score(KEY, [*main[:2], Prediction(main[2].id, 0, wrong), Prediction(main[3].id, 0, "A或者B")])
    positions = [int(str(KEY.answers[prediction.id])) for prediction in main[:2]] + [LETTERS.index(wrong)]
    most = max(positions.count(position) for position in positions)
    assert report.scores["main"] == {"accuracy": Score(2 / 14, 14), "option_concentration": Score(most / 3, 14)}
    assert report.scores["main/tr"] == {"accuracy": Score(0.0, 2)}
    assert (report.expected, report.missing, report.unreadable) == (14, 10, 1)
    assert report.unreadable_reasons == {"ambiguous": 1}
    assert report.parts == ("main",)
    assert set(report.outcomes.choices[14:, 0]) == {ABSENT}


def test_multi_scores_of_a_few_answers_equal_the_hand_computed_values() -> None:
    # multi-0000 has A, B, D: chosen A, C. multi-0001 has A, C, D: chosen all. The other five are missing.
    assert (KEY.answers["multi-0000"], KEY.answers["multi-0001"]) == ((0, 1, 3), (0, 2, 3))
    report = BENCHMARK.score(KEY, [Prediction("multi-0000", 0, "A、C"), Prediction("multi-0001", 0, "答案是ABCD。")])
    values = {metric: score.value for metric, score in report.scores["multi"].items()}
    expected = {"em": 0, "ji": (1 / 4 + 3 / 4) / 7, "precision": (1 / 2 + 3 / 4) / 7, "recall": (1 / 3 + 1) / 7}
    assert values == pytest.approx(expected, abs=1e-12)
    assert report.missing == 5


def test_omitted_item_stays_in_the_denominator() -> None:
    # The released script divides by the number of answers: half a file of right answers would score 100 %.
    half = of_part("main")[:7]
    assert BENCHMARK.score(KEY, half).scores["main"]["accuracy"] == Score(0.5, 14)


def test_duplicate_answer_is_refused() -> None:
    with pytest.raises(Exception, match="is answered twice"):
        BENCHMARK.score(KEY, [RIGHT[0], RIGHT[0]])


# --- open answers ---------------------------------------------------------------------------------------------------


def test_open_answers_have_no_scores_until_they_are_judged() -> None:
    report = BENCHMARK.score(KEY, RIGHT)
    assert report.awaiting_judge == OPEN_IDS
    assert not [name for name in report.scores if name.startswith("open")]
    assert report.scores["main"]["accuracy"].value == 1.0
    assert report.parts == ("main", "multi", "open")
    assert np.isnan(report.outcomes.correct[-len(OPEN_IDS) :]).all()


def test_empty_open_answer_scores_zero_without_a_judge_call() -> None:
    empty = [Prediction(OPEN_IDS[0], 0, " \n…"), Prediction(OPEN_IDS[1], 0, None), Prediction(OPEN_IDS[2], 0, "有人。")]
    report = BENCHMARK.score(KEY, empty)
    assert (report.awaiting_judge, report.unreadable, report.missing) == ((OPEN_IDS[2],), 2, len(OPEN_IDS) - 3)
    judged = BENCHMARK.score(KEY, empty, judgements={OPEN_IDS[2]: [Judgement(4, 8, candidate_first=True)]})
    assert judged.awaiting_judge == ()
    assert judged.scores["open"]["judge_score"] == Score(0.5 / 7, 7)
    assert judged.scores["open"]["judge_raw"] == Score(0.4 / 7, 7)
    assert judged.outcomes.correct[-7:, 0].tolist() == [0, 0, 0.5, 0, 0, 0, 0]


def test_empty_open_answers_score_zero_immediately() -> None:
    report = BENCHMARK.score(KEY, [Prediction(item_id, 0, "") for item_id in OPEN_IDS])
    assert report.awaiting_judge == ()
    assert report.scores["open"]["judge_score"] == Score(0.0, 7)
    assert report.scores["open"]["judge_spread"] == Score(None, 0)


def test_partly_judged_open_answers_await_the_rest() -> None:
    judgements = judge_all()
    del judgements[OPEN_IDS[3]]
    judgements[OPEN_IDS[5]] = []
    report = BENCHMARK.score(KEY, RIGHT, judgements=judgements)
    assert report.awaiting_judge == (OPEN_IDS[3], OPEN_IDS[5])
    assert "open" not in report.scores


def test_judged_answers_score_as_fractions() -> None:
    judgements = judge_all(6, 8)
    judgements[OPEN_IDS[0]] = [Judgement(10, 5, candidate_first=True), Judgement(4, 5, candidate_first=False)]
    report = BENCHMARK.score(KEY, RIGHT, judgements=judgements)
    values = {metric: score.value for metric, score in report.scores["open"].items()}
    assert values == pytest.approx(
        {
            "judge_score": (0.9 + 6 * 0.75) / 7,
            "judge_raw": (0.7 + 6 * 0.6) / 7,
            "judge_spread": 0.2 / math.sqrt(2) / 7,
            "position_effect": 0.2 / 7,
        }
    )
    assert report.scores["open/tr"]["judge_score"] == Score(0.75, 1)


@pytest.mark.parametrize(
    ("item_id", "predictions"), [("main-0000", RIGHT), ("open-9999", RIGHT), (OPEN_IDS[0], of_part("main"))]
)
def test_judgement_of_an_item_without_an_open_answer_is_refused(item_id: str, predictions: list[Prediction]) -> None:
    with pytest.raises(JudgementError, match=f"1 judgements are for items without an open answer, such as `{item_id}`"):
        BENCHMARK.score(KEY, predictions, judgements={item_id: [Judgement(1, 1, candidate_first=True)]})


# --- loops and invariants -------------------------------------------------------------------------------------------

RESPONSES = ("A", "b", "C。", "答案是D", "A、B", "A和C", "ABD", "", "我不知道", "A或者B", "有人在敲门。", None)
answered = st.lists(st.sampled_from(RESPONSES), min_size=len(ITEMS), max_size=len(ITEMS))


def answer_with(responses: Sequence[str | None]) -> list[Prediction]:
    """Return predictions for all items but those that drew None, which are missing."""
    pairs = zip(ITEMS, responses, strict=True)
    return [Prediction(item.id, 0, response) for item, response in pairs if response is not None]


def judge_awaiting(predictions: list[Prediction]) -> dict[str, list[Judgement]]:
    awaiting = BENCHMARK.score(KEY, predictions).awaiting_judge
    return {item_id: [Judgement(len(item_id) % 7, 8, candidate_first=True)] for item_id in awaiting}


def compute_plain_scores(predictions: list[Prediction]) -> dict[str, float]:
    """Compute the scores of main and multi with loops over items."""
    responses = {prediction.id: prediction.response for prediction in predictions}
    sums: dict[str, float] = {}
    counts: dict[str, int] = {}
    for item in ITEMS:
        truth = KEY.answers[item.id]
        values: dict[str, float] = {}
        if item.part == "main":
            values["accuracy"] = float(read_choice(responses.get(item.id), item.options).index == truth)
        elif isinstance(truth, tuple):
            right = set(truth)
            selected = set(read_choices(responses.get(item.id), item.options).indices or ())
            values["em"] = float(selected == right)
            values["ji"] = len(selected & right) / len(selected | right)
            values["precision"] = len(selected & right) / len(selected) if selected else 0
            values["recall"] = len(selected & right) / len(right)
        for metric, value in values.items():
            for name in (item.part, item.task, *([SUB_OF[item.id]] if item.id in SUB_OF else [])):
                sums[f"{name}|{metric}"] = sums.get(f"{name}|{metric}", 0) + value
                counts[f"{name}|{metric}"] = counts.get(f"{name}|{metric}", 0) + 1
    scores = {column: total / counts[column] for column, total in sums.items()}
    chosen = [read_choice(responses.get(item.id), item.options).index for item in ITEMS if item.part == "main"]
    read = [place for place in chosen if place is not None]
    return scores | {CONCENTRATION: max(read.count(place) for place in read) / len(read) if read else 0.0}


@given(answered)
def test_scores_equal_plain_loops(responses: list[str | None]) -> None:
    predictions = answer_with(responses)
    values = list_values(BENCHMARK.score(KEY, predictions))
    parts = {prediction.id.split("-")[0] for prediction in predictions}
    expected = {f: v for f, v in compute_plain_scores(predictions).items() if f.split("|")[0].split("/")[0] in parts}
    actual = {f: v or 0.0 for f, v in values.items() if not f.startswith("open")}
    assert actual == pytest.approx(expected, abs=1e-12)


@given(answered, st.randoms(use_true_random=True))
def test_order_of_rows_changes_no_score(responses: list[str | None], rng: random.Random) -> None:
    predictions = answer_with(responses)
    judgements = judge_awaiting(predictions)
    shuffled = rng.sample(predictions, len(predictions))
    first, second = (BENCHMARK.score(KEY, rows, judgements=judgements) for rows in (predictions, shuffled))
    assert first.scores == second.scores
    assert np.array_equal(first.outcomes.choices, second.outcomes.choices)


@given(answered, st.integers(0, len(ITEMS) - len(OPEN_IDS) - 1))
def test_better_answer_never_lowers_a_score(responses: list[str | None], row: int) -> None:
    better = [*responses]
    better[row] = right_response(ITEMS[row].id)
    before, after = (list_values(BENCHMARK.score(KEY, answer_with(answers))) for answers in (responses, better))
    for column in (name for name in before if name != CONCENTRATION):
        assert (after[column] or 0) >= (before[column] or 0) - 1e-12


def test_outcomes_contain_the_score_of_each_item() -> None:
    predictions = [
        Prediction("multi-0000", 0, "A、B、D"),
        Prediction("multi-0001", 0, "A、C"),
        Prediction("multi-0002", 0, "我不知道"),
    ]
    outcomes = BENCHMARK.score(KEY, predictions).outcomes
    rows = [outcomes.item_ids.index(f"multi-000{number}") for number in range(4)]
    assert outcomes.choices[rows, 0].tolist() == [0b1011, 0b0101, UNREADABLE, MISSING]
    assert outcomes.correct[rows, 0].tolist() == [1, 0, 0, 0]
    assert np.isnan(outcomes.correct[0, 0])


def test_no_predictions_give_no_scores() -> None:
    report = BENCHMARK.score(KEY, [])
    assert (report.scores, report.parts, report.expected, report.runs) == ({}, (), 0, 0)


def test_category_without_questions_is_undefined() -> None:
    questions = tuple(question for question in KEY.questions if question["category"] != "tr")
    answers = {question["id"]: KEY.answers[question["id"]] for question in questions}
    fewer = AnswerKey(KEY.benchmark, KEY.version, KEY.split, KEY.seed, answers, questions)
    rows = [prediction for prediction in RIGHT if prediction.id in answers]
    judgements = {item_id: entries for item_id, entries in judge_all().items() if item_id in answers}
    report = BENCHMARK.score(fewer, rows, judgements=judgements)
    assert report.scores["main/tr"]["accuracy"] == Score(None, 0)
    assert set(report.scores["open/tr"].values()) == {Score(None, 0)}


# --- prompts, settings, files ---------------------------------------------------------------------------------------


def test_prompt_begins_with_audio_and_numbers_two_clips() -> None:
    main, multi, opened = (next(item for item in ITEMS if item.part == part) for part in ("main", "multi", "open"))
    audio, task = BENCHMARK.run(main, 0, "default").prompt
    assert audio == AudioPart(main.clips[0])
    assert isinstance(task, TextPart)
    assert task.text.splitlines()[:5] == [
        main.question, *(f"{letter}. {option}" for letter, option in zip("ABCD", main.options, strict=True)),
    ]  # fmt: skip
    first_label, first_clip, second_label, second_clip, _ = BENCHMARK.run(multi, 0, "default").prompt
    assert (first_label, first_clip) == (TextPart("音频1："), AudioPart(multi.clips[0]))
    assert (second_label, second_clip) == (TextPart("音频2："), AudioPart(multi.clips[1]))
    assert len(BENCHMARK.run(opened, 0, "default").prompt) == 2


@pytest.mark.parametrize("setting", ["noise", "cascaded"])
def test_settings_change_the_signature_but_not_the_prompt(setting: str) -> None:
    for item in ITEMS:
        assert replace(BENCHMARK.run(item, 0, setting), setting="default") == BENCHMARK.run(item, 0, "default")
    signatures = [BENCHMARK.score(KEY, RIGHT, setting=name).signature for name in ("default", setting)]
    assert signatures[1] == replace(signatures[0], setting=setting)


def test_unknown_setting_is_refused() -> None:
    with pytest.raises(SettingError, match="Did you mean `noise`"):
        BENCHMARK.score(KEY, RIGHT, setting="noises")


def test_example_of_a_pack_is_a_valid_file(tmp_path: Path) -> None:
    content = BENCHMARK.content(KEY)
    path = tmp_path / "example.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in example_predictions(content)))
    with path.open("rb") as file:
        predictions = list(read_checked_predictions(file, catalogue_of(BENCHMARK, KEY, "default")))
    report = BENCHMARK.score(KEY, predictions)
    assert (report.missing, report.unreadable, report.awaiting_judge) == (0, 0, OPEN_IDS)


@pytest.mark.parametrize("part", ["main", "multi", "open"])
def test_official_result_file_is_scored_unchanged(tmp_path: Path, part: str) -> None:
    questions = json.loads((Mdar.demo_dir / f"MDAR-{part}.json").read_text(encoding="utf-8"))
    for question in questions:
        answer = question["answer"]
        question["model_output"] = [f"答案是{'、'.join(answer)}"] if part == "multi" else f"{answer}"
    path = tmp_path / "result.json"
    path.write_text(json.dumps(questions, ensure_ascii=False), encoding="utf-8")
    with path.open("rb") as file:
        predictions = list(read_checked_predictions(file, catalogue_of(BENCHMARK, KEY, "default")))
    report = BENCHMARK.score(KEY, predictions, judgements=judge_all(5, 5) if part == "open" else None)
    assert report.parts == (part,)
    headline = {"main": "accuracy", "multi": "em", "open": "judge_score"}[part]
    assert report.scores[part][headline] == Score(1.0, len(questions))


def test_file_with_an_unknown_id_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({"id": "main-9999", "response": "A"}))
    with path.open("rb") as file, pytest.raises(PredictionFileError):
        list(read_checked_predictions(file, catalogue_of(BENCHMARK, KEY, "default"), allow_missing=True))


def test_key_without_sub_tasks_scores_everything_else() -> None:
    plain = [{name: value for name, value in question.items() if name != "sub_task"} for question in KEY.questions]
    report = BENCHMARK.score(replace(KEY, questions=tuple(plain)), of_part("main"))
    assert set(report.scores) == {"main", *(f"main/{slug}" for slug in ("sr", "er", "su", "ad", "tr"))}


def test_iter_wrong_lists_every_part_and_open_answers_by_their_score() -> None:
    predictions = [Prediction(answer.id, 0, "我不知道") for answer in RIGHT]
    low = BENCHMARK.score(KEY, predictions, judgements=judge_all(4, 10)).outcomes
    assert Counter(answer.part for answer in BENCHMARK.iter_wrong(KEY, predictions, low)) == Counter(
        item.part for item in ITEMS
    )
    high = BENCHMARK.score(KEY, predictions, judgements=judge_all(5, 10)).outcomes
    for outcomes in (high, None):
        assert {answer.part for answer in BENCHMARK.iter_wrong(KEY, predictions, outcomes)} == {"main", "multi"}
    (first, *_) = [answer for answer in BENCHMARK.iter_wrong(KEY, predictions, low) if answer.part == "open"]
    assert (first.item, first.right) == (OPEN_IDS[0], KEY.answers[OPEN_IDS[0]])
    assert list(BENCHMARK.iter_wrong(KEY, of_part("main"), None)) == []
