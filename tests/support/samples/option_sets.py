"""Options of questions that several tests of the answer parsers ask, and readings as letters."""

from evaluation.extraction import read_choice, read_choices

PATHS = ("From left to right", "From right to left", "Remains unchanged")
DIRECTION = ("From left to right", "From right to left", "Remains unchanged", "Moves up")
LONGER = ("The first sound is longer", "The second sound is longer", "Both sounds are the same", "Unable to determine")
LOUD = ("The first sound is louder", "The second sound is louder", "Both sounds are the same", "Unable to determine")
RANGES = (
    "Near (within about 0-3 meters)",
    "Medium (around 3-8 meters)",
    "Far (more than 8 meters)",
    "Unable to determine",
)
SECTORS = (
    "Front-Right (0°-90°)",
    "Back-Right (90°-180°)",
    "Back-Left (180°-270°)",
    "Front-Left (270°-360°)",
    "Unable to determine",
)
DISTANCES = ("Audio 1 is farther away", "Audio 2 is farther away", "Both audios are the same", "Unable to determine")
HALVES = ("The first half", "The second half", "It is not present at all", "Unable to determine")
SIDES = (
    "The dog is to the left of the speaker",
    "The dog is to the right of the speaker",
    "The dog is right in front of the speaker",
)
ORDERS = (
    "clip 1 -> clip 2 -> clip 3",
    "clip 1 -> clip 3 -> clip 2",
    "clip 2 -> clip 1 -> clip 3",
    "clip 2 -> clip 3 -> clip 1",
    "clip 3 -> clip 1 -> clip 2",
    "clip 3 -> clip 2 -> clip 1",
    "Unable to determine",
)
KEYS = ("Major key", "Minor key", "Atonal", "Unable to determine")
WEATHER = ("rain", "wind", "thunder", "hail")
DRUMS = ("Snare drum", "Bass drum", "Cymbals", "Triangle")
GUITARS = ("Acoustic guitar", "Electric guitar", "Bass guitar", "Synthesizer")
SOUNDS = ("a bell rings", "the man leaves", "two people argue", "a child hides")
MEETING = ("客户对合同有异议", "双方约定下周再谈", "律师建议立即签字", "会议被迫中断")
PLACES = ("A library", "A hospital hall", "A train station", "A playground")
CHINESE_PLACES = ("图书馆的阅览室", "医院的大厅", "火车站的站台", "公园的游乐场")


def read_letter(options: tuple[str, ...], response: str) -> str | None:
    """Return the letter of the option that a response chooses."""
    index = read_choice(response, options).index
    return None if index is None else chr(65 + index)


def read_letters(options: tuple[str, ...], response: str) -> str | None:
    """Return the letters of the options that a response chooses, in order."""
    indices = read_choices(response, options).indices
    return None if indices is None else "".join(chr(65 + place) for place in sorted(indices))
