"""A model's repository on the Hub, on the page: its revision, its licence, the pull request with the result."""

from db.hub_records import HubModel
from leaderboard.html_elements import Markup, element

_REVISION_CHARACTERS = 7


def render_hub_model(hub: HubModel | None, pull_request: str | None) -> Markup:
    """Return the repository that a submission names; nothing where it names none and no pull request was opened."""
    if hub is None and pull_request is None:
        return Markup("")
    parts: list[object] = []
    if hub is not None:
        parts += ["Hub model ", element("b", hub.repo_id), *_list_facts(hub), ". "]
    if pull_request is not None:
        link = element("a", "Result proposed to the model card", href=pull_request, target="_blank", rel="noopener ugc")
        parts += [link, "."]
    return element("p", *parts, class_="es-strengths", data_testid="hub-model")


def render_proposal(submission_id: str, hub: HubModel | None) -> Markup:
    """Return the command that proposes a result to the model card, for the submitter to run with their own token."""
    repo = hub.repo_id if hub else "org/model-name"
    command = f"HF_TOKEN=… python -m submissions propose --submission {submission_id} --repo {repo}"
    words = element("summary", "Propose this result to the model card")
    hint = element(
        "p",
        "Run this command with your own Hub token. It shows the pull request and asks before opening it. "
        "Away from the server's machine, add --url with the address of this page.",
    )
    return element("details", words, hint, element("pre", element("code", command)), data_testid="propose")


def describe_hub_model(hub: HubModel) -> str:
    """Return a repository with what is known of it, as plain text."""
    return hub.repo_id + "".join(str(fact) for fact in _list_facts(hub))


def _list_facts(hub: HubModel) -> list[str]:
    facts = (
        ("revision", hub.revision[:_REVISION_CHARACTERS] if hub.revision else None),
        ("licence", hub.licence),
        ("base model", " and ".join(hub.base_models) or None),
        ("access", hub.access),
        ("task", hub.pipeline_tag),
        ("created", hub.created_on),
    )
    return [f", {name} {value}" for name, value in facts if value]
