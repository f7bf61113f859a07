"""Pseudo-stereo setting of STAR-Bench: its questions, clips and scores, and which listeners lose by it."""

from collections.abc import Iterator

import numpy as np
import pytest

from evaluation import get_benchmark, read_choice
from evaluation.audio import read_sound
from evaluation.benchmarks.star_bench.design import TONE_TASKS
from evaluation.errors import SettingError
from evaluation.listeners import get_listener
from evaluation.packs import all_runs
from evaluation.predictions import catalogue_of
from evaluation.types import AudioPart, Item, Prediction, Run
from submissions.endpoints.runner import list_questions
from tests.support.samples.listening import hear_run

STAR, DEMO = get_benchmark("star-bench", "1.0"), get_benchmark("star-bench", "demo")
SETTING, TONES = "pseudo-stereo", "perception/tones"
KEY = STAR.make_key("practice")
ITEMS = [item for item in STAR.content(KEY).items if item.task in TONE_TASKS]


def clip_of(run: Run) -> str:
    (clip,) = [part.clip for part in run.prompt if isinstance(part, AudioPart)]
    return clip


def answer_right(items: list[Item], rate: float = 1.0, seed: int = 0) -> Iterator[Prediction]:
    """Yield answers to all runs of some items, each right with a probability and otherwise the next option."""
    rng = np.random.default_rng(seed)
    for item in items:
        for run in item.runs:
            place = (int(str(KEY.answers[item.id])) + run + (rng.random() >= rate)) % len(item.options)
            yield Prediction(item.id, run, "ABCDE"[place])


# --- questions ------------------------------------------------------------------------------------------------------


def test_setting_has_the_503_questions_whose_sound_is_the_same_in_both_ears() -> None:
    assert len(ITEMS) == 143 + 3 * 120
    ids = {item.id for item in ITEMS}
    assert {run.id for run in all_runs(STAR, STAR.content(KEY)) if run.setting == SETTING} == ids
    assert {question.id for question in list_questions(STAR, KEY, SETTING)} == ids
    assert catalogue_of(STAR, KEY, SETTING).items.keys() == ids


def test_setting_changes_only_the_clip_of_a_prompt() -> None:
    for item in ITEMS[::50]:
        usual, changed = STAR.run(item, 1, "default"), STAR.run(item, 1, SETTING)
        assert clip_of(changed) == f"{clip_of(usual)}@pseudo-stereo"
        assert [part for part in changed.prompt if not isinstance(part, AudioPart)] == [
            part for part in usual.prompt if not isinstance(part, AudioPart)
        ]
        assert changed.options == usual.options


def test_question_of_another_task_is_refused() -> None:
    other = next(item for item in STAR.content(KEY).items if item.task == "perception/range/azimuth")
    with pytest.raises(
        SettingError, match=r"belongs to perception/range/azimuth, but the setting `pseudo-stereo` covers only"
    ):
        STAR.run(other, 0, SETTING)
    with pytest.raises(SettingError, match=r"does not include perception/range/azimuth. Remove those answers"):
        STAR.score(KEY, answer_right([other]), setting=SETTING)


def test_endpoints_can_be_evaluated_under_the_setting() -> None:
    assert SETTING in STAR.endpoint_settings
    assert SETTING in DEMO.endpoint_settings


# --- sounds ---------------------------------------------------------------------------------------------------------


def test_clip_holds_the_sound_of_the_usual_clip_and_its_inverse() -> None:
    for task in TONE_TASKS:
        item = next(item for item in ITEMS if item.task == task)
        usual, rate = read_sound(STAR.render_clip(KEY, item.clips[0]))
        both, rate_of_both = read_sound(STAR.render_heard(KEY, clip_of(STAR.run(item, 0, SETTING)), SETTING))
        assert both.shape == (len(usual), 2)
        assert rate_of_both == rate
        # Bit for bit: rounding to 16 bits would remove the faintest tones of the audiogram.
        assert np.array_equal(both[:, 0], usual[:, 0])
        assert np.array_equal(both[:, 1], -usual[:, 0])


def test_stereo_clip_uses_its_left_channel() -> None:
    key = DEMO.make_key("test")
    item = next(item for item in DEMO.content(key).items if item.task == TONE_TASKS[0])
    usual, _ = read_sound(DEMO.render_clip(key, item.clips[0]))
    both, _ = read_sound(DEMO.render_clip(key, clip_of(DEMO.run(item, 0, SETTING))))
    assert np.array_equal(both[:, 0], usual[:, 0])
    assert np.array_equal(both[:, 1], -usual[:, 0])


def test_pack_has_one_more_clip_for_each_question() -> None:
    clips = set(STAR.content(KEY).clips)
    assert {clip_of(STAR.run(item, 0, SETTING)) for item in ITEMS} == {clip for clip in clips if "@" in clip}
    assert {clip.partition("@")[0] for clip in clips} == {clip for clip in clips if "@" not in clip}


# --- scores ---------------------------------------------------------------------------------------------------------


def test_score_covers_only_the_tone_tasks() -> None:
    report = STAR.score(KEY, answer_right(ITEMS, 0.7), setting=SETTING)
    assert (report.parts, report.expected, report.missing) == (("perception",), 4 * 503, 0)
    heads = {"/".join(name.split("/")[:3]) for name in report.scores}
    assert heads == {*TONE_TASKS, TONES}
    mean = np.mean([report.scores[task]["aa"].value for task in TONE_TASKS])
    assert report.scores[TONES]["aa"].value == pytest.approx(mean)
    assert report.signature.setting == "pseudo-stereo"


def test_missing_answers_count_for_the_tone_tasks() -> None:
    report = STAR.score(KEY, answer_right(ITEMS[1:]), setting=SETTING)
    assert (report.expected, report.missing) == (4 * 503, 4)


def test_default_setting_has_the_score_that_the_setting_is_compared_with() -> None:
    items = [item for item in STAR.content(KEY).items if item.part == "perception"]
    usual = STAR.score(KEY, answer_right(items, 0.6)).scores
    assert usual[TONES]["aa"].value == pytest.approx(np.mean([usual[task]["aa"].value for task in TONE_TASKS]))
    (gap,) = STAR.setting_gaps
    assert (gap.setting, gap.against, gap.figure) == ("default", SETTING, f"{TONES}|aa")


def test_board_of_the_setting_is_sorted_by_the_mean_of_the_tone_tasks() -> None:
    assert STAR.headline_of(SETTING).key == f"{TONES}|aa"
    keys = [column.key for column in STAR.columns_of(SETTING)]
    assert keys == [f"{TONES}|aa", f"{TONES}|acr", *(f"{task}|aa" for task in TONE_TASKS)]
    assert STAR.chance[f"{TONES}|aa"] == 0.25


# --- secrecy --------------------------------------------------------------------------------------------------------


def test_disclosed_scores_cover_100_items_or_more_and_are_rounded() -> None:
    key = STAR.make_key("test", "a secret seed")
    items = [item for item in STAR.content(key).items if item.task in TONE_TASKS]
    predictions = [Prediction(item.id, run, "A") for item in items for run in item.runs]
    report = STAR.score(key, predictions, setting=SETTING)
    disclosed = list(STAR.disclose(report))
    assert {slice_name for slice_name, _, _ in disclosed} == {*TONE_TASKS, TONES}
    for _, _, score in disclosed:
        assert score.n >= 100
        assert score.value is None or score.value == round(score.value, 3)


def test_file_with_one_answer_has_no_score() -> None:
    key = STAR.make_key("test", "a secret seed")
    item = next(item for item in STAR.content(key).items if item.task == TONE_TASKS[0])
    report = STAR.score(key, [Prediction(item.id, 0, "A")], setting=SETTING)
    assert not set(report.scores) & {TONE_TASKS[0], TONES}


def test_clip_names_are_the_opaque_names_of_the_key() -> None:
    key = STAR.make_key("test", "a secret seed")
    content = STAR.content(key)
    opaque = {clip for item in content.items for clip in item.clips}
    assert {clip.partition("@")[0] for clip in content.clips} == opaque
    assert not any(word in clip for clip in opaque for word in ("tone", "pitch", "perception"))


# --- listeners ------------------------------------------------------------------------------------------------------


def find_accuracy(listener: str, task: str, setting: str, step: int) -> float:
    items = [item for item in ITEMS if item.task == task][::step]
    hits = []
    for item in items:
        run = STAR.run(item, 0, setting)
        clip = clip_of(run)
        answer = get_listener(listener).answer(hear_run(run, {clip: STAR.render_clip(KEY, clip)}))
        hits.append(read_choice(answer, run.options).index == KEY.answers[item.id])
    return float(np.mean(hits))


def test_listener_that_keeps_channels_loses_nothing_and_one_that_averages_them_falls_to_chance(soak: bool) -> None:
    step = 1 if soak else 12
    for task in TONE_TASKS:
        usual = {name: find_accuracy(f"earshot-{name}", task, "default", step) for name in ("binaural", "mono")}
        changed = {name: find_accuracy(f"earshot-{name}", task, SETTING, step) for name in ("binaural", "mono")}
        assert min(usual.values()) >= 0.8, task
        assert changed["binaural"] == usual["binaural"], task
        # Silence is the right answer where no tone is played: a third of the audiogram. Three standard deviations of
        # fair draws.
        n = len([item for item in ITEMS if item.task == task][::step])
        chance = 1 / 3 if task == TONE_TASKS[0] else 1 / 4
        assert changed["mono"] <= chance + 3 * (chance * (1 - chance) / n) ** 0.5, task
