"""Markup next to the model's name. Pure: records in, HTML out."""

from collections.abc import Iterable

from db.repositories.catalogue import fold_name
from leaderboard.assets import import_script
from leaderboard.html_elements import Markup, element
from submissions.model_registry.directory import ModelSummary

NAMING_SCRIPT = f"{import_script('model-names.js')}.then((names) => names.watchSuggestions(element));"


def render_naming(typed: str, known: ModelSummary | None, suggested: Iterable[ModelSummary]) -> Markup:
    """Return what a name that is being typed is shown as, and the known models that it may mean.

    Args:
        typed: The name so far.
        known: The model of this name.
        suggested: Models that it may mean.
    """
    others = [one for one in suggested if known is None or one.public_id != known.public_id]
    return Markup("".join((_recognised(typed, known), _choices(others))))


def _recognised(typed: str, known: ModelSummary | None) -> Markup:
    if known is None:
        return Markup("")
    if fold_name(known.name) == fold_name(typed):
        rows = {0: "has no public results yet", 1: "has 1 public result"}.get(
            known.n_rows, f"has {known.n_rows:,} public results"
        )
        words = f"{known.name} {rows}."
    else:
        words = f"{typed} will be shown as {known.name} (same model)."
    return element("p", words, class_="es-quiet", role="status", data_testid="model-known")


def _choices(others: Iterable[ModelSummary]) -> Markup:
    buttons = [
        element("button", one.name, class_="es-button", type="button", data_model_name=one.name) for one in others
    ]
    if not buttons:
        return Markup("")
    words = element("span", "Known models: ", class_="es-quiet")
    return element("p", words, *(part for button in buttons for part in (button, " ")), data_testid="model-names")
