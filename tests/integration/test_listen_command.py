"""The endpoint of the listeners as a process: how it starts, stops and fails to start, and what curl gets from it."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import settings
from tests.listening import COMPLETIONS, make_request, open_client, text_part

ROOT = Path(settings.__file__).parent

PROGRAM = """
import functools, sys
from evaluation.listeners.server import serve

class Waits:
    id = title = "waits"
    def answer(self, heard, seed=0):
        print("asked", flush=True)
        return sys.stdin.readline().strip()

serve({"waits": Waits()}, "127.0.0.1", 0, functools.partial(print, flush=True))
print("ended in good order", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_during_a_request_lets_it_be_answered_first(number: signal.Signals) -> None:
    with start(sys.executable, "-c", PROGRAM) as process, ThreadPoolExecutor(1) as pool:
        url = read_url(process)
        with open_client(url) as client:
            request = make_request(text_part("Hi"), model="waits")
            answer = pool.submit(client.post, f"{url}{COMPLETIONS}", json=request)
            assert process.stdout is not None and process.stdin is not None
            assert process.stdout.readline() == "asked\n"
            process.send_signal(number)
            process.stdin.write("answered after the signal\n")
            process.stdin.flush()
            assert answer.result().json()["choices"][0]["message"]["content"] == "answered after the signal"
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "ended in good order\n", "")


def start(*command: str) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def read_url(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("Listening at http://127.0.0.1:"), line
    return line.split()[2].removesuffix("/v1")
