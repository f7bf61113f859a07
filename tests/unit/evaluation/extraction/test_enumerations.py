"""Options gone through one by one, and lists of letters with words between them."""

import pytest

from evaluation.extraction import read_boolean, read_choice, read_choices

TRAIN = ("火车晚点", "乘客情绪激动", "工作人员耐心解释", "广播通知列车取消", "乘客改乘大巴")
TRAIN_IN_ENGLISH = (
    "The train is late", "The passengers are upset", "The staff explain patiently", "The train is cancelled",
    "They take a coach",
)  # fmt: skip
PEOPLE = ("母女关系", "师生关系", "同事关系", "医患关系")

ROWS: dict[str, list[tuple[str, str | None]]] = {
    "the rest by their letters": [
        ("不选A，其余BCDE均正确。", "BCDE"),
        ("A错误，其余B、C、D、E都成立。", "BCDE"),
        ("A不成立，其余四项BCDE正确。", "BCDE"),
        ("不选A和C，其余BDE都对。", "BDE"),
        ("A、C不符合，剩下的B、D、E均符合。", "BDE"),
        ("A、C正确，其余BDE均不正确。", "AC"),
        ("AC成立，其他B、D、E均不成立。", "AC"),
        ("除A外，其余BCDE均正确。", "BCDE"),
        ("不选A，其余均正确。", "BCDE"),
        ("A和C正确，其余三项不正确。", "AC"),
        ("火车晚点成立，列车取消也成立，其余三项都不成立。\n答案：A D", "AD"),
    ],
    "lists of letters with nouns": [
        ("符合题意的是A项和B项，其他三项可以排除。", "AB"),
        ("A项和B项。", "AB"),
        ("A项、B项和D项正确。", "ABD"),
        ("A选项、B选项和D选项正确。", "ABD"),
        ("A项和C项成立，B项和D项、E项不成立。", "AC"),
        ("A项正确，B项和C项、D项、E项错误。", "A"),
        ("因此，火车晚了（A）和列车停运（D）是成立的，其余都不成立。", "AD"),
        ("火车晚了（A）、列车停运（D）成立，乘客激动（B）、解释（C）、大巴（E）不成立。", "AD"),
        ("火车晚了（A）和列车停运（D）不成立，乘客激动（B）和解释（C）成立，大巴（E）不成立。", "BC"),
    ],
    "one after the other": [
        (
            "首先，晚点了，选A。其次，乘客平静，不选B。再次，很有耐心，选C。然后，没有广播，不选D。最后，"
            "坐上了大巴，选E。",
            "ACE",
        ),
        ("首先，晚点，选A。其次，激动，选B。最后，耐心，选C。", "ABC"),
        ("首先，火车晚了，选A。其次，乘客平静，排除B。再次，工作人员耐心，选C。", "AC"),
        ("第一，晚点，选A；第二，平静，不选B；第三，耐心，选C；第四，没有取消，不选D；第五，大巴，选E。", "ACE"),
        ("晚点了，所以选A。\n情绪激动，因此选B。\n没有解释，故不选C。\n没有取消，不选D。\n坐大巴，选E。", "ABE"),
        ("列车因故取消的广播对应选项D。\n答案：B、C、D、E。", "BCDE"),
        ("应选择A和B，不应选择C、D、E。", "AB"),
        ("不应选择A、B，应选择C、D、E。", "CDE"),
        ("不应选择A、B。", None),
    ],
    "answers behind arrows": [
        (
            "A. 火车晚点 → 是（广播）\nB. 乘客情绪激动 → 是（“怎么回事？”）\nC. 工作人员耐心解释 → 是（有）\nD. "
            "广播通知列车取消 → 否（没有）\nE. 乘客改乘大巴 → 是（“上车！”）",
            "ABCE",
        ),
        ("A → 对（晚点）\nB → 错（平静）\nC → 对\nD → 错\nE → 错", "AC"),
        (
            "A. 火车晚点 -> yes\nB. 乘客情绪激动 -> no\nC. 工作人员耐心解释 -> yes\nD. 广播通知列车取消 -> no\nE."
            " 乘客改乘大巴 -> no",
            "AC",
        ),
        (
            'A. The train is late -> yes (an announcement)\nB. The passengers are upset -> no\nC. The staff '
            'explain patiently -> yes ("Can I help?")\nD. The train is cancelled -> no\nE. They take a coach -> '
            'no',
            "AC",
        ),
        (
            "The train is late -> true\nThe passengers are upset -> false\nThe staff explain patiently -> true\n"
            "The train is cancelled -> false\nThey take a coach -> false",
            "AC",
        ),
        ('A: correct ("Why so late?")\nB: incorrect\nC: correct ("How can I help?")\nD: incorrect\nE: incorrect', "AC"),
        ("A: correct (is it?)\nB: incorrect\nC: correct\nD: incorrect\nE: incorrect", None),
        ("A → 是\nB → 不确定\nC → 是\nD → 否\nE → 否", None),
    ],
    "what cannot be determined": [
        ("A不能确定；B正确；C正确；D正确；E错误。综上，BCD。", "BCD"),
        ("A无法确定，B、C、D正确，E错误。所以选BCD。", "BCD"),
        ("A不能确定；B正确；C正确；D正确；E错误。", None),
        ("A正确，B不能确定。综上，AB。", None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", ROWS)
def test_sets_are_read_from_enumerations(form: str, subtests: pytest.Subtests) -> None:
    for response, expected in ROWS[form]:
        with subtests.test(response):
            indices = read_choices(response, TRAIN_IN_ENGLISH if response.isascii() else TRAIN).indices
            letters = None if indices is None else "".join(chr(65 + place) for place in sorted(indices))
            assert letters == expected


def test_relations_between_people_are_no_alternatives(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, int | None]] = [
        ("两位说话者之间是母女关系。", 0),
        ("说话人之间的关系是师生关系。", 1),
        ("他们之间的关系是同事关系。", 2),
        ("双方之间为医患关系", 3),
        ("彼此之间是同事关系", 2),
        ("两人之间不像母女关系，而是师生关系。", 1),
        ("两人之间不是母女关系。", None),
        ("两人之间可能是母女关系，也可能是师生关系。", None),
        ("母女关系和师生关系两者之间难以选择。", None),
        ("答案在C和D两项之间。", None),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read_choice(response, PEOPLE).index == expected


def test_what_shows_a_statement_to_be_true_is_no_part_that_is_judged(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, bool | None]] = [
        ("At first I thought this was false, but the second half makes it clear that the statement is true.", True),
        ("The second half shows that the statement is true.", True),
        ("The second half confirms that the statement is false.", False),
        ("The end of the clip convinces me that the statement is false.", False),
        ("I first believed it, but the rear half makes it plain that the statement is false.", False),
        ("The second half makes it clear that the statement is not true.", False),
        ("Nothing in the second half makes it clear that the statement is true.", None),
        ("The second half does not show that the statement is true.", None),
        ("The second half doesn't show that the statement is true.", None),
        ("The end can't prove that the statement is false.", None),
        ("The recording never makes it clear that the statement is true.", None),
        ("The clip fails to make it clear that the statement is true.", None),
        ("The clip never shows that the statement is true, so the statement is false.", False),
        ("The second half would show that the statement is true.", None),
        ("The second half makes it clear whether the statement is true.", None),
        (
            "The first half shows that the statement is true, but the second half shows that the statement is "
            "false.",
            None,
        ),
        ("声源始终在右侧，这与题目中的“东”是吻合的。但先前后后，因此这句话是不正确的。", False),
        ("起点与陈述里的“左”相符，终点不符，因此陈述错误。", False),
        ("这与题目中的“右”一致，因此陈述正确。", True),
        ("这与题目中的“右”不吻合，所以这句话是错误的。", False),
        ("与题目中的“东”一致。", None),
    ]  # fmt: skip
    for response, expected in rows:
        with subtests.test(response):
            assert read_boolean(response).value is expected


def test_lists_of_detected_sounds_are_read_as_reviews(subtests: pytest.Subtests) -> None:
    sounds = ("footsteps", "door slam", "car horn", "rain", "speech")
    for word in ("detected", "identified", "observed", "perceived", "discernible", "heard", "audible", "present"):
        verdicts = [word if sound in {"car horn", "speech"} else f"not {word}" for sound in sounds]
        for separator in (": ", " – ", " - "):
            rows = [
                f"* **{sound}**{separator}{verdict}. It is." for sound, verdict in zip(sounds, verdicts, strict=True)
            ]
            with subtests.test(word=word, separator=separator):
                assert read_choices("\n".join(rows), sounds).indices == frozenset({2, 4})
    with subtests.test("letters"):
        response = "Detected: A, C. Not detected: B, D, E."
        assert read_choices(response, sounds).indices == frozenset({0, 2})
