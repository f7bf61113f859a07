"""Small packs of synthetic questions, and the logs that inspect_ai and lmms-eval wrote when they ran their exports.

`python -m tests.support.samples.task_recording TOOL ENVIRONMENT FOLDER` records the logs of a tool again. ENVIRONMENT
is a virtual environment in which it is installed, and FOLDER an empty folder. The command is that of the exported
README, with the address of a model on loopback.
"""

import asyncio
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.packs import write_pack
from submissions.model_runs.task_exports.__main__ import main as export
from submissions.model_runs.task_exports.task_folder import MANIFEST
from tests.support.endpoints.misbehaving import ServedRequest, make_completion, run_server
from tests.support.samples.practice_packs import make_tone

_LOGS = Path(__file__).parent / "task_logs"
VERSIONS = {"inspect": "inspect-ai-0.3.285", "lmms-eval": "lmms-eval-0.7.3"}
DIGESTS = _LOGS / "task-digests.json"
"""Digests of the tasks that were run, by the name of the log."""
_SUFFIXES = {"inspect": ".eval", "lmms-eval": ".jsonl"}
_CLIP = re.compile(r"(?<=base64,).*", re.DOTALL)


@dataclass(frozen=True)
class RecordedTask:
    """A few practice questions of a benchmark.

    Attributes:
        benchmark: The benchmark, of synthetic questions.
        items: IDs of the items.
    """

    benchmark: Benchmark
    items: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.benchmark.id}-{self.benchmark.version}"

    @property
    def options(self) -> tuple[str, ...]:
        return ("--benchmark", self.benchmark.id, "--version", self.benchmark.version)

    def write_pack(self, folder: Path) -> Path:
        """Write a pack with these items only, and a tone for each clip, of its own pitch."""
        whole, small = folder / f"{self.name}-whole.zip", folder / f"{self.name}.zip"
        folder.mkdir(parents=True, exist_ok=True)
        with patch.object(type(self.benchmark), "render_clip", lambda _self, _key, clip: _make_tone_of(clip)):
            write_pack(self.benchmark, self.benchmark.make_key("practice"), whole)
        with zipfile.ZipFile(whole) as source, zipfile.ZipFile(small, "w") as target:
            target.writestr("pack.json", source.read("pack.json"))
            questions = [json.loads(line) for line in source.read("questions.jsonl").splitlines()]
            kept = [question for question in questions if question["id"] in self.items]
            target.writestr("questions.jsonl", "".join(json.dumps(question) + "\n" for question in kept))
            for path in sorted({part["path"] for line in kept for part in line["prompt"] if part["type"] == "audio"}):
                target.writestr(path, source.read(path))
        return small

    def find_log(self, tool: str) -> Path:
        return _LOGS / f"{self.name}-{VERSIONS[tool]}{_SUFFIXES[tool]}"


def _make_tone_of(clip: str) -> bytes:
    return make_tone(200 + zlib.crc32(clip.encode()) % 2_000, 0.02, side=1)


# Several clips between texts, options in another order in each run; runs that are seeds.
RECORDED = (
    RecordedTask(
        get_benchmark("star-bench", "demo"),
        ("demo_sensitivity_azimuth_001", "demo_OSM_1", "demo_range_pitch_loudness_001"),
    ),
    RecordedTask(get_benchmark("audio-motion-bench"), ("amb-003vzzws", "amb-00jsmad4", "amb-05s4w4pm")),
)


async def answer_by_request(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
    """Answer by everything that a model can see: other texts, sounds, orders or seeds give other answers."""
    (message,) = asked.json["messages"]
    seen = [
        asked.json["temperature"] == 0,
        asked.json.get("seed"),
        message["role"],
        *map(_describe, message["content"]),
    ]
    number = int.from_bytes(hashlib.sha256(json.dumps(seen).encode()).digest()[:4])
    choices = ("True", "False") if "True" in str(seen[3:]) else ("(A)", "(B)", "(C)")
    text = f"{choices[number % len(choices)]}\n\n[{number}]"
    usage = {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}
    writer.write(make_completion(text, id="c", object="chat.completion", created=0, usage=usage))


def _describe(part: dict[str, Any]) -> str:
    if part["type"] == "text":
        return str(part["text"])
    if part["type"] == "input_audio":
        return hashlib.sha256(part["input_audio"]["data"].encode()).hexdigest()
    (data,) = _CLIP.findall(part["audio_url"]["url"])
    return hashlib.sha256(data.encode()).hexdigest()


def read_run_command(folder: Path, url: str) -> str:
    """Return the command of a README that runs the task, with the address of a model."""
    text = (folder / "README.md").read_text()
    (block,) = re.findall(r"^```sh\n(pip install .*?)```$", text, re.DOTALL | re.MULTILINE)
    return "\n".join(block.splitlines()[1:]).replace("http://localhost:8000/v1", url)


def read_task_digest(folder: Path) -> str:
    return str(json.loads((folder / MANIFEST).read_text())["task_digest"])


def record_logs(tool: str, environment: Path, folder: Path) -> None:
    """Run the exported tasks in a tool, and keep its logs."""
    for task in RECORDED:
        out = folder / task.name
        assert export(["--for", tool, *task.options, "--pack", str(task.write_pack(folder)), "--out", str(out)]) == 0
        variables = {**os.environ, "PATH": f"{environment / 'bin'}:{os.environ['PATH']}", "HF_HUB_OFFLINE": "1"}
        with run_server(answer_by_request) as served:
            command = read_run_command(out, served.url)
            subprocess.run(["bash", "-ec", command], cwd=out, env=variables, check=True)
        pattern = "logs/*.eval" if tool == "inspect" else "results/**/*_samples_*.jsonl"
        (log,) = out.glob(pattern)
        task.find_log(tool).write_bytes(log.read_bytes())
        digests = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
        digests[task.find_log(tool).name] = read_task_digest(out)
        DIGESTS.write_text(json.dumps(digests, indent=2, sort_keys=True) + "\n")


def main(arguments: Sequence[str]) -> None:
    tool, environment, folder = arguments
    record_logs(tool, Path(environment), Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
