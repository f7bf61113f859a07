"""Vocabulary of comparisons: first, second and same, and more and less of an attribute."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evaluation.listeners.answer_texts import Perception
from evaluation.listeners.prompt import Option
from evaluation.listeners.questions.listening_task import ListeningTask, is_unknown_option
from evaluation.listeners.words import Wording

FIRST, SAME, SECOND = 1, 0, -1

_FIRST = Wording(
    "first | 1st | former | earlier | audio 1 | sound 1 | clip 1 | recording 1 | tone 1 | 第一 | 前者 | 音频1 | 前一"
)
_SECOND = Wording(
    "second | 2nd | latter | later | audio 2 | sound 2 | clip 2 | recording 2 | tone 2 | 第二 | 后者 | 音频2 | 后一"
)
_SAME = Wording(
    "same | equal* | neither | both | identical* | no difference | alike | equivalent | "
    "at one | in one place | no different | 一样 | 相同 | 同样 | 都"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute to compare.

    Attributes:
        name: Name in answers.
        asks: Words of questions about it.
        more: Words for more of it.
        less: Words for less of it.
    """

    name: str
    asks: Wording
    more: Wording
    less: Wording


ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType(
    {
        attribute.name: attribute
        for attribute in (
            Attribute(
                "elevation",
                Wording(
                    "elevation | height | higher up | lower down | ear level | ear-level | ears | vertical* | "
                    "高度 | 上方 | 下方"
                ),
                Wording("higher | above | upper | 更高 | 上方"),
                Wording("lower | below | beneath | 更低 | 下方"),
            ),
            Attribute(
                "distance",
                Wording(
                    "distance | distant | far | farther | further | farthest | near | nearer | closer | "
                    "closest | 距离 | 多远 | 更远 | 更近"
                ),
                Wording("farther | further | far | more distant | farthest | 远"),
                Wording("nearer | closer | near | close | closest | nearest | 近"),
            ),
            Attribute(
                "loudness",
                Wording("loud* | quiet* | soft* | volume | intens* | faint* | 响 | 音量 | 声音大 | 声音小"),
                Wording("loud* | stronger | more intense | 更响 | 大"),
                Wording("quieter | softer | fainter | weaker | less loud | 更轻 | 小"),
            ),
            Attribute(
                "duration",
                Wording("duration | longer | shorter | last* | length | longest | shortest | 时长 | 更长 | 更短 | 久"),
                Wording("longer | longest | 更长 | 更久"),
                Wording("shorter | briefer | shortest | 更短"),
            ),
            Attribute(
                "pitch",
                Wording(
                    "pitch* | frequency | higher tone | lower tone | higher note | lower note | higher | "
                    "lower | 音高 | 音调 | 频率"
                ),
                Wording("higher | 更高 | 高"),
                Wording("lower | deeper | 更低 | 低"),
            ),
        )
    }
)
"""Name → attribute, in the order in which a question is searched: `higher` alone means pitch."""

THRESHOLDS: Mapping[str, float] = MappingProxyType({"pitch": 20.0, "loudness": 2.0, "duration": 0.1})
"""Smaller differences count as the same: cents, decibels, shares of the shorter one. For places see the question."""


def find_attribute(text: str) -> Attribute | None:
    """Return the attribute that a question compares, or None."""
    return next((attribute for attribute in ATTRIBUTES.values() if attribute.asks.found_in(text)), None)


def read_rank(option: str) -> int | None:
    """Return which of the two an option names: `FIRST`, `SECOND`, `SAME`, or None."""
    if _SAME.found_in(option):
        return SAME
    first, second = _FIRST.found_in(option), _SECOND.found_in(option)
    if first == second:
        return None
    return FIRST if first else SECOND


def choose_rank(task: ListeningTask, attribute: Attribute, difference: float, threshold: float) -> Perception | None:
    """Return the option that fits a measured difference, first minus second; None if no option does.

    Args:
        task: The prompt.
        attribute: Measured attribute.
        difference: Value of the first minus value of the second.
        threshold: Smaller differences count as the same.
    """
    rank = SAME if abs(difference) < threshold else FIRST if difference > 0 else SECOND
    claims = {place: _find_rank(option, task, attribute) for place, option in enumerate(task.question.options)}
    choice = next((place for place, claim in claims.items() if claim == rank), None)
    if choice is None:
        return None
    which = {FIRST: "The first one has more", SECOND: "The second one has more", SAME: "The two are alike in"}[rank]
    return Perception(f"{which} {attribute.name}".replace("more pitch", "the higher pitch"), (choice,))


def _find_rank(option: Option, task: ListeningTask, attribute: Attribute) -> int | None:
    """Return which of the two has more, according to an option."""
    rank = None if is_unknown_option(option.text) else read_rank(option.text)
    if not rank:
        return rank
    for text in (option.text, task.question.text):
        more, less = attribute.more.found_in(text), attribute.less.found_in(text)
        if more != less:
            return rank if more else -rank
    return rank
