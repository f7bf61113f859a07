"""Status of a cited row."""

from datetime import UTC, datetime

import pytest

from db.admin_records import PastEvaluation
from leaderboard.pages.model.cited_rows import describe_citation
from tests.support.pages.model_views import SIGNATURE, STAR, make_score, make_view

OLD = "star-bench/1.0|key:before"
VIEW = make_view({STAR.headline.key: make_score(0.439)})
NEWER = PastEvaluation(7, SIGNATURE, datetime(2026, 3, 4, tzinfo=UTC), 0.439, 951, "key", "may")
OLDER = PastEvaluation(3, OLD, datetime(2026, 1, 1, tzinfo=UTC), 0.436, 951, None, None)


@pytest.mark.parametrize(
    ("signature", "text"),
    [
        ("", "This link cites the row marked below.<"),
        (SIGNATURE, "It has not changed since: Overall AA = 43.9."),
        ("made up", "never had the cited signature <code>made up</code>. Its signature is <code>star-bench"),
    ],
)
def test_describe_citation_states_the_status_of_the_row(signature: str, text: str) -> None:
    assert text in describe_citation(VIEW, (NEWER, OLDER), signature)


def test_describe_citation_of_an_earlier_scoring_names_both_signatures() -> None:
    assert describe_citation(VIEW, (NEWER, OLDER), OLD) == (
        '<p class="es-cited-note" role="status" data-testid="cited">This link cites Overall AA = 43.6, scored as '
        f"<code>{OLD}</code>. The row was re-scored on 4 March 2026 as <code>{SIGNATURE}</code> and is now 43.9.</p>"
    )


def test_describe_citation_of_a_row_of_a_part_names_the_score_of_that_part() -> None:
    part = make_view({"spatial|aa": make_score(0.454)}, setting="channel-wise")
    text = describe_citation(part, (NEWER, OLDER), OLD)
    assert "This link cites Spatial = 43.6, scored as" in text
    assert "is now 45.4." in text


def test_describe_citation_omits_an_earlier_score_that_the_viewer_may_not_see() -> None:
    hidden = PastEvaluation(3, OLD, OLDER.finished_at, None, 7, None, None)
    assert "Overall AA = –, scored as" in describe_citation(VIEW, (NEWER, hidden), OLD)


def test_describe_citation_of_a_hidden_row_states_that_it_is_not_available() -> None:
    assert "is not available" in describe_citation(None, (), OLD)


def test_describe_citation_of_a_reported_row_states_that_it_has_no_signature() -> None:
    text = describe_citation(make_view(scoring={"signature": None}), (), "made up")
    assert "It has none: its scores are reported." in text


def test_describe_citation_escapes_an_untrusted_signature() -> None:
    assert "<script" not in describe_citation(VIEW, (NEWER,), "<script>x</script>")
