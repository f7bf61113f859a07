"""Example benchmark of docs/adding-a-benchmark.md: it works as printed."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from evaluation import Benchmark, Report
from evaluation.answer_keys import AnswerKey
from evaluation.audio import decode_wav
from evaluation.packs import example_predictions, write_pack
from evaluation.predictions import catalogue_of, read_checked_predictions
from tests.support.documents.blocks import read_blocks

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-benchmark.md"


def list_code() -> list[str]:
    """Return the module of the page, and its two lines for the registry."""
    return [block.text for block in read_blocks(PAGE) if block.language == "python"]


@pytest.fixture(scope="module")
def benchmark() -> Benchmark:
    code, _ = list_code()
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102 - our own page
    instance = names["WhichEar"]()
    assert isinstance(instance, Benchmark)
    return instance


def score(benchmark: Benchmark, key: AnswerKey, data: bytes) -> Report:
    return benchmark.score(key, read_checked_predictions(io.BytesIO(data), catalogue_of(benchmark, key, "default")))


def test_benchmark_of_the_page_can_be_packed_and_scored(benchmark: Benchmark, tmp_path: Path) -> None:
    key = benchmark.make_key("practice")
    write_pack(benchmark, key, tmp_path / "pack.zip")
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        example = archive.read("example.jsonl")
        clips = {name: archive.read(name) for name in archive.namelist() if name.endswith(".wav")}
    assert len(clips) == 120
    example_report = benchmark.score(
        key, read_checked_predictions(io.BytesIO(example), catalogue_of(benchmark, key, "default"))
    )
    assert 0.2 < (example_report.scores["overall"]["accuracy"].value or 0) < 0.8
    assert example_report.signature.benchmark == "which-ear"
    predictions = []
    for name, clip in clips.items():
        left, right = (abs(decode_wav(clip)[0][:, ear].astype(int)).sum() for ear in (0, 1))
        predictions.append(
            {"id": name.removeprefix("audio/").removesuffix(".wav"), "response": "AB"[int(right > left)]}
        )
    data = "".join(json.dumps(row) + "\n" for row in predictions).encode()
    perfect_report = score(benchmark, key, data)
    assert perfect_report.scores["overall"]["accuracy"].value == 1


def test_example_predictions_of_the_page_cover_every_question(benchmark: Benchmark) -> None:
    content = benchmark.content(benchmark.make_key("test", "seed"))
    assert {row["id"] for row in example_predictions(content)} == {item.id for item in content.items}
