"""Options in everyday words: sides, movements, comparisons, heights, and free Chinese answers."""

from itertools import permutations

import pytest

from evaluation.extraction import read_choice, read_choices
from evaluation.extraction.option_texts.options import prepare
from evaluation.extraction.paraphrases.relations import find_relation
from evaluation.extraction.paraphrases.resemblance import find_resembled, list_traits

SIDES = ("On the left", "On the right", "Straight ahead")
MOVES = ("The sound gets closer", "The sound moves away", "It passes by", "It circles around the listener")
PATHS = ("From left to right", "From right to left", "It stays where it is")
PITCH = ("The first tone is higher", "The second tone is higher", "Both have the same pitch")
LOUD = ("Audio 1 is louder", "Audio 2 is louder", "Both are equally loud")
LONG = ("The first tone is longer", "The second tone is longer", "Both are equally long")
HALVES = ("In the first half", "In the second half", "There is no tone")
HEIGHTS = ("Above ear level", "Below ear level", "At ear level")
AZIMUTHS = ("Yes, from the same azimuth", "No, from different azimuths", "Unable to determine")
RELATIONS = ("Left of the bell", "Right of the bell", "In the same place")
CAUSES = ("因为邻居家的狗整夜吠叫", "因为他错过了最后一班火车", "因为考试成绩没有达到要求", "因为厨房的水管突然破裂")

READ = (
    (
        SIDES,
        (
            ("A drum can be heard to my left.", 0),
            ("It is louder in the right ear than in the left.", 1),
            ("The left channel is weaker than the right.", 1),
            ("The clap reaches the left ear before the right.", 0),
            ("Directly in front of the listener", 2),
            ("It seems to be centred in the stereo field.", 2),
            ("右耳的声音更响。", 1),
            ("声音在左边。", 0),
            ("It is not on the left but on the right-hand side.", 1),
            ("It is on the left or on the right.", None),
            ("It is behind me to my left.", None),
            ("The bird left the tree.", None),
        ),
    ),
    (
        MOVES,
        (
            ("The tram is approaching.", 0),
            ("Hooves come nearer and nearer.", 0),
            ("They walk off into the distance.", 1),
            ("It does not come closer; it recedes.", 1),
            ("A cart approaches and then moves away.", 2),
            ("The bee flies around my head.", 3),
            ("马蹄声由远及近。", 0),
            ("歌声渐行渐远。", 1),
            ("It may be approaching or moving away.", None),
            ("The volume rises.", None),
        ),
    ),
    (
        PATHS,
        (
            ("The hum does not move at all.", 2),
            ("Its position remains unchanged.", 2),
            ("声源固定不动。", 2),
            ("It is not stationary.", None),
            ("It does not move from left to right.", None),
        ),
    ),
    (
        PITCH,
        (
            ("The pitch falls from the first to the second tone.", 0),
            ("The pitch is lower in the first tone than in the second.", 1),
            ("The frequency of the second tone is lower than that of the first.", 0),
            ("I can't hear any difference in pitch.", 2),
            ("音高由低变高。", 1),
            ("两个音的音高没有差别。", 2),
            ("The pitch rises within the first tone.", None),
        ),
    ),
    (
        LOUD,
        (
            ("The second clip has a higher volume.", 1),
            ("The volume decreases.", 0),
            ("The level of Audio 2 is lower than that of Audio 1.", 0),
            ("The second is weaker.", 0),
            ("The second one has a higher pitch.", None),
        ),
    ),
    (
        LONG,
        (
            ("The second tone lasts twice as long.", 1),
            ("The second is half as long as the first.", 0),
            ("Both tones last about two seconds.", 2),
            ("第一个音持续得更久。", 0),
        ),
    ),
    (
        HALVES,
        (
            ("The first half is silent, then a tone starts.", 1),
            ("A beep in the latter part of the clip", 1),
            ("The clip is silent throughout.", 2),
            ("整段录音里都没有听到纯音。", 2),
            ("The second half has a beep.", 1),
            ("The first half is silent.", None),
        ),
    ),
    (
        HEIGHTS,
        (
            ("It comes from overhead.", 0),
            ("Somewhere near the floor", 1),
            ("声音从头顶传来。", 0),
            ("It sits above the listener's left ear.", None),
        ),
    ),
    (
        AZIMUTHS,
        (
            ("They come from opposite sides.", 1),
            ("Audio 1 is on the left, and Audio 2 is on the right.", 1),
            ("Audio 1 is on the left, and Audio 2 is in front.", None),
            ("两个声音来自同一个方向。", 0),
        ),
    ),
    (
        RELATIONS,
        (
            ("The horn is on the left side of the bell.", 0),
            ("The bell is to the left of the horn.", 1),
            ("They come from the same location.", 2),
            ("The bell is not to the left of the horn.", None),
        ),
    ),
    (
        CAUSES,
        (
            ("邻居的狗叫了一整夜，让他睡不着。", 0),
            ("最后那班火车他错过了。", 1),
            ("他的考试成绩不理想，没有达到要求。", 2),
            ("厨房里水管突然裂开了。", 3),
            ("考试成绩达到了要求。", None),
            ("他没有错过火车。", None),
            ("可能是狗叫，也可能是火车晚点。", None),
            ("他听起来很疲惫。", None),
        ),
    ),
)


def test_read_choice_reads_everyday_words_for_an_option(subtests: pytest.Subtests) -> None:
    for options, answers in READ:
        for response, place in answers:
            with subtests.test(response=response):
                assert read_choice(response, options).index == place


def test_read_choice_reads_everyday_words_in_any_order_of_the_options() -> None:
    differing = []
    for options, answers in READ:
        for order in list(permutations(range(len(options))))[1::2]:
            reordered = tuple(options[place] for place in order)
            for response, place in answers[:4]:
                expected = None if place is None else order.index(place)
                if (read := read_choice(response, reordered).index) != expected:
                    differing.append((response, reordered, read))
    assert differing == []


@pytest.mark.parametrize("template", ["Is it {}?", "If it were {}, I would hear more reverb."])
def test_read_choice_ignores_sides_in_questions_and_suppositions(template: str) -> None:
    for side in ("on the left", "on the right-hand side", "right in front of me", "in the left channel"):
        assert read_choice(template.format(side), SIDES).index is None


def test_read_choices_adds_up_paraphrased_sentences() -> None:
    options = ("第一段音频中有人在剧烈咳嗽", "第二段音频中门铃响了两次", "两段音频都录制于图书馆")
    assert read_choices("第一段里有个人咳嗽得很剧烈。第二段里门铃一共响了两次。", options).indices == frozenset({0, 1})
    assert read_choices("第一段里没有人剧烈咳嗽。", options).indices is None


def test_find_relation_reads_the_reference_from_either_end() -> None:
    texts = prepare(RELATIONS).texts
    assert find_relation("the bell is to the right of the horn", texts) == 0
    assert find_relation("the drum is to the right of the horn", texts) is None


def test_find_resembled_reads_the_conclusion_of_long_answers() -> None:
    texts = prepare(CAUSES).texts
    reasoning = "音频里先有脚步声，随后传来关门的声音，接着是一阵沉默。" * 8
    assert find_resembled(f"{reasoning}因此，他是错过了最后的一班火车。", texts) == 1
    assert find_resembled(f"厨房的水管破裂了。{reasoning}", texts) is None


def test_list_traits_ignores_options_without_distinctive_words() -> None:
    assert list_traits(("同样的话", "同样的话")) == ()
    assert list_traits(("rain", "wind")) == ()


def test_read_choice_keeps_the_order_of_changes() -> None:
    moods = ("从平静转为愤怒", "从紧张转为放松", "始终保持冷静")
    assert read_choice("他一开始很平静，后来越来越愤怒。", moods).index == 0
    assert read_choice("他从愤怒转为平静。", moods).index is None
    english = ("From calm to angry", "From tense to relaxed", "Always cool")
    assert read_choice("Her voice goes from angry to calm.", english).index is None


def test_read_choice_reads_orders_from_the_position_of_each_clip() -> None:
    orders = tuple(" -> ".join(f"clip {clip}" for clip in order) for order in permutations((1, 2, 3)))
    for place, (first, second, third) in enumerate(permutations((1, 2, 3))):
        for response in (
            f"Clip {third} comes last, clip {first} starts and clip {second} is in the middle.",
            f"Clip {first} comes first. Clip {third} ends the recording.",
            f"片段{second}在中间，片段{first}最先，片段{third}是结尾。",
        ):
            assert read_choice(response, orders).index == place, response
    assert read_choice("Clip 1 comes first.", orders).index is None
    assert read_choice("Clip 1 comes first, and clip 1 comes last.", orders).index is None
    assert read_choice("Clip 1 may come first, clip 3 last.", orders).index is None


def test_read_choices_separates_chosen_letters_from_a_rejected_list() -> None:
    options = ("雨声", "风声", "雷声", "鸟鸣")
    assert read_choices("应选C和D，A、B不符合。", options).indices == frozenset({2, 3})
    assert read_choices("A、B不符合，应选C和D。", options).indices == frozenset({2, 3})


def test_read_choices_applies_a_verdict_on_the_others_to_unstated_options_only() -> None:
    options = ("A bell rings", "A dog barks", "A door closes")
    assert read_choices("A bell rings. The other statements are not supported.", options).indices == frozenset({0})
    assert read_choices("I hear a B and a C.", options).indices == frozenset({1, 2})


def test_read_choice_reads_the_compared_property_from_the_option_of_both() -> None:
    farther = ("Of Audio 1", "Of Audio 2", "Both are at one distance", "I cannot tell")
    higher = ("Of Audio 1", "Of Audio 2", "Both are at one height", "I cannot tell")
    assert read_choice("Audio 2 is more distant.", farther).index == 1
    assert read_choice("Audio 2 is nearer.", farther).index == 0
    assert read_choice("Audio 2 is more distant.", higher).index is None
    assert read_choice("The source in Audio 1 is higher up.", higher).index == 0


def test_read_choice_reads_a_refusal_as_an_option_in_the_first_person() -> None:
    options = ("In the first half", "In the second half", "I cannot tell")
    assert read_choice("I can't say.", options).index == 2
    assert read_choice("Sorry, I cannot listen to audio.", options).index is None
    impersonal = (*options[:2], "Cannot be determined")
    assert read_choice("I can't say.", impersonal).index is None


def test_read_choice_reads_a_few_words_of_one_option() -> None:
    options = ("The dripping tap", "The creaking door", "Neither of the two")
    assert read_choice("The tap.", options).index == 0
    assert read_choice("No tap.", options).index is None
    assert read_choice("The dripping", ("The dripping tap", "The dripping gutter")).index is None


def test_read_choice_ignores_words_of_an_option_in_other_clauses() -> None:
    cases: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
        (HALVES, ("The first half is noisy.", "At the end of the first half there is a pause.", "It isn't there.")),
        (PITCH, ("The pitch rises and then falls.", "The pitch changes.", "Which is higher, the first or the second?")),
        (
            HEIGHTS,
            (
                "It comes from above or below.",
                "The floor creaks.",
                "The level is below average.",
                "The frequency is above 2 kHz.",
            ),
        ),
        (AZIMUTHS, ("They may come from different directions.", "Audio 1 is on the left.")),
        (PATHS, ("From left to right and back to left.", "There is movement.")),
        (("去图书馆还书", "去地铁站接人", "在医院陪护"), ("他们提到了图书馆和医院。", "可能去地铁站，也可能去医院。")),
        (("母亲拒绝了他的请求", "父亲没有来接他", "他觉得很疲劳"), ("母亲答应了他的请求。", "父亲来接他了。")),
    )
    invented = [
        (response, options)
        for options, responses in cases
        for response in responses
        if read_choice(response, options).index is not None
    ]
    assert invented == []
