"""Runs of `python -m submissions run` in this process, and models with limited abilities."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from submissions.endpoints.transport.pinning import resolve_own_name
from submissions.model_runs.__main__ import main
from tests.support.endpoints.endpoint_runs import MEANS
from tests.support.endpoints.misbehaving import Behave, ServedRequest, make_completion, make_reply
from tests.support.servers.commands import CommandResult, run_in_process

RUN_MEANS = replace(MEANS, resolve=resolve_own_name)
N_CHECKS = 4
Run = Callable[..., CommandResult]


def make_run(cache: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command with short pauses and a folder of practice packs."""

    def run_here(*arguments: object) -> CommandResult:
        capsys.readouterr()
        return run_in_process(capsys, lambda given: main(given, means=RUN_MEANS, cache=cache), arguments)

    return run_here


def count_clips(asked: ServedRequest) -> int:
    return sum(part["type"] != "text" for part in asked.json["messages"][0]["content"])


def say(text: str, refuses: Callable[[ServedRequest], bool] = lambda _asked: False) -> Behave:
    """Answer everything with a text, except what the model refuses."""

    async def behave(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        is_refused = refuses(asked)
        writer.write(make_reply(400, b'{"detail": "unsupported input"}') if is_refused else make_completion(text))

    return behave


def is_stereo(asked: ServedRequest) -> bool:
    """Whether a clip has two channels: bytes 21 to 23 of a WAV file have the number."""
    parts = asked.json["messages"][0]["content"]
    return any(part["input_audio"]["data"][28:32] == "AAIA" for part in parts if part["type"] == "input_audio")
