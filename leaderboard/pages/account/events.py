"""Event bindings of the Account tab."""

from typing import Any

from leaderboard.pages.account.handlers import AccountHandlers
from leaderboard.pages.account.layout import AccountTab
from leaderboard.pages.shared.bindings import BUSY, QUIET
from leaderboard.services import Services


def wire_account(services: Services, tab: AccountTab, opened: tuple[Any, ...]) -> None:
    """Bind the Account tab; `opened` are the events that fill it."""
    handlers = AccountHandlers(services, tab)
    own = [tab.own, tab.tokens, tab.chosen, tab.revoke]
    for event in opened:
        event(handlers.open_account, None, [tab.who, tab.made, tab.notice, tab.sessions, *own], **QUIET)
    tab.create.click(handlers.create_token, tab.label, [tab.made, tab.label, *own], **BUSY)
    tab.revoke.click(handlers.revoke_token, tab.chosen, [tab.notice, tab.made, *own], **BUSY)
