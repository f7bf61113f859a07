"""Sets of options told by their distinguishing words, without letters."""

import pytest

from evaluation.extraction import read_choices
from tests.support.samples.option_sets import DRUMS, GUITARS

SOUNDS = ("Footsteps", "Door creaking", "Keyboard typing", "Phone ringing", "Coughing")
PLACE = ("Two speakers are present", "It was made outdoors", "The speech is in Spanish", "Music plays at the end")
LESSON = ("说话人是老师", "学生没有交作业", "考试推迟了", "教室里很吵")


@pytest.mark.parametrize(
    ("response", "options", "expected"),
    [
        ("Electric and bass guitar plus a synthesizer.", GUITARS, "BCD"),
        ("There is an acoustic guitar; a synth pad comes in at 0:20. No electric guitar or bass.", GUITARS, "AD"),
        ("All three guitars are there, but no synth.", GUITARS, "ABC"),
        ("All two guitars are there, but no synth.", GUITARS, None),
        ("A guitar and a synth.", GUITARS, None),
        ("The kit consists of snare, kick (bass drum) and cymbals; I hear no triangle.", DRUMS, "ABC"),
        ("Some snare, and at the end a woodblock and cymbals.", DRUMS, None),
        ("The sounds are: typing on a keyboard (C), coughing (E).", SOUNDS, "CE"),
        ("The sounds are: typing on a keyboard (C), coughing (D).", SOUNDS, None),
        ("Made outdoors with music at the end; only one speaker, and the speech is in English.", PLACE, None),
        ("**Present**\n- Bass drum\n- Cymbals\n\n**Absent**\n- Snare drum\n- Triangle", DRUMS, "BC"),
        ("Let me listen.\nFootsteps: audible from 0:02.\nDoor creaking: I", SOUNDS, None),
        ("Footsteps: no\nDoor creaking: yes\nKeyboard typing: no\nPhone ringing: yes\nCoughing: no", SOUNDS, "BD"),
        # Not D: nothing is read where a denial is recognised but not of what.
        ("说话人是老师，学生没有交作业。考试没有推迟，教室里也很安静。", LESSON, None),
    ],
)
def test_members_are_told_by_their_distinguishing_words(
    response: str, options: tuple[str, ...], expected: str | None
) -> None:
    indices = read_choices(response, options).indices
    assert (None if indices is None else "".join(chr(65 + place) for place in sorted(indices))) == expected
