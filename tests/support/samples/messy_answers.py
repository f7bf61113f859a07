"""Free-form model answers, generated from a seed, each with the option that its writer meant."""

import random
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent
KINDS = ("bare", "text", "sentence", "reasoning", "wrapped", "unreadable")
_OTHER_KINDS = ("sets", "no set", "truths", "no truth")
SHARES = (0.35, 0.25, 0.20, 0.10, 0.05, 0.05)
N_QUESTIONS = 600
_DRESSES = ("\n{}", "{}\n\n", " {} ", "\u200b{}", "{}\n")


def _read_lines(name: str) -> list[str]:
    lines = (_HERE / name).read_text(encoding="utf-8").split("\n")[:-1]
    return [line for line in lines if not line.startswith("# ")]


def _read_templates() -> dict[str, tuple[str, ...]]:
    """Return kind → templates; `\\n` in a line stands for a line break, `\\\\` for a backslash."""
    found: dict[str, list[str]] = {}
    for line in _read_lines("messy_templates.txt"):
        if line[:1] == "[" and line[1:-1] in (*KINDS, *_OTHER_KINDS):
            found[line[1:-1]] = []
        else:
            found[list(found)[-1]].append(line.replace("\\n", "\n").replace("\\\\", "\\"))
    return {kind: tuple(lines) for kind, lines in found.items()}


TEMPLATES = _read_templates()
MEANT = tuple(template for kind in KINDS[:-1] for template in TEMPLATES[kind])
UNREADABLE = TEMPLATES["unreadable"]
_WORDS = {
    name: words.split(" | ") for name, _, words in (line.partition(": ") for line in _read_lines("messy_words.txt"))
}
_POOLS = [
    (int(size), texts.split(" | "))
    for size, _, texts in (line.partition(": ") for line in _read_lines("messy_questions.txt"))
]


def _orders(n_clips: int, arrow: str) -> list[str]:
    return [arrow.join(f"clip {clip}" for clip in order) for order in permutations(range(1, n_clips + 1))]


def make_questions(n: int, seed: int) -> list[tuple[str, ...]]:
    """Return tuples of 3, 4, 5 or 7 options; some options contain others."""
    rng = random.Random(seed)
    questions = []
    for _ in range(n):
        if rng.random() < 0.3:
            orders = rng.choice((_orders(3, " -> "), [*_orders(3, " -> "), "The order cannot be determined"]))
            questions.append(tuple(rng.sample(orders, rng.choice((4, 5, 6))) if len(orders) == 6 else orders))
        else:
            size, texts = rng.choice(_POOLS)
            questions.append(tuple(rng.sample(texts, size)))
    return questions


OPTION_SETS = (
    *(tuple(texts[:size]) for size, texts in _POOLS),
    (*_orders(3, " -> "), "The order cannot be determined"),
)


class MessyAnswer(NamedTuple):
    """An answer, its question, and the position of the intended option; None for an ambiguous answer."""

    response: str
    options: tuple[str, ...]
    intended: int | None
    kind: str
    template: str


class MessyWriter:
    """Fills templates with randomly composed sentences.

    {L} the letter of the intended option, {l} in lower case, {F} full-width, {T} its text; {M} and {U} another letter
    and its text;
    {N} a third letter; {Z} a letter outside; {ALL} the list of all options; {R} one to three English sentences that
    name no option, {E} Chinese ones, {D} English ones that speak of sides, {r} a clause.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def _pick(self, name: str) -> str:
        words = _WORDS[name]
        return words[int(self.rng.random() * len(words))]

    def clause(self, *, sided: bool = False) -> str:
        """Return a clause about the recording that says nothing about the answer."""
        middle = f" {self._pick('side')}" if sided else ""
        tail = f" {self._pick('also')}" if self.rng.random() < 0.4 else ""
        return f"{self._pick('sound')} {self._pick('does')}{middle} {self._pick('when')}{tail}"

    def sentences(self, *, sided: bool = False) -> str:
        """Return one to three English sentences."""
        clauses = (self.clause(sided=sided) for _ in range(int(self.rng.random() * 3) + 1))
        return " ".join(f"{clause[0].upper()}{clause[1:]}." for clause in clauses)

    def chinese(self) -> str:
        """Return one to three Chinese sentences."""
        n = int(self.rng.random() * 3) + 1
        tails = (self._pick("景") if self.rng.random() < 0.4 else "" for _ in range(n))
        return "".join(f"{self._pick('声')}{self._pick('时')}{self._pick('变')}{tail}。" for tail in tails)

    def fill(self, template: str, options: tuple[str, ...], positions: tuple[int, int, int]) -> str:
        """Fill a template with the intended option and two others."""
        meant, other, third = positions
        letter = chr(65 + meant)
        fields = {"L": letter, "l": chr(97 + meant), "F": chr(0xFF21 + meant), "T": options[meant]}
        fields |= {"M": chr(65 + other), "U": options[other], "N": chr(65 + third), "Z": chr(65 + len(options))}
        if "{R}" in template:
            fields["R"] = self.sentences()
        if "{r}" in template:
            fields["r"] = self.clause()
        if "{E}" in template:
            fields["E"] = self.chinese()
        if "{D}" in template:
            fields["D"] = self.sentences(sided=True)
        if "{ALL}" in template:
            fields["ALL"] = "\n".join(f"{chr(65 + place)}. {text}" for place, text in enumerate(options))
        return template.format_map(fields)

    def answers(self, n: int, questions: list[tuple[str, ...]]) -> Iterator[MessyAnswer]:
        """Yield `n` answers to questions, with the kinds mixed by their shares."""
        draw = self.rng.random
        kinds = self.rng.choices(KINDS, SHARES, k=n)
        for kind in kinds:
            options = questions[int(draw() * len(questions))]
            templates = TEMPLATES[kind]
            template = templates[int(draw() * len(templates))]
            size = len(options)
            meant = int(draw() * size)
            other = (meant + 1 + int(draw() * (size - 1))) % size
            third = next(place for place in (0, 1, 2) if place not in {meant, other})
            response = self.fill(template, options, (meant, other, third))
            if draw() < 0.05:
                response = _DRESSES[int(draw() * len(_DRESSES))].format(response)
            yield MessyAnswer(response, options, None if kind == "unreadable" else meant, kind, template)


def messy_answers(n: int, seed: int) -> Iterator[MessyAnswer]:
    """Yield `n` answers to 600 questions; one in twenty is ambiguous."""
    return MessyWriter(seed).answers(n, make_questions(N_QUESTIONS, seed))


def fill(template: str, options: tuple[str, ...], positions: tuple[int, int, int]) -> str:
    """Fill a template deterministically."""
    return MessyWriter(0).fill(template, options, positions)


class MessySet(NamedTuple):
    """An answer to a question with several right options."""

    response: str
    options: tuple[str, ...]
    intended: frozenset[int] | None
    template: str


class MessyTruth(NamedTuple):
    """An answer to a statement."""

    response: str
    intended: bool | None
    template: str


def _fields_of_set(options: tuple[str, ...], members: list[int], other: int) -> dict[str, str]:
    letters = [chr(65 + member) for member in members]
    return {
        "S": ", ".join(letters),
        "J": "".join(letters),
        "AND": f"{', '.join(letters[:-1])} and {letters[-1]}",
        "CN": "、".join(letters),
        "HE": f"{'、'.join(letters[:-1])}和{letters[-1]}",
        "JSON": "[" + ", ".join(f'"{letter}"' for letter in letters) + "]",
        "TEXTS": "\n".join(options[member] for member in members),
        "LT": "\n".join(f"{chr(65 + member)}. {options[member]}" for member in members),
        "L": letters[0],
        "M": letters[-1],
        "N": chr(65 + other),
        "Z": chr(65 + len(options)),
    }


def messy_sets(n: int, seed: int) -> Iterator[MessySet]:
    """Yield `n` answers that choose several, but not all, of 4 to 6 options; one in twenty is ambiguous."""
    writer, rng = MessyWriter(seed), random.Random(seed)
    questions = [options for options in make_questions(N_QUESTIONS, seed) if 4 <= len(options) <= 6]
    for _ in range(n):
        options = rng.choice(questions)
        order = rng.sample(range(len(options)), rng.randrange(3, len(options) + 1))
        members = sorted(order[1:])
        readable = rng.random() < 0.95
        template = rng.choice(TEMPLATES["sets" if readable else "no set"])
        fields = _fields_of_set(options, members, order[0]) | {"R": writer.sentences(), "E": writer.chinese()}
        yield MessySet(template.format_map(fields), options, frozenset(members) if readable else None, template)


_SAYINGS = {
    True: {"V": "True", "v": "true", "Y": "Yes", "C": "Correct", "c": "correct", "P": "正确", "S": "是", "D": "对"},
    False: {"V": "False", "v": "false", "Y": "No", "C": "Incorrect", "c": "incorrect", "P": "错误", "S": "否"},
}
_SAYINGS[False]["D"] = "不对"


def messy_truths(n: int, seed: int) -> Iterator[MessyTruth]:
    """Yield `n` answers to statements; one in twenty is ambiguous."""
    writer, rng = MessyWriter(seed), random.Random(seed)
    for _ in range(n):
        value, readable = rng.random() < 0.5, rng.random() < 0.95
        template = rng.choice(TEMPLATES["truths" if readable else "no truth"])
        opposite = _SAYINGS[not value]
        fields = _SAYINGS[value] | {"O": opposite["V"], "o": opposite["v"]}
        fields |= {"R": writer.sentences(), "E": writer.chinese()}
        yield MessyTruth(template.format_map(fields), value if readable else None, template)
