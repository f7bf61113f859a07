"""Sets that break off, lists below denying headings, denied enumerations and groups that are judged as a whole."""

from itertools import permutations

import pytest

from evaluation.extraction import read_choices

SOUNDS = ("thunder", "a whistle", "applause", "an engine", "laughter")
CHINESE = ("雷声", "口哨声", "掌声", "引擎声", "笑声")


def read(response: str, options: tuple[str, ...] = SOUNDS) -> str | None:
    indices = read_choices(response, options).indices
    return None if indices is None else "".join(chr(65 + place) for place in sorted(indices))


@pytest.mark.parametrize("response", [
    "B, D and",
    "B, D, E, and",
    "B、D和",
    "B、",
    "I hear a whistle, and then at 0:12",
    "先是口哨声，然后在第5秒",
    "| Option | Verdict |\n|---|---|\n| A | present |\n| B | not present |\n| C | pres",
    "A: a storm, correct. B: nothing like it, incorrect. Now C",
    "先看A，有雷声，A对。再看B，没有，B错。再看C，",
    "B and D are correct, C and E",
    "B和D正确，C和E",
])  # fmt: skip
def test_sets_that_break_off_stay_unread(response: str) -> None:
    assert read(response, CHINESE if not response.isascii() else SOUNDS) is None


@pytest.mark.parametrize(("response", "expected"), [
    ("B, D and E", "BDE"),
    ("B、D和E", "BDE"),
    ("B, D", "BD"),
    ("| Option | Verdict |\n|---|---|\n| A | present |\n| B | not present |\n| C | present |", "AC"),
    ("B and D are correct, C and E are wrong", "BD"),
    ("I hear a whistle at 0:03, and an engine at 0:12", "BD"),
])  # fmt: skip
def test_whole_sets_are_read(response: str, expected: str) -> None:
    assert read(response) == expected


@pytest.mark.parametrize(
    ("heard", "unheard", "options"),
    [
        ("Sounds present", "Sounds not present", SOUNDS),
        ("Heard", "Not heard", SOUNDS),
        ("**Present:**", "**Absent:**", SOUNDS),
        ("**出现的声音：**", "**未出现的声音：**", CHINESE),
        ("听到的声音", "没有听到的声音", CHINESE),
    ],
)
def test_lists_below_denying_headings_name_no_option(heard: str, unheard: str, options: tuple[str, ...]) -> None:
    for first, second in permutations(range(5), 2):
        rest = [text for place, text in enumerate(options) if place not in {first, second}]
        heads = [head if "**" in head else f"{head}:" for head in (heard, unheard)]
        parts = [heads[0], f"1. {options[first]}", f"2. {options[second]}", "", heads[1]]
        listed = [f"{number}. {text}" for number, text in enumerate(rest, 1)]
        expected = "".join(chr(65 + place) for place in sorted({first, second}))
        assert read("\n".join([*parts, *listed]), options) == expected


@pytest.mark.parametrize("denial", ["I don't hear any {}.", "We cannot detect {}.", "I couldn't make out any {}."])
def test_denials_of_lists_deny_every_member(denial: str) -> None:
    for first in SOUNDS[:2]:
        others = SOUNDS[2:]
        listed = f"{others[0]}, {others[1]} or {others[2]}"
        response = f"The clip has {first}. {denial.format(listed)}"
        assert read(response) == chr(65 + SOUNDS.index(first)), response


def test_groups_are_judged_as_a_whole() -> None:
    assert read("All five sounds can be heard.") == "ABCDE"
    assert read("五种声音都出现了。", CHINESE) == "ABCDE"
    assert read("Everything except the whistle is audible.") == "ACDE"
    assert read("Statement 4 is the only correct one.") == "D"
    assert read("The second statement is the only correct one.") == "B"
    assert read("Laughter (E) turns into thunder (A).") == "AE"


@pytest.mark.parametrize("response", [
    "All four sounds can be heard.",
    "All five sounds cannot be heard.",
    "Statement 7 is the only correct one.",
    "四种声音都出现了。",
])  # fmt: skip
def test_groups_of_another_size_and_denied_ones_stay_unread(response: str) -> None:
    assert read(response, CHINESE if not response.isascii() else SOUNDS) is None
