"""Golden tests: scores must not change while the versions in a signature stay the same.

A failure is not necessarily an error: something that affects scores has changed. Raise the version that the message
names, so that older rows lose their rank until they are re-scored, and then pin the digest that it prints.
"""

import hashlib
import io
import json
import random
from collections.abc import Iterable, Iterator

import pytest

from evaluation import Prediction, Report, get_benchmark, read_boolean, read_choice, read_choices
from evaluation.answer_keys import PRACTICE_SEED, plain_answers
from evaluation.benchmarks.audio_motion_bench.design import DESIGN_VERSION, DesignedItem, design_items
from evaluation.benchmarks.audio_motion_bench.sound import SOUND_VERSION
from evaluation.benchmarks.audio_process_bench.synthetic import SYNTHETIC
from evaluation.benchmarks.audio_process_bench.synthetic.design import DESIGN_VERSION as DESIGN_VERSION_OF_TRACES
from evaluation.benchmarks.audio_process_bench.synthetic.design import design_traces
from evaluation.benchmarks.audio_process_bench.synthetic.recordings import SOUND_VERSION as SOUND_VERSION_OF_TRACES
from evaluation.benchmarks.official import DEMO
from evaluation.extraction import READER_VERSION, read_steps
from evaluation.packs import example_predictions
from evaluation.predictions import catalogue_of, read_checked_predictions
from evaluation.synthesis import RENDERER_VERSION, render_scene
from evaluation.synthesis.household import HOUSEHOLD
from evaluation.synthesis.scenes import SCENE_VERSION
from evaluation.synthesis.sounds import KINDS
from evaluation.types import Reading
from tests.support.samples.key_answers import position_of
from tests.support.samples.messy_answers import messy_answers

BENCHMARK = get_benchmark("audio-motion-bench")

PINNED_CORPUS = "92d0839611fc60fc"
PINNED_READINGS = ("22", "6881cb54de867215")
PINNED_SCORES = ("2", "adf56380662a043e")
PINNED_CONTENT = ("1.0", "2", "fe8c5c144a707037")
PINNED_SOUNDS = ("1.0", "1", "10ac007a9c12d8bb")

# Benchmark → version generated here, metric version, and digest of the scores of random guesses.
PINNED_DEMOS = {
    "star-bench": (DEMO, "3", "a1b19598c92d0535"),
    "mdar": (DEMO, "2", "2e692c76a40ddc51"),
    "audio-process-bench": (SYNTHETIC, "2", "4246af25fa3939f9"),
}
PINNED_TRACES = ("4", "2", "6fb49e8db4dcee88")
# All recordings, and every fifth.
PINNED_RECORDINGS = {1: ("1.0", "2", "be1d1e35c50994ca"), 5: ("1.0", "2", "aac52fd8163ac0c1")}
PINNED_DEMO_SOUNDS = ("1.0", "37eaba1d4395069a")
PINNED_PLACED_SOUNDS = ("1", "32804e47948fc6f8", "996fc28494ec757e")
PINNED_VERDICTS = ("22", "2a83c53850f3c206")

CRITICISMS = (
    "[true, false, false]", "[1, 0, 0]", "```json\n[false, false, true]\n```", '{"erroneous": [false, true, false]}',
    '[{"step": 1, "erroneous": true}, {"step": 2, "erroneous": false}, {"step": 3, "erroneous": false}]',
    "Step 1: correct\nStep 2: incorrect - no bell rings\nStep 3: correct", "1. correct\n2. correct\n3. wrong",
    "步骤1：正确\n步骤2：错误\n步骤3：正确", "All steps are correct.", "Every step is wrong.",
    "is_correct: [true, false, true]",
    "<think>Step 2 may be off.</think>[false, false, false]", "[true, false]", "I cannot tell.", "", "Step 1: correct",
    "Step 1: correct\nStep 1: incorrect\nStep 2: correct",
)  # fmt: skip

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
    answers = [(answer.response, answer.options) for answer in messy_answers(400, seed=2026)]
    return answers + [(response, ("True", "False")) for response in JUDGEMENTS]


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
    return "ABCD"[position_of(designed.answer)] if fate < 0.5 else rng.choice("ABCD")


def list_values(report: Report) -> list[list[object]]:
    return [[name, metric, score.value, score.n, score.std] for name, metric, score in report.list_scores()]


def test_corpus_of_responses_is_unchanged() -> None:
    assert len(corpus()) >= 300
    assert digest(corpus()) == PINNED_CORPUS, "The corpus itself changed: pin it and its readings again."


def test_readings_change_only_with_the_reader_version() -> None:
    assert (READER_VERSION, digest(list(read_all()))) == PINNED_READINGS, (
        "Responses are parsed differently: raise READER_VERSION, then pin the readings again."
    )


def test_corpus_covers_every_reader_and_outcome() -> None:
    choice, choices, boolean = zip(*read_all(), strict=True)
    for readings in (choice, choices, boolean):
        reasons = {reading[3] for reading in readings}
        assert {None, "empty", "refusal"} <= reasons, reasons
    assert any("\u4e00" <= letter <= "\u9fff" for response, _ in corpus() for letter in response)


def test_scores_change_only_with_the_metric_version() -> None:
    report = BENCHMARK.score(BENCHMARK.make_key("practice"), seeded_predictions())
    scores = list_values(report)
    assert len(scores) > 200
    assert (BENCHMARK.metric_version, digest(scores)) == PINNED_SCORES, (
        "The same answers have other scores: raise metric_version, then pin the scores again."
    )


def test_questions_change_only_with_a_version() -> None:
    """The digest is also part of every signature; it is pinned so that the practice split never changes unnoticed."""
    content = BENCHMARK.content(BENCHMARK.make_key("practice"))
    assert (BENCHMARK.version, DESIGN_VERSION, content.digest[:16]) == PINNED_CONTENT, (
        "The practice questions changed: raise DESIGN_VERSION (or the benchmark's version), then pin them again."
    )


def test_sounds_change_only_with_a_version() -> None:
    """The content digest contains the versions of the sounds, not their samples; this test ties samples to versions."""
    names: dict[str, str] = {}
    for designed in design_items("practice", PRACTICE_SEED):
        names.setdefault(f"{designed.clip.variant}/{designed.clip.condition}", designed.clip.name)
    assert len(names) == 12
    sounds = [BENCHMARK.render_clip(BENCHMARK.make_key("practice"), names[cell]) for cell in sorted(names)]
    joined = hashlib.sha256(b"".join(hashlib.sha256(sound).digest() for sound in sounds)).hexdigest()[:16]
    assert (RENDERER_VERSION, SOUND_VERSION, joined) == PINNED_SOUNDS, (
        "The practice sounds changed: raise SOUND_VERSION or RENDERER_VERSION, then pin them again."
    )


def test_verdicts_of_critics_change_only_with_the_reader_version() -> None:
    readings = [read_steps(response, 3) for response in CRITICISMS]
    assert any(reading.verdicts for reading in readings)
    assert any(reading.reason for reading in readings)
    actual = digest([[list(reading.verdicts or ()), reading.reason] for reading in readings])
    assert (READER_VERSION, actual) == PINNED_VERDICTS, (
        "Verdicts are parsed differently: raise READER_VERSION, then pin them again."
    )


@pytest.mark.parametrize("name", PINNED_DEMOS)
def test_scores_of_shipped_sets_change_only_with_the_metric_version(name: str) -> None:
    version, *pinned = PINNED_DEMOS[name]
    demo = get_benchmark(name, version)
    key = demo.make_key("practice")
    guesses = example_predictions(demo.content(key), "guesses that never change")
    lines = "".join(json.dumps(guess) + "\n" for guess in guesses).encode()
    known = catalogue_of(demo, key, demo.settings[0])
    scores = list_values(demo.score(key, read_checked_predictions(io.BytesIO(lines), known)))
    assert any(row[2] for row in scores)
    # The last digits of a sum depend on the machine's arithmetic.
    rounded = [[*row[:2], None if row[2] is None else round(float(str(row[2])), 9), *row[3:]] for row in scores]
    assert [demo.metric_version, digest(rounded)] == pinned, (
        "The same answers have other scores: raise metric_version, then pin the scores again."
    )


def test_traces_change_only_with_their_design_version() -> None:
    traces = design_traces("practice", PRACTICE_SEED)
    rows = [[dict(trace.public_row), plain_answers({trace.id: trace.labels}), trace.question.scene] for trace in traces]
    assert (DESIGN_VERSION_OF_TRACES, SOUND_VERSION_OF_TRACES, digest(rows)) == PINNED_TRACES, (
        "Traces, labels or scenes changed: raise DESIGN_VERSION (or SOUND_VERSION if only scenes did), then pin again."
    )


def test_recordings_of_traces_change_only_with_their_sound_version(soak: bool) -> None:
    benchmark = get_benchmark("audio-process-bench", SYNTHETIC)
    key = benchmark.make_key("practice")
    step = 1 if soak else 5
    sounds = [benchmark.render_clip(key, clip) for clip in benchmark.content(key).clips[::step]]
    joined = hashlib.sha256(b"".join(hashlib.sha256(sound).digest() for sound in sounds)).hexdigest()[:16]
    assert (RENDERER_VERSION, SOUND_VERSION_OF_TRACES, joined) == PINNED_RECORDINGS[step], (
        "The recordings changed: raise SOUND_VERSION or RENDERER_VERSION, then pin them again."
    )


def digest_of_scenes(kinds: Iterable[str], event: dict[str, object], **scene: object) -> str:
    """Return a digest of one scene for each kind of sound."""
    sounds = [render_scene({"seconds": 1.0, "events": [event | {"kind": kind}], **scene}) for kind in kinds]
    return hashlib.sha256(b"".join(hashlib.sha256(sound).digest() for sound in sounds)).hexdigest()[:16]


def test_sounds_of_scenes_change_only_with_the_renderer_version() -> None:
    """Content digests of demonstrations contain this version and the scenes, not the samples."""
    event: dict[str, object] = {"at": 0.1, "seconds": 0.7, "digits": "159", "pan": -0.5, "pan_to": 0.5}
    actual = digest_of_scenes([kind for kind in KINDS if kind not in HOUSEHOLD], event)
    assert (RENDERER_VERSION, actual) == PINNED_DEMO_SOUNDS, (
        "Scenes sound different: raise RENDERER_VERSION, then pin them again."
    )


def test_sounds_with_places_change_only_with_the_scene_version() -> None:
    """The version is part of every scene that needs it, and thus of the content digest of its set."""
    event: dict[str, object] = {"at": 0.1, "seconds": 0.7, "digits": "159", "gain": 0.4, "gain_to": 0.6}
    placed = event | {"from": [-3.0, 2.0], "to": [4.0, -1.0]}
    digests = [
        digest_of_scenes(kinds, fields, version=SCENE_VERSION)
        for kinds, fields in ((KINDS, placed), (HOUSEHOLD, event))
    ]
    assert (SCENE_VERSION, *digests) == PINNED_PLACED_SOUNDS, (
        "Scenes with places sound different: raise SCENE_VERSION, and the version of every scene that has "
        "one, then pin them again."
    )
