"""Tutorial docs/adding-a-benchmark.md, executed in a copy of the repository, gives a working benchmark."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.documents.blocks import ROOT, read_blocks, read_commands

PAGE = ROOT / "docs" / "adding-a-benchmark.md"
COPIED = ("assets", "db", "docs", "evaluation", "leaderboard", "settings", "submissions", "tests")


def copy_repository(folder: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)  # including its bytecode
    for path in (*ROOT.glob("*.py"), ROOT / "pyproject.toml"):
        shutil.copy2(path, folder)
    (folder / ".venv").symlink_to(sys.prefix)


def test_tutorial_gives_a_benchmark_that_passes_the_test_it_names(tmp_path: Path) -> None:
    copy_repository(tmp_path)
    module, lines = (block.text for block in read_blocks(PAGE) if block.language == "python")
    imported, entry = lines.splitlines()
    (tmp_path / "evaluation" / "benchmarks" / "which_ear.py").write_text(module)
    registry = tmp_path / "evaluation" / "benchmarks" / "__init__.py"
    # At the top of the imports, where an import cycle would show.
    text = registry.read_text().replace("\nfrom ", f"\n{imported}\nfrom ", 1).replace("\n)\n", f"\n{entry}\n)\n", 1)
    registry.write_text(text)
    (command,) = (command for command in read_commands(PAGE) if "pytest" in command.words)
    done = subprocess.run(
        ["bash", "-c", f"{command.text} -p no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
