"""Current user of an event, and messages of refused events."""

import logging

import gradio as gr
from starlette.requests import Request

from db.errors import UnconfirmedError
from db.records import UserRecord
from evaluation.errors import EvaluationError
from evaluation.incidents import log_incident
from evaluation.predictions import PredictionFileError
from leaderboard.api.auth import find_user, name_session_cookie
from leaderboard.http.client_turns import name_client
from leaderboard.http.problem_details import DISK_FULL, explain_outage, is_disk_full
from leaderboard.pages.shared.notes import render_reload
from leaderboard.pages.submit.markup import render_problems, render_refusal
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services
from submissions.errors import BadRequestError, NotSignedInError, SubmissionError
from submissions.intake.artifacts import TooLargeError

_LOG = logging.getLogger(__name__)
KNOWN_ERRORS = (SubmissionError, EvaluationError, TooLargeError, UnconfirmedError)
# Field of an error → its label in the form.
_LABELS = {
    "model.name": "Model",
    "model.organisation": "Organisation",
    "model.kind": "Kind",
    "model.size_billions": "Size",
    "model.url": "Link",
    "model.hub.id": "Hugging Face model ID",
    "setting": "Setting",
    "parts": "Parts to evaluate",
    "base_url": "Base URL",
    "model_name": "Model ID sent to the API",
    "api_key": "API key",
    "concurrency": "Parallel requests",
    "audio_form": "Audio format in the request",
}


def find_current_user(request: gr.Request | Request, services: Services) -> UserRecord | None:
    """Return the sender of an event or a file, or None for an anonymous visitor. Nothing else identifies them."""
    try:
        cookie_name = name_session_cookie(services.settings)
        return find_user(request.cookies, request.headers, services.accounts, cookie_name)
    except NotSignedInError:
        return None


def get_current_user(request: gr.Request, services: Services) -> UserRecord:
    """Return the signed-in sender of an event.

    Raises:
        NotSignedInError: Nobody is signed in.
    """
    user = find_current_user(request, services)
    if user is None:
        raise NotSignedInError("Sign in first. Checking a file needs no account; submitting one does.")
    return user


def find_client(request: gr.Request | Request) -> str:
    """Return the name of the client that sends an event or a file, for limits per client."""
    client = request.client
    return name_client(client.host if client is not None else None)


def explain(error: Exception) -> Markup:
    """Return the message for an error: its own text if it is meant for users, otherwise an incident id."""
    if isinstance(error, PredictionFileError):
        return render_problems(error.problems, error.total)
    if isinstance(error, KNOWN_ERRORS):
        return render_refusal(str(error))
    if is_disk_full(error):
        _LOG.error("an event of the page failed: %s", error)
        return render_refusal(DISK_FULL)
    outage = explain_outage(error)
    if outage is not None:
        _LOG.error("an event of the page failed: %s", getattr(error, "orig", error))
        return render_refusal(outage)
    incident = log_incident("an event of the page failed", error)
    return render_refusal(f"Something went wrong on our side. Try again, or report reference {incident}.")


def explain_or_reload(error: Exception) -> Markup:
    """Return the same for outputs without user input to retry with: our failures get a retry button."""
    if isinstance(error, KNOWN_ERRORS):
        return explain(error)
    return render_reload(explain(error))


def explain_field(error: Exception) -> Markup:
    """Return the message for an error, preceded by its field."""
    label = _LABELS.get(error.field) if isinstance(error, BadRequestError) else None
    return explain(error) if label is None else render_refusal(f"{label}: {error}")
