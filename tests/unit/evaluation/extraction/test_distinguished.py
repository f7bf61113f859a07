"""Single options told by what distinguishes them, by a root they share with a word, or as clips that do not differ."""

import pytest

from evaluation.extraction import read_choice, read_choices

GENRES = ("Jazz", "Reggae", "Heavy metal", "Baroque")
PLANS = ("He agrees with the plan", "He rejects the plan", "He asks for more time", "He changes the subject")
SPACES = ("Small tiled bathroom", "Large cathedral", "Open field", "Carpeted living room")
SPEECH = ("She apologizes", "She complains", "She makes a promise", "She tells a joke")
LETTERS = ("Clip A", "Clip B", "No difference")
CHINESE = ("第一段", "第二段", "一样快")
SIDES = ("Left", "Right", "Front", "Back")
BAND = ("Violin", "Trumpet", "Double bass", "Maracas", "Harp")


@pytest.mark.parametrize(
    ("response", "options", "expected"),
    [
        ("Distorted guitars, double-kick drums, growled vocals: this is metal.", GENRES, 2),
        ("Distorted guitars: this is metal or jazz.", GENRES, None),
        ("I can hear some metal in the room.", GENRES, None),
        ('"Over my dead body" means that he rejects it.', PLANS, 1),
        ("It sounds as if he might reject it.", PLANS, None),
        ("He doesn't reject it.", PLANS, None),
        ("The reverb tail of more than five seconds suggests a cathedral.", SPACES, 1),
        ("The reverb is shorter than that of a cathedral.", SPACES, None),
        ("Her words amount to a complaint.", SPEECH, 1),
        ("She promises to call back.", SPEECH, 2),
        ("The first clip has the deeper voice.", LETTERS, 0),
        ("I do not notice any difference.", LETTERS, 2),
        ("They sound the same in pitch, but one is louder.", LETTERS, None),
        ("后一段明显更快。", CHINESE, 1),
        ("两段速度一样。", CHINESE, 2),
        ("两段速度不一样。", CHINESE, None),
        ("The voice is behind you on the right.", SIDES, None),
    ],
)
def test_one_option_is_named_by_what_distinguishes_it(
    response: str, options: tuple[str, ...], expected: int | None
) -> None:
    assert read_choice(response, options).index == expected


def test_a_verdict_may_stand_behind_several_names() -> None:
    assert read_choices("Trumpet: yes. Maracas: yes. Violin, bass, harp: no.", BAND).indices == frozenset({1, 3})
    assert read_choices("Trumpet: yes. Violin, bass, harp: no.", BAND).indices is None
