"""Options that an answer is only compared with, and lists below headings that judge their members."""

from itertools import product

import pytest

from evaluation.extraction import read_choice, read_choices

TEMPI = ("the tempo speeds up", "the tempo slows down", "the tempo is constant")
INTERVALS = ("a second", "a third", "a fifth", "an octave")
STRINGS = ("piano", "violin", "cello")
CHINESE_STRINGS = ("钢琴", "古筝", "琵琶", "二胡", "笛子")
COUNTS = ("2", "3", "4", "5")
TRAFFIC = ("The tyre burst", "The driver was on the phone", "The brakes failed", "It had started to rain")


@pytest.mark.parametrize(
    ("response", "options", "letter"),
    [
        ("Answer: B (not A, since the tempo slows down rather than speeding up)", TEMPI, "B"),
        ("B, as the tempo slows down instead of speeding up.", TEMPI, "B"),
        ("Answer: C\n\nIt goes from C4 to G4, so it rises by a fifth, while D is an octave.", INTERVALS, "C"),
        ("Many listeners would pick (A) on that basis. C is the appropriate choice.", INTERVALS, "C"),
        ("主奏乐器是琵琶，颗粒感强，与古筝的刮奏不同。", CHINESE_STRINGS, "C"),
        ("主奏乐器是琵琶，区别于古筝。", CHINESE_STRINGS, "C"),
        ("是琵琶，音色比古筝更脆。", CHINESE_STRINGS, "C"),
        ("与古筝不同，这是琵琶。", CHINESE_STRINGS, "C"),
        ("The instrument is a cello, deeper than a violin.", STRINGS, "C"),
        ("The instrument is a cello, which differs from the sound of a violin.", STRINGS, "C"),
        ("It is more like a cello than a violin.", STRINGS, "C"),
        ("One bark at 0.4 s, two quick ones, and a last one at 4 s. That makes five barks in total.", COUNTS, "D"),
    ],
)
def test_what_an_answer_is_compared_with_is_not_chosen(response: str, options: tuple[str, ...], letter: str) -> None:
    assert read_choice(response, options).index == ord(letter) - 65


def test_comparison_without_an_answer_stays_unread() -> None:
    assert read_choice("琵琶的声音比古筝更脆。", CHINESE_STRINGS).index is None
    assert read_choice("A cello is deeper than a violin.", STRINGS).index is None


@pytest.mark.parametrize(
    ("affirming", "denying"),
    [
        ("Correct answers:", "Incorrect answers:"),
        ("**Correct statements**", "**Incorrect statements**"),
        ("Can be inferred:", "Cannot be inferred:"),
        ("正确答案：", "错误答案："),
        ("能推断的：", "不能推断的："),
        ("✅ Correct:", "❌ Wrong:"),
    ],
)
def test_lists_below_headings_are_judged_by_them(affirming: str, denying: str, subtests: pytest.Subtests) -> None:
    lists = (("- The brakes failed\n- It had started to rain", "- The tyre burst\n- The driver was on the phone"),)
    for (good, bad), is_first in product((*lists, ("- C\n- D", "- A\n- B")), (True, False)):
        sections = [f"{affirming}\n{good}", f"{denying}\n{bad}"]
        response = "\n\n".join(sections if is_first else reversed(sections))
        with subtests.test(response=response):
            assert read_choices(response, TRAFFIC).indices == frozenset({2, 3})


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Some listeners would call it nostalgic, others romantic.", None),
        ("Atmosphere is a matter of interpretation: nostalgic and romantic.", None),
        ("Some would say comic, others tense, but I think it is eerie.", "E"),
        ("The answers are B and C. I choose B and D.", None),
        ("答案:BC\n……不过再听一遍,答案也许是BD。", None),
        ("The mood is both tense and eerie. I'd pick A and E.", "AE"),
    ],
)
def test_opinions_of_others_and_sets_that_differ_are_no_answer(response: str, expected: str | None) -> None:
    indices = read_choices(response, ("tense", "romantic", "comic", "nostalgic", "eerie")).indices
    assert (None if indices is None else "".join(chr(65 + place) for place in sorted(indices))) == expected
