"""Answers of the listeners to synthetic sounds (tones, sides, comparisons, orders, counts) and to absurd input."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import read_boolean, read_choice, read_choices
from evaluation.extraction import read_steps
from evaluation.listeners import LISTENERS, Heard, Sound, get_listener
from evaluation.synthesis.dry import render_dry
from evaluation.synthesis.rooms import SourcePosition, render_in_room
from tests.support.samples.listening import Samples, harmonic, silence, stereo, tone

RATE = 44_100
CANNOT_TELL = "Unable to determine"
HALVES = ("The first half", "The second half", "It is not present at all", CANNOT_TELL)
QUARTERS = (
    "Front-Right (0°-90°)",
    "Back-Right (90°-180°)",
    "Back-Left (180°-270°)",
    "Front-Left (270°-360°)",
    CANNOT_TELL,
)
SIDES = ("On the left", "On the right", "Straight ahead")
ORDERS = ("clip 1 -> clip 2 -> clip 3", "clip 2 -> clip 1 -> clip 3", "clip 3 -> clip 2 -> clip 1", CANNOT_TELL)


def ask(listener: str, heard: Sequence[Heard], question: str, options: Sequence[str], rotation: int = 0) -> str | None:
    """Ask with rotated options, and return the text of the chosen option."""
    rotated = [*options[rotation:], *options[:rotation]]
    lines = [f"<{letter}>: {option}" for letter, option in zip("ABCDEF", rotated, strict=False)]
    answer = get_listener(listener).answer([*heard, "\n".join([question, *lines])])
    index = read_choice(answer, rotated).index
    return None if index is None else rotated[index]


def mono(*pieces: Samples, rate: int = RATE) -> Sound:
    return Sound(np.concatenate(pieces)[:, None], rate)


def test_half_with_a_tone_is_recognised(subtests: pytest.Subtests) -> None:
    for half in (0, 1, 2):
        for rotation in range(4):
            for listener in ("earshot-mono", "earshot-binaural"):
                with subtests.test(listener=listener, rotation=rotation, half=half):
                    halves = [silence(2, RATE), silence(2, RATE)]
                    if half < 2:
                        halves[half] = np.concatenate(
                            [silence(0.5, RATE), tone(1000, 1, RATE, 0.01), silence(0.5, RATE)]
                        )
                    question = "Is there a sound in the first half, the second half, or is it not present at all?"
                    assert ask(listener, [mono(*halves)], question, HALVES, rotation) == HALVES[half]


def test_tone_below_the_threshold_of_hearing_is_not_heard(subtests: pytest.Subtests) -> None:
    for level_db, audible in ((-60, True), (-85, True), (-110, False), (-140, False)):
        with subtests.test(level_db=level_db, audible=audible):
            sound = mono(silence(0.5, RATE), tone(1000, 1, RATE, 10 ** (level_db / 20)), silence(2.5, RATE))
            answer = ask("earshot-binaural", [sound], "In which half is there a tone?", HALVES)
            assert answer == (HALVES[0] if audible else HALVES[2])


def pair(first: Samples, second: Samples) -> Sound:
    return mono(silence(0.2, RATE), first, silence(0.5, RATE), second, silence(0.3, RATE))


def test_higher_of_two_tones_is_recognised(subtests: pytest.Subtests) -> None:
    for cents in (0, 50, 400, 1200):
        for listener in ("earshot-mono", "earshot-binaural"):
            with subtests.test(listener=listener, cents=cents):
                options = (
                    "The first sound has a higher pitch",
                    "The second sound has a higher pitch",
                    "Both are the same",
                    CANNOT_TELL,
                )
                sound = pair(tone(500, 0.6, RATE), tone(500 * 2 ** (cents / 1200), 0.6, RATE))
                assert (
                    ask(listener, [sound], "Which sound has a higher pitch?", options, 1) == options[1 if cents else 2]
                )
                lower = ("The first one is lower", "The second one is lower", "Neither is lower")
                assert ask(listener, [sound], "Which tone is lower?", lower) == lower[0 if cents else 2]


def test_louder_of_two_tones_is_recognised(subtests: pytest.Subtests) -> None:
    for decibels in (0, 4, 24, 48):
        with subtests.test(decibels=decibels):
            options = ("The first is louder", "The second is louder", "They are the same")
            sound = pair(tone(500, 0.6, RATE), tone(500, 0.6, RATE, 0.3 * 10 ** (-decibels / 20)))
            assert ask("earshot-binaural", [sound], "Which is louder?", options) == options[0 if decibels else 2]


@pytest.mark.parametrize("percent", [0, 20, 200])
def test_longer_of_two_tones_is_recognised(percent: float) -> None:
    options = ("The first is longer", "The second is longer", "They are equally long")
    sound = pair(tone(500, 0.5, RATE), tone(500, 0.5 * (1 + percent / 100), RATE))
    assert ask("earshot-binaural", [sound], "Which is longer?", options) == options[1 if percent else 2]


@pytest.mark.parametrize("advance", [-20.0, 20.0])
def test_side_is_heard_with_two_ears_and_guessed_with_one(advance: float) -> None:
    sound = stereo(harmonic(300, 1, RATE), harmonic(300, 1, RATE, advance), RATE)
    assert ask("earshot-binaural", [sound], "Where is the buzz?", SIDES) == SIDES[0 if advance < 0 else 1]
    guesses = {ask("earshot-mono", [sound], f"Where is buzz {number}?", SIDES) for number in range(30)}
    assert guesses == set(SIDES)


@pytest.fixture(scope="module")
def applause() -> dict[float, Sound]:
    """Return applause in the medium room, by its azimuth."""
    dry = render_dry("applause", 1.5, np.random.default_rng(4))
    return {
        azimuth: Sound(render_in_room(dry, "medium", 0, SourcePosition(azimuth, 0.0, 1.6)), RATE)
        for azimuth in (30.0, 60.0, 120.0, 150.0, 210.0, 240.0, 300.0, 330.0)
    }


def test_quadrant_in_a_room_is_heard_with_two_ears(applause: dict[float, Sound]) -> None:
    question = "0° is ahead and angles grow clockwise. From which azimuth range does the sound come?"
    answers = {azimuth: ask("earshot-binaural", [sound], question, QUARTERS, 2) for azimuth, sound in applause.items()}
    assert all(("Right" in str(option)) == (azimuth < 180) for azimuth, option in answers.items())
    assert sum(option == QUARTERS[int(azimuth // 90)] for azimuth, option in answers.items()) >= 7


def test_directions_of_two_sounds_are_compared(applause: dict[float, Sound]) -> None:
    question = "Are Audio 1 and Audio 2 at the same azimuth? Differences of less than 45° count as the same."
    options = ("Same", "Different", CANNOT_TELL)
    answers = [
        ask("earshot-binaural", [applause[30.0], applause[azimuth]], question, options)
        for azimuth in (30.0, 240.0, 300.0)
    ]
    assert answers == ["Same", "Different", "Different"]


def test_fainter_of_two_sounds_is_farther_away() -> None:
    dry = render_dry("telephone", 1.0, np.random.default_rng(2))
    near, far = (
        Sound(render_in_room(dry, "large", 0, SourcePosition(0.0, 0.0, metres)), RATE) for metres in (1.0, 9.0)
    )
    options = ("Audio 1 is farther away", "Audio 2 is farther away", "Both are the same", CANNOT_TELL)
    for listener in ("earshot-binaural", "earshot-mono"):
        question = "Which audio is farther away? Differences of less than 3 meters are the same."
        assert ask(listener, [near, far], question, options) == options[1]
        assert ask(listener, [far, near], question, options) == options[0]
        assert ask(listener, [near, near], question, options) == options[2]


def test_order_of_a_rising_glide_is_reconstructed_from_its_pieces() -> None:
    frequencies = np.linspace(200, 1500, 6 * 16_000)
    glide = 0.3 * np.sin(2 * np.pi * np.cumsum(frequencies) / 16_000)
    first, second, third = (Sound(part[:, None], 16_000) for part in np.split(glide, 3))
    question = "These pieces of one recording are not in order. Which order is right?"
    for listener in ("earshot-binaural", "earshot-mono"):
        assert ask(listener, [first, second, third], question, ORDERS) == ORDERS[0]
        assert ask(listener, [second, first, third], question, ORDERS) == ORDERS[1]
        assert ask(listener, [third, second, first], question, ORDERS, 3) == ORDERS[2]


def test_order_is_read_from_the_whole_recording_if_it_is_played() -> None:
    noise = 0.1 * np.random.default_rng(3).standard_normal((48_000, 2))
    whole, (first, second, third) = Sound(noise, 16_000), (Sound(part, 16_000) for part in np.split(noise, 3))
    heard: list[str | Sound] = [
        "In which order are they?",
        "The whole recording:",
        whole,
        "clip 1:",
        third,
        "clip 2:",
        second,
        "clip 3:",
        first,
    ]
    assert ask("earshot-binaural", heard, "", ORDERS) == ORDERS[2]


def test_approach_and_counts_are_heard() -> None:
    swell = harmonic(200, 4, RATE) * np.geomspace(0.05, 1, 4 * RATE)
    options = ("It comes nearer", "It goes away", "It keeps its distance")
    for samples, right in ((swell, 0), (swell[::-1], 1), (harmonic(200, 4, RATE), 2)):
        assert ask("earshot-mono", [mono(samples)], "What does the engine do?", options) == options[right]
    strokes = np.concatenate([tone(700, 0.4, RATE) * np.geomspace(1, 0.001, round(0.4 * RATE)), silence(0.3, RATE)])
    counts = ("Two", "Three", "Four", "Five")
    assert ask("earshot-binaural", [mono(*[strokes] * 4)], "How many times is it struck?", counts) == "Four"
    chinese = get_listener("earshot-binaural").answer([mono(*[strokes] * 3), "钟敲了几下？\nA. 两下\nB. 三下\nC. 四下"])
    assert read_choice(chinese, ["两下", "三下", "四下"]).index == 1


def test_unanswerable_question_gets_the_cannot_tell_option_or_a_refusal() -> None:
    listener, sound = get_listener("earshot-binaural"), mono(tone(500, 1, RATE))
    assert ask("earshot-binaural", [sound], "Who composed this?", ("Bach", "Haydn", "I cannot tell")) == "I cannot tell"
    answer = listener.answer([sound, "Who composed this?\nA. Bach\nB. Haydn"])
    assert read_choice(answer, ["Bach", "Haydn"]).reason == "refusal"
    answer = listener.answer([sound, "这首曲子是谁写的？\nA. 巴赫\nB. 海顿"])
    assert read_choice(answer, ["巴赫", "海顿"]).reason == "refusal"
    assert "1000 Hz" in listener.answer([mono(tone(1000, 1, RATE)), "What do you hear?"])


def test_chance_listener_guesses_evenly_in_every_format() -> None:
    listener = get_listener("earshot-chance")
    text = "Which?\nA. one\nB. two\nC. three\nD. four"
    choices = [read_choice(listener.answer([text], seed), ["one", "two", "three", "four"]).index for seed in range(400)]
    assert np.bincount(np.array(choices, dtype=np.int64)).min() > 70
    truths = [read_boolean(listener.answer(["True or false?"], seed)).value for seed in range(400)]
    assert 150 < truths.count(True) < 250
    several = [read_choices(listener.answer([f"{text}\nSelect all that apply."], seed), ["one"] * 4) for seed in (1, 2)]
    assert several is not None
    flags = "".join(listener.answer(["Judge each step. A JSON list of 9 values."], seed) for seed in range(100))
    assert 0.6 < flags.count("true") / 900 < 0.73
    assert flags.count("true") + flags.count("false") == 900


def test_steps_of_a_trace_are_judged_by_the_sound() -> None:
    sound = stereo(0.2 * tone(700, 1, RATE), tone(700, 1, RATE), RATE)
    steps = "1. There is a tone.\n2. The tone is on the left."
    text = f"Judge each step.\nQuestion: Where is the tone?\nSteps:\n{steps}\nA list of 2 values."
    readings = {name: read_steps(get_listener(name).answer([sound, text]), 2).verdicts for name in LISTENERS}
    assert readings["earshot-binaural"] == (False, True)
    assert readings["earshot-mono"] == (False, False)
    assert readings["earshot-chance"] is not None


@pytest.mark.parametrize("listener", LISTENERS)
def test_same_prompt_and_seed_give_the_same_answer(listener: str) -> None:
    sound = mono(0.1 * np.random.default_rng(0).standard_normal(RATE))
    prompt: list[str | Sound] = [sound, "Where is it?\nA. On the left\nB. On the right"]
    first = [get_listener(listener).answer(prompt, seed) for seed in range(20)]
    assert first == [get_listener(listener).answer(list(prompt), seed) for seed in range(20)]
    if listener != "earshot-binaural":
        assert len(set(first)) > 1


ABSURD_QUESTIONS = (
    "", "?", "A. left\nB. right", "Where?\nA. \nB. ", "Is it true or false? It moves from the left to the right.",
    "How does it move?\nA. From left to right\nB. From right to left\nC. It stays", "Which half?\nA. first\nB. second",
    "Which is louder?\nA. first\nB. second\nC. same", "Which order?\nA. 1 2 3\nB. 3 2 1", "How many?\nA. one\nB. two",
    "How high, in elevation?\nA. above\nB. below\nC. at ear level", "How far?\nA. near\nB. far", "发生了几次？",
    "What does it do?\nA. It comes nearer\nB. It goes away", "Which sides?\nA. Both left\nB. Both right\nC. Different",
    "From which azimuth?\nA. 0°-90°\nB. 90°-180°", "Judge each step.\n1. a", "\ud800 <A>: x\n<B>: y",
    "Where is the second one, compared with the first?\nA. to the left\nB. to the right\nC. behind",
)  # fmt: skip


LENGTHS = (0, 1, 2, 15, 500, 9_001)
KINDS = ("silence", "noise", "constant", "nan", "spike", "huge")
RATES = (1, 100, 8_000, 11_025, 44_100, 192_000)


def make_absurd_sound(n: int, channels: int, kind: str, rate: int) -> Sound:
    samples = np.zeros((n, channels))
    if kind == "noise":
        samples = np.random.default_rng(n).standard_normal((n, channels))
    if kind in ("constant", "nan", "huge"):
        samples += {"constant": 0.5, "nan": np.nan, "huge": 1e12}[kind]
    if kind == "spike" and n:
        samples[n // 2] = 1.0
    return Sound(samples, rate)


absurd_sounds = st.builds(
    make_absurd_sound,
    st.sampled_from(LENGTHS),
    st.sampled_from((1, 2, 6)),
    st.sampled_from(KINDS),
    st.sampled_from(RATES),
)


def assert_answers(listener: str, sounds: list[Sound], question: str) -> None:
    answer = get_listener(listener).answer([*sounds, question])
    assert answer
    assert "nan" not in answer.lower()
    assert "inf" not in answer.lower()


@given(st.lists(absurd_sounds, max_size=4), st.sampled_from(ABSURD_QUESTIONS), st.sampled_from(list(LISTENERS)))
def test_no_sound_or_question_makes_a_listener_fail(sounds: list[Sound], question: str, listener: str) -> None:
    assert_answers(listener, sounds, question)


def test_absurd_sounds_are_answered_for_every_question() -> None:
    rng = random.Random(5)
    for question in ABSURD_QUESTIONS:
        for n_sounds in range(4):
            sounds = [
                make_absurd_sound(rng.choice(LENGTHS), rng.choice((1, 2)), rng.choice(KINDS), rng.choice(RATES))
                for _ in range(n_sounds)
            ]
            for listener in ("earshot-mono", "earshot-binaural"):
                assert_answers(listener, sounds, question)


@given(st.text(max_size=200), st.sampled_from(list(LISTENERS)))
def test_any_text_gets_an_answer(text: str, listener: str) -> None:
    assert get_listener(listener).answer([mono(tone(440, 0.3, 8_000), rate=8_000), text])


def test_sound_without_comparable_bands_is_placed_by_its_delay() -> None:
    sound = Sound(np.full((2, 2), 0.5), 100)
    answer = get_listener("earshot-binaural").answer([sound, "From which azimuth?\nA. 0°-90°\nB. 90°-180°"])
    assert read_choice(answer, ["0°-90°", "90°-180°"]).index in (0, 1), answer
