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


def test_each_row_source_belongs_to_one_group() -> None:
    assert RANKED_SOURCES == ("verified", "submitted", "reported")
    assert EVALUATED_SOURCES == ("verified", "submitted")
    assert BASELINE_SOURCES == ("human", "random")
    assert (*RANKED_SOURCES, *BASELINE_SOURCES) == SOURCES
    assert [name for name, source in ROW_SOURCES.items() if not source.is_ranked] == ["human", "random", "reference"]


def test_page_options_contain_every_row_source() -> None:
    sources = {source["id"]: (source["label"], source["description"]) for source in describe_board_options()["sources"]}
    assert sources == {source.id: (source.label, source.description) for source in ROW_SOURCES.values()}
    html = render_sources()
    assert all(f"<td>{label}</td><td>{text}</td>" in html for label, text in sources.values())


def test_docs_list_every_row_source() -> None:
    assert read_section("Sources") == [
        [f"`{source.id}`", source.label, source.description] for source in ROW_SOURCES.values()
    ]
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    (meaning,) = re.findall(r"^\| source \|([^|]*)\|", glossary, re.MULTILINE)
    assert re.findall(r"`(\w+)`", meaning) == [*SOURCES]


def test_page_options_contain_every_export_format() -> None:
    options = {option["id"]: option for option in describe_board_options()["formats"]}
    assert [*options] == ["csv", "json", "latex", "bibtex", "hub", "model-index", "eee"]
    assert sorted(options) == sorted(FORMATS)
    for name, export_format in FORMATS.items():
        option = options[name]
        assert (option["label"], option["description"]) == (export_format.label, export_format.description)
        assert (option["extension"], option["media_type"]) == (export_format.extension, export_format.media_type)
    assert [name for name, export_format in FORMATS.items() if export_format.is_table] == ["csv", "latex", "json"]
    assert len({export_format.extension for export_format in FORMATS.values()}) == len(FORMATS)


def test_docs_list_every_export_format() -> None:
    rows = read_section("Exports")
    formats = describe_board_options()["formats"]
    assert [row[:2] for row in rows] == [
        [f"`{export_format['id']}`", export_format["label"]] for export_format in formats
    ]
    guide = (ROOT / "docs" / "how-to-submit.md").read_text(encoding="utf-8")
    assert [name for name in FORMATS if f"`{name}`" not in guide] == []


def test_every_source_badge_has_a_mark() -> None:
    styles = (ROOT / "assets" / "theme.css").read_text(encoding="utf-8")
    missing = [name for name in ROW_SOURCES if f".es-badge-{name}::before" not in styles]
    assert missing == []
