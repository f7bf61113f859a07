"""Options of all boards: page, scripts and documentation agree on sources and export formats."""

import re
from pathlib import Path

import settings
from leaderboard.boards.board_options import describe_board_options
from leaderboard.exports import FORMATS
from leaderboard.pages.about.sections import render_sources
from submissions.ranking.row_sources import BASELINE_SOURCES, EVALUATED_SOURCES, RANKED_SOURCES, ROW_SOURCES, SOURCES

ROOT = Path(settings.__file__).parent.parent


def read_section(title: str) -> list[list[str]]:
    """Return the rows of the first table below a heading of docs/api.md."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").split(f"\n## {title}\n")[1]
    lines = re.findall(r"^\| (`.*) \|$", text.split("\n## ")[0], re.MULTILINE)
    return [line.split(" | ") for line in lines]


def test_sources_of_rows_are_in_one_group_each() -> None:
    assert RANKED_SOURCES == ("verified", "submitted", "reported")
    assert EVALUATED_SOURCES == ("verified", "submitted")
    assert BASELINE_SOURCES == ("human", "random")
    assert (*RANKED_SOURCES, *BASELINE_SOURCES) == SOURCES
    assert [name for name, source in ROW_SOURCES.items() if not source.is_ranked] == ["human", "random", "reference"]


def test_page_sends_its_scripts_the_sources_of_the_table() -> None:
    sent = {one["id"]: (one["label"], one["description"]) for one in describe_board_options()["sources"]}
    assert sent == {one.id: (one.label, one.description) for one in ROW_SOURCES.values()}
    shown = render_sources()
    assert all(f"<td>{label}</td><td>{text}</td>" in shown for label, text in sent.values())


def test_docs_list_the_sources_of_the_table() -> None:
    assert read_section("Sources") == [[f"`{one.id}`", one.label, one.description] for one in ROW_SOURCES.values()]
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    (meaning,) = re.findall(r"^\| source \|([^|]*)\|", glossary, re.MULTILINE)
    assert re.findall(r"`(\w+)`", meaning) == [*SOURCES]


def test_page_sends_its_scripts_the_formats_of_the_table() -> None:
    sent = {one["id"]: one for one in describe_board_options()["formats"]}
    assert [*sent] == ["csv", "json", "latex", "bibtex", "hub", "model-index", "eee"]
    assert sorted(sent) == sorted(FORMATS)
    for name, kind in FORMATS.items():
        told = sent[name]
        assert (told["label"], told["description"]) == (kind.label, kind.description)
        assert (told["extension"], told["media_type"]) == (kind.extension, kind.media_type)
    assert [name for name, kind in FORMATS.items() if kind.is_table] == ["csv", "latex", "json"]
    assert len({kind.extension for kind in FORMATS.values()}) == len(FORMATS)


def test_docs_list_the_formats_of_the_table() -> None:
    rows = read_section("Exports")
    formats = describe_board_options()["formats"]
    assert [row[:2] for row in rows] == [[f"`{one['id']}`", one["label"]] for one in formats]
    guide = (ROOT / "docs" / "how-to-submit.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in guide] == []


def test_badge_of_every_source_has_a_mark() -> None:
    styles = (ROOT / "assets" / "theme.css").read_text(encoding="utf-8")
    lacking = [name for name in ROW_SOURCES if f".es-badge-{name}::before" not in styles]
    assert lacking == []
