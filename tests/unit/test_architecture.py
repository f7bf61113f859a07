"""Architecture rules, checked on syntax trees: allowed imports, lengths of code, exports and names.

A rule is a function that yields violations as `file:line: message`. Every rule runs on the tree, where it must find
nothing, and on a snippet that violates it, where it must find the violation.
"""

import ast
import importlib
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

import pytest

import settings
from submissions.operations.data_folder import JOURNAL

ROOT = Path(settings.__file__).parent.parent
TESTS = ROOT / "tests"
PACKAGES = ("earshot", "evaluation", "db", "submissions", "leaderboard", "settings")
PROGRAMS = ("command_line", "app")
OURS = frozenset({*PACKAGES, *PROGRAMS, "bench", "tests"})
PRODUCT = OURS - {"bench", "tests"}
WEB = frozenset({"gradio", "fastapi", "starlette", "plotly"})
SQL = frozenset({"sqlalchemy", "alembic"})
# Files that may import everything: programs, which nothing imports.
FREE = ("__main__.py", "app.py")
# The program of an evaluator, which other modules may import.
WORKER = "submissions/worker.py"
# These import late what only some commands need, what only an outdated schema needs (Alembic, the evaluation), what
# only a serving web process needs, the parsers of answers, the libraries for PostgreSQL, and what users of the package
# may not need.
LATE_IMPORTERS = (
    *("earshot/__init__.py", "earshot/__main__.py", "earshot/data_frames.py"),
    *("db/__main__.py", "db/session.py", "evaluation/extraction/__init__.py", "leaderboard/__main__.py"),
    *("db/repositories/tickets.py", "submissions/jobs/queue/distributed.py"),
)
ENVIRONMENT_READERS = ("settings/__init__.py", "settings/edge.py", "settings/environments.py", "app.py", WORKER)

# HTML is written in templates, which escape every value. Exceptions: texts of charts, in which Plotly reads some tags;
# addresses of our own files in the head; scripts and replacements in Gradio's page; the time of an event.
HTML_WRITERS = (
    *(
        "leaderboard/charts/figures",
        "leaderboard/pages/compare/comparison_chart.py",
        "leaderboard/pages/model/radar.py",
    ),
    *("leaderboard/pages/page.py", "leaderboard/pages/shell/opening.py", "leaderboard/rendering/templating.py"),
)
_TAG = re.compile(
    r"(?<!\?P)</?(?:a|b|br|code|div|h[1-6]|head|i|input|li|link|meta|p|pre|script|section|span|style|t[dhr]|ul)\b"
)

MAX_FILE_LINES = 400
MAX_BODY_LINES = 50
MAX_TAB_LINES = 80
# Packages with one folder for each topic.
ORGANISED = ("leaderboard", "submissions")
MAX_LOOSE_MODULES = 8
# Names of functions without a noun: use `find_board`, never `find`.
BARE_NAMES = frozenset({"act", "asked", "find", "found", "keep", "look", "said", "take", "told"})
# Names of modules that may be repeated: everywhere, and in sibling folders below one folder.
SHARED_MODULES = ("__init__", "__main__", "errors")
MODULES_OF_SIBLINGS = {
    "leaderboard/pages": ("layout", "events", "handlers", "markup"),
    "evaluation/benchmarks": (
        "abilities",
        "charts",
        "columns",
        "definitions",
        "design",
        "importer",
        "prompts",
        "resampling",
        "slices",
    ),
}

Imported = tuple[int, str]
Graph = Mapping[str, Collection[str]]


@dataclass(frozen=True)
class Source:
    """A file of the repository, parsed once for all rules."""

    path: PurePosixPath
    text: str

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> list[Imported]:
        """Full names of imports, each with its line: `a.b.c` for `from a.b import c`."""
        imported: list[Imported] = []
        for node in self.nodes:
            if isinstance(node, ast.Import):
                imported += [(node.lineno, alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                imported += [(node.lineno, f"{module}.{alias.name}") for alias in node.names]
        return imported

    @property
    def package(self) -> str:
        return self.path.parts[0]

    @property
    def module(self) -> str:
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    def at(self, line: int, message: str) -> str:
        return f"{self.path}:{line}: {message}"


Rule = Callable[[Iterable[Source]], Iterator[str]]


@cache
def read_sources(*names: str) -> list[Source]:
    """Return files of folders, parsed once for all tests."""
    paths = sorted(path for name in names for path in (ROOT / name).rglob("*.py")) or [ROOT / name for name in names]
    return [Source(PurePosixPath(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in paths]


@pytest.fixture(scope="module")
def product() -> list[Source]:
    return read_sources(*PACKAGES) + read_sources(*(f"{name}.py" for name in PROGRAMS))


@pytest.fixture(scope="module")
def tests() -> list[Source]:
    return read_sources("tests")


def top(name: str) -> str:
    return name.split(".")[0]


# --- imports ---------------------------------------------------------------------------------------------------------


def find_relative_imports(sources: Iterable[Source]) -> Iterator[str]:
    for source in sources:
        for line, name in source.imports:
            if name.startswith("."):
                yield source.at(line, f"{name} is imported relatively")


def allowed_for(path: PurePosixPath) -> frozenset[str]:
    """Return which of our packages a file may import."""
    package = path.parts[0]
    if path.name in FREE:
        return PRODUCT
    if package == "submissions":
        beyond = {"settings", "command_line"} if str(path) == WORKER else set()
        return frozenset({"submissions", "evaluation", "db"} | beyond)
    if package == "earshot":
        return frozenset({"earshot", "submissions", "evaluation", "settings"})
    if package == "leaderboard":
        return frozenset({"leaderboard", "submissions", "db", "evaluation", "settings"})
    return frozenset({package}) & PRODUCT


def find_imports_against_the_layers(sources: Iterable[Source]) -> Iterator[str]:
    for source in sources:
        for line, name in source.imports:
            if top(name) in OURS and top(name) not in allowed_for(source.path):
                yield source.at(line, f"{source.path} may not import {top(name)}")


def find_imports_outside(
    sources: Iterable[Source], libraries: Collection[str], is_inside: Callable[[PurePosixPath], bool]
) -> Iterator[str]:
    for source in sources:
        for line, name in source.imports:
            if top(name) in libraries and not is_inside(source.path):
                yield source.at(line, f"{top(name)} is imported")


def find_web_imports(sources: Iterable[Source]) -> Iterator[str]:
    return find_imports_outside(sources, WEB, lambda path: path.parts[0] == "leaderboard")


def find_sql_imports(sources: Iterable[Source]) -> Iterator[str]:
    return find_imports_outside(sources, SQL, lambda path: path.parts[0] == "db")


def find_aiohttp_imports(sources: Iterable[Source]) -> Iterator[str]:
    return find_imports_outside(
        sources, {"aiohttp"}, lambda path: path.parent == PurePosixPath("submissions/endpoints/transport")
    )


def find_parquet_imports(sources: Iterable[Source]) -> Iterator[str]:
    """Find imports of pyarrow, which takes 50 MB of memory, outside the program that publishes datasets."""
    return find_imports_outside(
        sources, {"pyarrow"}, lambda path: path.parent == PurePosixPath("evaluation", "publishing")
    )


def find_publishing_imports(sources: Iterable[Source]) -> Iterator[str]:
    """Find imports of the publishing program, which reads answer keys and has a token with write access."""
    for source in sources:
        for line, name in source.imports:
            if name.startswith("evaluation.publishing") and source.path.parent.name != "publishing":
                yield source.at(line, f"{name} is imported by another program")


def find_own_address_imports(sources: Iterable[Source]) -> Iterator[str]:
    """Find imports of what connects to any address, outside the program that users run on their own machine."""
    names = ("parse_own_url", "describe_own_endpoint", "resolve_own_name")
    for source in sources:
        is_allowed = source.path.parts[:2] in (("submissions", "model_runs"), ("submissions", "endpoints"))
        is_asked_by_strangers = source.path.parent == PurePosixPath("submissions/endpoints")
        for line, name in source.imports:
            if name.rpartition(".")[2] in names and (not is_allowed or is_asked_by_strangers):
                yield source.at(line, f"{name} connects to any address")
            is_for_users = source.path.parts[0] == "earshot" or source.path.parts[:2] == ("submissions", "model_runs")
            if name.startswith("submissions.model_runs") and not is_for_users:
                yield source.at(line, f"{name} is imported by another program")


def find_hidden_imports(sources: Iterable[Source]) -> Iterator[str]:
    """Find imports that evade the rules above: inside functions, or of names computed at run time."""
    import_functions = ("__import__", "importlib.import_module", "import_module")
    for source in sources:
        lines = set()
        has_indented = any(node.col_offset for node in source.nodes if isinstance(node, ast.Import | ast.ImportFrom))
        for node in source.nodes:
            is_late = has_indented and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            if is_late and str(source.path) not in LATE_IMPORTERS:
                lines |= {n.lineno for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)}
            elif "import" in source.text and isinstance(node, ast.Call) and ast.unparse(node.func) in import_functions:
                lines.add(node.lineno)
        yield from (source.at(line, "an import that is not at the top") for line in sorted(lines))


def make_import_graph(sources: Iterable[Source]) -> dict[str, set[str]]:
    """Return module → modules of the repository that it imports."""
    modules = {source.module: source for source in sources}
    graph: dict[str, set[str]] = {}
    for module, source in modules.items():
        imported = {name if name in modules else name.rpartition(".")[0] for _, name in source.imports}
        graph[module] = {name for name in imported if name in modules and name != module}
    return graph


def find_cycle(graph: Graph) -> list[str]:
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


def find_import_cycles(sources: Iterable[Source]) -> Iterator[str]:
    if cycle := find_cycle(make_import_graph(sources)):
        yield " → ".join(cycle)


def find_imports_of_test_modules(sources: Iterable[Source]) -> Iterator[str]:
    """Shared helpers live in tests/support: a test module or a conftest that is imported runs twice."""
    for source in sources:
        # Nearly all files import only shared helpers, and parsing takes a second.
        if not re.search(
            r"\btests\.(?!support\b)|\bconftest\b|\bfrom +\.|(\bfrom|\bimport|,) *tests\b(?!\.)|\\\n", source.text
        ):
            continue
        for line, name in source.imports:
            is_shared = name.startswith("tests.support.") or name == "tests.support"
            if name.startswith(".") or "conftest" in name.split(".") or (top(name) == "tests" and not is_shared):
                yield source.at(line, f"{name} is not in tests/support")


def find_html_in_code(sources: Iterable[Source]) -> Iterator[str]:
    for source in sources:
        if source.package != "leaderboard" or any(source.path.is_relative_to(folder) for folder in HTML_WRITERS):
            continue
        # Docstrings, which are expressions of their own, may show examples.
        docstrings = {node.value for node in source.nodes if isinstance(node, ast.Expr)}
        constants = [node for node in source.nodes if isinstance(node, ast.Constant) and node not in docstrings]
        for node in constants:
            if isinstance(node.value, str) and (tag := _TAG.search(node.value)):
                yield source.at(node.lineno, f"{tag[0]}… is not in a template")


# --- lengths and exports ---------------------------------------------------------------------------------------------


def find_long_files(sources: Iterable[Source]) -> Iterator[str]:
    for source in sources:
        n_lines = len(source.text.splitlines())
        if n_lines > MAX_FILE_LINES:
            yield source.at(n_lines, f"more than {MAX_FILE_LINES} lines")


def find_long_functions(sources: Iterable[Source]) -> Iterator[str]:
    """Find functions whose body without the docstring is too long."""
    for source in sources:
        # Migrations are generated lists of tables that nobody edits.
        if source.path.is_relative_to("db/migrations"):
            continue
        is_tab = source.path.is_relative_to("leaderboard/pages") and source.path.name == "layout.py"
        for node in source.nodes:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            n_lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            limit = MAX_TAB_LINES if is_tab and node.name.startswith("build_") else MAX_BODY_LINES
            if n_lines > limit:
                yield source.at(node.lineno, f"{node.name} has a body of {n_lines} lines, more than {limit}")


def find_environment_readers(sources: Iterable[Source]) -> Iterator[str]:
    names = ("environ", "environb", "getenv", "putenv")
    for source in sources:
        # Few files contain such a name, and looking at every node takes a second.
        if not any(name in source.text for name in names):
            continue
        for node in source.nodes:
            is_attribute = isinstance(node, ast.Attribute) and node.attr in names and ast.unparse(node.value) == "os"
            is_import = (
                isinstance(node, ast.ImportFrom)
                and node.module == "os"
                and any(alias.name in names for alias in node.names)
            )
            if isinstance(node, ast.Attribute | ast.ImportFrom) and (is_attribute or is_import):
                yield source.at(node.lineno, "the environment is read")


def find_environment_readers_elsewhere(sources: Iterable[Source]) -> Iterator[str]:
    return find_environment_readers(source for source in sources if str(source.path) not in ENVIRONMENT_READERS)


def find_packages_without_exports(sources: Iterable[Source]) -> Iterator[str]:
    """Find every `__init__.py` that imports our packages, defines nothing, and does not declare its exports."""
    for source in sources:
        if source.path.name != "__init__.py":
            continue
        body = source.tree.body
        assigned = {ast.unparse(target) for node in body if isinstance(node, ast.Assign) for target in node.targets}
        defines = any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in body)
        if any(top(name) in OURS for _, name in source.imports) and not defines and "__all__" not in assigned:
            yield source.at(1, "imports, and has no __all__")


# --- packages and folders --------------------------------------------------------------------------------------------


def find_crowded_packages(sources: Iterable[Source]) -> Iterator[str]:
    """Find packages with too many modules at their top level."""
    modules = Counter(source.path.parent for source in sources if source.path.stem not in ("__init__", "__main__"))
    for package in map(PurePosixPath, ORGANISED):
        if modules[package] > MAX_LOOSE_MODULES:
            yield f"{package}: {modules[package]} loose modules, more than {MAX_LOOSE_MODULES}"


def find_repeated_folders(sources: Iterable[Source]) -> Iterator[str]:
    folders = {folder for source in sources for folder in source.path.parents if folder.name}
    names = Counter(folder.name for folder in folders)
    for folder in sorted(folders):
        if names[folder.name] > 1:
            yield f"{folder}: another folder has this name"


def find_repeated_classes(sources: Iterable[Source]) -> Iterator[str]:
    """Find public classes whose name is used more than once."""
    classes = [
        (source, node)
        for source in sources
        for node in source.nodes
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    names = Counter(node.name for _, node in classes)
    for source, node in classes:
        if names[node.name] > 1:
            yield source.at(node.lineno, f"another class is called {node.name}")


def find_repeated_modules(sources: Iterable[Source]) -> Iterator[str]:
    """Find modules whose name is ambiguous."""
    places: dict[str, list[PurePosixPath]] = {}
    for source in sources:
        places.setdefault(source.path.stem, []).append(source.path)
    for name, paths in places.items():
        is_shared = name in SHARED_MODULES or any(
            name in names
            and all(path.is_relative_to(folder) and path.parent != PurePosixPath(folder) for path in paths)
            for folder, names in MODULES_OF_SIBLINGS.items()
        )
        if len(paths) > 1 and not is_shared:
            yield f"{', '.join(map(str, paths))}: modules with the same name"


def find_bare_names(sources: Iterable[Source]) -> Iterator[str]:
    """Find functions and methods whose name has no noun."""
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.lstrip("_") in BARE_NAMES:
                yield source.at(node.lineno, f"{node.name} has no noun")


def test_packages_have_few_modules_next_to_their_folders(product: list[Source]) -> None:
    assert list(find_crowded_packages(product)) == []
    crowd = [Source(PurePosixPath(f"submissions/{name}.py"), "") for name in "abcdefghi"]
    assert list(find_crowded_packages(crowd)) == ["submissions: 9 loose modules, more than 8"]
    programs = [Source(PurePosixPath(f"submissions/{name}.py"), "") for name in ("__init__", "__main__")]
    assert list(find_crowded_packages(crowd[1:] + programs)) == []


def test_folder_names_are_unique(product: list[Source]) -> None:
    assert list(find_repeated_folders(product)) == []
    repeated = [Source(PurePosixPath(path), "") for path in ("db/hub/a.py", "submissions/hub/b.py", "submissions/c.py")]
    assert list(find_repeated_folders(repeated)) == [
        "db/hub: another folder has this name",
        "submissions/hub: another folder has this name",
    ]


def test_public_class_names_are_unique(product: list[Source]) -> None:
    assert list(find_repeated_classes([*product, *read_sources("bench")])) == []
    repeated = [
        Source(PurePosixPath("db/a.py"), "class Place: ...\nclass _Line: ...\n"),
        Source(PurePosixPath("bench/b.py"), "class _Line: ...\nclass Place: ...\nclass Score: ...\n"),
    ]
    assert list(find_repeated_classes(repeated)) == [
        "db/a.py:1: another class is called Place",
        "bench/b.py:2: another class is called Place",
    ]


def test_function_names_contain_a_noun(product: list[Source]) -> None:
    assert list(find_bare_names([*product, *read_sources("bench")])) == []
    bare = Source(PurePosixPath("db/a.py"), "def find_board(): ...\nclass Board:\n    async def _keep(self): ...\n")
    assert list(find_bare_names([bare])) == ["db/a.py:3: _keep has no noun"]


def test_module_names_are_unique_except_among_siblings(product: list[Source]) -> None:
    assert list(find_repeated_modules([*product, *read_sources("bench")])) == []
    paths = (
        *("db/errors.py", "submissions/errors.py", "db/boards.py", "bench/boards.py"),
        *("leaderboard/pages/about/layout.py", "leaderboard/pages/board/layout.py"),
        *("evaluation/benchmarks/mdar/charts.py", "evaluation/benchmarks/charts.py"),
    )
    assert list(find_repeated_modules(Source(PurePosixPath(path), "") for path in paths)) == [
        "db/boards.py, bench/boards.py: modules with the same name",
        "evaluation/benchmarks/mdar/charts.py, evaluation/benchmarks/charts.py: modules with the same name",
    ]


# --- the rules on the tree, and on code with violations ---------------------------------------------------------------

LONG_BODY = "def build_tab():\n    '''Docstring.'''\n" + "    x = 1\n" * (MAX_BODY_LINES + 1)
VIOLATIONS: dict[str, tuple[Rule, str, str]] = {
    "a relative import": (find_relative_imports, "db/a.py", "from . import b"),
    "a layer above": (find_imports_against_the_layers, "evaluation/a.py", "import db.session"),
    "settings below the page": (find_imports_against_the_layers, "submissions/a.py", "from settings import Settings"),
    "tests in the product": (find_imports_against_the_layers, "app.py", "import tests.support"),
    "a web framework": (find_web_imports, "submissions/a.py", "from gradio import Blocks"),
    "a SQL library": (find_sql_imports, "leaderboard/a.py", "import sqlalchemy.orm"),
    "the client for user-supplied addresses": (
        find_aiohttp_imports,
        "submissions/endpoints/querying/a.py",
        "import aiohttp",
    ),
    "the Parquet library": (find_parquet_imports, "evaluation/a.py", "import pyarrow.parquet as pq"),
    "publishing in a server": (find_publishing_imports, "submissions/a.py", "from evaluation.publishing import hub"),
    "any address in a server": (
        find_own_address_imports,
        "submissions/endpoints/runner.py",
        "from submissions.endpoints.querying.query_records import describe_own_endpoint",
    ),
    "the runner in a server": (
        find_own_address_imports,
        "leaderboard/a.py",
        "from submissions.model_runs import run_folder",
    ),
    "an import in a function": (find_hidden_imports, "db/a.py", "async def f(): import db.b"),
    "an import in a method of a local class": (
        find_hidden_imports,
        "db/a.py",
        "def f():\n class A:\n  from db import b",
    ),
    "an import by name": (find_hidden_imports, "db/a.py", "import importlib\nimportlib.import_module('db')"),
    "an import cycle": (find_import_cycles, "db/a.py", "from db.b import c"),
    "HTML in Python": (find_html_in_code, "leaderboard/pages/a/markup.py", "'Docstring.'\nf'<p>{x}'"),
    "a long file": (find_long_files, "bench/a.py", "x = 1\n" * (MAX_FILE_LINES + 1)),
    "a long function": (find_long_functions, "db/a.py", LONG_BODY),
    "a long function outside a tab": (find_long_functions, "leaderboard/a.py", LONG_BODY),
    "a long tab": (find_long_functions, "leaderboard/pages/a/layout.py", LONG_BODY + "    x = 1\n" * 30),
    "an attribute of the environment": (find_environment_readers_elsewhere, "db/a.py", "import os\nos.environ['A']"),
    "an import of the environment": (find_environment_readers_elsewhere, "db/a.py", "from os import getenv"),
    "a package without exports": (find_packages_without_exports, "db/__init__.py", "from db.a import b"),
    "an import of another test": (
        find_imports_of_test_modules,
        "tests/unit/test_a.py",
        "from tests.unit.test_b import c",
    ),
    "an import of a conftest": (find_imports_of_test_modules, "tests/unit/test_a.py", "from conftest import c"),
}


def test_rule_reports_the_location_of_a_violation(subtests: pytest.Subtests) -> None:
    for name in VIOLATIONS:
        with subtests.test(name=name):
            rule, path, text = VIOLATIONS[name]
            sources = [Source(PurePosixPath(path), text), Source(PurePosixPath("db/b.py"), "import db.a\n")]
            violations = list(rule(sources))
            assert len(violations) == 1
            assert path in violations[0] or path.removesuffix(".py").replace("/", ".") in violations[0]


def test_rules_accept_conforming_code() -> None:
    conforming = [
        Source(PurePosixPath("submissions/worker.py"), "import os\nimport settings\nimport db.a\nos.environ"),
        Source(PurePosixPath("submissions/endpoints/transport/http_client.py"), "import aiohttp"),
        Source(PurePosixPath("leaderboard/pages/board/layout.py"), "import gradio\n" + LONG_BODY),
        Source(PurePosixPath("leaderboard/charts/figures/lines.py"), "'<b>'"),
        Source(PurePosixPath("db/__init__.py"), "from db.a import b\n__all__ = ['b']\n"),
        Source(PurePosixPath("db/a.py"), "import sqlalchemy\n" + "\n" * (MAX_FILE_LINES - 1)),
        Source(PurePosixPath("tests/unit/test_a.py"), "from tests.support.samples import listening\n"),
    ]
    rules = {rule for rule, _, _ in VIOLATIONS.values()} - {find_imports_against_the_layers}
    assert [offender for rule in rules for offender in rule(conforming)] == []
    assert list(find_imports_against_the_layers(conforming[:-1])) == []


def test_cycle_of_a_graph_is_found() -> None:
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
    assert find_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_imports_are_absolute(product: list[Source]) -> None:
    assert len(product) > 100, "the search finds files"
    assert list(find_relative_imports(product)) == []


def test_imports_follow_the_layers(product: list[Source]) -> None:
    assert list(find_imports_against_the_layers(product)) == []


def test_web_frameworks_are_imported_only_by_the_leaderboard(product: list[Source]) -> None:
    assert list(find_web_imports(product)) == []


def test_sql_libraries_are_imported_only_by_the_database(product: list[Source]) -> None:
    assert list(find_sql_imports(product)) == []


def test_client_for_user_supplied_addresses_is_imported_only_by_the_transport(product: list[Source]) -> None:
    assert list(find_aiohttp_imports(product)) == []


def test_parquet_library_is_imported_only_by_publishing(product: list[Source]) -> None:
    assert list(find_parquet_imports(product)) == []


def test_publishing_is_imported_only_by_its_own_program(product: list[Source]) -> None:
    assert list(find_publishing_imports(product)) == []


def test_only_the_runner_on_users_machines_connects_to_any_address(product: list[Source]) -> None:
    assert list(find_own_address_imports(product)) == []


def test_imports_are_at_the_top_of_files(product: list[Source]) -> None:
    assert list(find_hidden_imports(product)) == []


def test_modules_have_no_import_cycle(product: list[Source]) -> None:
    assert list(find_import_cycles(product)) == []


def test_environment_is_read_only_by_the_listed_files(product: list[Source]) -> None:
    assert list(find_environment_readers_elsewhere(product)) == []
    readers = {location.split(":")[0] for location in find_environment_readers(product)}
    assert "settings/environments.py" in readers, "the search finds files"


def test_html_is_written_only_in_templates(product: list[Source]) -> None:
    assert list(find_html_in_code(product)) == []


def test_files_have_at_most_400_lines(product: list[Source]) -> None:
    assert list(find_long_files([*product, *read_sources("bench")])) == []


def test_function_bodies_have_at_most_50_lines(product: list[Source]) -> None:
    assert list(find_long_functions(product)) == []


def test_packages_that_import_declare_their_exports(product: list[Source]) -> None:
    assert list(find_packages_without_exports(product)) == []


def test_tests_import_shared_helpers_only_from_support(tests: list[Source]) -> None:
    assert list(find_imports_of_test_modules(tests)) == []


def test_markers_match_the_folders_of_tests(tests: list[Source]) -> None:
    folders = {source.path.parts[1] for source in tests if source.path.name.startswith("test_")}
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    markers = {marker.split(":")[0] for marker in options["markers"]}
    assert markers == folders | {"postgres", "slow", "all_resamples"}
    manual_marker = rf"pytest\.mark\.({'|'.join(sorted(folders))})\b"
    assert [str(source.path) for source in tests if re.search(manual_marker, source.text)] == []


EXPORTS = {
    "evaluation": """Benchmark Outcomes Prediction Reading Report Score ScoreComparison Standings all_benchmarks
        compare get_benchmark read_boolean read_choice read_choices read_predictions standings""",
    "evaluation.audio": """AudioError decode_wav encode_wav extract_channel join_with_silence measure_wav noise_like
        pseudo_stereo read_sound write_sound""",
    "evaluation.benchmarks.mdar": "Mdar",
    "evaluation.benchmarks": "Benchmark Column Content Metric Part all_benchmarks get_benchmark list_versions",
    "evaluation.extraction": "READER_VERSION read_boolean read_choice read_choices read_steps",
    "evaluation.judge": """AllowanceSpentError Cache CalibrationError CallsNeeded EntryJudged Failure Held Judge
        JudgeError JudgeRefusedError JudgeUnreachableError JudgeVerdict JudgeVerdictError MAX_WITHOUT_VERDICT
        MemoryCache NoVerdictsInARowError OpenQuestion Streak count_calls judge_entry name_salt sign_judging""",
    "evaluation.listeners": "Heard LISTENERS Listener Sound UnknownListenerError get_listener",
    "evaluation.metrics": """JudgeScores JudgedAnswers Judgement JudgementError MultiLabel VerificationRates
        all_correct_rate average_accuracy chance_of_multi_label item_score macro_mean option_concentration practice_gap
        reliability_gap score_judged score_multi_label seed_accuracy seed_verification""",
    "evaluation.predictions": """ALLOW_MISSING_LABEL Catalogue CatalogueItem Cause FindElsewhere Options Parsing
        PredictionFileError Problem Problems UnreadableExample Validation Validator catalogue_of find_edition_of_file
        make_catalogue read_checked_predictions read_predictions validate_predictions""",
    "evaluation.statistics": """Clusters Estimator FEWEST_CLUSTERS FEWEST_OF_SEVERAL FEWEST_TELLING
        HarmonicMeanOf ItemMean JointBoard LadderDecision MeanOf ResampledBoard Resampling ScoreComparison ScoreFormula
        ScoreSample Scores Standings StatisticsError adjust_p_values combine_means compare compare_on compare_scores
        compare_unpaired compare_unpaired_scores correlate_differences count_independent_items decide_release
        decide_score_release detectable_difference detectable_on_board estimate_standard_error has_interval
        list_item_means list_shares make_intervals standings wilson_interval""",
    "evaluation.synthesis": """DRY_SOUNDS MotionParameters Note POSITIONS RENDERER_VERSION ROOMS ROOM_VERSION
        SourcePosition TONE_VERSION Tone Trajectory add_noise amplitude_of_level fits render_dry render_in_room
        render_motion render_scene render_tones""",
    "submissions.judging": """Connect Connection DatabaseAllowance DatabaseCache HeldError JudgeAwayError Judging
        JudgingError JudgingEvaluator JudgingStoppedError NoVerdictsError SpentError StoppedJudgeError UnaskedError
        UnreadableJudgeError""",
    "submissions.jobs.queue": "DistributedQueue SubmissionQueue open_queue",
}


def find_changed_exports(pinned: Mapping[str, str]) -> list[str]:
    exported = {name: set(importlib.import_module(name).__all__) for name in pinned}
    return [
        f"{name}: {sorted(exported[name] ^ set(names.split()))}"
        for name, names in pinned.items()
        if exported[name] != set(names.split())
    ]


def test_package_exports_match_the_pinned_ones() -> None:
    assert find_changed_exports(EXPORTS) == []
    changed = {"submissions.jobs.queue": EXPORTS["submissions.jobs.queue"] + " Extra"}
    assert find_changed_exports(changed) == ["submissions.jobs.queue: ['Extra']"]


# --- what is loaded at run time --------------------------------------------------------------------------------------

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


# --- what is in a commit ---------------------------------------------------------------------------------------------

# Joined at run time, so that this file does not contain the names itself.
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


def list_tracked() -> list[Path]:
    """Return the files that are, or would be, in a commit."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout
    return [path for name in output.split(b"\0") if name and (path := ROOT / os.fsdecode(name)).is_file()]


def find_registry_hosts(paths: Iterable[Path]) -> list[str]:
    matches = []
    for path in paths:
        data = path.read_bytes().lower()
        matches += [f"{path}: {host.decode()}" for host in HOSTS if host in data]
    return matches


def test_repository_names_no_host_of_a_package_registry(tmp_path: Path) -> None:
    tracked = list_tracked()
    assert len(tracked) > 50, "the search finds files"
    assert find_registry_hosts(tracked) == []
    (tmp_path / "naming").write_bytes(b"See https://" + HOSTS[0].upper() + b"/simple.")
    assert find_registry_hosts([tmp_path / "naming"]) == [f"{tmp_path}/naming: {HOSTS[0].decode()}"]
