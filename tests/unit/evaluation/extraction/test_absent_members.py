"""Sets told by what is missing, by a list that is changed, and by lines that keep or drop each option."""

import pytest

from evaluation.extraction import read_choices
from tests.support.samples.option_sets import WEATHER

SONG = (
    "The song has a chorus",
    "The song has a bridge",
    "The song has a rap verse",
    "The song fades out",
    "The song has a key change",
)
FOLK = ("accordion", "fiddle", "tambourine", "tin whistle")
CHINESE_FOLK = ("手风琴", "小提琴", "铃鼓", "哨笛")
MATCH = ("an anthem is played", "the crowd cheers", "a whistle blows", "an announcer speaks")
BELL = ("The bell is cracked", "The bell rings three times", "A second bell joins", "The bell is muffled")
KEYS = ("a minor key", "a major key", "a fast tempo", "a slow tempo")
TOOLS = ("a saw", "a drill", "a hammer", "a sander")
DOOR = ("有敲门声", "有电话铃声", "有人说“请进”", "门被关上")
MISSING = [
    (
        "Of the five, just two are missing: the rap verse and the key change. The other three are all there.",
        SONG,
        "ABD",
    ),
    ("Only the rap verse and the key change are missing. The other three are there.", SONG, "ABD"),
    ("Missing: the rap verse and the key change. The others are present.", SONG, "ABD"),
    ("Just one is missing: wind. The other three can be heard.", WEATHER, "ACD"),
    ("Two sounds can't be heard: wind and hail. The rest can.", WEATHER, "AC"),
    ("The only ones I don't hear are wind and hail; the other two are there.", WEATHER, "AC"),
    ("Two are wrong: B and D. The other two are right.", WEATHER, "AC"),
    ("Just two are there: rain and thunder. The other two are missing.", WEATHER, "AC"),
    ("只缺小提琴和哨笛，另外两种都在。", CHINESE_FOLK, "AC"),
    ("只有小提琴和哨笛没有出现，其他两种都有。", CHINESE_FOLK, "AC"),
    ("The accordion and the tambourine; the claimed fiddle is missing, and so is the tin whistle.", FOLK, "AC"),
    ("Accordion and tambourine. The fiddle is absent, as is the tin whistle.", FOLK, "AC"),
    ("Accordion and tambourine are heard; the fiddle isn't, nor is the tin whistle.", FOLK, "AC"),
    ("The accordion is there, and so is the tambourine; no fiddle, no tin whistle.", FOLK, "AC"),
    ("手风琴和铃鼓都有，小提琴缺席，哨笛也是。", CHINESE_FOLK, "AC"),
]
CHANGED = [
    ('I first listed A, B and C. B should be taken off again, because the "drill" was the saw.', TOOLS, "AC"),
    ("At first I had A, B and C, but B should be removed. The rest stays.", TOOLS, "AC"),
    ("My first list was A, B and C. I'd take B off again, the rest stands.", TOOLS, "AC"),
    ("A, B and C. On second thought, remove B.", TOOLS, "AC"),
    ("I first listed A and C. D should be added as well. Nothing else changes.", TOOLS, "ACD"),
    ("起初我列了A、B、C。B应该去掉，其他不变。", TOOLS, "AC"),
    ("我先选了A、B、C，后来把B去掉了。", TOOLS, "AC"),
]
REVIEWED = [
    ("Rain and thunder are there. Wind and hail are not.", WEATHER, "AC"),
    ("I first listed A, B and C. B should be kept.", TOOLS, "ABC"),
    (
        "The crowd cheers (B), then a whistle blows (C). There's no anthem, so not A; no announcer, so not D.",
        MATCH,
        "BC",
    ),
    ("The crowd cheers (B), then a whistle blows (C). So not A and not D.", MATCH, "BC"),
    ("Definitely B. C also holds, if you listen closely to the last seconds. A and D don't.", BELL, "BC"),
    ("B and, if you listen closely, C.", BELL, "BC"),
    ("如果仔细听，B和C都成立。", BELL, "BC"),
    ("(A) The third is flat. Keep.\n(B) Contradicts A. Drop.\n(C) Hardly fast. Drop.\n(D) Same, so keep.", KEYS, "AD"),
    ("A. The third is flat: in.\nB. Contradicts A: out.\nC. Hardly fast: out.\nD. 58 beats: in.", KEYS, "AD"),
    ("A：小三度，保留。\nB：与A矛盾，去掉。\nC：不快，去掉。\nD：同理，保留。", KEYS, "AD"),
    ("A: The drums come in.\nB: The singer fades out.", ("the drums come in", "the singer fades out", "rain"), "AB"),
    ("A：对，开头有敲门声。\nB：错，没有。\nC：对，有人在说“请进”。\nD：错，门没有被关上。", DOOR, "AC"),
]


@pytest.mark.parametrize(("response", "options", "expected"), [*MISSING, *CHANGED, *REVIEWED])
def test_sets_told_by_what_is_missing_changed_or_kept(response: str, options: tuple[str, ...], expected: str) -> None:
    indices = read_choices(response, options).indices
    assert indices is not None
    assert "".join(chr(65 + place) for place in sorted(indices)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "Two are missing: wind and hail. The other two are hard to make out.",
        "Two are missing: wind and hail. The other three are there.",
        "Three are missing: wind and hail. The other two are there.",
        "Wind is missing; I'm not sure about the others.",
        "If wind is missing, the others are there.",
        "I first listed A, B and C. B might have to go.",
    ],
)
def test_sets_whose_rest_or_change_is_not_clear_are_left_open(response: str) -> None:
    assert read_choices(response, WEATHER).indices is None
