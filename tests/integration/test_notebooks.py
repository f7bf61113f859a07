"""The notebooks, run from top to bottom in a kernel of their own, against a server and a reference system."""

import base64
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import get_benchmark
from evaluation.listeners import LISTENERS
from tests.support.documents.blocks import ROOT
from tests.support.endpoints.answering import run_endpoint
from tests.support.samples.run_packs import write_run_pack
from tests.support.servers.server import Server, clean_environment, read_test_key, wait_for
from tests.support.servers.warm_processes import WarmPython

NOTEBOOKS = ROOT / "docs" / "notebooks"
DEMO = get_benchmark("star-bench", "demo")
MOTION = get_benchmark("audio-motion-bench")
N_ASKED = 20
PNG = b"\x89PNG\r\n"
MIN_IMAGE_BYTES = 2_000
# Cells after the last: what a reader has in the kernel then.
STATE_OF_FIRST_ROW = """
import json
print("STATE", json.dumps({
    "answers": answers.to_dict("records"), "means": parts["mean"].to_dict(), "counts": parts["count"].to_dict(),
    "missing": practice.report.missing, "expected": practice.report.expected,
    "signature": str(practice.report.signature),
}))
"""
STATE_OF_ANALYSIS = """
import json
print("STATE", json.dumps({
    "models": table["model"].tolist(), "values": json.loads(table["perception|aa"].to_json(orient="values")),
    "ranges": [[model, low, high] for model, low, high in zip(shown["model"], *ranges)],
    "pair": [first, second], "paired": bool(comparison.paired),
    "differences": json.loads(differences.to_json(orient="records")),
    "errors": json.loads(errors[["model", "score", "value"]].to_json(orient="values")),
    "shares": list(shares.shape),
}))
"""


class FinishedNotebook:
    """A notebook with the outputs of its cells."""

    def __init__(self, path: Path) -> None:
        notebook = json.loads(path.read_text("utf-8"))
        self._cells = {cell["id"]: cell for cell in notebook["cells"] if cell["cell_type"] == "code"}
        assert [cell["execution_count"] for cell in self._cells.values()] == list(range(1, len(self._cells) + 1))

    @property
    def state(self) -> dict[str, Any]:
        """What the cell after the last printed."""
        state: dict[str, Any] = json.loads(self.read_text("state").removeprefix("STATE "))
        return state

    def read_text(self, cell: str) -> str:
        """Return what a cell printed."""
        outputs = self._cells[cell]["outputs"]
        return "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")

    def read_table(self, cell: str) -> str:
        """Return the table that a cell shows, as HTML."""
        (table,) = self._find_shown(cell, "text/html")
        return "".join(table)

    def read_image(self, cell: str) -> bytes:
        """Return the chart that a cell shows."""
        (image,) = self._find_shown(cell, "image/png")
        return base64.b64decode("".join(image))

    def _find_shown(self, cell: str, kind: str) -> Sequence[Sequence[str]]:
        outputs = self._cells[cell]["outputs"]
        return [output["data"][kind] for output in outputs if kind in output.get("data", {})]


def run_notebook(
    name: str, state: str, folder: Path, variables: dict[str, str], warm_python: WarmPython
) -> FinishedNotebook:
    """Run a copy of a notebook, with a cell after the last one."""
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    last = {"cell_type": "code", "id": "state", "metadata": {}, "source": state}
    notebook["cells"].append(last | {"execution_count": None, "outputs": []})
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps(notebook))
    programs = write_command(folder, warm_python)
    ours = {
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "200",
        "EARSHOT_DATA_DIR": str(folder / "data"),
    }
    done = subprocess.run(
        [str(Path(sys.executable).with_name("jupyter")), "execute", "--inplace", "--timeout=600", str(path)],
        cwd=folder,
        env=clean_environment() | ours | variables,
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return FinishedNotebook(path)


def write_command(folder: Path, warm_python: WarmPython) -> Path:
    """Write the command `earshot`, which users have after installing the package; return its folder."""
    command = folder / "bin" / "earshot"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(str(warm_python.script))} -m earshot "$@"\n')
    command.chmod(0o755)
    return command.parent


@pytest.fixture
def listener() -> Iterator[str]:
    with run_endpoint([LISTENERS["earshot-chance"]]) as url:
        yield f"{url}/v1"


@pytest.fixture
def practice_pack(server: Server) -> Iterator[Path]:
    """Pack with short sounds, to which the chance listener does not listen."""
    path = write_run_pack(server.data_dir / "packs", DEMO)
    yield path
    path.unlink()


def test_first_row_asks_twenty_practice_questions_and_scores_them(
    server: Server, tmp_path: Path, listener: str, practice_pack: Path, warm_python: WarmPython
) -> None:
    places = {"SERVER_URL": server.url, "MODEL_URL": listener, "MODEL_NAME": "earshot-chance"}
    finished = run_notebook("first-row", STATE_OF_FIRST_ROW, tmp_path, places, warm_python)
    state = finished.state
    lines = (tmp_path / "earshot-runs" / "first-row" / "practice" / "predictions.jsonl").read_text().splitlines()
    responses = [json.loads(line) for line in lines]
    asked = {(response["id"], response["run"]) for response in responses}
    assert len(responses) == len(asked) == N_ASKED
    assert {(answer["id"], answer["run"]) for answer in state["answers"]} == asked
    items = {item.id: item for item in DEMO.content(DEMO.make_key("practice")).items}
    by_part: dict[str, list[float]] = {}
    for answer in state["answers"]:
        assert (answer["part"], answer["task"]) == (items[answer["id"]].part, items[answer["id"]].task)
        by_part.setdefault(answer["part"], []).append(answer["correct"])
    assert set(by_part) == {part.id for part in DEMO.parts}
    assert state["counts"] == {part: len(correct) for part, correct in by_part.items()}
    assert state["means"] == pytest.approx({part: np.mean(correct) for part, correct in by_part.items()})
    assert 0 < sum(map(sum, by_part.values())) < N_ASKED, "right and wrong answers are told apart"
    assert state["missing"] == state["expected"] - N_ASKED

    assert "This was a trial" in finished.read_text("ask-model")
    table = finished.read_table("show-scores")
    assert all(f"<th>{part}</th>" in table for part in by_part)
    image = finished.read_image("draw-chart")
    assert image.startswith(PNG)
    assert len(image) > MIN_IMAGE_BYTES
    checked = finished.read_text("check-file")
    assert f"{N_ASKED} of {state['expected']} answers" in checked
    assert state["signature"] in checked


@pytest.fixture
def own_server(ranked: Path, tmp_path: Path, warm_python: WarmPython) -> Iterator[Server]:
    """A server without the rows of other tests: the notebook compares the best two."""
    server = Server(tmp_path / "server", warm=warm_python)
    shutil.copytree(ranked, server.data_dir)
    server.start()
    try:
        yield server.wait_until_ready()
    finally:
        server.stop()


@pytest.fixture
def two_rows(own_server: Server) -> list[str]:
    """Two public rows of AudioMotionBench, whose models answered the same questions; the better one is first."""
    key = read_test_key(own_server)
    return [send_answers(own_server, key, f"Right in {share:.0%}", share) for share in (0.7, 0.5)]


def test_analysis_shows_what_the_server_says(
    own_server: Server, tmp_path: Path, two_rows: list[str], warm_python: WarmPython
) -> None:
    server = own_server
    places = {"SERVER_URL": server.url, "EARSHOT_TOKEN": server.token("ann")}
    finished = run_notebook("analysis", STATE_OF_ANALYSIS, tmp_path, places, warm_python)
    state = finished.state

    rows = server.json("/api/v1/leaderboards/star-bench?limit=100")["rows"]
    perception = [row["scores"]["perception|aa"] for row in rows]
    assert state["models"] == [row["model"]["name"] for row in rows]
    assert state["values"] == pytest.approx([score["value"] for score in perception])
    assert len(finished.read_table("read-board").split("<tr")) == 12, "a heading and ten rows"

    charted = {model: (below, above) for model, below, above in state["ranges"]}
    for row, score in zip(rows, perception, strict=True):
        low, value, high = (score[field] for field in ("low", "value", "high"))
        ends = (0, 0) if low is None else (value - low, high - value)
        assert charted[row["model"]["name"]] == pytest.approx(ends)
    assert min(charted["Chance"]) > 0
    for cell in ("draw-chart", "draw-errors"):
        image = finished.read_image(cell)
        assert image.startswith(PNG)
        assert len(image) > MIN_IMAGE_BYTES
    check_comparison(server, finished, two_rows)

    stated = [
        [row["model"]["name"], name, score["value"]]
        for row in rows
        for name, score in row["scores"].items()
        if name.endswith("_error_share")
    ]
    assert stated
    assert state["errors"] == [[*names, pytest.approx(value)] for *names, value in stated]
    assert state["shares"] == [len({model for model, _, _ in stated}), len({name for _, name, _ in stated})]


def check_comparison(server: Server, finished: FinishedNotebook, pair: list[str]) -> None:
    """Check that the notebook compares a pair, and shows what the API says of it."""
    state = finished.state
    assert state["pair"] == pair
    found = server.json(f"/api/v1/comparisons?benchmark=audio-motion-bench&a={pair[0]}&b={pair[1]}")
    assert state["paired"] is found["paired"] is True
    assert finished.read_text("compare-rows") == "paired\n"
    for shown, said in zip(state["differences"], found["slices"], strict=True):
        assert (shown["score"], shown["title"]) == (said["figure"], said["title"])
        for field in ("a", "b", "difference", "low", "high", "p_value", "p_adjusted"):
            assert shown[field] == pytest.approx(said[field]), (shown["score"], field)
    overall = next(one for one in state["differences"] if one["score"] == "overall|accuracy")
    assert overall["difference"] == pytest.approx(0.2, abs=0.06)
    assert 0 < overall["low"] < overall["difference"] < overall["high"]
    assert overall["p_adjusted"] < 0.05


def send_answers(server: Server, key: AnswerKey, model: str, share: float) -> str:
    """Submit and publish answers of which a share is right, and wait for the row; return the ID of the submission."""
    data = "".join(json.dumps(row) + "\n" for row in make_answers(key, share)).encode()
    sent = server.send(data, model, publish="true")
    wait_for(lambda: any(row["submission"] == sent and row["scores"] for row in server.rows(limit="100")), model)
    return sent


def make_answers(key: AnswerKey, share: float) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(int(100 * share))  # two models err independently
    for item in MOTION.content(key).items:
        n_options = len(item.options) or 2
        right = key.answers[item.id]
        assert isinstance(right, int)
        step = 0 if rng.random() < share else int(rng.integers(1, n_options))
        chosen = (right + step) % n_options
        yield {"id": item.id, "response": str(bool(chosen)) if item.answer_format == "boolean" else "ABCD"[chosen]}
