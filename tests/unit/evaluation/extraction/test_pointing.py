"""Sentences that point to one option by some of its words, and sentences that only seem to."""

import pytest

from evaluation.extraction import read_choice, read_choices
from evaluation.extraction.paraphrases.pointing import find_all_pointed, find_pointed

VISITORS = (
    "A gardener and an apprentice who prunes the roses",
    "Two curious tourists admiring the greenhouse",
    "A botanist and a photographer or journalist",
    "The owner of the nursery and a supplier of soil",
)
TOPICS = (
    "A quarrel about the price of a ticket",
    "A quarrel between personal privacy and public transparency",
    "A quarrel about the colour of a curtain",
)
SCENES = ("一名园丁正在修剪玫瑰花丛", "几位游客正在温室里拍照留念", "一名供应商正在搬运肥料和泥土")
CLAIMS = (
    "The harvest was ruined by an early frost",
    "The farmer borrowed money from his neighbour",
    "The tractor was stolen during the night",
)


def test_read_choice_reads_a_sentence_that_points_to_one_option(subtests: pytest.Subtests) -> None:
    rows = [
        (VISITORS, "The two are a botanist and her photographer.", 2),
        (VISITORS, "Given what they say, the women are tourists who admire a greenhouse.", 1),
        (VISITORS, "It's not the owner, and there is no supplier. They must be a gardener and his apprentice.", 0),
        (TOPICS, "They argue for a while. It's privacy versus transparency.", 1),
        (SCENES, "应该是园丁在修剪花丛。", 0),
        (SCENES, "我认为是供应商在搬运泥土。", 2),
    ]
    for options, response, place in rows:
        with subtests.test(response):
            assert read_choice(response, options).index == place


def test_read_choice_ignores_denied_supposed_and_shared_words(subtests: pytest.Subtests) -> None:
    rows = [
        (VISITORS, "It is not the botanist, nor her photographer, nor some journalist."),
        (VISITORS, "If it were a botanist, and a photographer, there would be more talk."),
        (VISITORS, "Somebody other than a botanist and a photographer; it is rather than these a stranger."),
        (VISITORS, "There are signs of a gardener with roses and of tourists in a greenhouse."),
        (VISITORS, "A long train passes while the crowd waits at the station."),
        (TOPICS, "There is a quarrel about something."),
        (SCENES, "可能是园丁在修剪花丛，也可能是供应商在搬运泥土。"),
        (SCENES, "没有听到园丁修剪玫瑰花丛的声音。"),
        (SCENES, "如果是园丁修剪花丛，就会有剪刀的声音。"),
        (SCENES, "一列火车驶过车站。"),
    ]
    for options, response in rows:
        with subtests.test(response):
            assert read_choice(response, options).index is None


def test_find_pointed_compares_texts_of_one_language() -> None:
    assert find_pointed("it's a botanist and a photographer.", tuple(map(str.lower, VISITORS))) == 2
    assert find_pointed("应该是园丁在修剪花丛。", tuple(map(str.lower, VISITORS))) is None
    assert find_pointed("x" * 1_000, SCENES) is None


def test_find_all_pointed_needs_every_clause_to_point_to_an_option() -> None:
    texts = tuple(map(str.lower, CLAIMS))
    response = "an early frost ruined the harvest, and a tractor was stolen at night."
    assert find_all_pointed(response, texts) == {0, 2}
    assert find_all_pointed("an early frost ruined the harvest, and a circus came to town.", texts) == frozenset()
    assert find_all_pointed("an early frost ruined the harvest.", texts) == frozenset()
    assert read_choices(response, CLAIMS).indices == frozenset({0, 2})
