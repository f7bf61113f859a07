"""Readers on many phrasings, and their shortcuts compared with the full reading."""

import random
import re
from collections import Counter
from collections.abc import Sequence

import pytest

from evaluation.extraction import choices, read_boolean, read_choice, read_choices
from evaluation.extraction.choice import settle, weigh
from evaluation.extraction.language.lexicon import LEXICON
from evaluation.extraction.language.normalize import clean, is_blank
from evaluation.extraction.option_reviews.letters import spread_lists
from evaluation.extraction.option_texts.options import mark_texts, prepare
from evaluation.types import Reading
from tests.support.samples.messy_answers import (
    KINDS,
    OPTION_SETS,
    SHARES,
    TEMPLATES,
    MessyAnswer,
    MessySet,
    MessyTruth,
    messy_answers,
    messy_sets,
    messy_truths,
)

SCRAPS = """A B C. D (a) <b> not no or and , ; : ? . the answer is I cannot so therefore but if ** ` - -> From left
true false right wrong 选 答案 是 不 和 或 对 错 {"answer": "B"} \\boxed{C} <think> </think> 以上都是"""
AGREEMENT = 0.999
PHRASES_THAT_STEER = tuple(LEXICON)
PLAIN_WORDS = tuple(
    re.findall(
        r"\S+",
        """bell echo metallic louder x-ray 2.5 bell's it's don't café 3 ... a an A B C. D: E)
i I I'm We'd option answer is ① ✓ ❌ 声音 渐强 、 。 ， 选 答案 是 B。 ABC choice e.g.""",
    )
)
ODD_SETS = (
    ("A", "B"),
    ("C", "D", "E", "F"),
    ("2", "3", "12", "2.5"),
    ("Yes", "No"),
    ("是", "否"),
    ("A dog", "dog", "a cat"),
    ("right", "left", "the right answer", "last option"),
    ("...", "x", "(B)"),
    ("All of the above", "rain", "None of the above"),
    tuple("一二三四五六七八九十"),
    ("<b>x</b>", "a*b", "a_b", "$5"),
    ("dog", "dog", "cat"),
    ("B flat", "C sharp", "A, left", "left"),
    ("the woman's boss", "He left. Then he came.", "the boss"),
    ("", ""),
    ("only",),
)


class Tally:
    """Counts of answers that were read as intended, unread, or misread."""

    def __init__(self) -> None:
        self.n = 0
        self.unread: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.example: tuple[object, object] | None = None

    def add(self, answer: MessyAnswer | MessySet | MessyTruth, read: int | frozenset[int] | bool | None) -> None:
        self.n += 1
        if read != answer.intended:
            (self.unread if read is None else self.wrong)[answer.template] += 1
            if read is not None or self.example is None:
                self.example = answer, read

    def check(self) -> None:
        n_unread, n_wrong = self.unread.total(), self.wrong.total()
        counts = (
            f"{self.n:,} answers: {n_unread} left unread {self.unread.most_common(5)}, "
            f"{n_wrong} wrong {self.wrong.most_common(5)}, such as {self.example}"
        )
        assert n_wrong == 0, counts
        expected = (1 - AGREEMENT) * self.n
        # Three standard errors above the allowed share, because more of few answers may be unread by chance.
        assert n_unread <= expected + 3 * expected**0.5, counts


def test_read_choice_reads_messy_answers_as_intended(soak: bool) -> None:
    tally = Tally()
    for answer in messy_answers(1_000_000 if soak else 2_000, seed=20):
        tally.add(answer, read_choice(answer.response, answer.options).index)
    tally.check()


def test_read_choices_reads_messy_answers_as_intended(soak: bool) -> None:
    tally = Tally()
    for answer in messy_sets(100_000 if soak else 600, seed=21):
        tally.add(answer, read_choices(answer.response, answer.options).indices)
    tally.check()


def test_read_boolean_reads_messy_answers_as_intended(soak: bool) -> None:
    tally = Tally()
    for answer in messy_truths(100_000 if soak else 800, seed=22):
        tally.add(answer, read_boolean(answer.response).value)
    tally.check()


def test_messy_answers_have_many_phrasings_and_are_deterministic() -> None:
    n_templates = {kind: len(templates) for kind, templates in TEMPLATES.items()}
    assert sum(n_templates.values()) >= 500
    assert min(n_templates.values()) >= 15
    assert list(messy_answers(200, seed=5)) == list(messy_answers(200, seed=5))
    assert list(messy_answers(200, seed=5)) != list(messy_answers(200, seed=6))
    kinds = Counter(answer.kind for answer in messy_answers(20_000, seed=7))
    assert {kind: 20_000 * share for kind, share in zip(KINDS, SHARES, strict=True)} == pytest.approx(kinds, rel=0.1)


def read_in_full(response: str, options: Sequence[str]) -> Reading:
    """Read with every stage and no shortcut: nothing condensed, renamed, read by its form or cached."""
    prepared = prepare(tuple(options))
    marked = mark_texts(clean(response), prepared)
    if is_blank(marked):
        return Reading(reason="empty")
    spread, echoed = spread_lists(marked, prepared.profile)
    return settle(response, prepared, weigh(spread, prepared.profile, echoed))


def test_read_choice_shortcuts_never_change_a_reading(soak: bool) -> None:
    for answer in messy_answers(100_000 if soak else 400, seed=4):
        assert read_choice(answer.response, answer.options) == read_in_full(answer.response, answer.options), answer


def test_read_choice_shortcuts_never_miss_a_phrase(subtests: pytest.Subtests, soak: bool) -> None:
    rows = [
        "The bell {} rings loudly in the hall. The answer is B.",
        "{} the bell rings loudly\nB",
        "B. The bell rings in the hall {}",
        "The bell rings, {}. C is what the bell in the large hall sounds like.",
        "铃声渐强{}越来越大。选B。",
        "The bell in the hall {} rings loudly. It fades.",
        "铃声渐强{}越来越大。掌声渐弱。",
    ]
    options = OPTION_SETS[0]
    for place, sentence in enumerate(rows):
        with subtests.test(sentence=sentence):
            phrases = (*PHRASES_THAT_STEER, *PLAIN_WORDS, *options)
            # The sentences take turns: in the suite, every phrase is in one of them, in one case.
            for number, phrase in enumerate(phrases if soak else phrases[place :: len(rows)]):
                responses = (sentence.format(phrase), sentence.format(phrase.capitalize()))
                for response in responses if soak else responses[number % 2 : number % 2 + 1]:
                    assert read_choice(response, options) == read_in_full(response, options), response


def make_scraps(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """Put phrases that steer the reading, letters, signs and option texts in a random order."""
    options = rng.choice((*OPTION_SETS, *ODD_SETS))
    words = (*PHRASES_THAT_STEER, *re.split(r"\s", SCRAPS), *PLAIN_WORDS, *PLAIN_WORDS, *options)
    ends = (". ", ".\n", "\n", "。", "? ", "!", "...", ". The bell rings loudly. ", "。铃声渐强。", " e.g. ", " ")
    scraps = [rng.choice(words) + (rng.choice(ends) if rng.random() < 0.2 else " ") for _ in range(rng.randrange(25))]
    return "".join(scraps), options


def read_set_without_condensing(response: str, options: Sequence[str]) -> Reading:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choices, "condense", lambda text: text)
        patch.setattr(choices, "find_form", lambda *_: None)
        return read_choices(response, options)


def test_shortcuts_never_change_a_reading_of_scraps(soak: bool) -> None:
    rng = random.Random(8)
    for n, (response, options) in enumerate(make_scraps(rng) for _ in range(30_000 if soak else 150)):
        assert read_choice(response, options) == read_in_full(response, options), (response, options)
        if n % 3 == 0:
            expected = read_set_without_condensing(response, options)
            assert read_choices(response, options) == expected, (response, options)


def test_read_choices_shortcuts_never_change_a_reading(soak: bool) -> None:
    for answer in messy_sets(10_000 if soak else 250, seed=14):
        expected = read_set_without_condensing(answer.response, answer.options)
        assert read_choices(answer.response, answer.options) == expected, answer
