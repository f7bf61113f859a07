"""Single answers of a key are put right; everything else about it stays, and a mistake in the wish changes nothing."""

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
def made() -> AnswerKey:
    return MOTION.make_key("test", "a seed of this test")


@pytest.fixture
def folder(tmp_path: Path, made: AnswerKey) -> Path:
    save_key(tmp_path, made)
    return tmp_path


def items_of(benchmark: Benchmark, key: AnswerKey, form: str) -> list[Item]:
    return [item for item in benchmark.content(key).items if item.answer_format == form]


def read(folder: Path) -> AnswerKey:
    key = find_key(folder, MOTION.id, MOTION.version, "test")
    assert key is not None
    return key


def test_correction_changes_the_named_answers_alone_and_keeps_the_old_key(folder: Path, made: AnswerKey) -> None:
    choice, truth = items_of(MOTION, made, "choice")[0], items_of(MOTION, made, "boolean")[0]
    letter = "ABCD"[(int(str(made.answers[choice.id])) + 1) % 4]
    wish = {choice.id: letter.lower(), truth.id: str(not made.answers[truth.id])}
    corrected = correct_key(folder, MOTION, wish, "A mail.", NOW)
    assert read(folder) == corrected
    expected: Mapping[str, AnswerValue] = {
        **made.answers,
        choice.id: "ABCD".index(letter),
        truth.id: not made.answers[truth.id],
    }
    assert corrected.answers == expected
    assert (corrected.seed, corrected.content_digest) == (made.seed, made.content_digest)
    assert MOTION.content(corrected) == MOTION.content(made)
    assert corrected.digest != made.digest
    path = key_path(folder, MOTION.id, MOTION.version, "test")
    aside = path.with_name(f"test.{made.digest[:8]}.json")
    assert json.loads(aside.read_text())["digest"] == made.digest
    log = path.with_name(LOG_NAME)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert [json.loads(line) for line in log.read_text().splitlines()] == [
        {
            "at": "2026-11-21T12:00:00+00:00",
            "reason": "A mail.",
            "from": made.digest[:8],
            "to": corrected.digest[:8],
            "old": {choice.id: made.answers[choice.id], truth.id: made.answers[truth.id]},
            "new": {choice.id: "ABCD".index(letter), truth.id: not made.answers[truth.id]},
        }
    ]


def test_correction_to_what_the_key_says_is_refused(folder: Path, made: AnswerKey) -> None:
    item = items_of(MOTION, made, "boolean")[0]
    with pytest.raises(AnswerKeyError, match="nothing was changed"):
        correct_key(folder, MOTION, {item.id: str(made.answers[item.id])}, "r", NOW)
    assert read(folder) == made


def test_answer_that_an_item_cannot_have_is_refused(folder: Path, made: AnswerKey, subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, str]] = [
        ("choice", "E", "Write one of A, B, C, D."),
        ("choice", "A,B", "Write one of A, B, C, D."),
        ("choice", "1", "Write one of A, B, C, D."),
        ("choice", "true", "Write one of A, B, C, D."),
        ("boolean", "A", "Write true or false."),
        ("boolean", "yes", "Write true or false."),
    ]
    for form, answer, said in rows:
        with subtests.test(form=form, answer=answer, said=said):
            item = items_of(MOTION, made, form)[0]
            with pytest.raises(AnswerKeyError) as refused:
                correct_key(folder, MOTION, {item.id: answer}, "r", NOW)
            assert str(refused.value) == f"`{answer}` cannot be the answer to `{item.id}`. {said}"
            assert read(folder) == made


def test_unknown_id_is_refused_with_the_one_that_is_meant(folder: Path, made: AnswerKey) -> None:
    item = items_of(MOTION, made, "boolean")[0]
    with pytest.raises(AnswerKeyError, match=f"Did you mean `{item.id}`"):
        correct_key(folder, MOTION, {item.id[:-1]: "true"}, "r", NOW)


def test_key_that_is_not_there_cannot_be_corrected(tmp_path: Path) -> None:
    with pytest.raises(AnswerKeyError, match="There is no key of audio-motion-bench"):
        correct_key(tmp_path, MOTION, {"x": "A"}, "r", NOW)


def test_key_of_a_demonstration_is_not_corrected(tmp_path: Path) -> None:
    demo = Mdar("demo")
    key = save_key(tmp_path, demo.make_key("test"))
    item = items_of(demo, key, "choice")[0]
    with pytest.raises(AnswerKeyError, match="demonstration"):
        correct_key(tmp_path, demo, {item.id: "A"}, "r", NOW)


def test_several_letters_and_texts_are_answers_where_items_take_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demonstration's questions under another version name, as an organiser's would be."""
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


def test_correction_of_another_form_is_refused(subtests: pytest.Subtests) -> None:
    for texts in (["amb-1"], ["=A"], ["amb-1="], ["amb-1=A", "amb-1=B"]):
        with subtests.test(texts=texts), pytest.raises(AnswerKeyError):
            parse_corrections(texts)


def test_correction_is_read_up_to_the_first_sign() -> None:
    assert parse_corrections(["amb-1=A", "mdar-2=1+1=2"]) == {"amb-1": "A", "mdar-2": "1+1=2"}


def test_command_corrects_and_says_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = use_data_dir(tmp_path / "data", monkeypatch) / "answer-keys"
    monkeypatch.setattr(evaluation.benchmarks, "_REGISTRY", (MOTION,))
    made = save_key(folder, MOTION.make_key("test"))
    item = items_of(MOTION, made, "boolean")[0]
    command = ("keys", "correct", "--benchmark", MOTION.id, "--reason", "A mail.")
    wrong = run_in_process(capsys, main, (*command, f"{item.id}=maybe"))
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err.count("\n") == 1
    done = run_in_process(capsys, main, (*command, f"{item.id}={not made.answers[item.id]}"))
    assert (done.code, done.err) == (0, "")
    assert read(folder).digest[:8] in done.out
    assert "python -m submissions reevaluate --benchmark audio-motion-bench --dry-run" in done.out
    listed = run_in_process(capsys, main, ("keys", "verify", "--benchmark", MOTION.id))
    assert "1 corrected by hand" in listed.out
    assert run_in_process(capsys, main, command).code == 2
