"""The laws of the code, read from its syntax trees: who may import whom, how long a thing may be, what is exported."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import settings

ROOT = Path(settings.__file__).parent
PACKAGES = ("evaluation", "db", "submissions", "leaderboard")
OURS = frozenset({*PACKAGES, "bench", "settings", "command_line", "app"})
WEB = frozenset({"gradio", "fastapi", "starlette", "plotly"})
FREE = ("__main__.py", "app.py")
# A program as well, which others import: what runs an evaluator.
PROGRAM = "submissions/worker.py"

MOST_FILE_LINES = 400
MOST_BODY_LINES = 50
MOST_TAB_LINES = 80


def list_files(*names: str) -> list[Path]:
    return sorted(path for name in names for path in (ROOT / name).rglob("*.py"))


FILES = [*list_files(*PACKAGES), *(ROOT / f"{name}.py" for name in ("settings", "command_line", "app"))]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def show(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in FILES}


def imports_of(path: Path) -> set[str]:
    """Return the full names that a file imports, `a.b.c` for `from a.b import c`."""
    names: set[str] = set()
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{show(path)}: imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def tops(names: Iterable[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def allowed_for(path: Path) -> frozenset[str]:
    """Return which of our packages a file may import."""
    package = path.relative_to(ROOT).parts[0]
    if path.name in FREE:
        return OURS
    if package == "submissions":
        beyond = {"settings", "command_line"} if show(path) == PROGRAM else set()
        return frozenset({"submissions", "evaluation", "db"} | beyond)
    if package == "leaderboard":
        return frozenset({"leaderboard", "submissions", "db", "evaluation", "settings"})
    return frozenset({package}) & OURS


@pytest.mark.parametrize("path", FILES, ids=show)
def test_import_of_another_package_keeps_the_law(path: Path) -> None:
    assert tops(imports_of(path)) & OURS <= allowed_for(path)


@pytest.mark.parametrize("path", FILES, ids=show)
def test_import_of_a_web_framework_is_the_leaderboards_alone(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] != "leaderboard":
        assert not tops(imports_of(path)) & WEB


@pytest.mark.parametrize("path", FILES, ids=show)
def test_import_of_a_sql_library_is_the_databases_alone(path: Path) -> None:
    if path.relative_to(ROOT).parts[0] != "db":
        assert not tops(imports_of(path)) & {"sqlalchemy", "alembic"}


@pytest.mark.parametrize("path", FILES, ids=show)
def test_import_of_the_client_for_strangers_is_the_transports_alone(path: Path) -> None:
    if path.relative_to(ROOT).parent != Path("submissions", "transport"):
        assert "aiohttp" not in tops(imports_of(path))


@pytest.mark.parametrize("path", FILES, ids=show)
def test_import_inside_a_function_does_not_dodge_the_law(path: Path) -> None:
    functions = [n for n in ast.walk(TREES[path]) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)]
    local = [n.lineno for f in functions for n in ast.walk(f) if isinstance(n, ast.Import | ast.ImportFrom)]
    dynamic = [
        n.lineno
        for n in ast.walk(TREES[path])
        if isinstance(n, ast.Call) and ast.unparse(n.func) in ("__import__", "importlib.import_module", "import_module")
    ]
    assert local + dynamic == []


def module_imports() -> dict[str, set[str]]:
    """Return module → the modules of ours that it names."""
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        named = imports_of(path)
        known = {name if name in MODULES else name.rpartition(".")[0] for name in named}
        graph[module] = {name for name in known if name in MODULES and name != module}
    return graph


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return one cycle of a graph, or nothing."""
    done: set[str] = set()

    def visit(node: str, trail: list[str]) -> list[str]:
        if node in trail:
            return [*trail[trail.index(node) :], node]
        if node in done:
            return []
        for target in sorted(graph[node]):
            if cycle := visit(target, [*trail, node]):
                return cycle
        done.add(node)
        return []

    return next((cycle for node in sorted(graph) if (cycle := visit(node, []))), [])


def test_modules_import_each_other_without_a_cycle() -> None:
    assert find_cycle(module_imports()) == []


def test_cycle_of_a_graph_that_has_one_is_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
    assert find_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def reads_environment(tree: ast.AST) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in (
            "os.environ",
            "os.environb",
            "os.getenv",
            "os.putenv",
        ):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            return any(alias.name in ("environ", "environb", "getenv", "putenv") for alias in node.names)
    return False


def test_environment_is_read_by_three_files_only() -> None:
    reading = {show(path) for path, tree in TREES.items() if reads_environment(tree)}
    assert reading <= {"settings.py", "app.py", "submissions/worker.py"}
    assert "settings.py" in reading, "the search finds what is there"


@pytest.mark.parametrize("path", [*FILES, *list_files("bench")], ids=show)
def test_file_has_at_most_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_FILE_LINES


def functions_of(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every function's name and the lines of its body without the docstring."""
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            yield node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


# A migration is a list of tables that was generated and is never touched again.
SIZED = [path for path in FILES if ROOT / "db" / "migrations" not in path.parents]


@pytest.mark.parametrize("path", SIZED, ids=show)
def test_function_body_has_at_most_50_lines(path: Path) -> None:
    is_tab = path.parent == ROOT / "leaderboard" / "tabs"
    too_long = {
        name: n_lines
        for name, n_lines in functions_of(path)
        if n_lines > (MOST_TAB_LINES if is_tab and name.startswith("build_") else MOST_BODY_LINES)
    }
    assert too_long == {}


EXPORTS = {
    "evaluation": """Benchmark Comparison Outcomes Prediction Reading Report Score Standings all_benchmarks compare
        get_benchmark read_boolean read_choice read_choices read_predictions standings""",
    "evaluation.audio": """AudioError decode_wav encode_wav extract_channel join_with_silence noise_like pseudo_stereo
        read_sound write_sound""",
    "evaluation.benchmarks.mdar": "Mdar",
    "evaluation.benchmarks": "Benchmark Column Content Metric Part all_benchmarks get_benchmark list_versions",
    "evaluation.extraction": "READER_VERSION read_boolean read_choice read_choices read_steps",
    "evaluation.judge": """AllowanceSpentError Cache CalibrationError CallsNeeded EntryJudged Failure Held Judge
        JudgeError JudgeRefusedError JudgeUnreachableError MemoryCache OpenQuestion Verdict VerdictError count_calls
        judge_entry name_salt sign_judging""",
    "evaluation.listeners": "LISTENERS Heard Listener Sound UnknownListenerError get_listener",
    "evaluation.metrics": """Judged JudgedAnswers Judgement JudgementError MultiLabel Verification all_correct_rate
        average_accuracy chance_of_multi_label item_score macro_mean option_concentration reliability_gap score_judged
        score_multi_label seed_accuracy seed_verification""",
    "evaluation.predictions": """Catalogue CatalogueItem PredictionFileError Problem Problems Validation Validator
        catalogue_of make_catalogue read_checked_predictions read_predictions validate_predictions""",
    "evaluation.statistics": """Board Comparison Estimator Figure HarmonicMeanOf ItemMean ItemScores MeanOf Resampling
        Scores Standings StatisticsError adjust_p_values compare compare_figures compare_on count_independent_items
        detectable_difference detectable_on_board list_item_means standings wilson_interval""",
    "evaluation.synthesis": """DRY_SOUNDS POSITIONS RENDERER_VERSION ROOMS ROOM_VERSION TONE_VERSION MotionParameters
        Note Place Tone Trajectory add_noise amplitude_of_level fits render_dry render_in_room render_motion
        render_scene render_tones""",
    "submissions.asking": """Asked Ending Endpoint Finding Means Patience Probe Progress Question Reply Response ask_all
        describe_endpoint probe""",
    "submissions.judging": """Connect Connection DatabaseAllowance DatabaseCache HeldError JudgeAwayError
        Judging JudgingError JudgingEvaluator JudgingStoppedError NoVerdictsError SpentError
        UnaskedError""",
    "submissions.queue": "DistributedQueue LocalQueue Queue open_queue",
    "submissions.transport": "Answer Limits Resolve Target Transport TransportError is_public parse_base_url",
}


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_of_a_package_are_the_pinned_ones(name: str) -> None:
    exported = importlib.import_module(name).__all__
    assert sorted(exported) == sorted(EXPORTS[name].split())


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "__init__.py"], ids=show)
def test_package_that_imports_says_what_it_exports(path: Path) -> None:
    tree = TREES[path]
    assigned = {ast.unparse(target) for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}
    defines = any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)
    imports = tops(imports_of(path)) & OURS
    assert "__all__" in assigned or not imports or defines


IMPORT_WITHOUT = """
import importlib, pkgutil, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[1:]:
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Refuse())
import evaluation
for module in pkgutil.walk_packages(evaluation.__path__, "evaluation."):
    if not module.name.endswith("__main__") and module.name not in LEAVES:
        importlib.import_module(module.name)
assert evaluation.get_benchmark("audio-motion-bench").make_key("practice").answers
assert not set(sys.argv[1:]) & {name.split(".")[0] for name in sys.modules}
"""


ABSENT = [*WEB, "sqlalchemy", "alembic", "apscheduler", "fsspec", "db", "submissions", "settings"]


@pytest.mark.parametrize(
    ("absent", "leaves"),
    [([*ABSENT, "pydantic", "openai"], ["evaluation.judge.client", "evaluation.judge.commands"]), (ABSENT, [])],
)
def test_evaluation_is_imported_without_database_page_and_settings(absent: list[str], leaves: list[str]) -> None:
    # The openai client needs pydantic, and nothing but the command needs the client.
    done = subprocess.run(
        [sys.executable, "-c", f"LEAVES = {leaves}\n{IMPORT_WITHOUT}", *absent],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_client_commands_import_nothing_that_only_an_evaluator_needs() -> None:
    """Somebody who submits would wait for it, at every command."""
    heavy = ["numpy", "sqlalchemy", "alembic", "apscheduler", "aiohttp", "soundfile", "openai", "db", "evaluation"]
    probe = f"import sys, submissions.__main__; print(*[name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == []


def list_tracked() -> list[Path]:
    """Return what is, or would be, in a commit."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout.decode()
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


# Put together here, so that this file does not hold what it looks for.
HOSTS = [
    ".".join(parts).encode()
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("debian", "org"),
        ("ubuntu", "com"),
        ("crates", "io"),
        ("rubygems", "org"),
        ("proxy", "golang", "org"),
        ("repo1", "maven", "org"),
        ("conda", "anaconda", "org"),
        ("hub", "docker", "com"),
    )
]


def test_tree_names_no_host_of_a_package_registry() -> None:
    tracked = list_tracked()
    assert len(tracked) > 50
    naming = [show(path) for path in tracked if any(host in path.read_bytes().lower() for host in HOSTS)]
    assert naming == []
