"""Pinned packages: declared if imported, identical in both files, and installable by a Space's builder."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml

from tests.support.servers.server import ROOT

PACKAGES = ("evaluation", "db", "submissions", "leaderboard", "settings")
PROGRAMS = ("app", "command_line")
UV = Path(sys.prefix, "bin", "uv")


def read_pins(name: str) -> dict[str, str]:
    """Return package → version of a requirements file."""
    pins = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\w.]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {normalize(package): version for package, version in pins}


def normalize(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def list_imports() -> Iterator[tuple[str, str]]:
    """Yield file and top-level module of every import of the product."""
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    for path in [*files, *(ROOT / f"{program}.py" for program in PROGRAMS)]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path.name, alias.name.split(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield path.name, node.module.split(".")[0]


def list_modules(package: str) -> set[str]:
    """Return the top-level modules of an installed package."""
    installed = distribution(package)
    named = (installed.read_text("top_level.txt") or "").split()
    return set(named) or {file.parts[0].removesuffix(".py") for file in installed.files or ()}


def test_every_imported_package_is_declared() -> None:
    declared = set[str]().union(*map(list_modules, read_pins("requirements.in")))
    ours = {*PACKAGES, *PROGRAMS, *sys.stdlib_module_names}
    foreign = {(file, module) for file, module in list_imports() if module not in ours}
    assert len(foreign) > 20, "the search finds what is there"
    undeclared = {f"{file} imports {module}" for file, module in foreign if module not in declared}
    assert undeclared == set()


def test_lock_and_plain_pins_have_the_same_versions() -> None:
    assert read_pins("requirements.txt") == read_pins("requirements.lock")
    assert "--hash" not in (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert read_pins("requirements.in").items() <= read_pins("requirements.lock").items()


@pytest.mark.slow
def test_plain_pins_resolve_in_the_command_of_a_gradio_space(tmp_path: Path) -> None:
    """A duplicated Space may set `sdk: gradio`. Its builder installs our pins and its own packages in one command.

    Only the soak runs this: it asks the package index for today's versions of the builder's packages.
    """
    front_matter = yaml.safe_load((ROOT / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    builder = tmp_path / "builder.in"
    gradio = f"gradio[oauth,mcp]=={front_matter['sdk_version']}"
    builder.write_text("\n".join([gradio, "uvicorn>=0.14.0", "websockets>=10.4", "spaces"]) + "\n")
    files = [str(ROOT / "requirements.txt"), str(builder)]
    command = [str(UV), "pip", "compile", "--quiet", "--no-header", "--no-annotate", *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    if "Failed to fetch" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    resolved = dict(line.split("==") for line in done.stdout.splitlines() if "==" in line and "[" not in line)
    pins = read_pins("requirements.txt")
    assert {name: version for name, version in resolved.items() if name in pins}.items() <= pins.items()
    assert {"spaces", "websockets", "authlib"} <= resolved.keys()
