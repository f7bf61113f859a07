"""Citation of a row: a sentence with its score, a stable address, and BibTeX with balanced braces."""

import csv
import io
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.exports.bibtex import write_bibtex
from leaderboard.exports.board_csv import write_csv
from leaderboard.exports.citation import make_citation
from tests.support.pages.export_views import HOSTILE, SIGNATURE, make_row, make_view


def cite(name: str = "A model", value: float | None = 0.42657, **more: Any) -> dict[str, Any]:
    return make_citation(make_view([make_row(name, value, **more)]))


def test_citation_contains_score_interval_rank_and_revision() -> None:
    citation = cite(interval=(0.4, 0.45), rank=3)
    assert citation["text"] == (
        "A model on AudioMotionBench 1.0, setting default: Overall 42.7 % (95 % CI 40.0 to 45.0), rank 3, "
        "submitted. Earshot leaderboard, revision 8 of 2026-11-21."
    )
    assert citation["signature"] == SIGNATURE
    assert "rank 3 (95 % CI 2 to 4)" in cite(rank=3, rank_low=2, rank_high=4)["text"]


def test_citation_of_a_reported_row_names_the_table_and_no_signature() -> None:
    citation = cite(source="reported", note="Table 3.")
    assert "reported, not scored here: Lee et al., 2026, Table 3." in citation["text"]
    assert citation["text"].endswith(
        "Reported in Ann Lee, Bo Li, Cy Ng: A paper, 2026, https://paper.example/1, Table 2, Table 3, row “A-model”."
    )
    assert citation["bibtex"].count("\n@misc{") == 1
    assert "url = {https://arxiv.org/abs/2511.13273}" in citation["bibtex"]
    assert citation["signature"] is None
    assert "signature=" not in citation["url"]
    assert citation["hub_yaml"] is not None


def test_citation_of_a_human_baseline_has_no_hub_files() -> None:
    citation = cite(source="human", rank=None)
    assert citation["hub_yaml"] is None
    assert citation["model_index"] is None


def test_csv_keeps_the_precision_of_a_publication_date() -> None:
    rows = [make_row("a", source="reported", date=None, printed_on="2026"), make_row("b")]
    reported, submitted = csv.DictReader(io.StringIO(write_csv(make_view(rows)).decode()))
    assert (reported["date"], reported["printed_on"]) == ("", "2026")
    assert (submitted["date"], submitted["printed_on"]) == ("2026-11-21T20:04:36+00:00", "")


def test_citation_url_is_permanent() -> None:
    expected = "https://earshot.example/?tab=model&model=m-0123456789abcdef&row=s-27&signature="
    assert cite(submission="s-27")["url"] == expected + SIGNATURE.replace("|", "%7C")


@given(st.text(max_size=40))
def test_citation_of_any_name_has_valid_bibtex(name: str) -> None:
    entry, _, paper = cite(name, source="reported", note=name)["bibtex"].partition("\n\n")
    assert entry.count("{") == entry.count("}")
    assert paper.startswith("@misc{audiomotionbench,")
    assert entry.count("@misc{") == 1
    assert [line.split(" = ")[0].strip() for line in entry.splitlines()[1:-1]] == [
        *("title", "author", "year", "month", "url", "urldate", "note")
    ]


def test_bibtex_of_a_view_cites_paper_and_leaderboard() -> None:
    text = write_bibtex(make_view([make_row()])).decode()
    assert text.startswith("@misc{audiomotionbench,")
    assert "@misc{earshot-audio-motion-bench-1-0-default-r8," in text
    assert "month = nov" in text
    assert "urldate = {2026-11-21}" in text
    assert "Revision 8" in text


def test_bibtex_keys_of_two_views_of_a_board_differ() -> None:
    view = make_view([make_row()])
    narrowed = [replace(view, narrowed=(f"search {word}",), link=f"{view.link}&q={word}") for word in ("a", "b")]
    keys = [re.findall(r"@misc{(earshot[^,]+),", write_bibtex(board_view).decode()) for board_view in (view, *narrowed)]
    assert len({key for (key,) in keys}) == 3


def test_citation_of_a_row_without_scores_has_no_hub_files() -> None:
    citation = make_citation(make_view([make_row(value=None)]))
    assert citation["hub_yaml"] is None
    assert citation["model_index"] is None


def test_bibtex_of_a_board_without_revision_has_no_date() -> None:
    text = write_bibtex(replace(make_view([]), revision=0, made_at=None)).decode()
    assert "urldate" not in text
    assert "None" not in text


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.startswith("=")])
def test_csv_escapes_a_formula_in_a_name(name: str) -> None:
    assert f"'{name}".encode() in write_csv(make_view([make_row(name)]))
