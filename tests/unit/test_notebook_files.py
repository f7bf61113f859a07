"""Files of the notebooks: small, without outputs, and with Python that parses."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.documents.blocks import ROOT

PATHS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
MAX_CELLS = 16
MAX_LINES = 10


def read_cells(path: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def test_both_notebooks_are_found() -> None:
    assert [path.name for path in PATHS] == ["analysis.ipynb", "first-row.ipynb"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_notebook_is_committed_without_outputs(path: Path) -> None:
    for cell in read_cells(path):
        assert cell["metadata"] == {}, cell["id"]
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None), cell["id"]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_notebook_is_written_as_editors_write_it(path: Path) -> None:
    text = path.read_text("utf-8")
    notebook = json.loads(text)
    assert text == json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "saving must not change it"
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5), "the format with IDs of cells"
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_cells_are_few_short_and_named(path: Path) -> None:
    cells = read_cells(path)
    names = [cell["id"] for cell in cells]
    assert len(set(names)) == len(names) <= MAX_CELLS
    assert [name for name in names if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name)] == []
    assert [cell["id"] for cell in cells if len(cell["source"]) > MAX_LINES] == []


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_code_parses(path: Path) -> None:
    codes = [cell["source"] for cell in read_cells(path) if cell["cell_type"] == "code"]
    assert len(codes) > 4, "the search finds what is there"
    for lines in codes:
        # Lines with ! are commands of the shell.
        ast.parse("".join(line for line in lines if not line.startswith("!")))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_links_lead_to_pages(path: Path) -> None:
    for cell in read_cells(path):
        if cell["cell_type"] == "markdown":
            for target in re.findall(r"\]\(([^)#\s]+)\)", "".join(cell["source"])):
                assert (path.parent / target).is_file(), target
