"""Error types as text: shares by part, with intervals and definitions."""

import re
from dataclasses import replace

from evaluation.benchmarks import get_benchmark
from leaderboard.pages.model.markup import render_model
from leaderboard.pages.shared.error_type_markup import render_error_types
from tests.support.pages.model_views import make_model, make_score, make_view
from tests.support.pages.records import NOW

STAR = get_benchmark("star-bench")
NOTE = "100 of 312 wrong answers, sorted by judge-1."
SHARES = {
    "temporal|perception_error_share": make_score(0.84, 0.7558, 0.8991),
    "temporal|cannot_tell_error_share": make_score(0.16, 0.1009, 0.2442),
    "temporal|reasoning_error_share": make_score(0.0, 0.0, 0.037),
    "spatial|hallucination_error_share": make_score(1.0),
}


def strip(markup: str) -> str:
    return re.sub("<[^>]*>", "", markup)


def test_error_types_are_grouped_by_part_with_intervals() -> None:
    first, second = render_error_types(STAR, SHARES, {"temporal|perception_error_share": NOTE})
    assert strip(first) == (
        "Error types, Temporal: perception 84.0 % (75.6–89.9), cannot tell 16.0 % (10.1–24.4). "
        "100 of 312 wrong answers, sorted by judge-1."
    )
    assert strip(second) == "Error types, Spatial: hallucination 100.0 %. "
    assert "The model misheard or missed something" in first, "each type has its definition"
    assert render_error_types(STAR, {"temporal|aa": make_score(0.5)}, {}) == []


def test_model_tab_lists_error_types_once() -> None:
    view = make_view({STAR.headline.key: make_score(0.4), **SHARES}, benchmark=STAR)
    notes = {"temporal|perception_error_share": NOTE, "temporal|cannot_tell_error_share": NOTE}
    page = render_model(make_model(replace(view, row=replace(view.row, score_notes=notes))), NOW)
    assert strip(page).count("Error types, Temporal: perception 84.0 %") == 1
    assert strip(page).count(NOTE) == 1
