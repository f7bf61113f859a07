"""Markup next to the model's name. Pure."""

from collections.abc import Iterable

from db.records import NewModel
from db.repositories.catalogue import fold_name
from leaderboard.assets import import_script
from leaderboard.pages.shared.hub_markup import describe_hub_model
from leaderboard.rendering.formatting import write_count
from leaderboard.rendering.templating import Markup, render_macro
from submissions.model_registry.directory import ModelSummary

_NOTES = "pages/submit/model_form/notes.html"
NAMING_SCRIPT = f"{import_script('model-names.js')}.then((names) => names.watchSuggestions(element));"


def render_naming(typed: str, known: ModelSummary | None, suggested: Iterable[ModelSummary]) -> Markup:
    """Return the displayed name of a typed name, and the known models that it may mean.

    Args:
        typed: Current text.
        known: The model with this name.
        suggested: Models that it may mean.
    """
    others = [one for one in suggested if known is None or one.public_id != known.public_id]
    return Markup("").join(
        [
            render_macro(_NOTES, "known_model", _describe_known(typed, known)) if known else "",
            render_macro(_NOTES, "suggested_models", others) if others else "",
        ]
    )


def render_filled(model: NewModel) -> Markup:
    """Return the Hub's metadata of a model, including what the form has no field for."""
    if model.hub is None:
        return Markup("")
    return render_macro(_NOTES, "filled_from_hub", describe_hub_model(model.hub))


def _describe_known(typed: str, known: ModelSummary) -> str:
    if fold_name(known.name) != fold_name(typed):
        return f"{typed} will be shown as {known.name} (same model)."
    if not known.n_rows:
        return f"{known.name} has no public results yet."
    return f"{known.name} has {write_count(known.n_rows, 'public result')}."
