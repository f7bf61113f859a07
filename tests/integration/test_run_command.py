"""`python -m submissions run` on the practice split, against models that behave well and badly."""

import asyncio
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaluation import get_benchmark
from evaluation.predictions import catalogue_of, read_checked_predictions
from submissions.model_runs.__main__ import main
from tests.support.adapter_modules import forget_adapter_modules
from tests.support.documents.blocks import ROOT, read_commands
from tests.support.endpoints.misbehaving import (
    Behave,
    ScriptedServer,
    ServedRequest,
    make_completion,
    make_reply,
    reset,
    run_server,
)
from tests.support.endpoints.model_runs import N_CHECKS, Run, count_clips, is_stereo, make_run, say
from tests.support.samples.run_packs import DEMO, N_QUESTIONS, N_SEVERAL, write_run_pack
from tests.support.servers.server import wait_for

KEY = "sk-canary-0123456789"
Writer = asyncio.StreamWriter
Asked = list[ServedRequest]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cache with the practice pack of the demonstration set, so that no server is needed."""
    return write_run_pack(tmp_path_factory.mktemp("cache")).parent


@pytest.fixture
def run(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    return make_run(cache, capsys)


def name_model(served: ScriptedServer, *more: str) -> tuple[str, ...]:
    return ("--benchmark", "mdar", "--base-url", served.url, "--model", "my-model", "--out", "out", *more)


def read_rows() -> list[dict[str, object]]:
    path = Path("out/practice/predictions.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_every_practice_question_is_answered_once_and_scored_by_slice(run: Run) -> None:
    with run_server(say("A")) as served:
        done = run(*name_model(served, "--api-key-env", "MY_KEY"))
    assert done.code == 0, done.err
    assert len(served.asked) == N_CHECKS + N_QUESTIONS
    assert all(f"Authorization: Bearer {KEY}" in asked.head for asked in served.asked)
    key = DEMO.make_key("practice")
    with Path("out/practice/predictions.jsonl").open("rb") as file:
        predictions = list(read_checked_predictions(file, catalogue_of(DEMO, key, "default")))
    report = DEMO.score(key, predictions)
    main_score = report.scores["main"]["accuracy"].value
    assert main_score is not None
    assert re.search(rf"Main +{100 * main_score:.1f} +25\.0 +14", done.out), done.out
    assert f"{N_QUESTIONS} of {N_QUESTIONS} answers" in done.out
    assert f"{N_QUESTIONS} of {N_QUESTIONS} answered" in done.err
    assert KEY not in done.out + done.err + "".join(path.read_text() for path in Path("out").rglob("*.json*"))

    again = run(*name_model(served, "--api-key-env", "MY_KEY"))
    assert (again.code, again.out) == (0, done.out), "a complete run needs no model any more"
    assert len(served.asked) == N_CHECKS + N_QUESTIONS


def test_trial_asks_a_few_and_the_full_run_goes_on_from_it(run: Run) -> None:
    with run_server(say("A")) as served:
        trial = run(*name_model(served, "--limit", "6"))
        assert trial.code == 0, trial.err
        assert len(served.asked) == N_CHECKS + 6 == N_CHECKS + len(read_rows())
        assert "This was a trial." in trial.err
        assert re.search(r"all +[\d.]+ +\d", trial.out), trial.out
        assert run(*name_model(served)).code == 0
    assert len(served.asked) == N_CHECKS + N_QUESTIONS == N_CHECKS + len(read_rows())


def test_dry_run_prints_the_first_request_and_asks_nothing(run: Run) -> None:
    with run_server(say("A")) as served:
        done = run(*name_model(served, "--dry-run", "--api-key-env", "MY_KEY"))
        assert (done.code, served.n_connections) == (0, 0), done.err
        head, _, body = done.out.partition("\n\n")
        assert head.splitlines() == [
            f"POST {served.url}/chat/completions",
            "Content-Type: application/json",
            "Authorization: Bearer <MY_KEY>",
        ]
        (message,) = json.loads(body)["messages"]
        sounds = [part["input_audio"]["data"] for part in message["content"] if part["type"] == "input_audio"]
        assert all(re.fullmatch(r"\S{16}… \([\d,]+ characters\)", sound) for sound in sounds)
        assert sounds
        assert KEY not in done.out + done.err
        url = run(*name_model(served, "--dry-run", "--audio-form", "data-url")).out
        assert '"url": "data:audio/wav;base64,UklGR' in url
    assert not Path("out").exists()


def fail_at_first(n_failures: int, fail: Callable[[Writer], None]) -> Behave:
    """Fail each question a few times before it is answered."""
    seen: dict[bytes, int] = {}

    async def behave(asked: ServedRequest, writer: Writer) -> None:
        seen[asked.body] = seen.get(asked.body, 0) + 1
        if asked.number >= N_CHECKS and seen[asked.body] <= n_failures:
            fail(writer)
        else:
            writer.write(make_completion("A"))

    return behave


@pytest.mark.parametrize(
    "fail",
    [
        lambda writer: writer.write(make_reply(429, b'{"error": "slow down"}', {"Retry-After": "0"})),
        lambda writer: writer.write(make_reply(500)),
        lambda writer: writer.write(make_reply(200, b'{"choices": [{"message": {"content": "A')),
        reset,
    ],
    ids=["429", "500", "truncated JSON", "reset"],
)
def test_passing_failures_are_repeated_and_counted(run: Run, fail: Callable[[Writer], None]) -> None:
    with run_server(fail_at_first(1, fail)) as served:
        done = run(*name_model(served, "--concurrency", "2"))
    assert done.code == 0, done.err
    assert len(read_rows()) == N_QUESTIONS
    n_errors = re.search(r"(\d+) errors?", done.err)
    assert n_errors is not None
    assert int(n_errors[1]) == len(served.asked) - N_CHECKS - N_QUESTIONS > 0


def test_call_that_hangs_ends_after_the_timeout_and_is_repeated(run: Run) -> None:
    async def hang_once(asked: ServedRequest, writer: Writer) -> None:
        if asked.number == N_CHECKS:
            await asyncio.sleep(600)
        writer.write(make_completion("A"))

    with run_server(hang_once) as served:
        done = run(*name_model(served, "--timeout", "2"))
    assert done.code == 0, done.err
    assert "1 error" in done.err
    assert len(read_rows()) == N_QUESTIONS


def test_model_that_stays_broken_ends_the_run_which_can_be_continued(run: Run) -> None:
    async def break_down(asked: ServedRequest, writer: Writer) -> None:
        is_broken = asked.number >= N_CHECKS + 10
        writer.write(make_reply(500, b'{"detail": "out of memory"}') if is_broken else make_completion("A"))

    with run_server(break_down) as served:
        done = run(*name_model(served, "--concurrency", "1"))
    assert done.code == 1
    assert "has an internal error (status 500). Response: out of memory" in done.err
    assert "Run the same command again to ask the rest." in done.err
    assert len(read_rows()) == 10
    with run_server(say("A")) as served:
        assert run(*name_model(served)).code == 0
    assert len(served.asked) == N_QUESTIONS - 10, "the check is not repeated"


def test_few_questions_that_the_model_refuses_are_missing_answers_if_that_is_allowed(run: Run) -> None:
    refused: set[str] = set()

    def refuses(asked: ServedRequest) -> bool:
        if asked.number == N_CHECKS:
            refused.add(asked.question)
        return asked.question in refused

    with run_server(say("A", refuses)) as served:
        done = run(*name_model(served, "--concurrency", "1"))
        assert done.code == 1
        assert "of 28 questions have no answer." in done.err
        assert "or pass --allow-missing to score unanswered questions as wrong." in done.err
        allowed = run(*name_model(served, "--concurrency", "1", "--allow-missing"))
    assert allowed.code == 0, allowed.err
    assert f"{len(read_rows())} of {N_QUESTIONS} answers" in allowed.out


def test_model_without_audio_input_is_told_before_the_first_question(run: Run) -> None:
    with run_server(say("yes", lambda asked: count_clips(asked) > 0)) as served:
        done = run(*name_model(served))
    assert done.code == 1
    assert f"my-model at {served.url} does not accept audio." in done.err
    assert "try --audio-form data-url" in done.err
    assert read_rows() == []


def test_clips_are_joined_for_a_model_that_refuses_several(run: Run) -> None:
    with run_server(say("A", lambda asked: count_clips(asked) > 1)) as served:
        done = run(*name_model(served, "--limit", "3"))
        assert done.code == 0, done.err
        assert f"In {N_SEVERAL} of {N_QUESTIONS} questions they are joined" in done.err
        assert run(*name_model(served)).code == 0
    assert len(read_rows()) == N_QUESTIONS
    assert len(served.asked) == N_CHECKS + N_QUESTIONS, "nothing was refused after the check"


def test_model_without_stereo_gets_one_channel_if_that_is_wanted(run: Run) -> None:
    with run_server(say("A", is_stereo)) as served:
        done = run(*name_model(served))
        assert done.code == 1
        assert "The model refuses stereo: The endpoint rejects a question" in done.err
        assert f"{N_QUESTIONS} of {N_QUESTIONS} questions have stereo clips." in done.err
        assert run(*name_model(served, "--mono", "--out", "mono")).code == 0
    assert len(Path("mono/practice/predictions.jsonl").read_text().splitlines()) == N_QUESTIONS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--model", "other"), "holds responses for model `my-model`, not `other`."),
        (("--audio-form", "data-url"), "holds responses for requests of the form"),
        (("--mono",), "not `1.temperature-0.input_audio.mono`."),
    ],
)
def test_responses_of_another_model_or_prompt_are_not_mixed_in(run: Run, arguments: tuple[str, ...], said: str) -> None:
    with run_server(say("A")) as served:
        assert run(*name_model(served, "--limit", "2")).code == 0
        before = read_rows()
        done = run(*name_model(served, *arguments))
    assert done.code == 1
    assert said in done.err
    assert "Choose another --out, or delete the folder." in done.err
    assert (read_rows(), len(served.asked)) == (before, N_CHECKS + 2)


MODEL = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--benchmark", "mdra", *MODEL), 2, "mdar"),
        (("--benchmark", "mdar", "--version", "9", *MODEL), 1, "mdar has no version `9`. Pass --version with one of:"),
        (("--benchmark", "mdar", "--version", "1.0", *MODEL), 1, "MDAR 1.0 has no practice questions."),
        (("--benchmark", "mdar", "--setting", "loud", *MODEL), 2, "has no setting `loud`"),
        (("--benchmark", "mdar", "--setting", "noise", *MODEL), 1, "The pack has no prompts for the setting `noise`"),
        (("--benchmark", "mdar", "--runs", "1", *MODEL), 1, "All runs of MDAR must be answered."),
        (("--benchmark", "mdar", "--base-url", "localhost:1", "--model", "m"), 2, "--base-url must begin with http://"),
        (
            ("--benchmark", "mdar", "--base-url", "http://me:canary@h/v1", "--model", "m"),
            2,
            "or password; pass the key with --api-key-env.",
        ),
        (
            ("--benchmark", "mdar", "--base-url", "http://h/v1/chat/completions/", "--model", "m"),
            2,
            "--base-url ends in /chat/completions, which is added to it.",
        ),
        (("--benchmark", "mdar", "--base-url", "http://h/v1", "--model", ""), 2, "--model must have 1 to 200"),
        (("--benchmark", "mdar", *MODEL, "--concurrency", "999"), 2, "--concurrency is 999. Set it to a number"),
        (("--benchmark", "mdar", *MODEL, "--api-key-env", "sk-canary"), 2, "environment variable that is not set"),
        (("--benchmark", "mdar", *MODEL, "--api-key-env", "ODD_KEY"), 2, "The API key in ODD_KEY must have 1 to"),
        (("--benchmark", "mdar", "--adapter", "no_such:f", "--model", "m"), 1, "no_such:f cannot be imported"),
        (("--benchmark", "mdar", *MODEL, "--pack", "absent.zip"), 1, "absent.zip cannot be used as a question pack"),
        (("--benchmark", "mdar", *MODEL, "--limit", "3", "--submit"), 2, "--limit is a trial"),
        (("--benchmark", "mdar", *MODEL), 1, "m at http://127.0.0.1:9/v1 cannot be asked. The connection to 127.0.0.1"),
        (("--benchmark", "star-bench", *MODEL, "--url", "http://127.0.0.1:9"), 1, "Cannot reach http://127.0.0.1:9"),
    ],
)
def test_mistake_of_the_user_is_one_sentence_without_the_key(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.setenv("ODD_KEY", "sk canary")
    done = run(*arguments)
    assert (done.code, said in done.err) == (code, True), done.err
    assert done.err.count("Error: ") == 1
    assert "canary" not in done.err
    assert "mdra" not in arguments or not Path("earshot-runs").exists(), "a mistyped name leaves no folder"


def test_key_on_the_command_line_is_not_accepted_and_not_repeated(run: Run) -> None:
    done = run("--benchmark", "mdar", *MODEL, "--api-key", "sk-canary")
    assert (done.code, "unrecognized arguments" in done.err) == (2, True)


def test_wrong_key_is_told_with_the_option(run: Run) -> None:
    with run_server(lambda _asked, writer: refuse_key(writer)) as served:
        done = run(*name_model(served))
    assert "rejects the API key" in done.err
    assert "Pass --api-key-env with the name of the variable that has the API key." in done.err


async def refuse_key(writer: Writer) -> None:
    writer.write(make_reply(401, b'{"error": {"message": "no key"}}'))


def test_pack_with_other_questions_is_refused(run: Run, tmp_path: Path) -> None:
    other = get_benchmark("star-bench", "demo")
    done = run("--benchmark", "mdar", *MODEL, "--pack", str(write_run_pack(tmp_path / "packs", other)))
    assert done.code == 1
    assert "The pack has the practice split of STAR-Bench demo, which this command does not ask." in done.err


def test_adapter_answers_in_this_process(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    code = "import os\n\n\ndef answer(parts):\n    if os.path.exists('broken'):\n        raise OSError('no GPU')\n"
    (tmp_path / "my_run_adapter.py").write_text(code + "    return 'A'\n")
    command = ("--benchmark", "mdar", "--adapter", "my_run_adapter:answer", "--model", "mine", "--out", "out")
    preview = run(*command, "--dry-run")
    assert '"audio": "<float32 (160, 2)>"' in preview.out
    assert run(*command, "--limit", "5").code == 0
    (tmp_path / "broken").touch()
    failed = run(*command)
    assert (failed.code, "OSError: no GPU" in failed.err, "my_run_adapter.py, line 6)" in failed.err) == (1, True, True)
    assert "5 responses are in out/practice/predictions.jsonl. Run the same command again to continue." in failed.err
    (tmp_path / "broken").unlink()
    assert run(*command).code == 0
    assert len(read_rows()) == N_QUESTIONS


@pytest.fixture
def stuck_model() -> Iterator[ScriptedServer]:
    """A model that answers three questions, and then keeps its callers waiting."""

    async def answer_some(asked: ServedRequest, writer: Writer) -> None:
        if asked.number >= N_CHECKS + 3:
            await asyncio.Event().wait()
        writer.write(make_completion("A"))

    with run_server(answer_some) as served:
        yield served


# As in a terminal, and as a script starts it in the background.
@pytest.mark.parametrize(
    ("number", "of_interrupt"),
    [
        (signal.SIGINT, signal.SIG_DFL),
        (signal.SIGTERM, signal.SIG_DFL),
        (signal.SIGTERM, signal.SIG_IGN),
    ],
)
def test_interrupt_stops_cleanly_and_says_how_to_go_on(
    cache: Path, tmp_path: Path, stuck_model: ScriptedServer, number: signal.Signals, of_interrupt: signal.Handlers
) -> None:
    pack = next(cache.glob("mdar*.zip"))
    arguments = (*name_model(stuck_model, "--concurrency", "1"), "--pack", str(pack))
    process = subprocess.Popen(
        [sys.executable, "-m", "submissions", "run", *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, of_interrupt) and None,
    )
    wait_for(lambda: len(stuck_model.asked) > N_CHECKS + 3, "questions")
    process.send_signal(number)
    _, err = process.communicate(timeout=300)
    n_rows = len((tmp_path / "out/practice/predictions.jsonl").read_text().splitlines())
    assert process.returncode == 1
    assert f"Stopped. {n_rows} responses are in out/practice/predictions.jsonl. Run the same command again" in err
    assert "Traceback" not in err
    assert len(stuck_model.asked) - N_CHECKS - n_rows <= 1


def test_documented_commands_run_as_printed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    (tmp_path / "my_adapter.py").write_text("def answer(parts):\n    return 'A'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    commands = [
        shlex.split(command.words)[4:]
        for command in read_commands(ROOT / "docs" / "running-a-model.md")
        if " submissions run " in command.words and "--submit" not in command.words and "--help" not in command.words
    ]
    assert len(commands) == 4
    with run_server(say("A")) as served, forget_adapter_modules():
        for command in commands:
            done = run(*(served.url if word == "http://localhost:8000/v1" else word for word in command), "--out", "o")
            # The adapter is another model, for another folder.
            is_other = "--adapter" in command
            assert (done.code, is_other and "adapter `none`" in done.err) == (is_other, is_other), done.err
            if is_other:
                assert run(*command, "--out", "adapter").code == 0
    assert len(served.asked) == N_CHECKS + N_QUESTIONS
    with pytest.raises(SystemExit) as caught:
        main(["--help"])
    assert caught.value.code == 0


def test_empty_responses_are_counted_and_not_scored_if_there_are_no_others(run: Run) -> None:
    async def behave(asked: ServedRequest, writer: Writer) -> None:
        writer.write(make_completion(" " if N_CHECKS <= asked.number < N_CHECKS + 5 else "A"))

    with run_server(behave) as served:
        done = run(*name_model(served, "--limit", "5"))
        assert done.code == 1
        assert "Error: 5 of 5 responses are empty: their messages have no text as content." in done.err
        done = run(*name_model(served, "--limit", "8"))
    assert (done.code, "5 of 8 responses are empty" in done.err) == (0, True), done.err
