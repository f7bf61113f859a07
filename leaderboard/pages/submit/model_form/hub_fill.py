"""Handler of "Fill from the Hub": fills empty fields of a model from its repository."""

from typing import Any

import msgspec

from db.model_records import ModelFacts
from leaderboard.pages.shared.current_user import explain
from leaderboard.pages.submit.model_form.layout import NOT_SAID, ModelForm
from leaderboard.pages.submit.model_form.markup import render_filled
from leaderboard.pages.submit.model_form.name_suggestions import describe
from leaderboard.services import Services
from submissions.errors import BadRequestError

Update = dict[Any, Any]
_EMPTY = (None, "", NOT_SAID)


class Filling:
    """Handler of the button."""

    def __init__(self, services: Services, fields: ModelForm) -> None:
        self._services = services
        self._fields = fields

    async def fill(
        self,
        hub_id: str | None,
        name: str | None,
        organisation: str | None,
        kind: str | None,
        size: str | None,
        weights: str | None,
        url: str | None,
    ) -> Update:
        """Fill the empty fields; the visitor's input stays.

        Args:
            hub_id: Id of the repository.
            name: Current value, like the following.
            organisation: Current value.
            kind: Current value.
            size: Current value.
            weights: Current value.
            url: Current value.
        """
        try:
            if not (hub_id or "").strip():
                raise BadRequestError("model.hub.id", "Enter a Hugging Face model ID, such as org/model-name.")
            model = await self._services.hub_models.find_model(str(hub_id))
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._fields.hub_notice: explain(error), self._fields.hub_filled: ""}
        facts = ModelFacts(model.organisation, model.kind, model.size_billions, model.open_weights)
        targets = (self._fields.name, *self._fields.described, self._fields.url)
        shown = (name, organisation, kind, size, weights, url)
        known = (model.name, *describe(facts), model.url)
        filled = {
            field: new
            for field, old, new in zip(targets, shown, known, strict=True)
            if old in _EMPTY and new not in _EMPTY
        }
        stored = msgspec.json.encode(model.hub).decode()
        return filled | {self._fields.hub_notice: render_filled(model), self._fields.hub_filled: stored}
