"""Markup of listener groups for maintainers. Pure."""

from collections.abc import Sequence

from leaderboard.rendering.templating import Markup, render_template
from submissions.listening_test.listener_groups import MIN_FOR_INTERVAL
from submissions.listening_test.listening_tests import MAX_A_DAY, GroupView


def render_listeners(groups: Sequence[GroupView]) -> Markup:
    """Return the groups, public or not."""
    return render_template(
        "pages/admin/listener_review/listeners.html",
        groups=groups,
        min_listeners=MIN_FOR_INTERVAL,
        max_rounds=MAX_A_DAY,
    )
