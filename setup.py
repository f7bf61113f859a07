"""Build of the package `earshot`: client, runner, packs, readers and scoring, without the server.

In this repository these live in several folders, next to the server's. An installed package must have a single
top-level name, so the build copies the modules that `earshot` imports into it, and changes their imports accordingly:
`evaluation.types` becomes `earshot.evaluation.types`. docs/python-package.md explains why.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
NAME = "earshot"
MOVED = ("evaluation", "submissions", "settings", "command_line")
_IMPORT = re.compile(rf"^(\s*)(from|import) ((?:{'|'.join(MOVED)})\b[\w.]*)", re.MULTILINE)
_COMMANDS = (
    (r"python -m submissions validate", f"{NAME} check"),
    (r"python -m submissions", NAME),
    (r"python -m evaluation score (.*) --split practice", rf"{NAME} score \1"),
)


class BuildPackage(build_py):
    """Copies the modules that the package imports."""

    def run(self) -> None:
        """Write the package into the build folder."""
        for source, target in self._list_files():
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix == ".py":
                target.write_text(rename_commands(move_imports(source.read_text("utf-8"), source)), "utf-8")
            elif source.suffix == ".jinja":
                target.write_text(rename_commands(source.read_text("utf-8")), "utf-8")
            else:
                target.write_bytes(source.read_bytes())

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:  # noqa: ARG002 - as inherited
        """Return the files of the package in the build folder."""
        return [str(target) for _, target in self._list_files()]

    def get_source_files(self) -> list[str]:
        """Return the files of the package in this repository."""
        return [str(source.relative_to(ROOT)) for source, _ in self._list_files()]

    def _list_files(self) -> Iterator[tuple[Path, Path]]:
        built = Path(self.build_lib)
        for source in sorted(find_files()):
            place = source.relative_to(ROOT)
            yield source, built / place if place.parts[0] == NAME else built / NAME / place


def find_files() -> set[Path]:
    """Return every file of the package: modules that `earshot` imports, directly or not, and their data."""
    modules: dict[Path, str] = {}
    waiting = [f"{NAME}.{path.stem}" for path in (ROOT / NAME).glob("*.py")]
    while waiting:
        path = find_module(waiting[-1])
        name = waiting.pop()
        if path is None or path in modules:
            continue
        modules[path] = name
        waiting += [name.rpartition(".")[0]] if "." in name else []
        waiting += list_imports(path)
    packages = {path.parent for path in modules if path.name == "__init__.py"}
    return set(modules) | {data for package in packages for data in find_data(package)}


def find_module(name: str) -> Path | None:
    """Return the file of a module of this repository; None if there is none."""
    if name.split(".")[0] not in (NAME, *MOVED):
        return None
    path = ROOT.joinpath(*name.split("."))
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def list_imports(path: Path) -> Iterator[str]:
    """Yield what a module may import, modules and names in them alike."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def find_data(package: Path) -> Iterator[Path]:
    """Yield the data files of a package: those in it, and in folders in it that are no packages."""
    for path in package.iterdir():
        if path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            yield from (file for file in path.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc"))
        elif path.is_file() and path.suffix != ".py":
            yield path


def move_imports(text: str, source: Path) -> str:
    """Return a module whose imports of this repository are those of the package.

    Raises:
        ValueError: It imports a module in a way that cannot be changed line by line.
    """

    def move(found: re.Match[str]) -> str:
        indent, word, name = found.groups()
        rest = text[found.end() : text.find("\n", found.end())]
        if word == "from":
            return f"{indent}from {NAME}.{name}"
        if " as " in rest:
            return f"{indent}import {NAME}.{name}"
        if "." in name or "," in rest:
            raise ValueError(f"{source}: write `import {name}{rest}` as `from … import …`")
        return f"{indent}from {NAME} import {name}"

    return _IMPORT.sub(move, text)


def rename_commands(text: str) -> str:
    """Return a text with the commands of the package instead of those of this repository."""
    for command, replacement in _COMMANDS:
        text = re.sub(command, replacement, text)
    return text


setup(packages=[NAME], cmdclass={"build_py": BuildPackage})
