"""Answers in words, as a model would give them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.listeners.prompt import Option, PromptQuestion

CANNOT_TELL = "I cannot tell from what I hear."
CANNOT_TELL_CHINESE = "从听到的声音中我无法确定。"


@dataclass(frozen=True, slots=True)
class Perception:
    """What a listener makes of a question.

    Attributes:
        heard: What it hears, a clause such as "The tone is in the first half".
        choices: Positions of the options that fit; empty where the question has none.
        truth: Whether the statement is true, where one is asked about.
    """

    heard: str
    choices: tuple[int, ...] = ()
    truth: bool | None = None


def say(question: PromptQuestion, finding: Perception) -> str:
    """Put a finding into words."""
    if finding.truth is not None:
        if question.is_chinese:
            return f"{finding.heard}，所以这个说法是{'正确' if finding.truth else '错误'}的。"
        return f"{finding.heard}, so the statement is {'true' if finding.truth else 'false'}."
    if not finding.choices:
        return finding.heard + ("。" if question.is_chinese else ".")
    labels = [question.options[choice].label for choice in finding.choices]
    if question.is_chinese:
        return f"{finding.heard}，所以答案是{'、'.join(labels)}。"
    return f"{finding.heard}, so the answer is {list_labels(labels)}."


def list_labels(labels: Sequence[str]) -> str:
    """Return labels as one says them: `A`, `A and C`, `A, B and C`."""
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def give_up(question: PromptQuestion, way_out: Option | None) -> str:
    """Say that one cannot tell, by the option for it where there is one."""
    if question.is_chinese:
        return f"从听到的声音中我无法确定，所以答案是{way_out.label}。" if way_out else CANNOT_TELL_CHINESE
    return f"I cannot tell from what I hear, so the answer is {way_out.label}." if way_out else CANNOT_TELL
