"""Event bindings of the Model tab."""

from leaderboard.pages.model.handlers import ModelHandlers
from leaderboard.pages.model.layout import ModelTab
from leaderboard.pages.shared.bindings import LATEST, bind_choice
from leaderboard.services import Services

_ADDRESS = "() => [location.search]"


def wire_model(services: Services, tab: ModelTab) -> None:
    """Bind the Model tab: it follows the address, a search, and the selection of a row."""
    handlers = ModelHandlers(services, tab)
    shown = [tab.found, tab.page, tab.part, tab.chosen, *tab.radar]
    tab.page.submit(handlers.open_model, tab.page, shown, js=_ADDRESS, **LATEST)
    # Not `input`, which reacts to keys only: a name may be pasted.
    tab.search.change(handlers.search_models, tab.search, tab.found, **LATEST)
    bind_choice(tab.chosen, handlers.choose_row, [tab.chosen], tab.radar)
