"""Documentation: links and file names are valid, and the glossary defines the shared terms."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import db.models
import settings
from submissions.ranking.row_sources import SOURCES

ROOT = Path(settings.__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
# Files that a reader creates by following a page.
CREATED = ("bench/results.json", "evaluation/benchmarks/which_ear.py")
# It names files of earlier releases.
HISTORY = "CHANGELOG.md"
TERMS = (
    *("benchmark", "version", "setting", "split", "part", "slice", "item", "run", "score", "standing", "rank range"),
    *("headline", "signature", "submission", "evaluator", "launcher", "reference system", "human baseline"),
    *("random baseline", "reported row", "re-evaluation", "dry run", "judge", "pack", "endpoint"),
)
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()}


def read_tables(page: Path) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a page's tables, without their heads."""
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    yield from (tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows if "| term |" not in row)


def list_names(text: str) -> list[str]:
    """Return the names that a text sets in code type."""
    return re.findall(r"`([^`\n]+)`", text)


def is_file_name(name: str) -> bool:
    """Return whether a name is a file or folder of the repository, without a placeholder such as `<id>`."""
    if "/" not in name:
        return name == "app.py"
    return re.fullmatch(r"[\w./-]+", name) is not None and name.partition("/")[0] in FOLDERS


def test_glossary_defines_the_shared_terms() -> None:
    terms = [term for term, *_ in read_tables(GLOSSARY)]
    assert sorted(set(TERMS) - set(terms)) == []
    assert len(terms) == len(set(terms)), "a term has one meaning"


def test_glossary_is_short_and_in_alphabetical_order() -> None:
    rows = list(read_tables(GLOSSARY))
    assert [row[0] for row in rows if len(re.findall(r"\.(?: |$)", row[1])) not in {1, 2}] == []
    sections = GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]
    for section in sections:
        terms = re.findall(r"^\| ([a-z][^|]*) \|", section, re.MULTILINE)[1:]
        assert [pair for pair in pairwise(terms) if pair[0] > pair[1]] == []


def test_glossary_refers_to_existing_code() -> None:
    valid_names = {*db.models.Base.metadata.tables, *SOURCES}
    unknown = []
    for term, _, location in read_tables(GLOSSARY):
        names = list_names(location)
        files = [ROOT / name for name in names if is_file_name(name) and (ROOT / name).is_file()]
        text = "".join(path.read_text(encoding="utf-8") for path in files)
        others = [name for name in names if not is_file_name(name) and name not in valid_names]
        unknown += [f"{term}: {name}" for name in others if not re.search(rf"\b{name.rpartition('.')[2]}\b", text)]
    assert unknown == []


def test_files_named_in_pages_exist() -> None:
    missing, n_named = [], 0
    for page in PAGES:
        names = [name for name in list_names(page.read_text(encoding="utf-8")) if is_file_name(name)]
        n_named += len(names)
        missing += [f"{page.name}: {name}" for name in names if not (ROOT / name).exists() and name not in CREATED]
    assert n_named > 100, "the search finds entries"
    assert [entry for entry in missing if not entry.startswith(HISTORY)] == []


def test_tests_named_in_recipes_exist() -> None:
    names = set(re.findall(r"\btest_\w+\b(?!\*)", (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")))
    tests = list((ROOT / "tests").rglob("test_*.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in tests)
    assert len(names) > 10, "the search finds entries"
    assert sorted(name for name in names - {path.stem for path in tests} if f"def {name}(" not in text) == []


def test_architecture_page_names_every_folder_and_table() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = [
        path.relative_to(ROOT).as_posix()
        for package in ("leaderboard", "submissions")
        for path in (ROOT / package).iterdir()
        if (path / "__init__.py").is_file()
    ]
    assert len(folders) > 15, "the search finds entries"
    assert [folder for folder in sorted(folders) if f"`{folder}/" not in page] == []
    assert [table for table in sorted(db.models.Base.metadata.tables) if f"`{table}`" not in page] == []


def test_links_between_pages_are_valid() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_sections_named_in_links_exist() -> None:
    broken = []
    for page in PAGES:
        for target, section in re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target and section not in list_anchors(page.parent / target if target else page):
                broken.append(f"{page.relative_to(ROOT)}: {target}#{section}")
    assert broken == []


def list_anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as Markdown hosts create them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_named_in_code_exist() -> None:
    names = set()
    for folder in ("evaluation", "db", "submissions", "leaderboard", "settings", "tests", "bench"):
        for path in (ROOT / folder).rglob("*.py"):
            names |= set(re.findall(r"\bdocs/[\w./-]+\.md\b", path.read_text(encoding="utf-8")))
    for path in (ROOT / "requirements.in", ROOT / "Makefile", ROOT / "Dockerfile"):
        names |= set(re.findall(r"\bdocs/[\w./-]+\.md\b", path.read_text(encoding="utf-8")))
    assert len(names) > 3, "the search finds entries"
    assert sorted(name for name in names if not (ROOT / name).is_file()) == []


def test_decision_records_have_every_section_and_are_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    records = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    assert 10 <= len(records) <= 16, "records are choices between real alternatives; explanations are pages"
    links = re.findall(r"\]\((\d{3}-[^)]+)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert links == [path.name for path in records]
    missing = []
    for path in records:
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^\*\*Date:\*\* \d{4}-\d{2}-\d{2}.*\*\*Status:\*\* \w+", text, re.MULTILINE):
            missing.append(f"{path.name}: date and status")
        sections = ("Context", "Decision", "Alternatives", "Consequences")
        missing += [f"{path.name}: {name}" for name in sections if not re.search(rf"^(## |\*\*){name}\b", text, re.M)]
    assert missing == []
