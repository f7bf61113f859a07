"""Free English answers, compared as a whole with options that are sentences."""

import pytest

from evaluation.extraction import read_choice, read_choices

FAMILIES = (
    "A mother scolds her son for breaking a vase",
    "A teacher praises a pupil for a good essay",
    "A shopkeeper bargains with a customer over a carpet",
    "Two sisters plan a surprise party for their brother",
)
ACCIDENTS = (
    "The driver fell asleep and the truck left the road",
    "The bridge collapsed under the weight of the train",
    "A storm tore the roof off the barn",
    "Workers dropped a crate in the warehouse",
)
FEELINGS = (
    "She is relieved because the test was negative",
    "She is disappointed because the concert was cancelled",
    "She is proud because her daughter won the race",
    "She is ashamed because she forgot the appointment",
)
CONTRACT = (
    "He agrees to sign the contract",
    "He refuses to sign the contract",
    "He asks for more time to read the contract",
    "He tears up the contract in anger",
)
PLACES = ("一位隐居山林的道士", "一位慈悲为怀的僧人", "一间安静的病房或类似的场所", "一座宁静的花园")


def test_read_choice_reads_a_free_answer_as_the_sentence_it_resembles(subtests: pytest.Subtests) -> None:
    rows = [
        (FAMILIES, "A woman is telling off her boy; he has broken a vase, it seems.", 0),
        (FAMILIES, "You hear the teacher say the essay is excellent and the pupil thanks her.", 1),
        (FAMILIES, "They haggle about the price of a carpet, so it's a shopkeeper and a customer.", 2),
        (FAMILIES, "Two girls whisper about balloons and a party, a surprise for their brother.", 3),
        (
            FAMILIES,
            "There is no vase and no mother; the customer wants a discount on a carpet from the shopkeeper.",
            2,
        ),
        (ACCIDENTS, "The truck veers off the road after the driver dozes off.", 0),
        (ACCIDENTS, "A train is heard, then the whole bridge gives way and collapses.", 1),
        (ACCIDENTS, "The wind howls and the roof of the barn is ripped away by the storm.", 2),
        (ACCIDENTS, "A crate is dropped by the workers in a hall.", 3),
        (ACCIDENTS, "Neither the bridge nor the train is involved; the barn lost its roof in a storm.", 2),
        (FEELINGS, "The test came back negative and her voice is full of relief.", 0),
        (FEELINGS, "Her daughter won, and she beams with pride.", 2),
        (FEELINGS, "She forgot an appointment and feels ashamed.", 3),
        (FEELINGS, "She sounds ashamed rather than proud; she forgot the appointment.", 3),
        (CONTRACT, "He tears it up angrily.", 3),
        (FAMILIES, "My best guess would be a customer bargaining with a shopkeeper.", 2),
        (PLACES, "他应该是和尚，因为他念着佛号。", 1),
        (PLACES, "病房", 2),
        (PLACES, "花园。", 3),
    ]
    for options, response, place in rows:
        with subtests.test(response):
            assert read_choice(response, options).index == place


def test_read_choice_ignores_mixed_denied_and_supposed_sentences(subtests: pytest.Subtests) -> None:
    rows = [
        (FAMILIES, "A dog is barking in the yard."),
        (FAMILIES, "A mother and her son are buying a carpet."),
        (FAMILIES, "It could be the mother scolding her son, or the teacher with a pupil."),
        (FAMILIES, "The teacher scolds the pupil for breaking a vase."),
        (FAMILIES, "A mother praises her son for a good essay."),
        (FAMILIES, "It's not the teacher and the pupil."),
        (FAMILIES, "If a vase had been broken, the mother would scold her son."),
        (FAMILIES, "The mother doesn't scold her son; nothing breaks."),
        (FAMILIES, "Is it a teacher praising a pupil?"),
        (ACCIDENTS, "The driver hears a storm on the radio."),
        (ACCIDENTS, "The truck crossed the bridge while a train passed."),
        (ACCIDENTS, "The workers repaired the bridge."),
        (FEELINGS, "She is not disappointed about the concert."),
        (FEELINGS, "She is proud that the test was negative."),
        (FEELINGS, "She was at a concert with her daughter."),
        (CONTRACT, "He doesn't agree to sign."),
        (CONTRACT, "He never refuses to sign."),
        (CONTRACT, "He signs the contract."),
        (FAMILIES, "The recording mentions a mother, a teacher and a shopkeeper."),
        (FAMILIES, "A sister scolds her brother."),
        (ACCIDENTS, "Someone may have dropped a crate, or a storm may have hit the barn."),
        (ACCIDENTS, "People talk about a train."),
        (PLACES, "他不是和尚。"),
        (PLACES, "一位"),
    ]
    for options, response in rows:
        with subtests.test(response):
            assert read_choice(response, options).index is None


def test_read_choices_does_not_read_parts_of_chinese_clauses() -> None:
    options = ("请求被拒绝并引发了攻击", "众人对请求产生了分歧", "他说服了所有人", "他试图逃跑")
    assert read_choices("引发了攻击，同时众人也有了分歧。", options).indices in {None, frozenset({0, 1})}


def test_responses_that_break_off_say_nothing_in_words_of_their_own(subtests: pytest.Subtests) -> None:
    begun = "Let me first describe the recording. Then a mother scolds her son, because a vase was broken"
    assert read_choice(f"{begun}.", FAMILIES).index == 0
    for end in (", and", " and the", ", but", " by"):
        with subtests.test(end):
            assert read_choice(f"{begun}{end}", FAMILIES).index is None
    scenes = ("男子在求婚", "女子当场答应", "朋友们提前布置了现场", "女子生气离开")
    for response in (
        "开头是一段轻柔的音乐。接下来男生深吸了一口气，他先回忆了第一次见面的场景，然后",
        "先听到几个人在说话。然后门开了，男生走了进来，",
        "先听到几个人在说话。女生离开了房间，因为",
    ):
        with subtests.test(response):
            assert read_choices(response, scenes).indices is None
            assert read_choice(response, scenes).index is None
