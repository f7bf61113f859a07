"""Single choice answers that report what others say, suppose, take a guess back, or name two things."""

import pytest

from evaluation.extraction import read_choice, read_choices

ANIMALS = ("a dog", "a wolf", "a cat", "a bird")
CHINESE_ANIMALS = ("狗", "狼", "猫", "鸟")
ORDERS = ("dog then wolf", "wolf then dog", "dog only", "wolf only")
LOUDNESS = ("The first sound is louder", "The second sound is louder", "Both are equally loud")
CALLERS = ("爸爸", "妈妈", "奶奶")
ANSWERED = [
    ("A friend says wolf. I agree.", ANIMALS, "B"),
    ("朋友说狗，但我选狼。", CHINESE_ANIMALS, "B"),
    ("They both say it's a wolf, and they are right.", ANIMALS, "B"),
    ("Both models say it's a wolf. I agree.", ANIMALS, "B"),
    ("Both of my friends say it's a wolf, but it is a dog.", ANIMALS, "A"),
    ("All models say B, but I say C.", ANIMALS, "C"),
    ("Both cues say it's a wolf.", ANIMALS, "B"),
    ("The pitch and the timbre both suggest it's a wolf.", ANIMALS, "B"),
    ("We both think it's a wolf.", ANIMALS, "B"),
    ("Two things tell me it's a wolf.", ANIMALS, "B"),
    ("他们都说是狼，我也同意。", CHINESE_ANIMALS, "B"),
    ("两个人都说是狼，但其实是狗。", CHINESE_ANIMALS, "A"),
    ("两个线索都说明是狼。", CHINESE_ANIMALS, "B"),
    ("They say it's B, and they are right.", ANIMALS, "B"),
    ("Somebody says that's B. I agree.", ANIMALS, "B"),
    ("My friend says it's a wolf, and he is right.", ANIMALS, "B"),
    ("The narrator says the answer is B, which is correct.", ANIMALS, "B"),
    ("My friend says it's a wolf, but it is a dog.", ANIMALS, "A"),
    ("Most people say B, but I say C.", ANIMALS, "C"),
    ("The man says B is wrong. I choose C.", ANIMALS, "C"),
    ('The audio says "B".', ANIMALS, "B"),
    ("The speaker says 'wolf', so B.", ANIMALS, "B"),
    ("The speaker says a wolf.", ANIMALS, "B"),
    ("I'd say B.", ANIMALS, "B"),
    ("It's a wolf, I'd say.", ANIMALS, "B"),
    ("大家都说是狼，我也同意。", CHINESE_ANIMALS, "B"),
    ("有人说是狼，但其实是狗。", CHINESE_ANIMALS, "A"),
    ("有人说是B，我选C。", CHINESE_ANIMALS, "C"),
    ("说话人说“狼”，所以选B。", CHINESE_ANIMALS, "B"),
    ("My guess was a wolf. It isn't a dog, it is a wolf.", ANIMALS, "B"),
    ("My guess was a cat. It is not a dog.", ANIMALS, "C"),
    ("My guess was B, but that is wrong. It is C.", ANIMALS, "C"),
    ("It isn't a wolf, my guess is a dog.", ANIMALS, "A"),
    ("我猜是狼，不是狗。", CHINESE_ANIMALS, "B"),
    ("A wolf would fit best.", ANIMALS, "B"),
    ("A dog would bark, so it's a wolf.", ANIMALS, "B"),
    ("It would be a wolf.", ANIMALS, "B"),
    ("I would go with B.", ANIMALS, "B"),
    ("狗会叫，猫会喵喵叫。这是狼。", CHINESE_ANIMALS, "B"),
    ("妈妈会来接他。", CALLERS, "B"),
    ("The second sound is a wolf.", ANIMALS, "B"),
    ("The animal is a dog, not a wolf.", ANIMALS, "A"),
    ("The first sound is a dog, the second sound is a wolf. So the answer is B.", ANIMALS, "B"),
    ("The first sound is a dog, the second sound is a wolf.", ORDERS, "A"),
    ("It is a dog first, then a wolf.", ORDERS, "A"),
    ("The first sound is louder, the second sound is softer.", LOUDNESS, "A"),
    ("第二个声音是狼。", CHINESE_ANIMALS, "B"),
    ("第一个声音是狗，第二个声音是狼，所以答案是B。", CHINESE_ANIMALS, "B"),
]
LEFT_OPEN = [
    *((response, ANIMALS) for response in (
        "Somebody says that's B.", "They say it's B.", "The speaker says that's B.", 'A voice says: "B".',
        "The narrator says the answer is B.", "My friend says it's a wolf.", "My brother told me it's B.",
        "I've been told that the answer is B.", "According to my friend, it's a wolf.", "Another model answered B.",
        "They both say it's a wolf.", "Both models say it's B.", "Two people say it's a wolf.", "Both say it's a wolf.",
        "Both of them say it's a wolf.", "All of my friends think it's a wolf.", "Most of the annotators chose B.",
        "Three out of four listeners say it's a wolf.", "The other two say it's B.", "Everyone agrees that it's B.",
        "They're both sure it's a wolf.", "It's a wolf, according to both models.", "It's a wolf, say both witnesses.",
        "My friend says wolf.", "GPT-4 and Claude both say it's B.", "They say it's B. They all agree.",
        "Some people would choose B.", "It's B, says my friend.", '"It\'s a wolf," my friend says.', "B, they say.",
        "A friend says wolf.", "Two friends say wolf.", "A colleague of mine says: wolf", "Wolf, says a friend.",
        "My friend says it's a wolf. I don't agree.", 'The man says "A", the woman says "B".',
        "My guess was a wolf. It is not a wolf.", "I guessed wolf, but it isn't a wolf.",
        "My first guess was a wolf. It's not a wolf.", "My guess was B. That guess was wrong.",
        "I guessed it was a wolf. Wrong.", "I'd have said a wolf, but it isn't a wolf.",
        "It could be a wolf. It's not a wolf.",
        "A dog would bark.", "A wolf would howl, not bark.", "The dog would bark", "A cat might meow.",
        "Normally a dog would bark.", "A real dog would bark louder.", "Option B would be a howl.",
        "The first sound is a dog, the second sound is a wolf.", "The first sound is a dog; the second is a wolf.",
        "Sound 1 is a dog, sound 2 is a wolf.", "Sound A is a dog, sound B is a wolf.",
        "The left one is a dog, the right one is a wolf.", "It is a dog first, and then it is a wolf.",
    )),
    *((response, CHINESE_ANIMALS) for response in (
        "他们俩都说是狼。", "两个模型都说是B。", "两个人都说是狼。", "大多数听众认为是狼。", "另外两个模型都选狼。",
        "据两位专家说，这是狼。", "听说是狼。", "他们都同意是狼。",
        "朋友说狼", "同事说，狼。", "有朋友说选B",
        "有人说是B。", "我朋友说是狼。", "旁白说答案是B。", "一个声音说“B”。", "大家都说是B。",
        "老师说是狼，我不同意。",
        "我猜是狼。不是狼。", "我猜是狼，但不是狼。", "我猜是狼，猜错了。", "狗会叫。",
        "狼会嚎叫，而不是吠叫。",
        "第一个声音是狗，第二个声音是狼。", "先是狗，然后是狼。", "声音1是狗，声音2是狼。",
        "左边是狗，右边是狼。",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("response", "options", "expected"), ANSWERED)
def test_answer_of_the_author_is_read(response: str, options: tuple[str, ...], expected: str) -> None:
    assert read_choice(response, options).index == ord(expected) - ord("A")


@pytest.mark.parametrize(("response", "options"), LEFT_OPEN)
def test_report_supposition_withdrawn_guess_and_two_things_are_no_answer(
    response: str, options: tuple[str, ...]
) -> None:
    assert read_choice(response, options).index is None


def test_sets_that_others_name_are_no_answer() -> None:
    assert read_choices("My friend says A and C.", ANIMALS).indices is None
    assert read_choices("Somebody says A and C are right.", ANIMALS).indices is None
    assert read_choices("The user thinks the answers are A and C. I agree.", ANIMALS).indices == frozenset({0, 2})
    assert read_choices("有人会选A、B，我选A、C。", ANIMALS).indices == frozenset({0, 2})
