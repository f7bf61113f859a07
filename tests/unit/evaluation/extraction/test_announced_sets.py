"""Sets of options told by bare letters, by announcements, and by reviews whose lines deny something."""

import pytest

from evaluation import read_choices

SOUNDS = ("A horn honks", "Someone coughs", "Wind is blowing", "A bell rings")
FEATURES = ("hoarse voice", "sighs", "stuttering", "a raised voice", "giggling")
PLACES = ("菜市场", "图书馆", "车站", "商店")
PEOPLE = ("记者", "司机", "警察", "乘客")
FACTS = ("她迷路了", "她没有带钱包", "她在等朋友", "她要坐地铁")


def read(response: str, options: tuple[str, ...]) -> str | None:
    indices = read_choices(response, options).indices
    return None if indices is None else "".join(chr(65 + position) for position in sorted(indices))


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("CA", "AC"),
        ("<BD>", "BD"),
        ("【DB】", "BD"),
        ("**DCA**", "ACD"),
        ("Answer: DB", "BD"),
        ("答案：CA。", "AC"),
        ("BAD", None),
        ("ca", None),
        ("CC", None),
        ("ZB", None),
    ],
)
def test_letters_out_of_order(response: str, expected: str | None) -> None:
    assert read(response, SOUNDS) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("可能的地点是车站或者商店，这两个都可以选。", "CD"),
        ("应该是B或D，两项都正确。", "BD"),
        ("车站或商店。", None),
        ("可能的场所有菜市场和图书馆。", "AB"),
        ("最可能的两个地点是菜市场、车站。", "AC"),
        ("可能的地点是菜市场或者车站。", None),
    ],
)
def test_possible_places(response: str, expected: str | None) -> None:
    assert read(response, PLACES) == expected


def test_letters_told_again_by_their_texts() -> None:
    assert read("说话的是A和C，即记者和警察。", PEOPLE) == "AC"
    assert read("说话的是A和C（记者、警察）。", PEOPLE) == "AC"
    assert read("说话的是A和C，即记者和乘客。", PEOPLE) is None
    assert read("The sounds are B and D, i.e. someone coughs and a bell rings.", SOUNDS) == "BD"
    assert read(
        "The hoarse voice (A) and the sighs (B) are easy to notice. There is no stuttering or giggling.", FEATURES
    )
    response = "The hoarse voice (A) and the sighs (B) stand out. There is no stuttering."
    assert read(response, FEATURES) == "AB"


@pytest.mark.parametrize(
    "response",
    [
        "A. Yes, twice at the start.\nB. No cough can be heard.\nC. Yes, throughout.\nD. There is no bell.",
        "A. Yes, it honks.\nB. Nobody does so.\nC. Yes, strongly.\nD. Nothing of the kind.",
        "A: Yes, a car.\nB: No, the voices are healthy.\nC: Yes, it blows.\nD: No bell.",
    ],
)
def test_lines_that_deny_their_option(response: str) -> None:
    assert read(response, SOUNDS) == "AC"


def test_denying_lines_in_chinese() -> None:
    response = "A. 有，远处有人叫卖。\nB. 没有翻书的声音。\nC. 没有听到广播。\nD. 有，有扫码声。"
    assert read(response, PLACES) == "AD"


def test_a_line_that_denies_what_its_option_denies_is_no_verdict() -> None:
    options = ("a horn honks", "no one coughs", "wind blows")
    assert read("A. A horn honks.\nB. No one coughs.", options) == "AB"


def test_verdicts_within_a_running_sentence() -> None:
    response = "从她反复问路可以判断A正确；她说“钱包落在家里了”，B正确；没有提到朋友；她问“几号线”，D正确。"
    assert read(response, FACTS) == "ABD"
    assert read("根据问路可以判断A是对的，根据她说的话B也是对的，朋友没有依据，D是对的。", FACTS) == "ABD"
