"""What a process loads: an import that only others need would delay every start, or make a library necessary."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from submissions.operations.data_folder import JOURNAL
from tests.support.sources.source_files import ROOT, SQL, WEB

IMPORT_WITHOUT = """
import importlib, pkgutil, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[1:]:
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Refuse())
import evaluation
names = [module.name for module in pkgutil.walk_packages(evaluation.__path__, "evaluation.")]
for name in ONLY or names:
    if not name.endswith("__main__") and name not in LEAVES:
        importlib.import_module(name)
assert evaluation.get_benchmark("audio-motion-bench").make_key("practice").answers
assert not set(sys.argv[1:]) & {name.split(".")[0] for name in sys.modules}
"""
ABSENT = [*WEB, *SQL, "apscheduler", "fsspec", "db", "submissions", "settings"]


def run_python(
    code: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


# The openai client needs pydantic, and only the command needs the client.
LEAVES = ["evaluation.judge.judge_client", "evaluation.judge.commands"]


@pytest.mark.parametrize(
    ("absent", "leaves", "only"),
    [([*ABSENT, "pydantic", "openai"], LEAVES, []), (ABSENT, [], LEAVES)],
    ids=["without the judge's client", "with the judge's client"],
)
def test_evaluation_can_be_imported_without_database_page_and_settings(
    absent: list[str], leaves: list[str], only: list[str]
) -> None:
    process = run_python(f"LEAVES, ONLY = {leaves}, {only}\n{IMPORT_WITHOUT}", *absent)
    assert (process.returncode, process.stderr) == (0, "")


def test_evaluation_cannot_be_imported_without_a_required_module() -> None:
    process = run_python(f"LEAVES = ONLY = []\n{IMPORT_WITHOUT}", "json")
    assert process.returncode == 1
    assert "json is not installed here" in process.stderr


def test_client_commands_import_no_dependency_of_evaluators() -> None:
    """Otherwise every command of a submitter would start slowly."""
    heavy = ["numpy", "sqlalchemy", "alembic", "apscheduler", "aiohttp", "soundfile", "openai", "db", "evaluation"]
    probe = f"import sys, submissions.__main__; print(*[name for name in {heavy} if name in sys.modules])"
    process = run_python(probe)
    assert (process.returncode, process.stdout.split()) == (0, [])


def test_model_runs_import_neither_the_page_nor_the_database() -> None:
    heavy = [*WEB, *SQL, "db", "leaderboard", "pandas", "procrastinate", "openai"]
    probe = f"import sys, submissions.model_runs.__main__; print(*[name for name in {heavy} if name in sys.modules])"
    process = run_python(probe)
    assert (process.returncode, process.stdout.split()) == (0, [])


def test_web_process_that_may_not_serve_stops_before_it_imports_the_page(tmp_path: Path) -> None:
    heavy = ["gradio", "pandas", "numpy", "sqlalchemy", "evaluation", "leaderboard.pages.page"]
    probe = (
        f"import sys; from leaderboard.__main__ import main; print(main(), *[n for n in {heavy} if n in sys.modules])"
    )
    (tmp_path / JOURNAL).write_text("[]")
    for name, value, code in (("EARSHOT_PORT", "many", "2"), ("EARSHOT_DATA_DIR", str(tmp_path), "1")):
        process = run_python(probe, environment=os.environ | {name: value})
        assert process.stderr.startswith("Error: ")
        assert (process.returncode, process.stdout.split()) == (0, [code])


def test_import_of_the_page_compiles_no_template_and_loads_no_module_that_only_others_need() -> None:
    """Answer parsers, the endpoint client and the PostgreSQL libraries would each take 0.2 to 0.3 seconds a start."""
    unused = ("evaluation.extraction", "aiohttp", "procrastinate", "psycopg")
    probe = (
        "import jinja2; compiled = []; compile = jinja2.Environment.compile;"
        "jinja2.Environment.compile = lambda self, source, name=None, *a, **k:"
        " (compiled.append(name), compile(self, source, name, *a, **k))[1];"
        "import sys, leaderboard.application;"
        "print(*[name for name in compiled if name and name.startswith(('pages/', 'http/', 'api/', 'embed/'))],"
        f" *sorted(name for name in sys.modules if name.startswith({unused})))"
    )
    process = run_python(probe)
    language = "evaluation.extraction.language"
    cleaning = [f"{language}.json_options", f"{language}.normalize"]
    assert (process.stderr, process.stdout.split()) == ("", ["evaluation.extraction", language, *cleaning])


def test_creating_a_token_imports_no_dependency_of_other_commands(tmp_path: Path) -> None:
    heavy = ["numpy", "alembic", "procrastinate", "psycopg", "fsspec", "apscheduler", "evaluation"]
    create = "main(['tokens', 'create', 'ada'])"
    probe = f"import sys; from db.__main__ import main; {create}; print(*[n for n in {heavy} if n in sys.modules])"
    environment = os.environ | {"EARSHOT_DATA_DIR": str(tmp_path)}
    for expected in (["alembic", "procrastinate", "psycopg"], []):  # the first run also creates the tables
        process = run_python(probe, environment=environment)
        assert (process.returncode, process.stderr) == (0, "")
        token, *modules = process.stdout.split()
        assert (token[:4], modules) == ("esh_", expected)
