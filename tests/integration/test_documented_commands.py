"""Every command in the README and in docs/*.md runs as printed, on an installation with its own data."""

import html
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluation import get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.mdar import Mdar
from evaluation.packs import example_predictions, pack_name, write_pack
from tests.support.documents.blocks import ROOT, Block, Command, read_blocks, read_commands
from tests.support.editions.edition_places import open_for_user
from tests.support.samples.practice_packs import make_tone
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.server import Server, clean_environment, read_test_key, write_example
from tests.support.servers.warm_processes import WarmPython

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BENCHMARK = get_benchmark("audio-motion-bench")
PYTHON = ".venv/bin/python"
LISTEN = ".venv/bin/python -m evaluation listen --port 8008"
RESTORE = ".venv/bin/python -m db restore"

_RUN = ".venv/bin/python -m submissions run"
_ASK = f"{_RUN} --benchmark mdar --base-url http://localhost:8000/v1 --model my-model"
# Commands that ask a model.
RUNS = (
    *(_RUN, f"{_RUN} --help", _ASK, f"{_ASK} --limit 20", f"{_ASK} --dry-run"),
    f"{_RUN} --benchmark mdar --adapter my_adapter:answer --model my-model",
    f"{_RUN} --benchmark audio-motion-bench --base-url http://localhost:8000/v1 --model my-model "
    "--display-name My model 2 --split both --submit",
)
# Commands that cannot run here → reason, and where they run. All others are run.
NOT_RUN = {
    "pip install .[dataframes]": "test_python_package.py builds and installs the package",
    "make run": "installs and serves on the usual port; test_repository.py runs every target dry",
    "make test": "runs this test",
    "make help": "test_repository.py runs it",
    "make check": "runs the unit tests, and this one is not among them",
    "make lock": "resolves packages online; test_requirements.py compares what it writes",
    "make screenshots": "pictures a running server for minutes",
    "make bench": "measures for minutes",
    "make soak": "kills processes for hours",
    ".venv/bin/python -m pytest --soak tests/hostile": "attacks for minutes; a part of it runs with all tests",
    "make audit": "needs exports of OSV; test_vulnerability_audit.py runs it on made-up ones",
    "make sbom": "test_bill_of_materials.py runs it",
    "make licences": "test_licences.py compares what it writes",
    "make setup": "installs; every other target runs it first",
    ".venv/bin/python -m bench.listening": "measures for minutes",
    ".venv/bin/python -m bench.parsing": "reads answers for seconds; test_read_answers.py reads the same",
    ".venv/bin/python -m bench.hidden_key_attack --days 2 --keys 10": (
        "measures for half a minute; test_hidden_key_attack.py runs it on one key"
    ),
    ".venv/bin/python -m bench.ladder_attack --seeds 40": "measures for a minute; test_statistics_ladder.py runs fewer",
    ".venv/bin/python -m submissions pack --benchmark audio-motion-bench --out pack.zip": (
        "test_edition_commands.py gets a pack; this server renders none"
    ),
    "curl -H Authorization: Bearer $TOKEN -OJ http://127.0.0.1:7860/api/v1/editions/e-7f3kq9x2/pack": (
        "test_api_editions.py downloads a pack; this server renders none"
    ),
    ".venv/bin/python -m submissions export-task": "the command with options below",
    ".venv/bin/python -m submissions export-task --for inspect --benchmark mdar": (
        "test_export_task.py runs it as printed, with a practice pack"
    ),
    **dict.fromkeys(RUNS, "test_run_command.py runs them as printed; test_run_submitted.py submits"),
    ".venv/bin/python -m submissions close e-7f3kq9x2": "test_edition_commands.py closes an edition",
    ".venv/bin/python -m submissions submit predictions.jsonl --benchmark audio-motion-bench --model My model 2 "
    "--practice practice-predictions.jsonl": "test_practice_command.py attaches practice answers",
    ".venv/bin/python -m submissions practice s-0123456789abcd practice-predictions.jsonl": (
        "test_practice_command.py, too"
    ),
    ".venv/bin/python -m submissions.intake.file_checks.check_server": "the web process starts it; test_file_checks.py",
    ".venv/bin/python -m evaluation.publishing.item_tables": "the web process starts it; test_api_editions.py, too",
    ".venv/bin/python app.py": "the server of this test, on a free port",
    ".venv/bin/python app.py --no-references": "the server of this test",
    ".venv/bin/python -m leaderboard": "app.py starts it",
    ".venv/bin/python -m submissions worker": "app.py starts it",
    ".venv/bin/python -m evaluation pack": "evaluators start it",
    ".venv/bin/python -m submissions worker --no-packs": "test_postgresql_app.py starts it, for a second machine",
    ".venv/bin/python -m evaluation pack --benchmark audio-motion-bench --split practice --out practice.zip": (
        "test_pack_of_test.py renders a whole pack, which takes seconds"
    ),
    ".venv/bin/python -m evaluation judge calibrate": "test_judge_calibration.py runs it beside a judge's server",
    ".venv/bin/python -m pytest -q -s tests/integration/evaluation/test_judge_guard.py "
    "tests/integration/evaluation/test_judge_guard_orders.py": "they run with all tests",
    ".venv/bin/python -m evaluation judge calibrate my-answers.jsonl --json": "test_judge_calibration.py, too",
    ".venv/bin/python -m submissions keys replace --benchmark B --yes": (
        "makes new questions; test_key_identity.py runs it"
    ),
    ".venv/bin/python -m db": "a group of commands, each of which is run",
    ".venv/bin/python -m db tokens create|list|revoke": "a group of commands; test_command_lines.py runs them",
    ".venv/bin/python -m pytest tests/integration/test_every_benchmark.py -k which-ear": (
        "test_adding_a_benchmark.py runs it in a copy of the repository"
    ),
    "EARSHOT_DATABASE_URL=postgresql://earshot:PASSWORD@db.example/earshot": (
        "test_postgresql_app.py starts whole installations on PostgreSQL"
    ),
    "EARSHOT_STORAGE_URL=/mnt/shared/earshot/uploads": "test_postgresql_app.py, too",
    "EARSHOT_ANSWER_KEYS=/mnt/shared/earshot/answer-keys": "test_postgresql_app.py, too",
    ".venv/bin/python -m submissions login --url …": "test_login_command.py signs in at a provider",
    ".venv/bin/python -m submissions login --url https://<SPACE_HOST>": "test_login_command.py, too",
    "curl https://<SPACE_HOST>/readyz": "asks a Space",
    ".venv/bin/python -m evaluation publish --to hf://datasets/lab/earshot-questions --dry-run": (
        "test_publish.py runs it on a double of the Hub"
    ),
    ".venv/bin/python -m evaluation publish --to hf://datasets/lab/earshot-questions --site "
    "https://lab-earshot.hf.space": "test_publish.py, too",
    "curl -H Authorization: Bearer $VLLM_API_KEY https://<job>--8000.hf.jobs/v1/models": "asks a job on the Hub",
}
BLOCKS_NOT_RUN = {
    "python-package.md": "test_python_package.py calls the functions where only the package is installed",
    "adding-a-benchmark.md": "test_adding_a_benchmark.py follows the page",
    "running-a-model.md": "test_adapters.py runs the adapter with a stand-in for Transformers",
    "agents.md": "test_agents.py calls the tools with the official SDK",
}


class Machine:
    """A working folder with a server and the files that the pages mention."""

    def __init__(self, folder: Path, server: Server, key: AnswerKey, python: Path) -> None:
        self.folder = folder
        self._python = python
        self.server = server
        self._key = key
        self._variables: dict[str, str] = {}
        self.listening_at = ""

    def prepare(self) -> None:
        """Create the files and programs that a reader has: an environment, answers, a sound."""
        python = self.folder / PYTHON
        python.parent.mkdir(parents=True)
        python.symlink_to(self._python)
        (self.folder / ".curlrc").write_text('fail-with-body\nsilent\nshow-error\nnoproxy = "*"\n')
        write_example(self.server).replace(self.folder / "predictions.jsonl")
        practice = example_predictions(BENCHMARK.content(BENCHMARK.make_key("practice")))
        lines = "".join(json.dumps(row) + "\n" for row in practice)
        (self.folder / "practice-predictions.jsonl").write_text(lines)
        (self.folder / "rows.csv").write_bytes(make_csv(make_line()))
        (self.folder / "clip.wav").write_bytes(make_tone(440.0, 0.2, side=0))
        pack = self.server.data_dir / "packs" / pack_name(BENCHMARK.content(self._key))
        pack.parent.mkdir(exist_ok=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(BENCHMARK), "render_clip", lambda *_: b"RIFF")
            write_pack(BENCHMARK, self._key, pack)

    def begin_page(self) -> None:
        """Reset the variables of the previous page; a maintainer's token is set, as operations.md expects."""
        self._variables = {"TOKEN": self.server.token("local")}

    def run(self, text: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a reader does, with variables set by earlier commands."""
        text = self._substitute(text)
        variable = re.match(r"(\w+)=\$\(", text)
        if variable:
            text += f'\nprintf %s "${variable[1]}"'
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            cwd=self.folder,
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if variable:
            self._variables[variable[1]] = done.stdout
        return done

    def submit(self) -> str:
        """Submit as the user of the current token, and return the id of the submission."""
        return self.server.send((self.folder / "predictions.jsonl").read_bytes(), "Another model", owner="local")

    def open_edition(self) -> str:
        """Request an edition as the user of the current token, and open it; return its ID."""
        return open_for_user(self.server, "local").edition

    @contextmanager
    def listen(self, text: str) -> Iterator[None]:
        """Serve the listeners during other commands."""
        command = ["bash", "-c", f"exec {self._substitute(text)}"]
        with subprocess.Popen(
            command, cwd=self.folder, env=self._environment(), stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://(\S+?)/v1", process.stdout.readline())
                assert found is not None
                self.listening_at = found[1]
                yield
            finally:
                process.terminate()

    def _environment(self) -> dict[str, str]:
        ours = {"EARSHOT_DATA_DIR": str(self.server.data_dir), "EARSHOT_PORT": str(self.server.port)}
        python = {"PYTHONPATH": str(ROOT), "CURL_HOME": str(self.folder), "COLUMNS": "200"}
        return clean_environment() | ours | python | self._variables

    def _substitute(self, text: str) -> str:
        """Replace placeholders: addresses, folders, and names of this installation."""
        for written, meant in self._read_substitutions(text):
            text = text.replace(written, meant)
        return text

    def _read_substitutions(self, text: str) -> Iterator[tuple[str, str]]:
        yield "127.0.0.1:7860", f"127.0.0.1:{self.server.port}"
        yield "127.0.0.1:8008", self.listening_at
        yield "--port 8008", "--port 0"
        # The demonstration has an organiser's files, and fewer questions than a complete release.
        yield " FOLDER", f" {Mdar.demo_dir} --allow-deviations"
        yield " FILE", " backup.tar.zst"
        yield "sk-…", "sk-made-up"
        yield "https://models.example.com", "https://models.invalid"  # a name that is never resolved
        if "amb-7f3kq9x2" in text:
            item = next(item for item in BENCHMARK.content(self._key).items if item.answer_format == "choice")
            others = (letter for at, letter in enumerate("ABCD") if at != self._key.answers[item.id])
            yield "amb-7f3kq9x2=C", f"{item.id}={next(others)}"
        if "s-…" in text:
            yield "s-…", self._find_waiting()
        if "m-KEPT" in text:
            kept, joined = self._list_models()[:2]
            yield "m-KEPT", kept
            yield "m-JOINED", joined

    def _find_waiting(self) -> str:
        found = self._read("/api/v1/admin/queue")
        return next(one["id"] for one in found["submissions"] if one["state"] == "awaiting-approval")

    def _list_models(self) -> list[str]:
        return [model["id"] for model in self._read("/api/v1/admin/models?q=qwen")["models"]]

    def _read(self, path: str) -> dict[str, list[dict[str, str]]]:
        found: dict[str, list[dict[str, str]]] = self.server.json(
            path, {"Authorization": f"Bearer {self._variables['TOKEN']}"}
        )
        return found


@pytest.fixture(scope="module")
def machine(ranked: Path, warm_python: WarmPython, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("machine")
    server = Server(tmp_path_factory.mktemp("server"), warm=warm_python)
    shutil.copytree(ranked, server.data_dir)
    server.start()
    try:
        server.wait_until_ready()
        machine = Machine(folder, server, read_test_key(server), warm_python.script)
        machine.prepare()
        yield machine
    finally:
        server.stop()


def list_commands() -> dict[str, list[Command]]:
    """Return page → commands to run, each on the first page that contains it."""
    seen = set(NOT_RUN)
    found: dict[str, list[Command]] = {}
    for page in PAGES:
        found[page.name] = []
        for command in read_commands(page):
            if command.words not in seen:
                found[page.name].append(command)
            seen.add(command.words)
    return found


def list_scripts() -> list[Block]:
    """Return the Python blocks to run."""
    blocks = [block for page in PAGES if page.name not in BLOCKS_NOT_RUN for block in read_blocks(page)]
    return [block for block in blocks if block.language == "python"]


def list_code_of_the_page(machine: Machine) -> list[Command]:
    """Return the commands and the program of the About tab as sent to the browser."""
    address = f"localhost:{machine.server.port}"
    status, body = machine.server.get("/", {"Host": address})
    assert status == 200
    codes = [
        html.unescape(code) for code in re.findall(r'<pre class="es-code"[^>]*>(.*?)</pre>', read_texts(body), re.S)
    ]
    commands = next(code for code in codes if "curl " in code)
    program = next(code for code in codes if "urllib.request" in code)
    assert f"EARSHOT=http://{address}\n" in commands
    commands = commands.replace("editions/ID", f"editions/{machine.open_edition()}")
    commands = commands.replace("submissions/ID", f"submissions/{machine.submit()}")
    # It ends with a row, so the program printed the board.
    checked = f"{PYTHON} - <<'END' | grep Chance\n{program}END"
    return [Command(commands, "About"), Command(checked, "About")]


def read_texts(body: bytes) -> str:
    """Return the texts of the HTML components of a page."""
    page = body.decode()
    config, _ = json.JSONDecoder().raw_decode(page, page.index("{", page.rindex("window.gradio_config = ")))
    values = (component["props"].get("value") for component in config["components"])
    return "\n".join(value for value in values if isinstance(value, str))


def test_every_code_block_has_a_language_that_is_run_or_text() -> None:
    blocks = [block for page in PAGES for block in read_blocks(page)]
    assert len(blocks) > 20, "the search finds what is there"
    assert [block.place for block in blocks if block.language not in {"sh", "python", "json", "text"}] == []


def test_skipped_commands_are_documented() -> None:
    documented = {command.words for page in PAGES for command in read_commands(page)}
    assert sorted(set(NOT_RUN) - documented) == []


def test_documented_commands_work_as_described(machine: Machine, subtests: pytest.Subtests) -> None:
    pages = list_commands()
    commands = [command for its in pages.values() for command in its]
    asking = [command for command in commands if "127.0.0.1:8008" in command.text]
    at_end = [command for command in commands if command.words.startswith(RESTORE)]
    assert len(commands) > 20, "the search finds what is there"

    def check(commands: Iterable[Command]) -> None:
        for command in commands:
            with subtests.test(place=command.place, command=command.text):
                done = machine.run(command.text)
                assert done.returncode == 0, done.stdout + done.stderr

    for its in pages.values():
        machine.begin_page()
        check(command for command in its if command not in (*asking, *at_end) and command.words != LISTEN)
    check(list_code_of_the_page(machine))
    with machine.listen(LISTEN):
        check(asking)
        check(Command(f"{PYTHON} - <<'END'\n{block.text}END", block.place) for block in list_scripts())
    machine.server.stop()
    check(at_end)
