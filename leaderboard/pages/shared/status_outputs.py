"""Outputs shared by several tabs."""

from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import UserRecord
from leaderboard.pages.admin.layout import ApprovalPart
from leaderboard.pages.shared.notes import render_done
from leaderboard.pages.submit.endpoint_form.markup import list_awaiting_choices, render_awaiting
from leaderboard.pages.submit.markup import render_status
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services

_MAX_AWAITING = 100


def say(words: str) -> Markup:
    """Return the result of an action."""
    return render_done(words) if words else Markup("")


def say_unchanged() -> Markup:
    """Return the message if the reason is None: the user cancelled the confirmation."""
    return say("Nothing was changed.")


def show_status(services: Services, submission_id: str, viewer: UserRecord) -> Markup:
    """Return the status of a submission.

    Raises:
        NotFoundError: It does not exist, or the viewer may not see it.
    """
    return render_status(services.submissions.status(submission_id, viewer), datetime.now(UTC))


def show_awaiting(
    services: Services, part: ApprovalPart, user: UserRecord, *, keeps_choice: bool = True
) -> dict[Any, Any]:
    """Return endpoints that await approval, for maintainers.

    Raises:
        NotAllowedError: The user is not a maintainer.
    """
    found = services.endpoints.list_awaiting(user, _MAX_AWAITING)
    choice = {} if keeps_choice else {"value": None}
    return {
        part.listed: render_awaiting(found, datetime.now(UTC)),
        part.chosen: gr.Dropdown(choices=list_awaiting_choices(found), **choice),
    }
