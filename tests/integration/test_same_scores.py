"""Scores of one file from the library, `python -m evaluation score` and the server are the same."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaluation import Report, get_benchmark, read_predictions
from tests.support.samples.uneven_answers import UNEVEN_SCORES, write_uneven_example
from tests.support.servers.server import Server, read_test_key, wait_for

BENCHMARK = get_benchmark("audio-motion-bench")
NAME = ("--benchmark", BENCHMARK.id)

MetricScores = dict[str, tuple[float | None, int | None, float | None]]


@pytest.fixture
def uneven(server: Server, tmp_path: Path) -> Path:
    """Two seeds: uneven answers in the first; every seventh answer of the second is unreadable. Lines are shuffled."""
    lines = [json.loads(line) for line in write_uneven_example(server, runs=(0, 1)).read_text().splitlines()]
    rng = random.Random(7)
    for line in lines:
        if line["run"] == 1 and rng.random() < 1 / 7:
            line["response"] = "I cannot hear where it goes."
    rng.shuffle(lines)
    path = tmp_path / "uneven.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def by_library(server: Server, path: Path) -> Report:
    return BENCHMARK.score(read_test_key(server), read_predictions(path, BENCHMARK))


def scores_of(report: Report) -> MetricScores:
    return {f"{name}|{metric}": (score.value, score.n, score.std) for name, metric, score in report.list_scores()}


def by_command(server: Server, path: Path) -> tuple[MetricScores, str]:
    done = server.command("evaluation", "score", str(path), *NAME, "--split", "test", "--json")
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    return {name: (s["value"], s["n"], s["std"]) for name, s in printed["scores"].items()}, printed["signature"]


def by_server(server: Server, path: Path, model: str) -> tuple[MetricScores, str]:
    sent = server.send(path.read_bytes(), model, "grace")
    headers = {"Authorization": f"Bearer {server.token('grace')}"}

    def look() -> Any:
        status = server.json(f"/api/v1/submissions/{sent}", headers)
        return status if status["state"] not in ("queued", "running") else None

    status = wait_for(look, "the end of the scoring")
    assert status["state"] == "scored", status
    return {name: (s["value"], s["n"], s["std"]) for name, s in status["scores"].items()}, status["signature"]


def test_library_and_command_give_identical_scores_and_the_server_the_disclosed_ones(
    server: Server, uneven: Path
) -> None:
    report = by_library(server, uneven)
    expected = scores_of(report)
    assert any(std for _, _, std in expected.values())
    assert by_command(server, uneven) == (expected, str(report.signature))
    shown = {f"{name}|{metric}": (one.value, one.n, one.std) for name, metric, one in BENCHMARK.disclose(report)}
    assert by_server(server, uneven, "The same everywhere") == (shown, str(report.signature))


def test_server_gives_the_scores_computed_by_hand(server: Server) -> None:
    found, _ = by_server(server, write_uneven_example(server), "Counted by hand")
    shown = {name: counted for name, counted in UNEVEN_SCORES.items() if counted[1] >= 100}
    assert {name: found[name][0] for name in shown} == {
        name: round(right / of, 3) for name, (right, of) in shown.items()
    }
    assert not set(UNEVEN_SCORES) & set(found) - set(shown)
