"""Markup of a Hub repository: revision, licence, and the pull request with the result."""

from db.hub_records import HubModel
from leaderboard.rendering.templating import Markup, render_macro

_TEMPLATE = "pages/shared/hub.html"
_REVISION_CHARACTERS = 7


def render_hub_model(hub: HubModel | None, pull_request: str | None) -> Markup:
    """Return the repository of a submission; empty if it names none and no pull request was opened."""
    if hub is None and pull_request is None:
        return Markup("")
    return render_macro(_TEMPLATE, "hub_model", hub, _describe_facts(hub) if hub else "", pull_request)


def render_proposal(submission_id: str, hub: HubModel | None) -> Markup:
    """Return the command that proposes a result to the model card, for the submitter to run with their own token."""
    return render_macro(_TEMPLATE, "proposal", submission_id, hub.repo_id if hub else "org/model-name")


def describe_hub_model(hub: HubModel) -> str:
    """Return a repository's metadata as plain text."""
    return hub.repo_id + _describe_facts(hub)


def _describe_facts(hub: HubModel) -> str:
    facts = (
        ("revision", hub.revision[:_REVISION_CHARACTERS] if hub.revision else None),
        ("licence", hub.licence),
        ("base model", " and ".join(hub.base_models) or None),
        ("access", hub.access),
        ("task", hub.pipeline_tag),
        ("created", hub.created_on),
    )
    return "".join(f", {name} {value}" for name, value in facts if value)
