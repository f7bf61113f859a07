"""Question packs without sounds, for tests of their readers."""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.packs import all_runs, pack_name, question
from evaluation.types import Split
from tests.support.servers.server import Server, read_test_key


def write_questions(path: Path, questions: Iterable[Mapping[str, Any]]) -> Path:
    """Write a pack that contains only these questions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("questions.jsonl", "".join(json.dumps(line) + "\n" for line in questions))
    return path


def write_question_pack(benchmark: Benchmark, key: AnswerKey, folder: Path) -> Path:
    """Write the questions of a key's split to the web process's folder of packs."""
    content = benchmark.content(key)
    return write_questions(folder / pack_name(content), map(question, all_runs(benchmark, content)))


@contextmanager
def lay_question_pack(server: Server, split: Split = "test") -> Iterator[None]:
    """Install the questions of AudioMotionBench on a server that makes no packs, for the duration of the block."""
    key = read_test_key(server)
    if split == "practice":
        key = get_benchmark(key.benchmark).make_key("practice")
    path = write_question_pack(get_benchmark(key.benchmark), key, server.data_dir / "packs")
    try:
        yield
    finally:
        path.unlink()
