"""Question packs: required and forbidden content, and atomic writes."""

import io
import json
import stat
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation import Prediction, Report, get_benchmark
from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, AnswerValue
from evaluation.benchmarks import Benchmark, Column, Content, Metric, Part
from evaluation.errors import PackError
from evaluation.extraction import read_choices
from evaluation.packs import all_runs, describe_pack, example_predictions, pack_name, question, write_pack
from evaluation.predictions import make_catalogue, validate_predictions
from evaluation.types import AudioPart, Item, Run, Split, TextPart


class TinyBenchmark(Benchmark):
    """Three items over two clips, in two answer formats; one item has two runs."""

    id = "tiny"
    version = "0.1"
    metric_version = "1"
    title = "Tiny"
    summary = "Almost nothing."
    licence = "CC0-1.0"
    citation = "@misc{tiny}"
    parts = (Part("p", "The part"),)
    metrics = (Metric("accuracy", "Accuracy", "right / all"),)
    headline = Column("overall", "accuracy", "Overall", "")
    n_runs = 2

    @property
    def columns(self) -> Sequence[Column]:
        return (self.headline,)

    @property
    def chance(self) -> Mapping[str, float]:
        return {"overall|accuracy": 0.5}

    def content(self, key: AnswerKey) -> Content:
        items = (
            Item("t-1", "p", "p/mcq", "Wo? どこ?", "choice", ("here", "there", "nowhere"), (0, 1), ("clip-b",)),
            Item("t-2", "p", "p/tf", "Here?", "boolean", (), (0,), ("clip-a",)),
            Item("t-3", "p", "p/tf", "There?", "boolean", (), (0,), ("clip-b",)),
        )
        return Content(self.id, self.version, key.split, items, "0123456789abcdef" * 4)

    def true_answers(self, split: Split, seed: str) -> Mapping[str, AnswerValue]:  # noqa: ARG002 - as declared
        return {"t-3": False, "t-1": 1, "t-2": True}

    def render_clip(self, key: AnswerKey, clip: str) -> bytes:
        return f"RIFF {key.split} {key.seed} {clip}".encode()

    def run(self, item: Item, number: int, setting: str) -> Run:
        prompt = (AudioPart(item.clips[0]), TextPart(item.question))
        return Run(item.id, number, setting, item.task, prompt, item.options, item.answer_format)

    def score(
        self,
        key: AnswerKey,
        predictions: Iterable[Prediction],
        *,
        setting: str | None = None,
        system: str | None = None,
    ) -> Report:
        raise NotImplementedError


class FailingBenchmark(TinyBenchmark):
    """Cannot render its second clip."""

    def render_clip(self, key: AnswerKey, clip: str) -> bytes:  # noqa: ARG002 - as declared
        if clip == "clip-b":
            raise RuntimeError("no sound today")
        return b"RIFF"


TINY = TinyBenchmark()
TEST_KEY = TINY.make_key("test", "the secret seed")
PRACTICE_KEY = TINY.make_key("practice")


def pack(folder: Path, key: AnswerKey, name: str = "pack.zip") -> Path:
    out = folder / name
    write_pack(TINY, key, out)
    return out


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def json_lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().splitlines()]


@pytest.mark.parametrize(("key", "extra"), [(TEST_KEY, []), (PRACTICE_KEY, ["answers.jsonl"])])
def test_pack_of_a_split_contains_exactly_these_members(tmp_path: Path, key: AnswerKey, extra: list[str]) -> None:
    assert list(members(pack(tmp_path, key))) == [
        "pack.json",
        "README.md",
        "questions.jsonl",
        "example.jsonl",
        *extra,
        "audio/clip-a.wav",
        "audio/clip-b.wav",
    ]


def test_pack_json_describes_the_pack(tmp_path: Path) -> None:
    described = json.loads(members(pack(tmp_path, TEST_KEY))["pack.json"])
    assert described == describe_pack(TINY, TINY.content(TEST_KEY))
    assert described == {
        "benchmark": "tiny",
        "title": "Tiny",
        "version": "0.1",
        "split": "test",
        "content_digest": "0123456789abcdef" * 4,
        "settings": ["default"],
        "items": 3,
        "clips": 2,
        "sounds": True,
        "licence": "CC0-1.0",
        "citation": "@misc{tiny}",
    }


def test_questions_have_one_line_per_run_with_the_documented_fields(tmp_path: Path) -> None:
    rows = json_lines(members(pack(tmp_path, TEST_KEY))["questions.jsonl"])
    assert [(row["id"], row["run"]) for row in rows] == [("t-1", 0), ("t-1", 1), ("t-2", 0), ("t-3", 0)]
    assert rows[0] == {
        "id": "t-1",
        "run": 0,
        "setting": "default",
        "task": "p/mcq",
        "prompt": [{"type": "audio", "path": "audio/clip-b.wav"}, {"type": "text", "text": "Wo? どこ?"}],
        "options": ["here", "there", "nowhere"],
        "answer_format": "choice",
    }


def test_pack_contains_every_sound_of_its_questions(tmp_path: Path) -> None:
    files = members(pack(tmp_path, TEST_KEY))
    rows = json_lines(files["questions.jsonl"])
    audio_paths = {part["path"] for row in rows for part in row["prompt"] if part["type"] == "audio"}
    assert audio_paths == {name for name in files if name.startswith("audio/")}
    assert files["audio/clip-a.wav"] == TINY.render_clip(TEST_KEY, "clip-a")


def test_answers_of_a_practice_pack_are_ordered_by_id(tmp_path: Path) -> None:
    rows = json_lines(members(pack(tmp_path, PRACTICE_KEY))["answers.jsonl"])
    assert rows == [{"id": "t-1", "answer": 1}, {"id": "t-2", "answer": True}, {"id": "t-3", "answer": False}]


def test_test_pack_does_not_depend_on_the_answers(tmp_path: Path) -> None:
    other = replace(TEST_KEY, answers={"t-1": 2, "t-2": False, "t-3": True})
    assert pack(tmp_path, TEST_KEY).read_bytes() == pack(tmp_path, other, "other.zip").read_bytes()


def test_test_pack_does_not_contain_the_seed(tmp_path: Path) -> None:
    files = members(pack(tmp_path, TEST_KEY))
    texts = b"".join(data for name, data in files.items() if not name.startswith("audio/"))
    assert TEST_KEY.seed.encode() not in texts


def test_readme_states_where_the_answers_are(tmp_path: Path) -> None:
    test_readme, practice_readme = (
        members(pack(tmp_path, key, f"{key.split}.zip"))["README.md"].decode() for key in (TEST_KEY, PRACTICE_KEY)
    )
    assert "The correct answers are hidden." in test_readme
    assert "answers.jsonl" not in test_readme
    assert "The correct answers are in `answers.jsonl`." in practice_readme
    commands = test_readme.replace("\\\n", "").splitlines()
    for command in ("validate", "submit"):
        (line,) = (line for line in commands if f"python -m submissions {command} " in line)
        assert "--benchmark tiny" in line
        assert "--url ADDRESS" in line


@pytest.mark.parametrize("key", [TEST_KEY, PRACTICE_KEY], ids=["test", "practice"])
def test_writing_a_pack_twice_gives_identical_bytes(tmp_path: Path, key: AnswerKey) -> None:
    assert pack(tmp_path, key, "one.zip").read_bytes() == pack(tmp_path, key, "two.zip").read_bytes()


def test_members_have_a_fixed_date_and_mode(tmp_path: Path) -> None:
    with zipfile.ZipFile(pack(tmp_path, TEST_KEY)) as archive:
        for info in archive.infolist():
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert info.external_attr >> 16 == 0o644
            stored = info.filename.startswith("audio/")
            assert info.compress_type == (zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)


def test_example_of_a_pack_validates_against_its_catalogue(tmp_path: Path) -> None:
    example = members(pack(tmp_path, TEST_KEY))["example.jsonl"]
    known = make_catalogue("Tiny", TINY.content(TEST_KEY).items)
    verdict = validate_predictions(io.BytesIO(example), known)
    assert verdict.ok, verdict.problems
    assert (verdict.predictions, verdict.missing) == (4, 0)


@pytest.mark.parametrize(("split", "seed"), [("practice", PRACTICE_SEED), ("test", "a seed")])
def test_example_of_audio_motion_bench_validates_against_its_catalogue(split: Split, seed: str) -> None:
    benchmark = get_benchmark("audio-motion-bench")
    content = benchmark.content(benchmark.make_key(split, seed))
    lines = "".join(json.dumps(row) + "\n" for row in example_predictions(content))
    verdict = validate_predictions(io.BytesIO(lines.encode()), make_catalogue("B", content.items))
    assert verdict.ok
    assert (verdict.predictions, verdict.expected) == (6048, 6048)


def test_example_has_a_guess_in_every_format() -> None:
    items = (
        Item("t-1", "p", "p", "Why?", "text", (), (0,), ()),
        Item("t-2", "p", "p", "Which?", "choices", ("here", "there", "nowhere"), (0,), ()),
        Item("t-3", "p", "p", "Steps?", "steps", (), (0,), (), n_steps=4),
    )
    text, choices, steps = example_predictions(Content("tiny", "0.1", "test", items, "0"))
    assert text["response"]
    assert read_choices(str(choices["response"]), items[1].options).indices
    flags = steps["erroneous"]
    assert isinstance(flags, list)
    assert [type(flag) for flag in flags] == [bool] * 4


def test_questions_of_audio_motion_bench_reveal_nothing_else() -> None:
    benchmark = get_benchmark("audio-motion-bench")
    content = benchmark.content(benchmark.make_key("test", "a seed"))
    for run in all_runs(benchmark, content):
        fields = question(run)
        assert list(fields) == ["id", "run", "setting", "task", "prompt", "options", "answer_format"]
        assert "a seed" not in json.dumps(fields)


def test_runs_of_an_item_differ_only_in_their_number() -> None:
    benchmark = get_benchmark("audio-motion-bench")
    content = benchmark.content(benchmark.make_key("practice"))
    for item in content.items[:20]:
        runs = {replace(benchmark.run(item, number, "default"), run=0) for number in item.runs}
        assert len(runs) == 1


def test_progress_counts_every_clip(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    write_pack(TINY, TEST_KEY, tmp_path / "pack.zip", lambda done, total: calls.append((done, total)))
    assert calls == [(1, 2), (2, 2)]


@pytest.mark.parametrize("before", [None, b"an older pack"])
def test_failed_pack_leaves_the_earlier_file_unchanged(tmp_path: Path, before: bytes | None) -> None:
    out = tmp_path / "pack.zip"
    if before is not None:
        out.write_bytes(before)
    with pytest.raises(RuntimeError, match="no sound today"):
        write_pack(FailingBenchmark(), TEST_KEY, out)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if before is None else [before])


def test_interrupted_pack_leaves_no_file(tmp_path: Path) -> None:
    def interrupt(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pack(TINY, TEST_KEY, tmp_path / "pack.zip", interrupt)
    assert list(tmp_path.iterdir()) == []


def test_new_pack_replaces_the_earlier_one_and_leaves_no_other_file(tmp_path: Path) -> None:
    out = tmp_path / "pack.zip"
    out.write_bytes(b"older")
    write_pack(TINY, TEST_KEY, out)
    assert [path.name for path in tmp_path.iterdir()] == ["pack.zip"]
    assert zipfile.is_zipfile(out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o644


def test_pack_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"cannot be written \(No such file or directory\)\. Choose another --out\."):
        write_pack(TINY, TEST_KEY, tmp_path / "nowhere" / "pack.zip")


def test_pack_name_contains_split_and_digest() -> None:
    content = TINY.content(TINY.make_key("test", "seed"))
    assert pack_name(content) == "tiny-0.1-test-0123456789abcdef.zip"
    assert pack_name(replace(content, digest="f" * 64)) != pack_name(content)
    assert pack_name(replace(content, split="practice")) != pack_name(content)
