"""Representative score of a row, and the order of partial rows among complete ones."""

from db.records import BoardRow, StandingRecord
from evaluation import get_benchmark
from submissions.ranking.best_rows import find_lead_on, order_by_leads
from tests.support.pages.model_views import make_view

STAR = get_benchmark("star-bench")
OVERALL, PERCEPTION, SPATIAL = "overall|aa", "perception|aa", "spatial|aa"


def make_row(submission_id: str, **values: float | None) -> BoardRow:
    row = make_view(id=submission_id).row
    scores = {f"{name}|aa": value for name, value in values.items()}
    standings = {key: StandingRecord(submission_id, 7, key.split("|")[0], "aa", value) for key, value in scores.items()}
    return BoardRow(row.submission, row.model, row.evaluation, standings)


def test_row_is_represented_by_the_opening_score_of_its_board_or_of_its_first_part() -> None:
    both = make_row("s-1", temporal=0.3, spatial=0.4)
    assert find_lead_on(STAR, "default", both).key == "temporal|aa"
    assert find_lead_on(STAR, "channel-wise", both).key == SPATIAL
    assert find_lead_on(STAR, "default", make_row("s-2", overall=0.5, perception=0.9)).key == OVERALL
    assert find_lead_on(STAR, "default", make_row("s-3", perception=None)).key == OVERALL, "it has no score"


def test_rows_without_the_headline_follow_by_part_with_the_best_first() -> None:
    rows = [
        make_row("whole-best", overall=0.5, perception=0.1),
        make_row("whole-next", overall=0.4, perception=0.9),
        make_row("nothing"),
        make_row("spatial", spatial=0.99),
        make_row("perception-next", perception=0.3),
        make_row("perception-best", perception=0.4),
    ]
    ordered = [row.submission.id for row in order_by_leads(STAR, "default", rows)]
    assert ordered == ["whole-best", "whole-next", "perception-best", "perception-next", "spatial", "nothing"]


def test_rows_that_a_board_has_sorted_keep_their_order() -> None:
    rows = [
        make_row(name, spatial=value, perception=other) for name, value, other in (("b", 0.4, 0.1), ("a", 0.4, 0.9))
    ]
    assert order_by_leads(STAR, "channel-wise", rows) == rows


def test_row_with_only_undefined_scores_comes_last() -> None:
    rows = [make_row("undefined", overall=None), make_row("part", spatial=0.2)]
    assert [row.submission.id for row in order_by_leads(STAR, "default", rows)] == ["part", "undefined"]
