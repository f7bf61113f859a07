"""LaTeX export: valid for any model name; its marks follow the board's ranks."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmarks import get_benchmark
from leaderboard.exports.latex import write_latex
from leaderboard.exports.tex import escape_tex
from leaderboard.exports.view import ExportView
from tests.support.pages.export_views import HOSTILE, OVERALL, SCT, YES_BIAS, make_row, make_view

_NAMED = "textbackslash|textbraceleft|textbraceright|textasciicircum|textasciitilde|textless|textgreater|textbar"
_SAFE = re.compile(rf"\\(?:{_NAMED})\{{\}}|\\[$&#%_]|\{{[\[\]*]\}}")


def lines_of(view: ExportView) -> list[str]:
    return write_latex(view).decode().split("\n")


def cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)&", line.removesuffix("\\\\"))]


def body_of(view: ExportView) -> list[list[str]]:
    """Return the cells of every table line; a cell that spans several columns is repeated."""
    lines = [line for line in lines_of(view) if line.endswith("\\\\")]
    return [[cell for entry in cells_of(line) for cell in _spread(entry)] for line in lines]


def _spread(cell: str) -> Sequence[str]:
    spans = re.match(r"\\multicolumn\{(\d+)\}", cell)
    return [cell] * int(spans.group(1)) if spans else [cell]


def scores_of(view: ExportView) -> dict[str, str]:
    return {cells[0]: cells[1] for cells in body_of(view)[1:]}


@given(st.text())
def test_escape_tex_escapes_special_characters_and_balances_braces(text: str) -> None:
    escaped = escape_tex(text)
    assert not set(_SAFE.sub("", escaped)) & set('\\{}$&#%_^~<>|"[]*')
    assert escaped.count("{") == escaped.count("}")
    assert escaped.isprintable()


@given(st.text(max_size=60))
def test_latex_of_any_name_keeps_cells_and_balanced_braces(name: str) -> None:
    view = make_view([make_row(name, 0.5), make_row("other", 0.4, rank=2, source="reported", note=name)])
    text = write_latex(view).decode()
    assert {len(cells) for cells in body_of(view)} == {3}
    code = "\n".join(line for line in text.split("\n") if not line.startswith("%"))
    assert code.count("{") == code.count("}")
    assert len(code.split("\n")) == 16
    assert _SAFE.sub("", body_of(view)[1][0]).isprintable()


def test_latex_prints_a_hostile_name_literally(subtests: pytest.Subtests) -> None:
    for name in HOSTILE:
        with subtests.test(name=name):
            (line,) = (line for line in lines_of(make_view([make_row(name)])) if line.endswith("50.0 & -- \\\\"))
            assert _SAFE.sub("", cells_of(line)[0]) == re.sub(
                r'[\\{}$&#%_^~<>|"\[\]*]', "", " ".join(_printable(name).split())
            )


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def test_latex_marks_the_best_bold_the_second_underlined_and_ties_alike() -> None:
    rows = [make_row("a", 0.5, rank=1), make_row("b", 0.5, rank=1), make_row("c", 0.4, rank=3)]
    assert scores_of(make_view(rows)) == {"a": "\\textbf{50.0}", "b": "\\textbf{50.0}", "c": "40.0"}
    rows = [make_row("a", 0.5, rank=4), make_row("b", 0.45, rank=7), make_row("c", 0.4, rank=9)]
    assert scores_of(make_view(rows)) == {"a": "\\textbf{50.0}", "b": "\\underline{45.0}", "c": "40.0"}


def test_latex_marks_follow_ranks_and_not_values() -> None:
    rows = [make_row("a", 0.2, rank=1), make_row("b", 0.6, rank=2)]
    assert scores_of(make_view(rows)) == {"a": "\\textbf{20.0}", "b": "\\underline{60.0}"}


def test_latex_does_not_mark_a_single_row_or_unranked_scores() -> None:
    assert scores_of(make_view([make_row("a")])) == {"a": "50.0"}
    rows = [make_row(name, 0.5, rank=None, more={YES_BIAS.key: 0.1}) for name in ("a", "b")]
    assert "\\textbf" not in write_latex(make_view(rows, [OVERALL, YES_BIAS])).decode()


def test_latex_separates_human_and_random_baselines_and_never_marks_them() -> None:
    rows = [
        make_row("dice", 0.25, source="random", rank=None),
        make_row("a", 0.5, rank=1),
        make_row("people", 0.9, source="human", rank=None),
        make_row("b", 0.4, rank=2),
    ]
    lines = lines_of(make_view(rows))
    rules = [at for at, line in enumerate(lines) if line == "\\midrule"]
    assert len(rules) == 2
    assert [cells_of(line)[0] for line in lines[rules[0] + 1 : rules[1]]] == ["dice", "people"]
    assert scores_of(make_view(rows))["people"] == "90.0"


def test_latex_reported_row_states_its_source() -> None:
    text = write_latex(make_view([make_row("a", 0.4266, source="reported", std=0.0012, note="Table 3.")])).decode()
    (comment,) = (line for line in text.splitlines() if line.startswith("% a: "))
    assert "A paper, 2026, https://paper.example/1, Table 2, Table 3, row “A-model”; " in comment
    assert "Overall reported, not scored here: Lee et al., 2026, Table 3" in comment
    assert "a$^{\\dagger}$ & 42.66\\std{0.12} & -- \\\\" in text
    assert "As reported by Lee et al., 2026; not scored by Earshot." in text
    assert "standard deviation" in text


def test_latex_human_baseline_states_its_source_and_notes() -> None:
    details: dict[str, Any] = {"signature": None, "note": "Table 2.", "notes": ("Ten students.",)}
    human = make_row("Human", 0.9, source="human", rank=None, **details)
    text = write_latex(make_view([human, make_row("a")])).decode()
    assert "% Human: Overall human, not scored here: Table 2; Ten students.\n" in text
    assert not [line for line in text.split("\n") if line.startswith("%") and line.rstrip().endswith(":")]


def test_latex_column_groups_get_rules_under_their_names() -> None:
    benchmark = get_benchmark("audio-process-bench")
    columns = tuple(column for column in benchmark.columns if column.shown)
    view = replace(make_view([make_row()]), benchmark=benchmark, columns=columns)
    assert {len(cells) for cells in body_of(view)} == {1 + len(columns)}
    assert "\\cmidrule(lr){7-8} \\cmidrule(lr){9-10} \\cmidrule(lr){11-16}" in lines_of(view)


def test_latex_caption_names_revision_date_setting_and_signature() -> None:
    (caption,) = (line for line in lines_of(make_view([make_row()], [SCT])) if line.startswith("\\caption"))
    for text in ("AudioMotionBench 1.0", "setting default", "revision 8 of 2026-11-21", "key:1b"):
        assert text in caption
