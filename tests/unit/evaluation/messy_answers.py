"""Answers as systems write them, made at random from a seed, each with the option its writer meant."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OPTION_SETS: tuple[tuple[str, ...], ...] = (
    ("From left to right", "From right to left", "Remains unchanged", "Moves up"),
    ("left", "left to right", "right", "behind the listener"),
    ("The first sound", "The second sound", "Both sounds are equally loud", "No sound is heard"),
    (
        *(f"clip {a} -> clip {b} -> clip {c}" for a, b, c in ("123", "132", "213", "231", "312", "321")),
        "The order cannot be determined",
    ),
    ("From front-left to back-left", "From back-left to front-left", "From front-right to front-left", "From N to S"),
    ("250 Hz", "2500 Hz", "500 Hz", "50 Hz"),
    ("餐厅的后厨", "餐厅", "其中一位说话者充满回忆的家中", "社区共享厨房"),
    (
        "因为女顾客亲口承认了他们的关系",
        "因为男店员违反规定，给了折扣",
        "因为他们的对话更加亲密",
        "因为他们恰好在讨论相关话题",
    ),
    ("声音从左到右", "声音从右到左", "声音不变"),
)


class MessyAnswer(NamedTuple):
    """An answer, what it was an answer to, and what its writer meant: a position, or None where nobody can tell."""

    response: str
    options: tuple[str, ...]
    intended: int | None
    template: str


# {L} the letter meant, {l} in lower case, {F} full-width, {T} its text; {M} and {U} another letter and its text;
# {N} a third letter; {Z} a letter outside; {ALL} the list of all options.
_MEANT_HEADING, _UNREADABLE_HEADING = "[meant]", "[unreadable]"
_LINES = Path(__file__).with_name("messy_templates.txt").read_text(encoding="utf-8").split("\n")[:-1]
_BORDER = _LINES.index(_UNREADABLE_HEADING)
MEANT = tuple(_LINES[_LINES.index(_MEANT_HEADING) + 1 : _BORDER])
UNREADABLE = tuple(_LINES[_BORDER + 1 :])


def fill(template: str, options: tuple[str, ...], positions: tuple[int, int, int]) -> str:
    """Write a template out for an option that is meant and two others."""
    meant, other, third = positions
    letters = [chr(65 + position) for position in range(len(options))]
    return template.replace("\\n", "\n").replace("\\\\", "\\").format(
        L=letters[meant], l=letters[meant].lower(), F=chr(ord(letters[meant]) + 0xFEE0), T=options[meant],
        M=letters[other], U=options[other], N=letters[third], Z=chr(65 + len(options)),
        ALL="\n".join(f"{letter}. {text}" for letter, text in zip(letters, options, strict=True)),
    )  # fmt: skip


def messy_answers(n: int, seed: int) -> Iterator[MessyAnswer]:
    """Yield `n` answers, one in six of which nobody could read."""
    rng = random.Random(seed)
    for _ in range(n):
        options = rng.choice(OPTION_SETS)
        readable = rng.random() > 1 / 6
        template = rng.choice(MEANT if readable else UNREADABLE)
        order = rng.sample(range(len(options)), 3)
        response = fill(template, options, (order[0], order[1], order[2]))
        if rng.random() < 0.2:
            response = rng.choice(("\n{}", "{}\n\n", " {} ", "\u200b{}")).format(response)
        yield MessyAnswer(response, options, order[0] if readable else None, template)
