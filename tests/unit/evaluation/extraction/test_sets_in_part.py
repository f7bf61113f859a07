"""Sets of which only a part was read, options of which general knowledge tells, and lines that marks judge."""

import pytest

from evaluation.extraction import read_choices

BAND = ("saxophone", "double bass", "trombone", "drums", "vibraphone")
DATE = ("两人是初次见面", "两人在咖啡馆", "女方对男方不太满意", "男方经济条件很好", "女方的母亲也在场")
SHOP = ("雨声", "自动门铃声", "微波炉提示声", "扫码声", "玻璃破碎声")
QUIZ = ("There is a studio audience", "A contestant answers incorrectly", "The grand prize is won", "A buzzer is used")
FLAT = ("The rent is unpaid", "The heating is broken", "The tenant keeps a cat", "The flat is sold", "They complained")
CAR = ("The battery was flat", "The key was the wrong one", "The tank was empty", "The spark plugs were wet")
TONES = ("温柔", "讽刺", "恐惧", "不耐烦", "自豪")


@pytest.mark.parametrize(
    ("response", "options", "letters"),
    [
        ("You can hear (A) saxophone, (B) double bass and (D) drums with brushes.", BAND, "ABD"),
        ("Every instrument on the list except the vibraphone is playing.", BAND, "ABCD"),
        ("有雨声、自动门铃声和收银机的扫码声。对应 A、B、D。", SHOP, "ABD"),
        (
            "C: a meow, and he's hers ✓.\nE: they were on the phone ✓.\nD: he'd never sell ✗.\nA, B: not told ✗.",
            FLAT,
            "CE",
        ),
        ("Every instrument except the vibraphone and the trombone is playing.", BAND, "ABD"),
        ("Drums (D), double bass (B).", BAND, "BD"),
        ("battrey was flat, spark plugs were wet", CAR, "AD"),
    ],
)
def test_whole_sets_are_read(response: str, options: tuple[str, ...], letters: str) -> None:
    assert read_choices(response, options).indices == frozenset(ord(letter) - 65 for letter in letters)


@pytest.mark.parametrize(
    ("response", "options"),
    [
        ("这是一段新闻播报,五个选项都无法从中推出。", DATE),
        ("Jazz combos typically include a saxophone, a double bass and drums. The excerpt has a walking", BAND),
        ("表面上在夸奖,可能是讽刺,但也不排除感到自豪。两种解读都成立,我给不出确定的选项。", TONES),
        ("Definitely present:\n- saxophone\nPossibly present:\n- drums\nNot present:\n- trombone", BAND),
        ("One contestant buzzes in (D) and gives a wrong answer (B). The jackpot isn't won.", QUIZ),
    ],
)
def test_parts_of_sets_are_not_read(response: str, options: tuple[str, ...]) -> None:
    assert read_choices(response, options).indices is None
