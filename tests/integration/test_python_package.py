"""The package, built from this repository and installed alone: commands and functions against a running server."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluation.listeners import LISTENERS
from tests.support.documents.blocks import ROOT
from tests.support.editions.edition_renderer import render_editions
from tests.support.endpoints.answering import run_endpoint
from tests.support.samples.run_packs import TRACES, write_run_pack
from tests.support.servers.server import Server

UV = Path(sys.executable).with_name("uv")
BUILT = (
    *("earshot", "evaluation", "submissions", "settings", "command_line.py", "setup.py", "pyproject.toml", "README.md"),
    *("requirements.in", "requirements-dataframes.in", "requirements-notebooks.in"),
)
N_TRACES = 720
WHOLE = f"""
import importlib, json, pkgutil, sys, earshot
names = [found.name for found in pkgutil.walk_packages(earshot.__path__, "earshot.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
own = {tuple(one.removesuffix(".py") for one in ("evaluation", "submissions", "settings", "command_line.py"))!r}
top = {{name.split(".")[0] for name in sys.modules}}
print(json.dumps([len(names), sorted(top & {{*own, "gradio", "sqlalchemy", "fastapi", "db", "leaderboard"}})]))
"""
READ = """
import json, sys, earshot
url, submission, other, predictions, pack = sys.argv[1:]
board = earshot.board("audio-process-bench", version="synthetic-3", url=url)
frame, long = board.to_pandas(), board.to_pandas(long=True)
compared = earshot.compare(submission, other, benchmark="audio-process-bench", url=url)
scored = earshot.score(predictions, benchmark="audio-process-bench")
items = earshot.load_pack(pack)
print(json.dumps({
    "rows": len(board.rows), "frame": list(frame.shape), "models": list(frame["model"]), "long": len(long),
    "names": board.score_names, "differences": len(compared.to_pandas()), "a": compared.a["submission"],
    "scored": len(scored.to_pandas()), "expected": scored.report.expected, "signature": str(scored.report.signature),
    "items": len(items), "parts": [part["type"] for part in items[0].parts], "split": items.info.split,
}))
"""


@dataclass(frozen=True)
class InstalledPackage:
    """A virtual environment with the package and what it requires, and nothing else."""

    folder: Path

    def run(self, program: str, *arguments: str, cwd: Path) -> str:
        """Return what a program of the environment prints."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("EARSHOT_", "PYTHON"))}
        command = [str(self.folder / "bin" / program), *arguments]
        done = subprocess.run(
            command,
            cwd=cwd,
            env=kept | {"HOME": str(cwd), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> InstalledPackage:
    """Build the package from a copy of the repository, because building leaves files."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("package") / "venv"
    for name in BUILT:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, source)
    uv = (str(UV), "--quiet")
    constraints = ("--constraint", str(ROOT / "requirements.txt"), "--constraint", str(ROOT / "requirements-dev.lock"))
    for command in (
        (*uv, "venv", "--python", sys.executable, str(folder)),
        (*uv, "pip", "install", "--python", str(folder / "bin" / "python"), *constraints, f"{source}[dataframes]"),
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return InstalledPackage(folder)


def test_every_module_is_imported_under_one_name_without_the_server(package: InstalledPackage, tmp_path: Path) -> None:
    n_modules, others = json.loads(package.run("python", "-c", WHOLE, cwd=tmp_path))
    assert others == []
    assert n_modules > 300
    (installed,) = (package.folder / "lib").glob("python*/site-packages")
    assert {path.name for path in installed.iterdir()} >= {"earshot"}
    assert not {"evaluation", "submissions", "settings", "gradio", "sqlalchemy"} & {p.name for p in installed.iterdir()}
    (stated,) = installed.glob("earshot-*.dist-info/METADATA")
    extra = re.findall(r'^Requires-Dist: (\S+?)==\S+; extra == "server"$', stated.read_text(), re.MULTILINE)
    charts = re.findall(r'^Requires-Dist: (\w+)>=\S+; extra == "notebooks"$', stated.read_text(), re.MULTILINE)
    assert sorted(charts) == ["ipykernel", "matplotlib", "pandas"]
    pinned = re.findall(r"^([\w.\[\]-]+)==", (ROOT / "requirements.in").read_text(), re.MULTILINE)
    assert sorted(extra) == sorted(pinned), "the extra is what the server requires"


def test_help_names_the_commands_of_the_package(package: InstalledPackage, tmp_path: Path, *, soak: bool) -> None:
    said = package.run("earshot", "--help", cwd=tmp_path)
    for name in ("run", "pack", "check", "submit", "close", "status", "list", "publish", "withdraw"):
        assert re.search(rf"^    {name} ", said, re.MULTILINE), name
    for name in ("board", "compare", "score", "login"):
        assert re.search(rf"^    {name} ", said, re.MULTILINE), name
    usages: list[tuple[str, tuple[str, ...]]] = [("run", ()), ("export-task", ("-v",))]
    usages += [("run", ("-v",)), ("export-task", ())] if soak else []
    for name, before in usages:
        said = package.run("earshot", *before, name, "--help", cwd=tmp_path)
        assert said.startswith(f"usage: earshot {name} ")


def test_task_names_the_commands_of_the_package(package: InstalledPackage, tmp_path: Path) -> None:
    pack = write_run_pack(tmp_path)
    for tool in ("inspect", "lmms-eval"):
        package.run(
            "earshot",
            "export-task",
            "--for",
            tool,
            "--benchmark",
            "mdar",
            "--pack",
            str(pack),
            "--out",
            tool,
            cwd=tmp_path,
        )
        shown = (tmp_path / tool / "README.md").read_text()
        (scored,) = re.findall(r"^earshot score \S+ --benchmark mdar --version demo$", shown, re.MULTILINE)
        assert "earshot practice SUBMISSION_ID" in shown
        assert not re.search(r"python -m (submissions|evaluation)", shown), scored


def test_adapter_is_found_in_the_folder_of_the_command(package: InstalledPackage, tmp_path: Path) -> None:
    pack = write_run_pack(tmp_path)
    (tmp_path / "my_adapter.py").write_text('def answer(parts):\n    return "A"\n')
    given = ("--benchmark", "mdar", "--adapter", "my_adapter:answer", "--model", "mine", "--pack", str(pack))
    package.run("earshot", "run", *given, "--limit", "5", "--out", "out", cwd=tmp_path)
    assert (tmp_path / "out" / "practice" / "predictions.jsonl").read_text().count('"response": "A"') == 5


def test_model_gets_a_row_from_the_package_alone(package: InstalledPackage, server: Server, tmp_path: Path) -> None:
    place = ("--url", server.url, "--as", "pip")
    pack = write_run_pack(server.data_dir / "packs", TRACES)
    with run_endpoint([LISTENERS["earshot-chance"]]) as chance, render_editions(server):
        run = ("run", "--benchmark", TRACES.id, "--base-url", f"{chance}/v1", "--model", "earshot-chance", *place)
        row = (*run, "--split", "both", "--submit", "--display-name", "Piped")
        package.run("earshot", *run, "--limit", "20", cwd=tmp_path)
        said = package.run("earshot", *row, cwd=tmp_path)
        again = package.run("earshot", *row, cwd=tmp_path)
    found = re.search(r"^(s-\S+)  scored", said, re.MULTILINE)
    assert found is not None, said
    out = tmp_path / "earshot-runs" / TRACES.id / "earshot-chance"
    predictions = out / "practice" / "predictions.jsonl"
    edition = json.loads((out / "test" / "manifest.json").read_text())["edition"]
    assert f"{found[1]}  " in again, "a repetition submits nothing new"

    scored = package.run("earshot", "score", str(predictions), "--benchmark", TRACES.id, cwd=tmp_path)
    assert f"{N_TRACES} of {N_TRACES} answers, 0 unreadable." in scored
    status = package.run("earshot", "status", found[1], *place, cwd=tmp_path)
    assert f"edition:{edition}" in status
    assert "Practice" in status
    listed = package.run("earshot", "list", *place, cwd=tmp_path)
    assert re.search(rf"^ *{found[1]} +Piped +{TRACES.id} \S+ +scored", listed, re.MULTILINE), listed
    assert package.run("earshot", "publish", found[1], *place, cwd=tmp_path) == f"{found[1]}  public\n"
    board = server.json(f"/api/v1/leaderboards/{TRACES.id}?version={TRACES.version}&limit=100")
    other = next(row["submission"] for row in board["rows"] if row["submission"] != found[1])
    shown = package.run("earshot", "board", TRACES.id, "--version", TRACES.version, "--url", server.url, cwd=tmp_path)
    assert "Piped" in shown
    pair = (found[1], other, "--benchmark", TRACES.id, "--url", server.url)
    assert "Piped" in package.run("earshot", "compare", *pair, cwd=tmp_path)

    arguments = (server.url, found[1], other, str(predictions), str(pack))
    read = json.loads(package.run("python", "-c", READ, *arguments, cwd=tmp_path))
    assert (read["items"], read["expected"], read["split"]) == (N_TRACES, N_TRACES, "practice")
    assert set(read["parts"]) == {"audio", "text"}
    assert "Piped" in read["models"]
    assert read["frame"] == [read["rows"], 11 + len(read["names"])]
    assert read["long"] >= read["rows"]
    assert read["a"] == found[1]
    assert read["differences"] > 1
    assert read["scored"] > 1
    assert read["signature"] in scored
    assert package.run("earshot", "withdraw", found[1], *place, cwd=tmp_path) == f"{found[1]}  withdrawn\n"
    pack.unlink()
