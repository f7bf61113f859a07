"""Command `practice`, and `submit --practice`, against a running server with an evaluator."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import submissions.__main__ as command_line
from tests.support.editions.edition_places import open_for_user
from tests.support.editions.practice_files import PRACTICE_KEY, guess_answers
from tests.support.servers.server import Server, read_test_key

BENCHMARK = ("--benchmark", "audio-motion-bench")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.data_dir))
    monkeypatch.setenv("EARSHOT_PORT", str(server.port))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("EARSHOT_TOKEN", raising=False)

    def run_here(*arguments: str, name: str = "pia") -> tuple[int, str, str]:
        capsys.readouterr()
        return command_line.main((*arguments, "--as", name)), *capsys.readouterr()

    return run_here


def wait_for_gap(run: Run, submission_id: str) -> str:
    """Return the lines of `status` once they state a gap."""
    for _ in range(300):
        code, out, err = run("status", submission_id)
        assert code == 0, err
        if "practice − test" in out:
            return out
        time.sleep(0.2)
    raise AssertionError(out)


def read_line(out: str) -> tuple[float, ...]:
    """Return the practice score, its error, the gap and its interval."""
    found = re.search(r"Practice (\S+) ± (\S+) %, practice − test (\S+) points \((\S+) to (\S+)\)\.", out)
    assert found is not None, out
    return tuple(float(number) for number in found.groups())


def test_practice_answers_are_attached_scored_and_replaced(server: Server, run: Run, tmp_path: Path) -> None:
    answers, practice, other = (tmp_path / name for name in ("answers.jsonl", "practice.jsonl", "other.jsonl"))
    answers.write_bytes(guess_answers(open_for_user(server, "pia"), 0.6))
    practice.write_bytes(guess_answers(PRACTICE_KEY, 0.9))
    other.write_bytes(guess_answers(PRACTICE_KEY, 0.6))
    submitted = ("submit", str(answers), *BENCHMARK, "--model", "Memory", "--wait")
    code, out, err = run(*submitted, "--practice", str(practice))
    assert code == 0, err
    submission_id = out.split()[0]
    score, error, gap, low, high = read_line(wait_for_gap(run, submission_id))
    assert score == pytest.approx(90, abs=2.5)
    assert error < 2
    assert gap == pytest.approx(30, abs=5)
    assert 0 < low < gap < high

    code, out, err = run("practice", submission_id, str(other))
    assert (code, out) == (0, f"{submission_id}  Practice answers: queued.\n"), err
    _, _, gap, low, high = read_line(wait_for_gap(run, submission_id))
    assert low < 0 < high


def test_refusals_are_one_sentence_and_leave_the_submission(server: Server, run: Run, tmp_path: Path) -> None:
    answers, practice = tmp_path / "answers.jsonl", tmp_path / "practice.jsonl"
    answers.write_bytes(guess_answers(read_test_key(server), 0.55))
    practice.write_bytes(guess_answers(PRACTICE_KEY, 0.9))
    code, out, err = run("submit", str(answers), *BENCHMARK, "--model", "Mixed up", "--practice", str(answers))
    assert code == 1
    assert "the test questions of AudioMotionBench 1.0" in err
    submission_id = out.split()[0]
    assert run("status", submission_id)[0] == 0, "the submission itself was accepted"
    code, _, err = run("practice", submission_id, str(practice), name="someone-else")
    assert (code, "There is no such submission" in err) == (1, True)
    code, _, err = run("practice", "s-none", str(practice))
    assert (code, "There is no such submission" in err) == (1, True)
    code, _, err = run("practice", submission_id, str(tmp_path / "absent.jsonl"))
    assert code != 0
