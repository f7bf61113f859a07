"""Rules about imports, checked on syntax trees: layers, libraries, cycles, late imports, the environment, tests."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from tests.support.sources.source_files import (
    OURS,
    PRODUCT,
    SQL,
    WEB,
    Source,
    Violations,
    find_unreported,
    top,
)

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

Graph = Mapping[str, Collection[str]]


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


VIOLATIONS: Violations = {
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
    "an attribute of the environment": (find_environment_readers_elsewhere, "db/a.py", "import os\nos.environ['A']"),
    "an import of the environment": (find_environment_readers_elsewhere, "db/a.py", "from os import getenv"),
    "an import of another test": (
        find_imports_of_test_modules,
        "tests/unit/test_a.py",
        "from tests.unit.test_b import c",
    ),
    "an import of a conftest": (find_imports_of_test_modules, "tests/unit/test_a.py", "from conftest import c"),
}


def test_rules_report_the_location_of_a_violation() -> None:
    assert find_unreported(VIOLATIONS) == []


def test_rules_accept_conforming_imports() -> None:
    conforming = [
        Source(PurePosixPath("submissions/worker.py"), "import os\nimport settings\nimport db.a\nos.environ"),
        Source(PurePosixPath("submissions/endpoints/transport/http_client.py"), "import aiohttp"),
        Source(PurePosixPath("leaderboard/pages/board/layout.py"), "import gradio\n"),
        Source(PurePosixPath("db/a.py"), "import sqlalchemy\n"),
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


def test_tests_import_shared_helpers_only_from_support(tests: list[Source]) -> None:
    assert list(find_imports_of_test_modules(tests)) == []
