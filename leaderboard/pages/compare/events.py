"""Event bindings of the Compare tab."""

from leaderboard.assets import import_script
from leaderboard.pages.compare.handlers import Compare
from leaderboard.pages.compare.layout import CompareTab
from leaderboard.pages.shared.bindings import LATEST, QUIET
from leaderboard.services import Services

_COMPARE = import_script("compare.js")
_ADDRESS = "() => [location.search]"
# A choice only changes the address, which determines the content.
_CHOOSE = """(board, a, b) => {
  %s.then((compare) => compare.choose(%s));
  return [board, a, b];
}"""


def wire_compare(services: Services, tab: CompareTab) -> None:
    """Bind the Compare tab: it follows the address, which choices change; a timer polls pending comparisons."""
    handlers = Compare(services, tab)
    shown = [*tab.chosen, *tab.shown, tab.asked]
    tab.result.submit(handlers.open_comparison, tab.result, shown, js=_ADDRESS, **LATEST)
    tab.clock.tick(handlers.look_again, tab.asked, tab.shown, **QUIET)
    tab.board.input(None, tab.chosen, None, js=_CHOOSE % (_COMPARE, "board, null, null"), **QUIET)
    tab.a.input(None, tab.chosen, None, js=_CHOOSE % (_COMPARE, "board, a, b"), **QUIET)
    tab.b.input(None, tab.chosen, None, js=_CHOOSE % (_COMPARE, "board, a, b"), **QUIET)
    tab.swap.click(None, tab.chosen, None, js=_CHOOSE % (_COMPARE, "board, b, a"), **QUIET)
