"""Options from a published question pack: content, reloading, and agreement with scoring."""

import io
import json
import logging
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evaluation.benchmarks import Benchmark, all_benchmarks
from evaluation.packs import example_predictions
from evaluation.predictions import catalogue_of, read_checked_predictions, validate_predictions
from submissions.intake.pack_options import PackOptions
from tests.support.samples.question_packs import write_question_pack, write_questions

WITH_PRACTICE = [benchmark for benchmark in all_benchmarks() if "practice" in benchmark.splits]
ODD = ("", "I am sorry, I cannot hear audio.", "A or B", "Neither of them, 17.", "A. No, wait: B.")


def line(item_id: str, *options: str, run: int = 0, setting: str = "default") -> dict[str, Any]:
    return {"id": item_id, "run": run, "setting": setting, "options": list(options), "task": "t", "prompt": []}


def test_options_of_every_run_match_the_setting(tmp_path: Path) -> None:
    questions = [
        line("q", "left", "right"),
        line("q", "right", "left", run=1),
        line("r"),
        line("q", "else", setting="other"),
    ]
    write_questions(tmp_path / "pack.zip", questions)
    options = PackOptions(tmp_path).find_options("pack.zip", "default")
    assert options == {("q", 0): ("left", "right"), ("q", 1): ("right", "left")}


def test_pack_is_read_once_until_it_is_replaced(tmp_path: Path) -> None:
    options = PackOptions(tmp_path)
    assert options.find_options("pack.zip", "default") is None
    write_questions(tmp_path / "pack.zip", [line("q", "left", "right")])
    first = options.find_options("pack.zip", "default")
    assert first == {("q", 0): ("left", "right")}
    assert options.find_options("pack.zip", "default") is first
    write_questions(tmp_path / "new.zip", [line("q", "up", "down", "left")]).replace(tmp_path / "pack.zip")
    assert options.find_options("pack.zip", "default") == {("q", 0): ("up", "down", "left")}


def test_pack_is_read_only_from_its_folder(tmp_path: Path) -> None:
    write_questions(tmp_path / "pack.zip", [line("q", "left", "right")])
    assert PackOptions(tmp_path / "packs").find_options("../pack.zip", "default") is None


@pytest.mark.parametrize("damage", ["not a zip file", "no questions", "invalid JSON", "damaged"])
def test_unreadable_pack_has_no_options_and_is_logged(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_questions(tmp_path / "pack.zip", [line(f"q-{n}", "left", str(n)) for n in range(1_000)])
    if damage == "not a zip file":
        path.write_bytes(b"nonsense")
    elif damage == "damaged":
        data = bytearray(path.read_bytes())
        data[200:400] = os.urandom(200)
        path.write_bytes(data)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("questions.jsonl" if damage == "invalid JSON" else "README.md", "nonsense\n")
    with caplog.at_level(logging.ERROR):
        assert PackOptions(tmp_path).find_options("pack.zip", "default") is None
    assert "cannot read pack.zip" in caplog.text


@pytest.mark.parametrize("benchmark", WITH_PRACTICE, ids=lambda benchmark: f"{benchmark.id}-{benchmark.version}")
def test_check_with_the_pack_counts_the_same_unreadable_answers_as_scoring(
    benchmark: Benchmark, tmp_path: Path
) -> None:
    key = benchmark.make_key("practice")
    path = write_question_pack(benchmark, key, tmp_path)
    rows = list(example_predictions(benchmark.content(key)))
    for n, row in enumerate(rows[::7]):
        row.pop("erroneous", None)
        row["response"] = ODD[n % len(ODD)]
    # The text of an option belongs to another letter in every run that rotates the options.
    option = next((item.options[0] for item in benchmark.content(key).items if item.options), None)
    rows[1] |= {} if option is None else {"response": f"The answer is: {option}"}
    file = io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())
    setting = benchmark.settings[0]
    catalogue = catalogue_of(benchmark, key, setting)
    options = PackOptions(tmp_path).find_options(path.name, benchmark.packed_settings[0])
    checked = validate_predictions(file, catalogue, options=options)
    report = benchmark.score(key, read_checked_predictions(file, catalogue), setting=setting)
    assert checked.parsing is not None
    assert checked.parsing.unreadable == report.unreadable > 0
    assert checked.parsing.parsed == len(rows) - report.unreadable
