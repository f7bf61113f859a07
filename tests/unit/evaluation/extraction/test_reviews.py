"""Reviews that give every option its verdict: every format, pair of words, position and language."""

import random
from collections.abc import Iterator, Set
from itertools import product

import pytest

from evaluation.extraction import read_choice, read_choices, read_steps

WORDS = (
    ("Correct", "Incorrect"), ("correct", "not correct"), ("right", "wrong"), ("True", "False"), ("Yes", "No"),
    ("supported", "not supported"), ("valid", "invalid"), ("T", "F"), ("✓", "✗"), ("√", "×"), ("✅", "❌"),
    ("正确", "错误"), ("对", "错"), ("是", "否"), ("符合", "不符合"), ("成立", "不成立"),
)  # fmt: skip
FORMATS = (
    "{l}. {v}", "{l}: {v}", "{l}：{v}", "{l}、{v}", "{l} {v}", "{l}) {v}", "({l}) {v}", "[{l}] {v}", "<{l}>: {v}",
    "**{l}**: {v}", "**{l}.** {v}", "- {l}: {v}", "{l} - {v}", "{l} — {v}", "{l} → {v}", "{l}={v}", "{l} ({v})",
    "{l}（{v}）", "{v} {l}", "{v}: {l}", "| {l} | {v} |", '"{l}": "{v}"', "Option {l}: {v}", "选项{l}：{v}",
    "{l} is {v}.", "{l}. {t}：{v}", "{l}. {t} - {v}", "{l}. {t} ({v})",
    "{t}: {v}", "| {l} | {t} | {v} |", "{l}. {v}. It is heard.",
)  # fmt: skip
MULTILINE_FORMATS = ("### {l}\n{v}", "{l}. {t}\n{v}", "{l}. {t}\nVerdict: {v}")
JOINTS = ("\n", "\n\n", "; ", ", ", "；", "，")
OPTIONS = (
    ("two men know each other", "the talk takes place in a restaurant", "she says sorry", "a siren is heard"),
    ("两人此前认识", "对话发生在餐馆", "女子道了歉", "背景中有警报声", "有人在敲门"),
    ("rain", "wind", "thunder", "hail"),
)
PICKED = 600


def write_review(options: tuple[str, ...], good: Set[int], form: str, words: tuple[str, str], joint: str) -> str:
    return joint.join(
        form.format(l=chr(65 + place), t=text, v=words[0] if place in good else words[1])
        for place, text in enumerate(options)
    )


def list_reviews(*, soak: bool) -> Iterator[tuple[tuple[str, ...], frozenset[int], str]]:
    """Yield options, the options that are called right, and the review."""
    forms = [*product(FORMATS, JOINTS), *product(MULTILINE_FORMATS, JOINTS[:2])]
    cases = list(product(forms, WORDS, OPTIONS, (1, 2, 3)))
    rng = random.Random(17)
    for (form, joint), words, options, n_good in cases if soak else rng.sample(cases, PICKED):
        good = frozenset(rng.sample(range(len(options)), n_good))
        yield options, good, write_review(options, good, form, words, joint)


def test_every_verdict_of_a_review_belongs_to_its_option(soak: bool) -> None:
    differing = []
    for options, good, review in list_reviews(soak=soak):
        single = next(iter(good)) if len(good) == 1 else None
        read = read_choices(review, options).indices, read_choice(review, options).index
        if read != (good, single):
            differing.append((review, good, read))
    assert differing == []


def test_review_without_a_right_option_gives_no_answer() -> None:
    for words, form, options in product(WORDS, ("{l}. {v}", "{v} {l}", "| {l} | {v} |"), OPTIONS):
        review = write_review(options, frozenset(), form, words, "\n")
        assert read_choices(review, options).indices is None, review
        assert read_choice(review, options).index is None, review


STEP_FORMATS = (
    "Step {n}: {v}", "step {n} is {v}", "{n}. {v}", "{n}: {v}", "{n}) {v}", "步骤{n}：{v}", "第{n}步：{v}",
    "| {n} | {v} |", "Step {n} - {v}", "**Step {n}**: {v}", "({n}) {v}", "Step {n} ({v})",
)  # fmt: skip
STEP_WORDS = (("correct", "incorrect"), ("Correct", "Wrong"), ("valid", "invalid"), ("✓", "✗"), ("正确", "错误"))
LEADS = ("", "The final answer is Correct\n", "The conclusion is Valid\n", "最终答案正确\n", "Here are my verdicts:\n")


def test_every_verdict_of_a_list_of_steps_belongs_to_its_step(subtests: pytest.Subtests, soak: bool) -> None:
    rng = random.Random(18)
    cases = list(product(STEP_FORMATS, STEP_WORDS, ("\n", ", ", "; "), LEADS))
    # In the suite, the leads take turns: each format has every pair of words, joint and lead.
    for form, words, joint, lead in cases if soak else cases[::4]:
        if joint != "\n" and form.startswith("|"):
            continue
        verdicts = tuple(rng.random() < 0.4 for _ in range(rng.randint(2, 6)))
        response = lead + joint.join(form.format(n=n, v=words[wrong]) for n, wrong in enumerate(verdicts, 1))
        with subtests.test(response):
            assert read_steps(response, len(verdicts)).verdicts == verdicts


def test_flags_of_steps_below_a_sentence_are_never_inverted(subtests: pytest.Subtests) -> None:
    rng = random.Random(19)
    rows = ("[{}]", "{}", "- {}", "({})")
    for row, lead, joint in product(rows, LEADS, (", ", "; ", "\n")):
        if joint != ", " and row != "{}":
            continue
        verdicts = tuple(rng.random() < 0.4 for _ in range(rng.randint(2, 6)))
        response = lead + row.format(joint.join(str(wrong).lower() for wrong in verdicts))
        with subtests.test(response):
            assert read_steps(response, len(verdicts)).verdicts == verdicts
