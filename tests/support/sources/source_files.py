"""Files of the repository as syntax trees, for rules about its code.

A rule yields violations as `file:line: message`. Its test finds none on the tree, and the one in a snippet.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

import settings

ROOT = Path(settings.__file__).parent.parent
PACKAGES = ("earshot", "evaluation", "db", "submissions", "leaderboard", "settings")
PROGRAMS = ("command_line", "app")
OURS = frozenset({*PACKAGES, *PROGRAMS, "bench", "tests"})
PRODUCT = OURS - {"bench", "tests"}
WEB = frozenset({"gradio", "fastapi", "starlette", "plotly"})
SQL = frozenset({"sqlalchemy", "alembic"})

Imported = tuple[int, str]


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
# What is wrong → a rule, and the path and text of a file that violates it.
Violations = Mapping[str, tuple[Rule, str, str]]


@cache
def read_sources(*names: str) -> list[Source]:
    """Return files of folders, parsed once for all tests."""
    paths = sorted(path for name in names for path in (ROOT / name).rglob("*.py")) or [ROOT / name for name in names]
    return [Source(PurePosixPath(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in paths]


def read_product() -> list[Source]:
    """Return all files of the product."""
    return read_sources(*PACKAGES) + read_sources(*(f"{name}.py" for name in PROGRAMS))


def top(name: str) -> str:
    return name.split(".")[0]


def find_unreported(violations: Violations) -> list[str]:
    """Return the violations that their rule does not report once, with the location."""
    missed = []
    for name, (rule, path, text) in violations.items():
        sources = [Source(PurePosixPath(path), text), Source(PurePosixPath("db/b.py"), "import db.a\n")]
        reported = list(rule(sources))
        module = path.removesuffix(".py").replace("/", ".")
        if len(reported) != 1 or not (path in reported[0] or module in reported[0]):
            missed.append(name)
    return missed
