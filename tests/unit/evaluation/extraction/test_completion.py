"""Enumerations whose members are partly named by their texts and partly in other words."""

import pytest

from evaluation import read_choices

SOUNDS = ("rain", "dog barking", "bell ringing", "baby crying", "applause")
NEWS = ("她搬家了", "她没有找到工作", "她明天要面试", "她要退票")


def read(response: str, options: tuple[str, ...]) -> str | None:
    indices = read_choices(response, options).indices
    return None if indices is None else "".join(chr(65 + position) for position in sorted(indices))


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("I hear rain, a barking dog, and someone applauding.", "ABE"),
        ("There is rain, then a bell rings and a baby cries.", "ACD"),
        ("I hear rain and a dog barking, but no bells.", "AB"),
        # Perhaps the baby's crying, perhaps something else.
        ("I hear rain, and there is a baby.", None),
    ],
)
def test_members_in_other_forms(response: str, expected: str | None) -> None:
    assert read(response, SOUNDS) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("她搬家了，工作也没有找到，所以打算退票。", "ABD"),
        ("她唱了一首歌。因此符合题意的有：她搬家了；她要退票。", "AD"),
        ("她搬家了，想退票。", "AD"),
        ("她搬家了，而且明天要去面试。", "AC"),
        ("她搬家了，不想退票。", "A"),
    ],
)
def test_members_in_other_words_in_chinese(response: str, expected: str | None) -> None:
    assert read(response, NEWS) == expected
