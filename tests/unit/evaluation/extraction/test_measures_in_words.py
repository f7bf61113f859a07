"""Places, distances, halves, orders and keys in other words than those of the options."""

import pytest

from tests.support.samples.option_sets import (
    DISTANCES,
    HALVES,
    KEYS,
    LONGER,
    LOUD,
    ORDERS,
    PATHS,
    RANGES,
    SECTORS,
    SIDES,
    read_letter,
)


def test_read_choice_reads_unchanged_positions(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (PATHS, "The position of the source doesn't change at all.", "C"),
        (PATHS, "The sound's location never changes.", "C"),
        (PATHS, "It doesn't move.", "C"),
        (PATHS, "The source stays put.", "C"),
        (PATHS, "There is no change in position.", "C"),
        (PATHS, "No change of direction can be heard.", "C"),
        (PATHS, "It stays where it is.", "C"),
        (PATHS, "声音的位置没有变化。", "C"),
        (PATHS, "声源位置始终不变。", "C"),
        (PATHS, "方位没有改变。", "C"),
        (PATHS, "Nothing about its direction changes.", "C"),
        (PATHS, "The direction remains constant throughout.", "C"),
        (PATHS, "The direction is constant.", "C"),
        (PATHS, "It is stationary.", "C"),
        (PATHS, "The position changes.", None),
        (PATHS, "I can't tell whether the position changes.", None),
        (PATHS, "The position doesn't change until the end, when it moves.", None),
        (PATHS, "The volume doesn't change.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_directions_in_words_as_sectors(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SECTORS, "behind and to the left of the listener", "C"),
        (SECTORS, "in front and to the right of me", "A"),
        (SECTORS, "ahead, to the left of the listener", "D"),
        (SECTORS, "to the right of the listener and behind", "B"),
        (SECTORS, "about three hundred degrees", "D"),
        (SECTORS, "three hundred and ten degrees", "D"),
        (SECTORS, "two hundred degrees", "C"),
        (SECTORS, "roughly one hundred and twenty degrees", "B"),
        (SECTORS, "a hundred degrees", "B"),
        (SECTORS, "forty-five degrees", "A"),
        (SECTORS, "方位角大约三百度", "D"),
        (SECTORS, "约一百二十度", "B"),
        (SECTORS, "二百二十五度左右", "C"),
        (SECTORS, "300°", "D"),
        (SECTORS, "It comes from 135 degrees.", "B"),
        (SECTORS, "ninety degrees", None),
        (SECTORS, "two hundred and seventy degrees", None),
        (SECTORS, "between 80 and 100 degrees", None),
        (SECTORS, "not three hundred degrees", None),
        (SECTORS, "four hundred degrees", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_comparisons_from_either_end(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (DISTANCES, "Audio 1 is nearer to the listener than Audio 2.", "B"),
        (DISTANCES, "Audio 2 is closer to the microphone than audio 1.", "A"),
        (DISTANCES, "The first audio is closer to me than the second.", "B"),
        (DISTANCES, "Audio 2 sounds nearer to the mic.", "A"),
        (DISTANCES, "The second is further from the listener than the first.", "B"),
        (DISTANCES, "Audio 1 is less far away than Audio 2.", "B"),
        (DISTANCES, "音频1比音频2更靠近听者。", "B"),
        (DISTANCES, "音频1离听者比音频2近。", "B"),
        (DISTANCES, "音频1比音频2离得更近。", "B"),
        (DISTANCES, "音频2离麦克风更近。", "A"),
        (DISTANCES, "音频1的声源比音频2更远。", "A"),
        (DISTANCES, "Audio 1 is nearer to the left.", None),
        (DISTANCES, "Audio 1 is not nearer than audio 2.", None),
        (DISTANCES, "Is audio 1 nearer than audio 2?", None),
        (LONGER, "The second sound is shorter than the first one.", "A"),
        (LONGER, "The first one ends sooner.", "B"),
        (LOUD, "The first sound is quieter to my ears than the second.", "B"),
        (LOUD, "The first is softer than the second.", "B"),
        (LONGER, "第二个声音比第一个短。", "A"),
        (LOUD, "第一个声音比第二个轻。", "B"),
        (LOUD, "后一个声音更小声。", "A"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_silence_in_both_halves(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (HALVES, "I heard nothing in either half.", "C"),
        (HALVES, "There is nothing in either half.", "C"),
        (HALVES, "Neither half contains the tone.", "C"),
        (HALVES, "I could not detect any tone in either of the halves.", "C"),
        (HALVES, "No tone in either half.", "C"),
        (HALVES, "Both halves contain only noise.", "C"),
        (HALVES, "前半段和后半段都没有纯音。", "C"),
        (HALVES, "两半都没有听到。", "C"),
        (HALVES, "哪一半都没有出现。", "C"),
        (HALVES, "The tone isn't in the first half, nor in the second.", "C"),
        (HALVES, "The tone is absent from both halves.", "C"),
        (
            HALVES,
            (
                "A faint 500 Hz tone can be heard right after the beginning, within the first half, and "
                "the second half is silent."
            ),
            "A",
        ),
        (HALVES, "Nothing in the first half, but a tone in the second.", "B"),
        (HALVES, "The first half is silent; the tone comes in the second half.", "B"),
        (HALVES, "There is a tone in the first half and nothing in the second.", "A"),
        (HALVES, "I heard nothing in the first half.", None),
        (HALVES, "I hear a tone in both halves.", None),
        (HALVES, "It could be in either half.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_sides_relative_to_a_person(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (SIDES, "The barking is on the talker's right-hand side.", "B"),
        (SIDES, "The dog barks on the speaker's left.", "A"),
        (SIDES, "The dog is to the speaker's right.", "B"),
        (SIDES, "The speaker is to the right of the dog.", "A"),
        (SIDES, "The bark comes from the left-hand side of the speaker.", "A"),
        (SIDES, "The dog is straight in front of the speaker.", "C"),
        (SIDES, "The speaker is on the dog's left.", "B"),
        (SIDES, "The dog is not on the speaker's right.", None),
        (SIDES, "The dog is on the listener's right.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_orders_in_words_and_in_json(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (ORDERS, '{"order": [3, 2, 1]}', "F"),
        (ORDERS, '{"sequence": ["clip 2", "clip 1", "clip 3"]}', "C"),
        (ORDERS, '{"answer": [3, 1, 2]}', "E"),
        (ORDERS, '{"order": "3, 2, 1"}', "F"),
        (ORDERS, "[2, 3, 1]", "D"),
        (ORDERS, "Order: 3, 1, 2", "E"),
        (ORDERS, '{"first": 2, "second": 3, "third": 1}', "D"),
        (ORDERS, '{"clip 1": 2, "clip 2": 1, "clip 3": 3}', None),
        (ORDERS, '{"order": [3, 2]}', None),
        (ORDERS, '{"scores": [3, 2, 1]}', None),
        (ORDERS, "先是片段2（敲门），然后是片段3（开门），最后是片段1（寒暄）。", "D"),
        (ORDERS, "首先是片段1，接着是片段3，最后是片段2。", "B"),
        (ORDERS, "先听到片段3，再听到片段1，最后是片段2。", "E"),
        (ORDERS, "先是第二段，然后是第一段，最后是第三段。", "C"),
        (ORDERS, "片段3在最前，片段2在中间，片段1在最后。", "F"),
        (ORDERS, "先是片段2，然后是片段3。", "D"),
        (
            ORDERS,
            (
                "Clip 1 sounds like a drill. Clip 2 is the drill winding down. Clip 3 is somebody putting "
                "the bit in.\n\nSo naturally you'd start with clip 3, then clip 1, and finish with clip 2."
            ),
            "E",
        ),
        (
            ORDERS,
            (
                "Clip 1 is a splash. Clip 2 is a run-up. Clip 3 is applause. So you start with clip 2, "
                "then clip 1, and end with clip 3."
            ),
            "C",
        ),
        (
            ORDERS,
            (
                "So the most natural order would be: clip 2 (zipping) -> clip 1 (door closing) -> clip 3 "
                "(engine starting).\n\nThat aligns with option E."
            ),
            None,
        ),
        (ORDERS, "clip 2 (zipping) -> clip 1 (door closing) -> clip 3 (engine starting)", "C"),
        (ORDERS, "clip 2 (zipping) → clip 1 (door) → clip 3 (engine). That is option C.", "C"),
        (ORDERS, "The second clip comes first, then the third, and the first clip last.", "D"),
        (ORDERS, "2-1-3", "C"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_the_mode_of_a_key(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (KEYS, "The melody is in A minor.", "B"),
        (KEYS, "It is in B flat major.", "A"),
        (KEYS, "The key is C# minor.", "B"),
        (KEYS, "D major.", "A"),
        (KEYS, "The piece is in the key of G major.", "A"),
        (KEYS, "It's in E-flat minor.", "B"),
        (KEYS, "这首曲子是A小调。", "B"),
        (KEYS, "C大调", "A"),
        (KEYS, "It moves from A minor to C major.", None),
        (KEYS, "A minor detail changes.", None),
        (KEYS, "A. Major key", "A"),
        (KEYS, "B, minor key", "B"),
        (KEYS, "It is not in A minor.", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_rough_distances(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (RANGES, "Very close – I'd guess a metre or so from the listener.", "A"),
        (RANGES, "A couple of metres away.", "A"),
        (RANGES, "about a dozen metres", "C"),
        (RANGES, "Half a metre away or so.", "A"),
        (RANGES, "Roughly ten metres or more.", "C"),
        (RANGES, "five metres or so", "B"),
        (RANGES, "两三米", "A"),
        (RANGES, "一米左右", "A"),
        (RANGES, "十几米开外", "C"),
        (RANGES, "At arm's length.", None),
        (RANGES, "3 metres or 9 metres", None),
        (RANGES, "a metre or ten", None),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected


def test_read_choice_reads_measures_in_other_words(subtests: pytest.Subtests) -> None:
    rows: list[tuple[tuple[str, ...], str, str | None]] = [
        (LOUD, "The second of the two sounds is the louder one.", "B"),
        (LOUD, "The former is louder than the latter.", "A"),
        (LOUD, "第二个声音没有第一个响。", "A"),
        (LOUD, "第一个声音不如第二个响。", "B"),
        (LOUD, "The first isn't as loud as the second.", "B"),
        (LONGER, "Sound 2 doesn't last as long as sound 1.", "A"),
        (LONGER, "The first sound outlasts the second.", "A"),
        (LONGER, "They have identical durations.", "C"),
        (LOUD, "There's no difference between the two.", "C"),
        (LONGER, "两个声音一样长。", "C"),
        (LONGER, "前者比后者持续得更久。", "A"),
        (DISTANCES, "Audio 2 is the nearer of the two.", "A"),
        (DISTANCES, "The one in audio 1 is closer by a wide margin.", "B"),
        (DISTANCES, "音频2更近，所以音频1更远。", "A"),
        (DISTANCES, "音频一近，音频二远。", "B"),
        (SECTORS, "It comes from behind me, on the left.", "C"),
        (SECTORS, "left rear", "C"),
        (SECTORS, "右后方", "B"),
        (SECTORS, "at 10 o'clock", "D"),
        (SECTORS, "somewhere between 100 and 150 degrees", "B"),
        (SECTORS, "大约二百度的方向", "C"),
        (SECTORS, "It is at 330° azimuth, i.e. front-left.", "D"),
        (SECTORS, "front or back right", None),
        (PATHS, "From the left all the way to the right.", "A"),
        (PATHS, "It pans right to left.", "B"),
        (PATHS, "由左至右", "A"),
        (PATHS, "It starts on the right and ends on the left.", "B"),
        (PATHS, "It moves.", None),
        (PATHS, "It never leaves its place.", "C"),
        (PATHS, "There is no movement whatsoever.", "C"),
        (PATHS, "原地没动。", "C"),
        (RANGES, "Seven metres or so.", "B"),
        (RANGES, "It's right next to the listener.", "A"),
        (RANGES, "roughly twenty metres", "C"),
        (RANGES, "不到一米", "A"),
        (RANGES, "大概五六米", "B"),
        (RANGES, "less than a metre", "A"),
        (RANGES, "over ten metres away", "C"),
        (RANGES, "2 to 10 m", None),
        (ORDERS, "3 → 1 → 2", "E"),
        (ORDERS, "clip 3, clip 1, clip 2", "E"),
        (ORDERS, "Clip 2 precedes clip 1, and clip 3 comes last.", "C"),
        (ORDERS, "3号最先，1号其次，2号最后。", "E"),
        (ORDERS, "三、一、二", "E"),
        (ORDERS, "片段三→片段一→片段二", "E"),
        (ORDERS, "The right order is 2, 3, 1.", "D"),
        (ORDERS, "Clip 1 cannot be first.", None),
        (ORDERS, '{"clips": ["clip 3", "clip 2", "clip 1"]}', "F"),
        (ORDERS, "第三段在最前面，接着是第一段，第二段收尾。", "E"),
        (KEYS, "小调", "B"),
        (KEYS, "F小调", "B"),
        (KEYS, "a minor key", "B"),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read_letter(options, response) == expected
