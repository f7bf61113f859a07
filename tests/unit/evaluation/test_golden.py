"""Figures that must not move while the versions in a signature stand still.

A failure here is no fault by itself: something that decides figures has changed. Raise the version that the message
names, so that older rows lose their place until they are scored again, and then pin the digest that it prints.
"""

import hashlib
import json
import random
from collections.abc import Iterator

from evaluation import Prediction, Report, get_benchmark, read_boolean, read_choice, read_choices
from evaluation.answer_keys import PRACTICE_SEED
from evaluation.benchmarks.audio_motion_bench.design import DESIGN_VERSION, DesignedItem, design_items
from evaluation.benchmarks.audio_motion_bench.sound import SOUND_VERSION
from evaluation.extraction import READER_VERSION
from evaluation.synthesis import RENDERER_VERSION
from evaluation.types import Reading
from tests.unit.evaluation.messy_answers import messy_answers

BENCHMARK = get_benchmark("audio-motion-bench")

PINNED_CORPUS = "92d0839611fc60fc"
PINNED_READINGS = ("3", "91eb482c9fe284c8")
PINNED_FIGURES = ("2", "adf56380662a043e")
PINNED_CONTENT = ("1.0", "2", "fe8c5c144a707037")
PINNED_SOUNDS = ("1.0", "1", "10ac007a9c12d8bb")

JUDGEMENTS = (
    "True", "false.", "**True**", "Answer: False", "Yes", "no", "T", "F", "The statement is true.",
    "The statement is not true.", "That is incorrect.", "It is false that the sound moves left.", "True or false?",
    "I cannot tell.", "", "True. No, wait: False.", '{"answer": true}', "\\boxed{False}", "1", "0",
    "对", "错", "正确", "不正确", "错误", "是", "不是", "答案：正确", "答案是错误",
    "这个说法是对的。", "这个说法不对。", "无法判断。",
    "真", "假", "没错", "陈述为真", "陈述为假。",
)  # fmt: skip


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:16]


def corpus() -> list[tuple[str, tuple[str, ...]]]:
    """Return over four hundred responses, English and Chinese, with options."""
    found = [(answer.response, answer.options) for answer in messy_answers(400, seed=2026)]
    return found + [(response, ("True", "False")) for response in JUDGEMENTS]


def plain(reading: Reading) -> list[object]:
    indices = None if reading.indices is None else sorted(reading.indices)
    return [reading.index, indices, reading.value, reading.reason]


def read_all() -> Iterator[list[list[object]]]:
    for response, options in corpus():
        readings = (read_choice(response, options), read_choices(response, options), read_boolean(response))
        yield [plain(reading) for reading in readings]


def seeded_predictions() -> list[Prediction]:
    """Answer two seeds of the practice split: two in five right, some unreadable, a few missing."""
    rng = random.Random("answers that never change")
    predictions = []
    for designed in design_items("practice", PRACTICE_SEED):
        for run in (0, 1):
            fate = rng.random()
            if fate > 0.02:
                predictions.append(Prediction(designed.item.id, run, respond(designed, fate, rng)))
    return predictions


def respond(designed: DesignedItem, fate: float, rng: random.Random) -> str:
    if fate < 0.1:
        return "I cannot hear where it goes."
    if designed.form == "tf":
        return str(bool(designed.answer)) if fate < 0.5 else rng.choice(("True", "False"))
    return "ABCD"[designed.answer] if fate < 0.5 else rng.choice("ABCD")


def figures_of(report: Report) -> list[list[object]]:
    return [[name, metric, score.value, score.n, score.std] for name, metric, score in report.figures()]


def test_corpus_of_responses_is_the_pinned_one() -> None:
    assert len(corpus()) >= 300
    assert digest(corpus()) == PINNED_CORPUS, "The corpus itself changed: pin it and its readings anew."


def test_readings_change_only_with_the_version_of_the_readers() -> None:
    assert (READER_VERSION, digest(list(read_all()))) == PINNED_READINGS, (
        "Responses are read otherwise than before: raise READER_VERSION, then pin its readings anew."
    )


def test_corpus_reaches_every_reader_and_every_outcome() -> None:
    choice, choices, boolean = zip(*read_all(), strict=True)
    for readings in (choice, choices, boolean):
        reasons = {reading[3] for reading in readings}
        assert {None, "empty", "refusal"} <= reasons, reasons
    assert any("\u4e00" <= letter <= "\u9fff" for response, _ in corpus() for letter in response)


def test_figures_change_only_with_the_version_of_the_metrics() -> None:
    report = BENCHMARK.score(BENCHMARK.make_key("practice"), seeded_predictions())
    figures = figures_of(report)
    assert len(figures) > 200
    assert (BENCHMARK.metric_version, digest(figures)) == PINNED_FIGURES, (
        "The same answers have other figures than before: raise metric_version, then pin the figures anew."
    )


def test_questions_change_only_with_a_version() -> None:
    """The digest also stands in every signature; it is pinned so that nobody moves the practice split unawares."""
    content = BENCHMARK.content(BENCHMARK.make_key("practice"))
    assert (BENCHMARK.version, DESIGN_VERSION, content.digest[:16]) == PINNED_CONTENT, (
        "The practice questions are others: raise DESIGN_VERSION (or the benchmark's version), then pin them anew."
    )


def test_sounds_change_only_with_a_version() -> None:
    """The content digest names the versions of the sounds, not their samples: this holds one to the other."""
    names: dict[str, str] = {}
    for designed in design_items("practice", PRACTICE_SEED):
        names.setdefault(f"{designed.clip.variant}/{designed.clip.condition}", designed.clip.name)
    assert len(names) == 12
    sounds = [BENCHMARK.render_clip(BENCHMARK.make_key("practice"), names[cell]) for cell in sorted(names)]
    joined = hashlib.sha256(b"".join(hashlib.sha256(sound).digest() for sound in sounds)).hexdigest()[:16]
    assert (RENDERER_VERSION, SOUND_VERSION, joined) == PINNED_SOUNDS, (
        "The practice sounds are others: raise SOUND_VERSION or RENDERER_VERSION, then pin them anew."
    )
