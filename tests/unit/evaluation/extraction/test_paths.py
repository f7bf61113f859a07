"""Paths in prose, with places described in any order and wording."""

from collections.abc import Mapping
from itertools import permutations

import pytest

from evaluation.extraction import read_choice

_PLACES = ("front-left", "front-right", "back-left", "back-right", "left", "right", "front", "back")
_TURNS: tuple[Mapping[str, str], ...] = (
    {},
    {"left": "right", "right": "left"},
    {"front": "back", "back": "front"},
    {"left": "right", "right": "left", "front": "back", "back": "front"},
)
_ENGLISH = {"front": "in front", "back": "behind", "left": "on the left", "right": "on the right"}
_CHINESE = {"front": "前", "back": "后", "left": "左", "right": "右"}
_OF_ALL_PLACES = tuple(
    f"From the {start} to the {end}"
    for start, end in (("front-left", "back-left"), ("back-right", "front-right"), ("left", "right"), ("front", "back"))
    for start, end in ((start, end), (end, start))
)


def _turn(place: str, turn: Mapping[str, str]) -> str:
    return "-".join(turn.get(part, part) for part in place.split("-"))


def _list_options(start: str, end: str) -> tuple[str, ...]:
    """Return the option of a path, of its mirror images, and of all their reversals."""
    paths = [(_turn(a, turn), _turn(b, turn)) for a, b in ((start, end), (end, start)) for turn in _TURNS]
    return tuple(dict.fromkeys(f"From the {a} to the {b}" for a, b in paths))


def _in_words(place: str, whose: str = "") -> str:
    return " ".join(_ENGLISH[part] + (whose if part in {"front", "back"} else "") for part in place.split("-"))


def _compactly(place: str) -> str:
    return place.replace("back", "rear").replace("-", " ")


def _side_first(place: str) -> str:
    depth, _, side = place.partition("-")
    return f"on the {side}-hand side {_ENGLISH[depth]}" if side else _ENGLISH[depth]


def _in_chinese(place: str) -> str:
    return "".join(_CHINESE[part] for part in reversed(place.split("-"))) + "方"


def _leaning(place: str) -> str:
    first, _, second = place.partition("-")
    return f"{_CHINESE[first]}方偏{_CHINESE[second]}" if second else f"{_CHINESE[first]}侧"


def _describe(start: str, end: str) -> list[str]:
    descriptions = [
        (start_words, end_words, sentence)
        for say, sentences in (
            (_in_words, ("It begins {} and ends up {}.", "The sound is {} at first and {} at the end.")),
            (_side_first, ("The source starts {}, and it finishes {}.", "First it is {}, then it is {}.")),
            (_compactly, ("The bee begins at {} and winds up at {}.", "Steps come from {} and go on towards {}.")),
            (_in_chinese, ("声音一开始在{}，后来移动到了{}。", "声源起初位于{}，随后移到{}。")),
            (_leaning, ("声音从{}出发，最后到达{}。", "声音在{}出现，在{}消失。")),
        )
        for sentence in sentences
        for start_words, end_words in ((say(start), say(end)),)
    ]
    descriptions.append((_in_words(start, " of me"), _in_words(end, " me"), "The source travels from {} to {}."))
    return [sentence.format(start_words, end_words) for start_words, end_words, sentence in descriptions]


@pytest.mark.parametrize(("start", "end"), list(permutations(_PLACES, 2)))
def test_read_choice_reads_every_path_as_the_one_matching_option(start: str, end: str) -> None:
    options = _list_options(start, end)
    for response in _describe(start, end):
        assert read_choice(response, options).index == 0, response
        assert read_choice(response, options[1:]).index is None, response


@pytest.mark.parametrize(("depth", "words", "sign"), [("front", "in front of", "前"), ("back", "behind", "后")])
@pytest.mark.parametrize(("start", "end"), [("left", "right"), ("right", "left")])
def test_read_choice_applies_a_shared_detail_to_the_whole_path(
    depth: str, words: str, sign: str, start: str, end: str
) -> None:
    options = _list_options(f"{depth}-{start}", f"{depth}-{end}")
    for response in (
        f"The sound moves across the {depth} of the listener, from the {start} side to the {end} side.",
        f"It stays {words} the listener and goes from the {start}-hand side to the {end}-hand side.",
        f"The source moves {words} the listener, starting at the {start} and finishing at the {end}.",
        f"{words.capitalize()} me, it goes from {start} to {end}.",
        f"It starts at the {start} and finishes at the {end}, always {words} me.",
        f"声音始终在听者{sign}方，从{_CHINESE[start]}边移动到{_CHINESE[end]}边。",
        f"声音在我{sign}方从{_CHINESE[start]}往{_CHINESE[end]}移动。",
    ):
        assert read_choice(response, options).index == 0, response
        assert read_choice(response, options[1:]).index is None, response


@pytest.mark.parametrize(
    "response",
    [
        "The sound is behind me on the left.",
        "It starts in front on the left.",
        "It ends behind on the right.",
        "It starts on the left and starts on the right and ends in front.",
        "It begins at the left, moves to the front, and then to the right.",
        "The sound goes from left to right and then back to left.",
        "It does not go from behind to the front.",
        "It moves from the left or from the right to the back.",
        "The listener is facing the front.",
        "The first sound comes from the left, the second from the right.",
        "The rear speaker is on the left, the front speaker on the right.",
        "声音在左侧出现，然后在右后方停留一会，最后到前方。",
        "声音大约在左右移动。",
        "声音从前方到后方再到左方。",
    ],
)
def test_read_choice_leaves_partial_and_contradictory_paths_unread(response: str) -> None:
    assert read_choice(response, _OF_ALL_PLACES).index is None
