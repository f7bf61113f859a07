"""Prompt of a critic: the recording, the question with its options, the numbered steps, the answer format.

The paper shows its prompts as pictures; these are our own, with the same purpose. In `few-shot`, two worked examples of
our own precede the recording; that is the only difference between the settings.
"""

from collections.abc import Iterable
from pathlib import Path
from string import ascii_uppercase

from evaluation.types import AudioPart, Item, PromptPart, TextPart

FEW_SHOT, ZERO_SHOT = "few-shot", "zero-shot"
MAX_OPTIONS = len(ascii_uppercase)
STEPS = "steps"

_TEXTS = Path(__file__).parent / "prompts"
_TASK = (_TEXTS / "task.txt").read_text(encoding="utf-8").strip()
_EXAMPLES = (_TEXTS / "examples.txt").read_text(encoding="utf-8").strip()


def number_steps(steps: Iterable[str]) -> str:
    """Return the steps of a trace as numbered lines; multi-line steps are joined to one line."""
    return "\n".join(f"{number}. {' '.join(step.split())}" for number, step in enumerate(steps, start=1))


def build_prompt(item: Item, setting: str) -> tuple[PromptPart, ...]:
    """Return the prompt for a trace."""
    options = "\n".join(f"{letter}. {option}" for letter, option in zip(ascii_uppercase, item.options, strict=False))
    text = _TASK.format(question=item.question, options=options, steps=item.context[STEPS], n_steps=item.n_steps)
    examples = [TextPart(_EXAMPLES)] if setting == FEW_SHOT else []
    return (*examples, *(AudioPart(clip) for clip in item.clips), TextPart(text))
