"""Answers to options that share words: pairs, reasons, ranges, pronouns, first thoughts, what a question asks about."""

import pytest

from evaluation.extraction import read_choice, read_choices
from tests.support.samples.option_sets import WEATHER

SOUNDS = ("Rain", "Frying food", "A waterfall", "Applause", "None of the above")
CHINESE_SOUNDS = ("下雨", "炒菜", "瀑布", "掌声")
INSTRUMENTS = ("Piano", "Violin", "Flute", "Trumpet", "None of the above")
REASONS = (
    "Yes, because the second voice is an echo of the first",
    "Yes, because two people speak at once",
    "No, because only one person speaks",
    "No, because the recording has no speech",
)
MOODS = ("Yes, he is angry", "Yes, he is sad", "No, he is calm", "No, he is joking")
SECONDS = ("Between 0 and 5 seconds", "Between 5 and 10 seconds", "Between 10 and 15 seconds")
LENGTHS = ("Shorter than 5 s", "Longer than 5 and shorter than 10 s", "Longer than 10 s")
CHINESE_LENGTHS = ("小于5米", "大于5米且小于10米", "大于10米")
TONES = ("440 Hz", "880 Hz", "1,000 Hz", "1,760 Hz")
ENGINES = (
    "The engine starts and keeps running",
    "The engine starts and then stalls",
    "The engine fails to start",
    "There is no engine in the recording",
)
CHINESE_ENGINES = ("发动机启动后继续运转", "发动机启动后熄火", "发动机无法启动", "没有发动机声")
MOVES = ("The microphone moves", "The source moves", "Both move", "Neither moves")
CHINESE_MOVES = ("麦克风在动", "声源在动", "两者都在动", "两者都没动")
SPEAKERS = ("The man is speaking", "The woman is speaking", "Both are speaking", "Nobody is speaking")
VEHICLES = ("Car", "Bus", "Train", "Helicopter", "None of the above")
BEATS = ("1", "2", "3", "4", "5", "6")
CLIPS = ("Clip 1", "Clip 2", "Clip 3", "Clip 4")
BAND = ("Trumpet", "Trombone", "Tuba", "French horn", "Clarinet", "Oboe", "Bassoon", "Flute")
PLACES = (
    "Louder than the speech",
    "Quieter than the speech",
    "To the left of the speech",
    "To the right of the speech",
)
GUITARS = ("Violin", "Electric violin", "Guitar", "Electric guitar", "Bass", "Electric bass")
CHINESE_WEATHER = ("雨声", "雷声", "风声", "鸟叫声")
VOICES = (
    "Yes, because two people talk at once",
    "Yes, because there is an echo",
    "No, because only one person talks",
    "No, because nobody talks",
)
CHINESE_VOICES = ("是，因为两个人同时说话", "是，因为有回声", "不是，只有一个人说话", "不是，没有人说话")
LOUDNESS = ("louder and on the left", "quieter and on the left", "louder and on the right", "quieter and on the right")
CHINESE_LOUDNESS = ("更大且在左边", "更小且在左边", "更大且在右边", "更小且在右边")
BATTERY = ("Yes, the engine runs", "No, the battery is dead")
CHINESE_BATTERY = ("是，发动机在转", "否，电池没电了")
CHOICES = [
    ("No, the starter is dead", BATTERY, None),
    ("No, because the fuel tank is empty.", BATTERY, None),
    ("No, the battery is flat.", BATTERY, "B"),
    ("No, it is dead.", BATTERY, "B"),
    ("No, the engine does not run.", BATTERY, "B"),
    ("Yes, the engine is running.", BATTERY, "A"),
    ("否，启动器坏了", CHINESE_BATTERY, None),
    ("否，没电了", CHINESE_BATTERY, "B"),
    ("Yes, two people talk at the same time.", VOICES, "A"),
    ("No, there's only one speaker.", VOICES, "C"),
    ("No, there's just one person speaking", VOICES, "C"),
    ("No, no one speaks.", VOICES, "D"),
    ("Yes, three people talk at once.", VOICES, None),
    ("No, just one dog.", VOICES, None),
    ("不是，就一个人在说话", CHINESE_VOICES, "C"),
    ("是的，两个人在同时说话。", CHINESE_VOICES, "A"),
    ("不是，有两个人说话", CHINESE_VOICES, None),
    ("The music is quieter than the speech and on the left.", LOUDNESS, "B"),
    ("It's louder than it was before and on the right.", LOUDNESS, "C"),
    ("The music is quieter and comes from the left.", LOUDNESS, "B"),
    ("It is not quieter than the speech and on the left.", LOUDNESS, None),
    ("It is quieter than the speech.", LOUDNESS, None),
    ("louder than before", ("louder", "quieter", "the same"), "A"),
    ("The woman is louder than the man.", ("The man is louder", "The woman is louder", "Both are as loud"), "B"),
    ("比人声小、在左边", CHINESE_LOUDNESS, "B"),
    ("音乐比人声小，而且在左边。", CHINESE_LOUDNESS, "B"),
    ("不比人声小、在左边", CHINESE_LOUDNESS, None),
    ("At first you might think it's rain, but it's frying food.", SOUNDS, "B"),
    ("One might first think of frying food or of rain. So this is clapping, i.e. applause.", SOUNDS, "D"),
    ("One could mistake it for rain, but it is applause.", SOUNDS, "D"),
    ("It might be rain.", SOUNDS, "A"),
    ("背景里有下雨，但题目问的是前景，那是掌声。", CHINESE_SOUNDS, "D"),
    ("A violin plays. The question asks about the lead instrument, though, and that is the piano.", INSTRUMENTS, "A"),
    ("A violin can be heard, too, but you asked about the melody, and that is the flute.", INSTRUMENTS, "C"),
    ("The question asks whether it is a piano or a violin. It is a violin.", INSTRUMENTS, "B"),
    ("Yes. Two different people talk at the same time.", REASONS, "B"),
    ("No. There isn't any speech in the recording, only engine noise.", REASONS, "D"),
    ("Yes, his voice is full of anger.", MOODS, "A"),
    ("No, because two people speak at once.", REASONS, None),
    ("Yes.", REASONS, None),
    ("The glass breaks at around 12.5 seconds.", SECONDS, "C"),
    ("It breaks between 4 and 6 seconds.", SECONDS, None),
    ("Longer than 5 and shorter than 10.", LENGTHS, "B"),
    ("More than 5 but less than 10 seconds.", LENGTHS, "B"),
    ("About 7 seconds.", LENGTHS, "B"),
    ("大于5米但小于10米。", CHINESE_LENGTHS, "B"),
    ("1 kHz", TONES, "C"),
    ("1,760 Hz", TONES, "D"),
    ("The starter turns several times but the engine never catches. It fails to start.", ENGINES, "C"),
    ("The engine never catches.", ENGINES, None),
    ("There's no engine.", ENGINES, "D"),
    ("启动几次都没成功，它无法启动。", CHINESE_ENGINES, "C"),
    ("Neither the microphone nor the source moves.", MOVES, "D"),
    ("Both the source and the microphone are moving.", MOVES, "C"),
    ("The source moves, and so does the microphone.", MOVES, "C"),
    ("The source moves, the microphone doesn't.", MOVES, "B"),
    ("麦克风和声源都没动。", CHINESE_MOVES, "D"),
    ("声源在动，麦克风没动。", CHINESE_MOVES, "B"),
    ("The man and the woman are speaking.", SPEAKERS, "C"),
    ("The man speaks and the woman laughs.", SPEAKERS, "A"),
    ("It's a trian passing by: you can hear the wheels.", VEHICLES, "C"),
    ("The music is quite.", ("quiet", "loud", "medium"), None),
]
SETS = [
    ("A. 雨声——有\nB. 雷声——没有\nC. 风声——没有\nD. 鸟叫声——有", CHINESE_WEATHER, "AD"),
    ("None of the above: the only vehicle in the recording is a bicycle.", VEHICLES, "E"),
    ("Answer: A, C, E (beats 1, 3 and 5)", BEATS, "ACE"),
    ("Answer: A, C, E (beats 1, 3 and 6)", BEATS, None),
    ("In 6/8 time, the strong beats are the first and the fourth, i.e. options A and D.", BEATS, "AD"),
    ("The same melody is played in Clip 1, Clip 2 and Clip 4. Clip 3 is different.", CLIPS, "ABD"),
    ("Clips 1, 2 and 4 are identical; clip 3 differs.", CLIPS, "ABD"),
    ("Clip 3 is different.", CLIPS, "C"),
    ("All the woodwinds (E, F, G and H) play; the brass section is silent.", BAND, "EFGH"),
    ("The strings aren't there, but the reeds (E, F, G) are.", BAND, "EFG"),
    ("The woodwinds (E, F, G and H) are missing; the brass plays.", BAND, None),
    ("Everything but the brass (A, B, C and D).", BAND, None),
    ("The music is quieter than the speech and comes from the left of it.", PLACES, "BC"),
    ("It is louder than the speech. It comes from the right of it.", PLACES, "AD"),
    ("BDF – the electric variants only.", GUITARS, "BDF"),
    ("The first two and the last one.", WEATHER, "ABD"),
    ("A: yes. B: yes. C: no. D: can't be determined.", WEATHER, "AB"),
    ("A正确，B错误，C无法确定，D正确。", WEATHER, "AD"),
    ("A: can't be determined. B: can't be determined. C: can't be determined.", WEATHER, None),
]


@pytest.mark.parametrize(("response", "options", "expected"), CHOICES)
def test_read_choice_with_options_that_share_words(
    response: str, options: tuple[str, ...], expected: str | None
) -> None:
    index = read_choice(response, options).index
    assert (None if index is None else chr(65 + index)) == expected


@pytest.mark.parametrize(("response", "options", "expected"), SETS)
def test_read_choices_with_options_that_share_words(
    response: str, options: tuple[str, ...], expected: str | None
) -> None:
    indices = read_choices(response, options).indices
    assert (None if indices is None else "".join(chr(65 + place) for place in sorted(indices))) == expected
