"""Rules about the organisation of the code, checked on syntax trees: lengths, folders, names, exports, templates."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from tests.support.sources.source_files import (
    OURS,
    ROOT,
    Source,
    Violations,
    find_unreported,
    read_sources,
    top,
)

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


LONG_BODY = "def build_tab():\n    '''Docstring.'''\n" + "    x = 1\n" * (MAX_BODY_LINES + 1)
VIOLATIONS: Violations = {
    "HTML in Python": (find_html_in_code, "leaderboard/pages/a/markup.py", "'Docstring.'\nf'<p>{x}'"),
    "a long file": (find_long_files, "bench/a.py", "x = 1\n" * (MAX_FILE_LINES + 1)),
    "a long function": (find_long_functions, "db/a.py", LONG_BODY),
    "a long function outside a tab": (find_long_functions, "leaderboard/a.py", LONG_BODY),
    "a long tab": (find_long_functions, "leaderboard/pages/a/layout.py", LONG_BODY + "    x = 1\n" * 30),
    "a package without exports": (find_packages_without_exports, "db/__init__.py", "from db.a import b"),
}


def test_rules_report_the_location_of_a_violation() -> None:
    assert find_unreported(VIOLATIONS) == []


def test_rules_accept_conforming_code() -> None:
    conforming = [
        Source(PurePosixPath("leaderboard/pages/board/layout.py"), "import gradio\n" + LONG_BODY),
        Source(PurePosixPath("leaderboard/charts/figures/lines.py"), "'<b>'"),
        Source(PurePosixPath("db/__init__.py"), "from db.a import b\n__all__ = ['b']\n"),
        Source(PurePosixPath("db/a.py"), "import sqlalchemy\n" + "\n" * (MAX_FILE_LINES - 1)),
    ]
    rules = {rule for rule, _, _ in VIOLATIONS.values()}
    assert [offender for rule in rules for offender in rule(conforming)] == []


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


def test_html_is_written_only_in_templates(product: list[Source]) -> None:
    assert list(find_html_in_code(product)) == []


def test_files_have_at_most_400_lines(product: list[Source]) -> None:
    assert list(find_long_files([*product, *read_sources("bench")])) == []


def test_function_bodies_have_at_most_50_lines(product: list[Source]) -> None:
    assert list(find_long_functions(product)) == []


def test_packages_that_import_declare_their_exports(product: list[Source]) -> None:
    assert list(find_packages_without_exports(product)) == []


def test_markers_match_the_folders_of_tests(tests: list[Source]) -> None:
    folders = {source.path.parts[1] for source in tests if source.path.name.startswith("test_")}
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    markers = {marker.split(":")[0] for marker in options["markers"]}
    assert markers == folders | {"postgres", "slow", "all_resamples"}
    manual_marker = rf"pytest\.mark\.({'|'.join(sorted(folders))})\b"
    assert [str(source.path) for source in tests if re.search(manual_marker, source.text)] == []
