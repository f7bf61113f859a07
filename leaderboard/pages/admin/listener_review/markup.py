"""Markup of human listeners for maintainers. Pure: groups in, HTML out."""

from collections.abc import Sequence

from leaderboard.html_elements import Markup, element, percent, table
from submissions.listening_test.listener_groups import MIN_FOR_INTERVAL, Pooled
from submissions.listening_test.listening_tests import MAX_A_DAY, GroupView

_WORDS = (
    "Rounds of practice questions whose listeners agreed to be counted. The Listen tab shows a group once you publish "
    "it. Listeners are anonymous, so each round counts as one listener. Confidence intervals need "
    f"{MIN_FOR_INTERVAL} listeners; the limit is {MAX_A_DAY} rounds per benchmark and day."
)


def render_listeners(groups: Sequence[GroupView]) -> Markup:
    """Return the groups, shown or not."""
    headings = ["Benchmark", "Visible", "Rounds", "Answers", "Correct (%)", "95 % CI"]
    rows = (
        [
            f"{one.benchmark.title} {one.benchmark.version}",
            "to everyone" if one.is_shown else "to maintainers",
            f"{one.group.whole.n_listeners:,}",
            f"{one.group.whole.n:,}",
            percent(one.group.whole.value),
            _describe_interval(one.group.whole),
        ]
        for one in groups
    )
    words = element("p", _WORDS, class_="es-quiet es-reading")
    return element("div", words, table(headings, rows, numbers_from=2, caption="Listeners"), data_testid="listeners")


def _describe_interval(pooled: Pooled) -> str | None:
    return None if pooled.low is None else f"{percent(pooled.low)}–{percent(pooled.high)}"
