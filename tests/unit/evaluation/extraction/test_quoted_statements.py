"""Statements quoted inside a verdict, both truth values at once, and readings of the words alone."""

from itertools import product

import pytest

from evaluation.extraction import read_boolean, read_choice

QUOTED = ("No bird sings", "The horn never sounds", "It is not true that a man coughs", "The door isn't closed twice")
QUOTED_IN_CHINESE = ("没有鸟叫声", "喇叭从不响起", "录音里并没有人咳嗽")
CLIPS = ("clip 1", "clip 2", "clip 3")
FEELINGS = ("happy", "sad", "angry", "neutral")
ORDERS = tuple(f"clip {a} -> clip {b} -> clip {6 - a - b}" for a in (1, 2, 3) for b in (1, 2, 3) if a != b)


def choose(response: str, options: tuple[str, ...]) -> str | None:
    index = read_choice(response, options).index
    return None if index is None else chr(65 + index)


def test_quoted_statements_have_no_polarity_of_their_own() -> None:
    for quoted, (word, value) in product(QUOTED, (("true", True), ("correct", True), ("false", False))):
        for noun in ("statement", "claim", "description"):
            assert read_boolean(f'The {noun} "{quoted}" is {word}.').value is value
            assert read_boolean(f'The {noun} "{quoted}" is {word}, as I hear wind only.').value is value
    for quoted, (word, value) in product(QUOTED_IN_CHINESE, (("正确的", True), ("错误的", False))):
        assert read_boolean(f"陈述“{quoted}”是{word}。").value is value


@pytest.mark.parametrize("response", [
    "Both true and false interpretations are possible.",
    "True and false are equally defensible here.",
    "Both true and false readings seem plausible, so I give no verdict.",
    "正确和错误两种理解都有可能。",
    "陈述中提到有钟声。我在2秒听到的是风声，然后是",
])  # fmt: skip
def test_both_truth_values_and_a_cut_sentence_are_no_verdict(response: str) -> None:
    assert read_boolean(response).value is None


@pytest.mark.parametrize("reading", ["A text-only reading", "A literal interpretation", "The superficial view"])
def test_readings_of_the_words_alone_choose_nothing(reading: str) -> None:
    for verb, feeling in product(("would say", "might suggest", "could give"), FEELINGS[:2]):
        assert choose(f"{reading} {verb} {feeling}.", FEELINGS) is None
        assert choose(f"{reading} {verb} {feeling}, but the speaker is angry.", FEELINGS) == "C"


def test_descriptions_of_clips_are_no_order() -> None:
    lines = "Clip 1: a tap is turned on.\nClip 2: a pan sizzles.\nClip 3: a plate is set down."
    assert choose(lines, ORDERS) is None
    assert choose(f"{lines}\n\nYou wash first, then cook, and then eat.", ORDERS) is None
    assert choose(f"{lines}\n\nOrder: clip 3 -> clip 1 -> clip 2", ORDERS) == "E"


def test_conclusions_below_descriptions_are_read() -> None:
    lines = "* clip 1: 220 Hz\n* clip 2: 180 Hz\n* clip 3: 300 Hz"
    assert choose(f"Pitches:\n{lines}\n\nThe lowest pitch is in clip 2 (B).", CLIPS) == "B"
    assert choose(f"Pitches:\n{lines}", CLIPS) is None


def test_tempi_lie_in_their_range() -> None:
    tempi = ("slow (below 70 BPM)", "moderate (70-110 BPM)", "fast (above 110 BPM)")
    for tempo, expected in ((52, "A"), (90, "B"), (150, "C"), (70, None)):
        assert choose(f"The tempo is about {tempo} BPM.", tempi) == expected


def test_what_is_not_possible_to_determine_is_that_option() -> None:
    options = ("Yes", "No", "Cannot be determined")
    assert choose("It isn't possible to tell from this recording.", options) == "C"
    assert choose("I'm sorry, it isn't possible to play the audio.", options) is None
