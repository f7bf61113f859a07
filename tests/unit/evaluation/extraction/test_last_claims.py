"""Single choice answers that rule options out and claim one, point to a rank or the remainder, or quote speech."""

import pytest

from evaluation.extraction import read_choice

ANIMALS = ("Dog", "Wolf", "Fox", "Coyote", "Jackal", "Hyena")
GENRES = ("Jazz", "Blues", "Bossa nova", "Reggae")
MOVES = ("Approaching", "Receding", "Approaching, then receding", "Stationary")
KEYS = ("C major", "C minor", "A minor", "A major")
BANDS = ("Below 200 Hz", "200–800 Hz", "800–3000 Hz", "Above 3 kHz")
CHINESE_BANDS = ("低于200 Hz", "200–800 Hz", "800–3000 Hz", "高于3 kHz")
TEMPI = ("60–79 BPM", "80–99 BPM", "100–119 BPM", "120–139 BPM", "140 BPM or more")
TIMES = ("0:00–0:04", "0:04–0:09", "0:09–0:13", "0:13–0:20")
SPEAKERS = ("1 speaker", "2 speakers", "3 speakers", "4 speakers", "More than 4 speakers")
REPLIES = ("Yes", "No", "Cannot be determined from the recording")
LOUDNESS = ("It gets louder", "It gets softer", "It gets louder and then softer", "It does not change")
CHINESE_ANIMALS = ("狗", "狼", "狐狸", "鸟", "猫")
DISTANCES = ("由远及近", "由近及远", "距离不变", "先由远及近，再由近及远")
ANSWERED = [
    (
        "A wolf would howl much longer, and a dog would bark. What I hear is a short scream. This is a fox.",
        ANIMALS,
        "C",
    ),
    ("The animal is most likely a **wolf**. A coyote would yip more.", ANIMALS, "B"),
    ("I considered a wolf, but the howl is far too short. This must be a jackal.", ANIMALS, "E"),
    ("Jazz? The saxophone suggests it. But the form is twelve bars. It's a blues, not jazz.", GENRES, "B"),
    ("Jazz? No. Blues? No. So that's D.", GENRES, "D"),
    ("A wolf? No. A dog? No. It's a hyena, (F).", ANIMALS, "F"),
    ('It approaches first, so calling it "Receding" is not enough. **Approaching, then receding**', MOVES, "C"),
    ("狗会叫得更有规律，狼会嚎得更久。这是一只狐狸。", CHINESE_ANIMALS, "C"),
    ("听起来像狗，但尾音拖得很长，狗不会这样。这是狼。", CHINESE_ANIMALS, "B"),
    ("It fits both C major and A minor. The tonic is A, so the key is the minor one of these two.", KEYS, "C"),
    ("It is higher than 800 Hz, which excludes the first two ranges. That leaves only the third range.", BANDS, "C"),
    ("That falls into the lowest of the given ranges.", BANDS, "A"),
    ("It's the second-lowest range.", BANDS, "B"),
    ("应该在第三个区间。", CHINESE_BANDS, "C"),
    (
        "Eighths give 144 BPM, and that would be option E. But it is half of that: the slowest range in the list.",
        TEMPI,
        "A",
    ),
    ("Counting eighths gives 130 BPM, which would be option D. But the pulse is at 65 BPM.", TEMPI, "A"),
    ("The glass breaks between 0:09 and 0:13.", TIMES, "C"),
    ("玻璃在0:09到0:13之间碎了。", TIMES, "C"),
    ("The door slams at 0:11.", TIMES, "C"),
    ("I hear:\n- an elderly woman\n- a young man\n- a second man\n\nTotal: three.", SPEAKERS, "C"),
    (
        "A, B and D need a change in volume, and there is none, so only the remaining option is possible.",
        DISTANCES,
        "C",
    ),
    ("A、B、D都要求音量发生变化，而音量一直不变，所以只能选剩下的那一项。", DISTANCES, "C"),
    ('Yes. Although the man says "no, no, no", he is laughing.', REPLIES, "A"),
    ('No. She says "yes, yes", but she is being ironic.', REPLIES, "B"),
    (
        "A crescendo, then a decrescendo. It's neither only louder nor only softer but one after the other.",
        LOUDNESS,
        "C",
    ),
]
OPEN = [
    ("It could be a wolf or a dog. A fox would scream.", ANIMALS),
    ("This is a wolf. This is a fox.", ANIMALS),
    ("The background is a dog. The foreground is a wolf.", ANIMALS),
    ("If this is a fox, it screams. A wolf would howl.", ANIMALS),
    ("A dog? No. This is a wolf or a coyote.", ANIMALS),
    ("A wolf? No. It's a hyena, (E).", ANIMALS),
    ("What I hear is a wolf being chased by a dog.", ANIMALS),
    ("That would be B. But it is not.", TEMPI),
    ("It is not the slowest range.", TEMPI),
    ("The slowest range would be too slow.", TEMPI),
    ("The third range of the list starts at 800 Hz.", BANDS),
    ("The pianist uses the lowest range of the keyboard.", BANDS),
    ("It is just above the lowest range.", BANDS),
    ("The glass breaks between 0:03 and 0:10.", TIMES),
    ("The glass breaks at 0:09.", TIMES),
    ("It is between 0:09 and 0:13 or between 0:13 and 0:20.", TIMES),
    ("The recording runs from 0:00 to 0:04.", TIMES),
    ("A, B and D are all possible, so the remaining option is out.", DISTANCES),
    ("A and B can be excluded, so it is one of the remaining ones.", DISTANCES),
    ('"No" is what the man says.', REPLIES),
    ("叫声不同于鸟。", CHINESE_ANIMALS),
    ("不同于鸟", CHINESE_ANIMALS),
    ("比狼更尖。", CHINESE_ANIMALS),
    ("Different from a wolf", ANIMALS),
    ("It differs from a dog.", ANIMALS),
]


@pytest.mark.parametrize(("response", "options", "letter"), ANSWERED)
def test_last_claim_or_rank_is_the_answer(response: str, options: tuple[str, ...], letter: str) -> None:
    assert read_choice(response, options).index == ord(letter) - 65


@pytest.mark.parametrize(("response", "options"), OPEN)
def test_what_is_supposed_denied_or_left_open_is_no_answer(response: str, options: tuple[str, ...]) -> None:
    assert read_choice(response, options).index is None


@pytest.mark.parametrize("claimed", range(len(ANIMALS)))
def test_claim_counts_for_every_option_and_order(claimed: int, subtests: pytest.Subtests) -> None:
    name, other = ANIMALS[claimed], ANIMALS[claimed - 1]
    claims = (f"This is a {name.lower()}.", f"What I hear is a {name.lower()}, not a {other.lower()}.")
    dismissals = (f"A {other.lower()} would sound deeper.", f"A {other.lower()}? No.", f"There is no {other.lower()}.")
    for claim in claims:
        for dismissal in dismissals:
            for response in (f"{claim} {dismissal}", f"{dismissal} {claim}"):
                if response.endswith("? No."):
                    continue  # The reply may be about what was claimed.
                with subtests.test(response=response):
                    assert read_choice(response, ANIMALS).index == claimed
            with subtests.test(rival=dismissal):
                rival = ANIMALS[claimed - 2].lower()
                assert read_choice(f"{dismissal} {claims[0]} This is a {rival}.", ANIMALS).index is None
