"""Sets of options that stay open, or are told by groups, ranks, letters in brackets, quotes and what alone is heard."""

from itertools import permutations

import pytest

from evaluation.extraction import read_choices
from tests.support.samples.option_sets import GUITARS

INSTRUMENTS = ("Piano", "Electric guitar", "Acoustic guitar", "Drums", "Bass", "Flute")
BAND = ("Saxophone", "Bass", "Piano", "Drums", "Synthesizer")
MACHINES = ("Fan", "Compressor", "Pump", "Gearbox", "None of the above")
CHINESE_MACHINES = ("风扇", "压缩机", "泵", "齿轮箱")
EMOTIONS = ("Joy", "Anger", "Fear", "Disgust", "Surprise", "Sadness")
TONES = ("The pitch rises at first", "The pitch falls at the end", "The loudness stays constant", "It is short")
DISTANCES = ("The speaker is nearer than 2 m", "The speaker is farther away than 2 m", "He moves", "He turns away")
PLANS = ("The man promises to call back.", "The woman is late.", "They meet at the station.", "Neither has a car.")
MUSIC = ("The tempo increases", "The tempo decreases", "The key becomes minor", "The key becomes major", "It ends")
WEATHER = ("Drizzle", "Heavy rain", "Hail", "Thunder", "Gusts of wind", "None of the above")
CHOSEN = [
    ("So the second and the third statements hold.", TONES, "BC"),
    ("It follows that the first and the last options are correct.", TONES, "AD"),
    ("I was about to answer A because of the laughter, but it is bitter. So not A; it's B and F.", EMOTIONS, "BF"),
    ("I almost chose A and C. In fact it is B and F.", EMOTIONS, "BF"),
    ("The fan (A) and the pump (C) are faulty. The compressor and the gearbox sound normal.", MACHINES, "AC"),
    ("The fan and the pump are normal. The compressor and the gearbox are faulty.", MACHINES, "BD"),
    ("泵和风扇有故障，压缩机和齿轮箱正常。", CHINESE_MACHINES, "AC"),
    ("All of the instruments in the list play in this passage.", INSTRUMENTS, "ABCDEF"),
    ("Every listed instrument can be heard.", INSTRUMENTS, "ABCDEF"),
    ("All instruments listed except for the flute can be heard.", INSTRUMENTS, "ABCDE"),
    ("列表中的所有乐器都出现了。", ("钢琴", "电吉他", "鼓"), "ABC"),
    ("The voice is farther away than 2 m (B) and it gets duller when he turns away (D).", DISTANCES, "BD"),
    ("The music slows down (B). It goes from minor to major, not the reverse (D). And it ends (E).", MUSIC, "BDE"),
    ("The man will call (A), and they meet at the station, not at the café (C).", PLANS, "AC"),
    ("There are sax (A), bass (B), drums (D), but I only hear the drums.", BAND, "D"),
    ("Sax (A), bass (B) and drums (D) were offered. I hear only bass and drums.", BAND, "BD"),
    ("I only hear the saxophone (A) and the bass (B).", BAND, "AB"),
    ("Either A and C hold, or B and D. The pitch falls, so B and D.", TONES, "BD"),
    ("A and B are certain. As for D, the noise could be applause, so I leave it out.", PLANS, "AB"),
    ("Drums and bass, maybe played live.", INSTRUMENTS, "DE"),
]
OPEN = [
    ("I'll go through the list. Let me start with the piano: the attack of the first chord", INSTRUMENTS),
    ("我先逐个来听。先听钢琴：第一个和弦的", ("钢琴", "电吉他", "鼓")),
    ("The woman apologises, so B. He has to walk, so D. They", PLANS),
    ("Either A and C are right, or B and D are right.", TONES),
    ("要么A和C正确，要么B和D正确。", TONES),
    ("A, D\n\nHmm, no: B, C.\n\nA and D could be right after all. I can't commit to either.", WEATHER),
    ("An acoustic guitar, maybe a synth as well.", GUITARS),
    ("An acoustic guitar, perhaps a synthesizer too.", GUITARS),
    ("Piano, and possibly a flute.", INSTRUMENTS),
    ("Drums and bass, and I think there might be a flute as well.", INSTRUMENTS),
    ("Not all of the instruments in the list play.", INSTRUMENTS),
    ("All three instruments in the list play.", INSTRUMENTS),
]


@pytest.mark.parametrize(("response", "options", "letters"), CHOSEN)
def test_set_is_read_whole(response: str, options: tuple[str, ...], letters: str) -> None:
    assert read_choices(response, options).indices == frozenset(ord(letter) - 65 for letter in letters)


@pytest.mark.parametrize(("response", "options"), OPEN)
def test_guesses_alternatives_and_cut_analyses_stay_unread(response: str, options: tuple[str, ...]) -> None:
    assert read_choices(response, options).indices is None


@pytest.mark.parametrize("pair", list(permutations(range(4), 2)))
def test_quoted_texts_with_stops_are_one_list(pair: tuple[int, int], subtests: pytest.Subtests) -> None:
    first, second = (PLANS[place] for place in pair)
    for response in (
        f"Statements '{first}' and '{second}' are true.",
        f'The statements "{first}" and "{second}" hold.',
        f'Correct: "{first}", "{second}"',
    ):
        with subtests.test(response=response):
            assert read_choices(response, PLANS).indices == frozenset(pair)


@pytest.mark.parametrize("heard", range(4))
def test_only_what_is_heard_counts_among_what_is_offered(heard: int, subtests: pytest.Subtests) -> None:
    offered = ", ".join(f"{name.lower()} ({'ABCD'[place]})" for place, name in enumerate(BAND[:4]))
    name = BAND[heard].lower()
    for response in (
        f"Candidates are {offered}, but I only hear the {name}.",
        f"There could be {offered}, but only the {name} is audible.",
    ):
        with subtests.test(response=response):
            assert read_choices(response, BAND).indices == frozenset({heard})
