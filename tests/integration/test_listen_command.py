"""Listener endpoint as a process: start, stop, start failures, and its answers."""

import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import evaluation.__main__ as commands
import settings
from evaluation import get_benchmark
from evaluation.audio import read_sound
from evaluation.listeners import LISTENERS, Heard, Sound
from evaluation.types import TextPart
from tests.support.endpoints.answering import COMPLETIONS, audio_part, make_request, open_client, text_part
from tests.support.servers.commands import Run, run_in_process

ROOT = Path(settings.__file__).parent.parent
COMMAND = (sys.executable, "-m", "evaluation", "listen", "--port", "0")


@contextmanager
def start(*command: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a command, which must end by itself unless the test fails."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def read_url(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("Listening at http://127.0.0.1:"), line
    return line.split()[2].removesuffix("/v1")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with start(*COMMAND) as process:
        yield read_url(process)
        process.terminate()
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (0, "", "")


@pytest.fixture
def listen(capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *arguments: run_in_process(capsys, commands.main, ("listen", *arguments))


# --- what is heard through it ---------------------------------------------------------------------------------------


# A path among options and as a statement, floating-point tones, two rooms, clips to order, Chinese, a trace.
ASKED = (
    ("audio-motion-bench", "1.0", "sct/clean/mcq"),
    ("audio-motion-bench", "1.0", "sct/clean/tf"),
    ("star-bench", "1.0", "perception/range/pitch-loudness"),
    ("star-bench", "1.0", "perception/sensitivity/azimuth"),
    ("star-bench", "demo", "temporal/osm"),
    ("mdar", "demo", "main/sr"),
    ("audio-process-bench", "synthetic-3", "step"),
)


@cache
def make_prompts() -> list[tuple[list[dict[str, Any]], tuple[Heard, ...]]]:
    """Return questions of all benchmarks: as request parts, and as direct input of a listener."""
    prompts = []
    for benchmark_id, version, task in ASKED:
        benchmark = get_benchmark(benchmark_id, version)
        key = benchmark.make_key("practice")
        item = next(item for item in benchmark.content(key).items if item.task == task)
        pieces = benchmark.run(item, 0, benchmark.settings[0]).prompt
        files = {clip: benchmark.render_clip(key, clip) for clip in item.clips}
        parts = [text_part(one.text) if isinstance(one, TextPart) else audio_part(files[one.clip]) for one in pieces]
        heard = (one.text if isinstance(one, TextPart) else Sound(*read_sound(files[one.clip])) for one in pieces)
        prompts.append((parts, tuple(heard)))
    return prompts


@pytest.mark.parametrize("name", LISTENERS)
def test_http_answer_is_identical_to_the_listener_s_own(url: str, name: str) -> None:
    for seed, (parts, heard) in enumerate(make_prompts()):
        with open_client(url) as client:
            answer = client.post(COMPLETIONS, json=make_request(*parts, model=name, seed=seed)).json()
        assert answer["choices"][0]["message"]["content"] == LISTENERS[name].answer(heard, seed)


def test_models_of_the_command_are_the_three_listeners(url: str) -> None:
    with open_client(url) as client:
        models = client.get("/v1/models").json()["data"]
    assert [model["id"] for model in models] == ["earshot-chance", "earshot-mono", "earshot-binaural"]


CURL = shutil.which("curl")

if CURL is not None:  # Not every system has it, and nothing of Earshot needs it.

    def test_curl_gets_an_answer_or_the_reason_for_none(url: str, tmp_path: Path) -> None:
        (parts, heard), *_ = make_prompts()
        request = tmp_path / "request.json"
        request.write_text(json.dumps(make_request(*parts, model="earshot-binaural")))
        ask = ["curl", "--silent", "--noproxy", "*", f"{url}{COMPLETIONS}", "--data-binary", f"@{request}"]
        run = partial(subprocess.run, capture_output=True, timeout=300, check=True)
        answer = json.loads(run([*ask, "--header", "Content-Type: application/json"]).stdout)
        assert answer["choices"][0]["message"]["content"] == LISTENERS["earshot-binaural"].answer(heard)
        refusal = json.loads(run(ask).stdout)
        assert refusal["error"]["message"].startswith("The body must be JSON.")


# --- how it starts and stops ----------------------------------------------------------------------------------------

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


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_request_in_progress_is_answered_before_a_signal_stops_the_server(number: signal.Signals) -> None:
    with start(sys.executable, "-c", PROGRAM) as process, ThreadPoolExecutor(1) as pool:
        url = read_url(process)
        with open_client(url) as client:
            request = make_request(text_part("Hi"), model="waits")
            answer = pool.submit(client.post, f"{url}{COMPLETIONS}", json=request)
            assert process.stdout is not None
            assert process.stdin is not None
            assert process.stdout.readline() == "asked\n"
            process.send_signal(number)
            process.stdin.write("answered after the signal\n")
            process.stdin.flush()
            assert answer.result().json()["choices"][0]["message"]["content"] == "answered after the signal"
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (0, "ended in good order\n", "")


def test_configured_key_is_required(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("a-key-in-a-file\n")
    with start(*COMMAND, "--api-key-file", str(key)) as process:
        with open_client(read_url(process)) as client:
            assert client.get("/v1/models").status_code == 401
            assert client.get("/v1/models", headers={"authorization": "Bearer a-key-in-a-file"}).status_code == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    assert (process.returncode, out, err) == (0, "", "")


def test_port_in_use_is_reported_in_one_line(listen: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = listen("--port", port)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"Error: Port {port} of 127.0.0.1 cannot be opened (Address already in use). "
        "Stop the program that uses it, choose another port with --port, or pass an address of this machine with "
        "--host.\n"
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "a..b"])
def test_non_local_address_is_reported_in_one_line(listen: Run, host: str) -> None:
    done = listen("--port", "0", "--host", host)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error: Port 0 of {host} cannot be opened (")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b" \n", b"two words", b"two\nlines", b"\xff", b"a\x07b", b"x" * 5_000])
def test_file_without_a_key_is_refused(listen: Run, tmp_path: Path, content: bytes) -> None:
    key = tmp_path / "key"
    key.write_bytes(content)
    done = listen("--port", "0", "--api-key-file", key)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"Error: {key}: the file must contain one key of up to 1,000 ASCII characters without spaces.\n"
    )


def test_missing_key_file_is_reported(listen: Run, tmp_path: Path) -> None:
    done = listen("--port", "0", "--api-key-file", tmp_path / "absent")
    assert (done.code, done.out, done.err) == (1, "", f"Error: {tmp_path / 'absent'}: No such file or directory\n")


@pytest.mark.parametrize("arguments", [(), ("--port",), ("--port", "-1"), ("--port", "65536"), ("--port", "9" * 9_000)])
def test_wrong_usage_ends_with_2(listen: Run, arguments: tuple[str, ...]) -> None:
    done = listen(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "--port" in done.err


def test_help_of_listen_is_printed(listen: Run) -> None:
    done = listen("--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: python -m evaluation listen")
