"""Answer texts, phrased as a model would phrase them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.listeners.prompt import Option, PromptQuestion

CANNOT_TELL = "I cannot tell from what I hear."
CANNOT_TELL_CHINESE = "从听到的声音中我无法确定。"


@dataclass(frozen=True, slots=True)
class Perception:
    """A listener's finding about a question.

    Attributes:
        heard: What it hears, a clause such as "The tone is in the first half".
        choices: Positions of the options that fit; empty without options.
        truth: Whether the statement is true, for true/false questions.
    """

    heard: str
    choices: tuple[int, ...] = ()
    truth: bool | None = None


def phrase_answer(question: PromptQuestion, finding: Perception) -> str:
    """Phrase a finding as an answer."""
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
    """Join labels as in prose: `A`, `A and C`, `A, B and C`."""
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def phrase_unknown(question: PromptQuestion, unknown: Option | None) -> str:
    """Phrase that the answer is unknown, with the option for it if there is one."""
    if question.is_chinese:
        return f"从听到的声音中我无法确定，所以答案是{unknown.label}。" if unknown else CANNOT_TELL_CHINESE
    return f"I cannot tell from what I hear, so the answer is {unknown.label}." if unknown else CANNOT_TELL
