"""Features of questions that an owner of editions can see without listening, and the decisions that answer them.

A row of features is about one decision, true or false:

* AudioMotionBench, linked: the first of the two claims about a clip, in the alphabet, is true.
* AudioMotionBench, alone: an option of an item is right, or its statement is true.
* STAR-Bench: an option of an item is right.
* AudioProcessBench: a step of a trace is erroneous.

Features come in kinds: texts; letters of options, or numbers of steps; places in the pack; letters of IDs and clip
names; comparisons with questions that have the same texts or the same clip.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.answered_items import AnsweredItem
from evaluation.types import OPTION_LETTERS, Prediction

KINDS = ("texts", "letters", "places", "names", "relations")
N_BUCKETS = 8
"""Sections of a pack."""
_CLAIM = re.compile(r"The sound moves (from [^.]+)\.")
_STEP = re.compile(r"^\d+\. ", re.MULTILINE)
_WORD = re.compile(r"\w+|[^\w\s]")

Features = Mapping[str, list[str]]
"""Kind → names of the features of a row."""
Answer = Callable[[Sequence[float]], list[Prediction]]


@dataclass(frozen=True)
class Question:
    """What participants see of an item before they answer it.

    Attributes:
        id: ID in prediction files.
        name: The ID as shown. An attacked design may show another one.
        clip: Name of its clip.
        task: Its task.
        text: Question.
        options: Options of the first run.
        shown: Options of every run.
        steps: Steps of a trace.
    """

    id: str
    name: str
    clip: str
    task: str
    text: str
    options: tuple[str, ...]
    shown: tuple[tuple[int, tuple[str, ...]], ...]
    steps: tuple[str, ...]


@dataclass(frozen=True)
class DisclosedItem:
    """A question with what its owner sees once the edition is closed: the right answer of its first run."""

    question: Question
    right: str


@dataclass(frozen=True)
class Decision:
    """A row.

    Attributes:
        features: What is known before the edition is closed.
        is_true: What is known afterwards.
        item: The item, or the clip, that the decision is about.
        answers: What to submit if this is the likeliest decision about it.
        twin: Decisions with equal twins are about the same texts. Where the design gives them opposite truths, the
            attacker makes them so.
    """

    features: Features
    is_true: bool
    item: str
    answers: Sequence[Prediction] = ()
    twin: Hashable = None


def read_item(answered: AnsweredItem) -> DisclosedItem:
    """Return what the owner of a closed edition reads about an item."""
    item = answered.item
    steps = tuple(part.strip() for part in _STEP.split(item.context.get("steps", ""))[1:])
    shown = tuple((run.run, run.options) for run in answered.runs)
    question = Question(item.id, item.id, item.clips[0], item.task, item.question, item.options, shown, steps)
    return DisclosedItem(question, answered.runs[0].right)


def link_clips(items: Sequence[DisclosedItem]) -> list[Decision]:
    """Return the decisions about the clips of AudioMotionBench: one of two claims is true."""
    places = {item.question.id: place for place, item in enumerate(items)}
    by_clip: dict[str, list[DisclosedItem]] = defaultdict(list)
    for item in items:
        by_clip[item.question.clip].append(item)
    clips = [_LinkedClip(group) for group in by_clip.values()]
    by_texts: dict[Hashable, list[_LinkedClip]] = defaultdict(list)
    for clip in clips:
        by_texts[clip.texts].append(clip)
    return [
        Decision(
            {
                "texts": [f"{clip.cell}", f"{clip.claims}", f"{clip.texts}", f"{clip.choice.options}"],
                "letters": [f"{clip.letters}", f"{clip.cell} {clip.letters}", f"{clip.claims} {clip.letters}"],
                "places": list(_list_places(clip, places, items)),
                "names": [
                    feature
                    for role, name in clip.names.items()
                    for feature in _spell_name(f"{role} {clip.letters if role == 'choice' else ''}", name)
                ],
                "relations": [
                    feature
                    for twin in by_texts[clip.texts]
                    if twin is not clip
                    for role, order in clip.compare(twin, places)
                    for feature in (f"{role} {order}", f"{role} {order} {clip.cell}", f"{role} {order} {clip.claims}")
                ],
            },
            clip.is_first,
            clip.choice.clip,
            twin=clip.texts,
        )
        for clip in clips
    ]


class _LinkedClip:
    """The three items about a clip."""

    def __init__(self, group: Sequence[DisclosedItem]) -> None:
        (choice,) = (item for item in group if item.question.options)
        statements = {find_claim(item.question): item for item in group if not item.question.options}
        first, second = (statements[claim] for claim in sorted(statements))
        self.choice = choice.question
        self.statements = first.question, second.question
        self.claims = tuple(sorted(statements))
        self.cell = self.choice.task.rpartition("/")[0]
        self.texts = (self.cell, self.claims, frozenset(self.choice.options))
        self.letters = "".join(find_letter(self.choice.options, claim) for claim in self.claims)
        self.is_first = first.right == "True"
        self.names = {
            "choice": self.choice.name,
            "first": first.question.name,
            "second": second.question.name,
            "clip": self.choice.clip,
        }

    def compare(self, twin: "_LinkedClip", places: Mapping[str, int]) -> Iterator[tuple[str, bool]]:
        """Yield what comes before the same thing of a clip with the same texts."""
        for role, name in self.names.items():
            yield role, cut_name(name) < cut_name(twin.names[role])
        for role, own, other in zip("cfs", self.questions, twin.questions, strict=True):
            yield f"place {role}", places[own.id] < places[other.id]

    @property
    def questions(self) -> tuple[Question, ...]:
        return (self.choice, *self.statements)


def answer_clips(
    items: Sequence[DisclosedItem], decisions: Sequence[Decision], scores: Sequence[float]
) -> list[Prediction]:
    """Answer AudioMotionBench's items as if the likelier claim about each clip were true, of twins each one once."""
    by_texts: dict[Hashable, list[int]] = defaultdict(list)
    for number, decision in enumerate(decisions):
        by_texts[decision.twin].append(number)
    firsts: set[str] = set()
    for numbers in by_texts.values():
        ranked = sorted(numbers, key=lambda number: -scores[number])
        firsts.update(decisions[number].item for number in ranked[: len(ranked) // 2])
    by_clip: dict[str, set[str]] = defaultdict(set)
    for item in items:
        if not item.question.options:
            by_clip[item.question.clip].add(find_claim(item.question))
    answers = []
    for question in (item.question for item in items):
        claims = sorted(by_clip[question.clip])
        path = claims[0] if question.clip in firsts else claims[1]
        text = find_letter(question.options, path) if question.options else str(find_claim(question) == path)
        answers.append(Prediction(question.id, 0, text))
    return answers


def find_claim(question: Question) -> str:
    """Return the path that a statement claims, as an option spells it."""
    match = _CLAIM.search(question.text)
    if match is None:
        raise ValueError(f"{question.text!r} claims no path")
    return match[1].capitalize()


def find_letter(options: Sequence[str], option: str) -> str:
    """Return the letter of an option."""
    return OPTION_LETTERS[options.index(option)]


def _list_places(clip: _LinkedClip, places: Mapping[str, int], items: Sequence[DisclosedItem]) -> Iterator[str]:
    own = [places[question.id] for question in clip.questions]
    yield f"order {sorted(range(3), key=own.__getitem__)}"
    for role, place in zip("cfs", own, strict=True):
        yield from _describe_place(f"{role} {clip.letters if role == 'c' else ''}", place, len(items))
        before = items[place - 1].question
        yield f"{role} after {before.task} {before.text}"
        yield f"{role} after {before.text in {question.text for question in clip.statements}}"


def decide_options(items: Sequence[DisclosedItem]) -> list[Decision]:
    """Return the decisions about each option, or statement, of each item."""
    n_of_clip = Counter(item.question.clip for item in items)
    n_of_task: Counter[str] = Counter()
    decisions = []
    for place, item in enumerate(items):
        question, task = item.question, item.question.task
        n_of_task[task] += 1
        for option in question.options or ("True", "False"):
            letter = find_letter(question.options, option) if question.options else option
            letters = "".join(find_letter(shown, option) for _, shown in question.shown if shown)
            before = items[place - 1].question
            decisions.append(
                Decision(
                    {
                        "texts": [
                            option,
                            f"{task} {option}",
                            f"{task} {question.text} {option}",
                            f"{question.options} {option}",
                        ],
                        "letters": [letter, letters, f"{task} {letter}", f"{task} {letters}", f"{option} {letters}"],
                        "places": [
                            *_describe_place(f"{letter}", place, len(items)),
                            *_describe_place(f"{task} {option}", place, len(items)),
                            f"{task} {option} {n_of_task[task]}",
                            f"{letter} after {before.task}",
                            f"{task} {option} after {before.text}",
                        ],
                        "names": [
                            *_spell_name(f"{letter}", question.name),
                            *_spell_name(f"{letter} clip", question.clip),
                        ],
                        "relations": [f"{task} {option} {n_of_clip[question.clip]}"],
                    },
                    item.right == letter,
                    question.id,
                    [
                        Prediction(question.id, run, f"<{find_letter(shown, option)}>" if shown else option)
                        for run, shown in question.shown
                    ],
                )
            )
    return decisions


def answer_options(
    _items: Sequence[DisclosedItem], decisions: Sequence[Decision], scores: Sequence[float]
) -> list[Prediction]:
    """Answer each item with its likeliest option."""
    best: dict[str, tuple[float, Decision]] = {}
    for decision, score in zip(decisions, scores, strict=True):
        if decision.item not in best or score > best[decision.item][0]:
            best[decision.item] = score, decision
    return [prediction for _, decision in best.values() for prediction in decision.answers]


def decide_steps(items: Sequence[DisclosedItem]) -> list[Decision]:
    """Return the decisions about each step of each trace of AudioProcessBench."""
    places = {item.question.id: place for place, item in enumerate(items)}
    by_texts: dict[Hashable, list[Question]] = defaultdict(list)
    n_saying: Counter[tuple[str, str]] = Counter()
    for question in (item.question for item in items):
        by_texts[question.text, question.options, question.steps].append(question)
        n_saying.update((question.clip, step) for step in set(question.steps))
    decisions = []
    for item in items:
        question = item.question
        twins = by_texts[question.text, question.options, question.steps]
        relations = [
            f"{role} {order}"
            for twin in twins
            if twin is not question
            for role, order in (
                ("name", cut_name(question.name) < cut_name(twin.name)),
                ("clip", cut_name(question.clip) < cut_name(twin.clip)),
                ("place", places[question.id] < places[twin.id]),
            )
        ]
        wrong = {int(number) for number in re.findall(r"\d+", item.right)}
        for number, step in enumerate(question.steps, start=1):
            n_alike = n_saying[question.clip, step]
            decisions.append(
                Decision(
                    {
                        "texts": list(_list_words(question, step)),
                        "letters": [
                            f"{number}",
                            f"{number} of {len(question.steps)}",
                            f"{number - len(question.steps)}",
                        ],
                        "places": list(_describe_place(f"step {number}", places[question.id], len(items))),
                        "names": [
                            *_spell_name(f"step {number}", question.name),
                            *_spell_name(f"step {number} clip", question.clip),
                        ],
                        "relations": [
                            *relations,
                            *(f"{number} {relation}" for relation in relations),
                            f"said {n_alike}",
                            f"said {n_alike} {number}",
                        ],
                    },
                    number in wrong,
                    question.id,
                )
            )
    return decisions


def _list_words(question: Question, step: str) -> Iterator[str]:
    words = _WORD.findall(step.lower())
    yield step
    yield f"{question.text} {step}"
    yield f"{question.steps} {step}"
    for n in (1, 2, 3):
        for at in range(len(words) - n + 1):
            gram = " ".join(words[at : at + n])
            yield gram
            yield f"{question.text} {gram}"


def cut_name(name: str) -> str:
    """Return the letters of a name that are drawn for it."""
    return name.rpartition("-")[2]


def _spell_name(head: str, name: str) -> Iterator[str]:
    letters = cut_name(name)
    yield f"{head} is {name}"
    for place, letter in enumerate(letters):
        yield f"{head} {place} {letter}"
        yield f"{head} {place} parity {ord(letter) % 2}"
        yield f"{head} {place} {letters[place : place + 2]}"


def _describe_place(head: str, place: int, n_places: int) -> Iterable[str]:
    yield f"{head} {place}"
    yield f"{head} in section {place * N_BUCKETS // n_places}"
    for divisor in (2, 3, 4):
        yield f"{head} by {divisor}: {place % divisor}"
