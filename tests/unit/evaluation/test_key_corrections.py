"""Key corrections: named answers change, everything else stays, and an invalid correction changes nothing."""

import json
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

import evaluation.benchmarks
from evaluation.__main__ import main
from evaluation.answer_keys import AnswerKey, AnswerValue, find_key, key_path, save_key
from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.base import Benchmark
from evaluation.benchmarks.mdar import Mdar
from evaluation.errors import AnswerKeyError
from evaluation.key_corrections import LOG_NAME, correct_key, parse_corrections
from evaluation.types import Item
from tests.support.servers.commands import run_in_process, use_data_dir

MOTION = get_benchmark("audio-motion-bench")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def original() -> AnswerKey:
    return MOTION.make_key("test", "a seed of this test")


@pytest.fixture
def folder(tmp_path: Path, original: AnswerKey) -> Path:
    save_key(tmp_path, original)
    return tmp_path


def items_of(benchmark: Benchmark, key: AnswerKey, form: str) -> list[Item]:
    return [item for item in benchmark.content(key).items if item.answer_format == form]


def read(folder: Path) -> AnswerKey:
    key = find_key(folder, MOTION.id, MOTION.version, "test")
    assert key is not None
    return key


def test_correction_changes_only_the_named_answers_and_sets_the_old_key_aside(
    folder: Path, original: AnswerKey
) -> None:
    choice, truth = items_of(MOTION, original, "choice")[0], items_of(MOTION, original, "boolean")[0]
    letter = "ABCD"[(int(str(original.answers[choice.id])) + 1) % 4]
    corrections = {choice.id: letter.lower(), truth.id: str(not original.answers[truth.id])}
    corrected = correct_key(folder, MOTION, corrections, "A mail.", NOW)
    assert read(folder) == corrected
    expected: Mapping[str, AnswerValue] = {
        **original.answers,
        choice.id: "ABCD".index(letter),
        truth.id: not original.answers[truth.id],
    }
    assert corrected.answers == expected
    assert (corrected.seed, corrected.content_digest) == (original.seed, original.content_digest)
    assert MOTION.content(corrected) == MOTION.content(original)
    assert corrected.digest != original.digest
    path = key_path(folder, MOTION.id, MOTION.version, "test")
    aside = path.with_name(f"test.{original.digest[:8]}.json")
    assert json.loads(aside.read_text())["digest"] == original.digest
    log = path.with_name(LOG_NAME)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert [json.loads(line) for line in log.read_text().splitlines()] == [
        {
            "at": "2026-11-21T12:00:00+00:00",
            "reason": "A mail.",
            "from": original.digest[:8],
            "to": corrected.digest[:8],
            "old": {choice.id: original.answers[choice.id], truth.id: original.answers[truth.id]},
            "new": {choice.id: "ABCD".index(letter), truth.id: not original.answers[truth.id]},
        }
    ]


def test_correction_to_the_current_answer_is_refused(folder: Path, original: AnswerKey) -> None:
    item = items_of(MOTION, original, "boolean")[0]
    with pytest.raises(AnswerKeyError, match="nothing was changed"):
        correct_key(folder, MOTION, {item.id: str(original.answers[item.id])}, "r", NOW)
    assert read(folder) == original


def test_answer_that_does_not_fit_the_item_is_refused(
    folder: Path, original: AnswerKey, subtests: pytest.Subtests
) -> None:
    rows: list[tuple[str, str, str]] = [
        ("choice", "E", "Write one of A, B, C, D."),
        ("choice", "A,B", "Write one of A, B, C, D."),
        ("choice", "1", "Write one of A, B, C, D."),
        ("choice", "true", "Write one of A, B, C, D."),
        ("boolean", "A", "Write true or false."),
        ("boolean", "yes", "Write true or false."),
    ]
    for form, answer, remedy in rows:
        with subtests.test(form=form, answer=answer, remedy=remedy):
            item = items_of(MOTION, original, form)[0]
            with pytest.raises(AnswerKeyError) as refused:
                correct_key(folder, MOTION, {item.id: answer}, "r", NOW)
            assert str(refused.value) == f"`{answer}` cannot be the answer to `{item.id}`. {remedy}"
            assert read(folder) == original


def test_unknown_id_is_refused_with_the_nearest_known_one(folder: Path, original: AnswerKey) -> None:
    item = items_of(MOTION, original, "boolean")[0]
    with pytest.raises(AnswerKeyError, match=f"Did you mean `{item.id}`"):
        correct_key(folder, MOTION, {item.id[:-1]: "true"}, "r", NOW)


def test_missing_key_cannot_be_corrected(tmp_path: Path) -> None:
    with pytest.raises(AnswerKeyError, match="There is no key of audio-motion-bench"):
        correct_key(tmp_path, MOTION, {"x": "A"}, "r", NOW)


def test_key_of_a_demonstration_cannot_be_corrected(tmp_path: Path) -> None:
    demo = Mdar("demo")
    key = save_key(tmp_path, demo.make_key("test"))
    item = items_of(demo, key, "choice")[0]
    with pytest.raises(AnswerKeyError, match="demonstration"):
        correct_key(tmp_path, demo, {item.id: "A"}, "r", NOW)


def test_several_letters_and_texts_are_accepted_if_the_format_allows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under another version name, the demonstration's questions count as an organiser's."""
    demo = Mdar("demo")
    monkeypatch.setattr("evaluation.key_corrections.DEMO", "no version")
    key = save_key(tmp_path, demo.make_key("test"))
    several, text = items_of(demo, key, "choices")[0], items_of(demo, key, "text")[0]
    right = "C,A" if key.answers[several.id] != (0, 2) else "D,B"
    corrected = correct_key(tmp_path, demo, {several.id: right, text.id: "By the river."}, "r", NOW)
    assert corrected.answers[several.id] == ((0, 2) if right == "C,A" else (1, 3))
    assert corrected.answers[text.id] == "By the river."
    with pytest.raises(AnswerKeyError, match="or several, such as A,C"):
        correct_key(tmp_path, demo, {several.id: "A,A"}, "r", NOW)


def test_malformed_correction_is_refused(subtests: pytest.Subtests) -> None:
    for texts in (["amb-1"], ["=A"], ["amb-1="], ["amb-1=A", "amb-1=B"]):
        with subtests.test(texts=texts), pytest.raises(AnswerKeyError):
            parse_corrections(texts)


def test_correction_is_split_at_the_first_equals_sign() -> None:
    assert parse_corrections(["amb-1=A", "mdar-2=1+1=2"]) == {"amb-1": "A", "mdar-2": "1+1=2"}


def test_command_corrects_the_key_and_names_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = use_data_dir(tmp_path / "data", monkeypatch) / "answer-keys"
    monkeypatch.setattr(evaluation.benchmarks, "_REGISTRY", (MOTION,))
    original = save_key(folder, MOTION.make_key("test"))
    item = items_of(MOTION, original, "boolean")[0]
    command = ("keys", "correct", "--benchmark", MOTION.id, "--reason", "A mail.")
    wrong = run_in_process(capsys, main, (*command, f"{item.id}=maybe"))
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err.count("\n") == 1
    result = run_in_process(capsys, main, (*command, f"{item.id}={not original.answers[item.id]}"))
    assert (result.code, result.err) == (0, "")
    assert read(folder).digest[:8] in result.out
    assert "python -m submissions reevaluate --benchmark audio-motion-bench --dry-run" in result.out
    listed = run_in_process(capsys, main, ("keys", "verify", "--benchmark", MOTION.id))
    assert "1 corrected by hand" in listed.out
    assert run_in_process(capsys, main, command).code == 2
