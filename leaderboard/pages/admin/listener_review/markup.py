"""What maintainers read of people who listened. Pure: groups in, HTML out."""

from collections.abc import Sequence

from leaderboard.html_elements import Markup, element, percent, table
from submissions.listening_test.listener_groups import MIN_FOR_INTERVAL, Pooled
from submissions.listening_test.listening_tests import MAX_A_DAY, GroupView

_WORDS = (
    "Rounds of practice questions whose listeners let their counts be kept. A group is shown on the Listen tab once "
    f"you show it. Nobody is known twice, so each round counts as a listener. Intervals need "
    f"{MIN_FOR_INTERVAL} of them; {MAX_A_DAY} rounds a benchmark are taken a day."
)


def render_listeners(groups: Sequence[GroupView]) -> Markup:
    """Return the groups, shown or not."""
    headings = ["benchmark", "shown", "rounds", "answers", "right %", "95 % interval"]
    rows = (
        [
            f"{one.benchmark.title} {one.benchmark.version}",
            "to everybody" if one.is_shown else "to maintainers",
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
