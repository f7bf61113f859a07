"""Name suggestions: known models that a typed name may mean, its displayed name, and its metadata."""

from typing import Any

import gradio as gr

from db.model_records import ModelFacts
from db.records import UserRecord
from leaderboard.pages.shared.current_user import KNOWN_ERRORS, explain, find_current_user
from leaderboard.pages.submit.model_form.layout import KINDS, NOT_SAID, ModelForm
from leaderboard.pages.submit.model_form.markup import render_naming
from leaderboard.services import Services
from submissions.model_registry.directory import ModelSummary

_SUGGESTED = 5
Update = dict[Any, Any]
# Fields that a known model fills: organisation, kind, size, weights.
_Described = tuple[str | None, str | None, str | None, str | None]
_NOTHING: _Described = ("", None, "", NOT_SAID)


class Naming:
    """Handler of the name field."""

    def __init__(self, services: Services, fields: ModelForm) -> None:
        self._services = services
        self._fields = fields

    def recognise(
        self,
        name: str | None,
        organisation: str | None,
        kind: str | None,
        size: str | None,
        weights: str | None,
        filled: str | None,
        request: gr.Request,
    ) -> Update:
        """Suggest known names, and fill the fields if the name is one of them.

        The visitor's input stays: only fields that are empty, or were filled before, are filled.

        Args:
            name: Current text.
            organisation: Current value, like the following.
            kind: Current value.
            size: Current value.
            weights: Current value.
            filled: Id of the model that filled the fields, or empty.
            request: Request of the current user.
        """
        typed = (name or "").strip()
        viewer = find_current_user(request, self._services)
        try:
            known = self._services.models.find_named(typed, viewer) if typed else None
            suggested = self._services.models.suggest(typed, viewer, _SUGGESTED) if typed else []
        except KNOWN_ERRORS as error:
            return {self._fields.naming: explain(error)}
        before = self._describe_filled(filled, viewer)
        now = _NOTHING if known is None else describe(known.facts)
        update: Update = {
            self._fields.naming: render_naming(typed, known, suggested),
            self._fields.filled: known.public_id if known else "",
        }
        shown = (organisation, kind, size, weights)
        for field, value, old, empty, new in zip(self._fields.described, shown, before, _NOTHING, now, strict=True):
            if (value or empty) in (empty, old) and new != (value or empty):
                update[field] = new
        return update

    def _describe_filled(self, filled: str | None, viewer: UserRecord | None) -> _Described:
        one: ModelSummary | None = self._services.models.find_summary(filled[:40], viewer) if filled else None
        return _NOTHING if one is None else describe(one.facts)


def describe(facts: ModelFacts) -> _Described:
    """Return the metadata of a model for the form; a kind that it does not offer is left out."""
    weights = NOT_SAID if facts.open_weights is None else "open" if facts.open_weights else "closed"
    size = "" if facts.size_billions is None else f"{facts.size_billions:g}"
    return facts.organisation or "", facts.kind if facts.kind in KINDS else None, size, weights
