"""Status of a cited row: unchanged, re-scored since, or never scored like this. Pure."""

from collections.abc import Sequence

from db.admin_records import PastEvaluation
from leaderboard.rendering.formatting import write_percent
from leaderboard.rendering.templating import Markup, render_macro
from submissions.model_registry.model_pages import ModelRowView

_NOTES = "pages/model/notes.html"
_MAX_CHARACTERS = 400


def describe_citation(view: ModelRowView | None, past: Sequence[PastEvaluation], signature: str) -> Markup:
    """Return the message above a page opened by a citation.

    Args:
        view: The cited row; None if the viewer may not see it.
        past: Current and past evaluations of the row that the viewer may see, newest first.
        signature: Signature in the citation; empty if it has none.
    """
    if view is None:
        return render_macro(_NOTES, "cited_gone")
    now, score = view.row.evaluation.signature, view.scores.get(view.lead.key)
    title, value = view.lead.title, write_percent(None if score is None else score.value)
    if not signature or signature == now:
        return render_macro(_NOTES, "cited_unchanged", title if signature else "", value)
    cited = next((one for one in past if one.signature == signature), None)
    if cited is None:
        return render_macro(_NOTES, "cited_unknown", _shorten(signature), None if now is None else _shorten(now))
    current = next((one for one in past if one.id == view.row.evaluation.id), None)
    day = f"{current.finished_at.day} {current.finished_at:%B %Y}" if current is not None else ""
    known = "none" if now is None else _shorten(now)
    return render_macro(
        _NOTES, "cited_rescored", title, write_percent(cited.value), _shorten(signature), day, known, value
    )


def _shorten(signature: str) -> str:
    return signature[:_MAX_CHARACTERS]
