"""Status of a row that a link cites: unchanged, re-scored since, or never scored like this. Pure."""

from collections.abc import Sequence

from db.admin_records import PastEvaluation
from evaluation.benchmarks import Column
from leaderboard.html_elements import Markup, element, percent
from submissions.model_registry.model_pages import ModelRowView

_GONE = (
    "The cited row is not available: it was withdrawn or hidden, is private, or belongs to another model. "
    "The current results of this model are below."
)
_MAX_CHARACTERS = 400


def describe_citation(view: ModelRowView | None, past: Sequence[PastEvaluation], signature: str) -> Markup:
    """Return what to say above a page that a citation leads to.

    Args:
        view: The cited row; None where the viewer sees none.
        past: The scorings that are or were the row's, as the viewer may see them, the newest first.
        signature: The one in the citation; empty where it names none.
    """
    if view is None:
        return _say(_GONE, is_warning=True)
    now = view.row.evaluation.signature
    if not signature or signature == now:
        stands = f" It has not changed since: {view.lead.title} = {_write(view, view.lead)}." if signature else ""
        return _say(f"This link cites the row marked below.{stands}")
    cited = next((one for one in past if one.signature == signature), None)
    if cited is None:
        words = "The row marked below never had the cited signature ", _code(signature), "."
        today = (" It has none: its scores are reported.",) if now is None else (" Its signature is ", _code(now), ".")
        return _say(*words, *today, is_warning=True)
    current = next((one for one in past if one.id == view.row.evaluation.id), None)
    on = f" on {current.finished_at.day} {current.finished_at:%B %Y}" if current is not None else ""
    value = _write(view, view.lead)
    was = f"This link cites {view.lead.title} = {percent(cited.value)}, scored as "
    return _say(was, _code(signature), f". The row was re-scored{on} as ", _code(now), f" and is now {value}.")


def _write(view: ModelRowView, column: Column) -> str:
    figure = view.figures.get(column.key)
    return percent(None if figure is None else figure.value)


def _code(signature: str | None) -> Markup:
    return element("code", "none" if signature is None else signature[:_MAX_CHARACTERS])


def _say(*words: object, is_warning: bool = False) -> Markup:
    kind = "es-cited-note es-warning" if is_warning else "es-cited-note"
    return element("p", *words, class_=kind, role="status", data_testid="cited")
