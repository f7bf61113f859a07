"""Critic of reasoning traces: recognition of sounds, parsing of claims, and verdicts."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from evaluation.audio import decode_wav
from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.audio_process_bench.importer import ERROR_TYPES
from evaluation.listeners.critic import is_process_prompt, judge_trace
from evaluation.listeners.critique.checks import Hearing, fits
from evaluation.listeners.critique.claims import read_claim
from evaluation.listeners.critique.happenings import hear_happenings
from evaluation.listeners.ears import EarsMemory
from evaluation.listeners.listener_types import Heard, Sound
from evaluation.synthesis import render_scene
from evaluation.types import AudioPart, Prediction, Report

BENCHMARK = get_benchmark("audio-process-bench", "synthetic-3")

PROMPT = """Judge each step of the reasoning by what is to be heard.

Question: {question}
Options:
{options}

Steps:
{steps}

Answer with a JSON list of {n} values, true where a step is erroneous."""


def sound_of(*events: dict[str, Any], seconds: float = 6.0) -> Sound:
    samples, rate = decode_wav(render_scene({"seconds": seconds, "events": list(events)}))
    return Sound(samples / 32768, rate)


def event(kind: str, at: float, seconds: float = 0.6, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "at": at, "seconds": seconds, "gain": 0.6, **fields}


def judge(sound: Sound, question: str, options: list[str], steps: list[str], *, mono: bool = False) -> list[bool]:
    text = PROMPT.format(
        question=question,
        options="\n".join(f"{letter}. {option}" for letter, option in zip("ABCDEF", options, strict=False)),
        steps="\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1)),
        n=len(steps),
    )
    verdicts: list[bool] = json.loads(judge_trace([sound, text], mono=mono))
    return verdicts


BELLS = sound_of(
    event("door", 0.5, pan=-0.7),
    *(event("bell", at, 0.4, pan=0.7, pitch=700) for at in (1.6, 2.1, 2.6)),
    event("bell", 3.6, 0.4, pan=0.7, pitch=1000),
)


# --- on the whole set


# One question of each family among the first 40 clips, with an error-free trace where there is one.
EACH_FAMILY = (2, 9, 11, 14, 18, 21, 22, 23, 24, 27, 33, 38)


@pytest.fixture
def places(soak: bool) -> tuple[int, ...]:
    return tuple(range(40)) if soak else EACH_FAMILY


@cache
def render_recordings(places: tuple[int, ...]) -> dict[str, Sound]:
    """Return the recordings of some questions."""
    key = BENCHMARK.make_key("practice")
    sounds: dict[str, Sound] = {}
    clips = BENCHMARK.content(key).clips
    for clip in (clips[place] for place in places):
        samples, rate = decode_wav(BENCHMARK.render_clip(key, clip))
        sounds[clip] = Sound(samples / 32768, rate)
    return sounds


@cache
def criticise(places: tuple[int, ...], *, mono: bool) -> Report:
    """Return the critic's scores over the traces of some questions; all others count as judged correctly."""
    key = BENCHMARK.make_key("practice")
    sounds = render_recordings(places)
    predictions, memory = [], EarsMemory(10_000_000)
    for item in BENCHMARK.content(key).items:
        if item.clips[0] in sounds:
            prompt = BENCHMARK.run(item, 0, BENCHMARK.settings[0]).prompt
            heard: list[Heard] = [sounds[part.clip] if isinstance(part, AudioPart) else part.text for part in prompt]
            assert is_process_prompt(heard)
            verdicts = json.loads(judge_trace(heard, mono=mono, memory=memory))
            predictions.append(Prediction(item.id, 0, None, erroneous=tuple(verdicts)))
    ids = {prediction.id for prediction in predictions}
    return score_some(ids, predictions)


def score_some(ids: set[str], predictions: list[Prediction]) -> Report:
    """Score the traces of some questions as a separate imported set."""
    key = BENCHMARK.make_key("practice")
    rows = [row for row in BENCHMARK.questions_of(key) if row["id"] in ids]  # type: ignore[attr-defined]
    official = get_benchmark("audio-process-bench", "1.0")
    small = type(key)(
        official.id, "1.0", "test", "seed", {row["id"]: key.answers[row["id"]] for row in rows}, tuple(rows)
    )
    return official.score(small, predictions)


def test_critic_with_two_ears_is_far_above_chance_in_every_kind_of_error(places: tuple[int, ...]) -> None:
    scores = criticise(places, mono=False).scores
    assert (scores["step"]["aei"].value or 0) > 0.9
    assert (scores["step"]["fei"].value or 0) > 0.8
    assert all((scores[f"type/{kind}"]["prmscore"].value or 0) > 0.85 for kind in ERROR_TYPES)


def test_critic_with_averaged_channels_loses_only_claims_about_sides(places: tuple[int, ...]) -> None:
    one, two = (criticise(places, mono=mono).scores for mono in (True, False))
    lost = {
        kind: (two[f"type/{kind}"]["prmscore"].value or 0) - (one[f"type/{kind}"]["prmscore"].value or 0)
        for kind in ERROR_TYPES
    }
    assert lost["acoustic-attribute"] > 0.2
    assert max(loss for kind, loss in lost.items() if kind != "acoustic-attribute") < 0.05
    assert (one["step"]["aei"].value or 0) < (two["step"]["aei"].value or 0) - 0.03


# --- hearing


def test_sound_is_recognised_and_located(subtests: pytest.Subtests) -> None:
    kind_rows: list[tuple[str, str]] = [
        ("bell", "bell"),
        ("click", "click"),
        ("tone", "tone"),
        ("door", "thud"),
        ("splash", "splash"),
        ("whistle", "whistle"),
        ("alarm", "alarm"),
        ("engine", "engine"),
        ("noise", "hiss"),
    ]
    for pan in (-0.7, 0.0, 0.7):
        for kind, expected in kind_rows:
            with subtests.test(kind=kind, expected=expected, pan=pan):
                (found,) = hear_happenings(sound_of(event(kind, 1.0, 0.8, pan=pan)))
                assert found.kind == expected
                assert found.place == ("left" if pan < 0 else "right" if pan > 0 else "middle")


def test_telephone_keys_are_recognised(subtests: pytest.Subtests) -> None:
    for digits in ("0123456789", "*#0", "1111", "86420"):
        with subtests.test(digits=digits):
            found = hear_happenings(sound_of(event("dial", 0.5, 0.4 * len(digits), digits=digits)))
            assert "".join(one.key for one in found) == digits


def test_silence_makes_no_step_erroneous(subtests: pytest.Subtests) -> None:
    rows: list[Any] = [np.zeros((0, 2)), np.zeros((16_000, 2)), np.zeros((5, 1)), np.full((99, 2), np.nan)]
    for samples in rows:
        with subtests.test(samples=samples):
            assert judge(
                Sound(samples, 16_000), "How many bells are there?", ["One", "Two"], ["There are two bells."]
            ) == [False]


# --- paraphrased claims


def test_claim_is_checked_against_the_recognised_sounds(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, bool | None]] = [
        ("There are four strokes of the bell.", True),
        ("I can make out three bell strokes; there are three strokes.", None),
        ("There are 4 bells.", True),
        ("There are five chimes.", False),
        ("The bell rings on the right.", True),
        ("The chimes come from the left.", False),
        ("The door slams on the left.", True),
        ("The thud comes before the bell.", True),
        ("The bell comes before the door.", False),
        ("The bell is heard later than the slam.", True),
        ("There is a whistle somewhere.", False),
        ("There is no whistling in it.", True),
        ("There is no door.", False),
        ("The last stroke is higher than the rest.", True),
        ("All the strokes have the same pitch.", False),
        ("The strokes come at a steady pace.", False),
        ("The last stroke comes late.", True),
        ("The speaker sounds sad.", None),
        ("It was recorded in a large church.", None),
    ]
    for sentence, expected in rows:
        with subtests.test(sentence=sentence, expected=expected):
            claim = read_claim(sentence)
            found = None if claim is None else fits(claim, Hearing.of(BELLS))
            assert found is expected


def test_claim_about_a_side_is_flagged_with_two_ears_inversely_with_swapped_ears_and_never_with_one_ear() -> None:
    steps = ["The bell is on the left.", "The bell is on the right."]
    swapped = Sound(BELLS.samples[:, ::-1], BELLS.rate)
    for sound, mono, expected in (
        (BELLS, False, [True, False]), (swapped, False, [False, True]), (BELLS, True, [False, False]),
    ):  # fmt: skip
        assert judge(sound, "Where is the bell?", ["On the left", "On the right"], steps, mono=mono) == expected


# --- dependencies between steps


def test_sound_that_a_question_is_about_is_checked_by_name_and_by_its_place_in_the_recording() -> None:
    steps = [
        "The question is about the sound right after the door.",
        "The question is about the sound right before the door.",
        "The sound right before the bell is what the question is about.",
        "What the question asks about comes right after the splash.",
        "The question is about the bell.",
        "The question is about the door.",
    ]
    found = judge(BELLS, "How many strokes of the bell are there?", ["Three", "Four"], steps)
    assert found == [False, True, True, False, False, True]
    assert judge(BELLS, "How many are there?", ["Three", "Four"], steps) == [False] * 6


def test_step_that_builds_on_an_error_is_flagged_and_one_that_repeats_it_is_not() -> None:
    steps = [
        "There are three strokes of the bell.",
        "So far it has been noted that there are three strokes of the bell.",
        "Since there are three strokes of the bell, “Five” can be ruled out.",
        "Therefore the answer is “Three”.",
    ]
    found = judge(BELLS, "How many strokes of the bell are there?", ["Three", "Four", "Five"], steps)
    assert found == [True, False, True, True]


def test_correct_observation_tied_to_a_wrong_option_is_flagged_with_its_consequences() -> None:
    steps = [
        "There are four strokes of the bell.",
        "As there are four strokes of the bell, option A fits.",
        "Therefore the answer is “Three”.",
    ]
    found = judge(BELLS, "How many strokes of the bell are there?", ["Three", "Four", "Five"], steps)
    assert found == [False, True, True]


def test_conclusion_that_does_not_follow_is_flagged() -> None:
    steps = [
        "There are four strokes of the bell.",
        "Because the door is on the left, “Four” can be ruled out.",
        "As there are four strokes of the bell, the answer is “Four”.",
    ]
    found = judge(BELLS, "How many strokes of the bell are there?", ["Three", "Four", "Five"], steps)
    assert found == [False, True, False]


def test_sum_is_checked_for_its_digits_and_its_total() -> None:
    dialled = sound_of(event("dial", 0.5, 2.0, digits="4075"))
    ask = "What is the sum of the digits that are dialled?"
    for terms, total, is_wrong in (
        ("4 + 0 + 7 + 5", 16, False),
        ("4 + 0 + 7 + 5", 17, True),
        ("4 + 0 + 8 + 5", 17, True),
    ):
        steps = [f"Added up, {terms} makes {total}.", f"So I choose “{total}”."]
        assert judge(dialled, ask, ["15", "16", "17"], steps) == [is_wrong, is_wrong]


def test_unrecognised_step_passes_and_the_list_has_the_requested_length() -> None:
    steps = ["The tempo is allegro.", "A minor seventh resolves.", "Hence the composer was in love."]
    assert judge(BELLS, "Who wrote this?", ["Clara", "Robert"], steps) == [False] * 3
    assert not is_process_prompt(["Question: which is louder?\nA. the first\nB. the second", BELLS])
