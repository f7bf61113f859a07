"""Handlers of the Account tab. Each looks up the current user, because hidden components can still be called."""

import re
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from db.records import UserRecord
from leaderboard.api.auth import name_session_cookie
from leaderboard.pages.account.layout import AccountTab
from leaderboard.pages.account.markup import list_token_choices, render_new_token, render_sessions, render_tokens
from leaderboard.pages.shared.current_user import explain, find_current_user, get_current_user
from leaderboard.pages.shell.sign_in_markup import render_who
from leaderboard.services import Services
from submissions.accounts.credentials import get_session_id
from submissions.errors import BadRequestError

Update = dict[Any, Any]
_TOKEN_ID = re.compile(r"[0-9]{1,10}")


class AccountHandlers:
    """Handlers of the Account tab."""

    def __init__(self, services: Services, tab: AccountTab) -> None:
        self._services = services
        self._tab = tab

    def open_account(self, request: gr.Request) -> Update:
        """Show the current user, their tokens and sessions; hide a secret that was shown before."""
        user = find_current_user(request, self._services)
        who = render_who(user, self._services.settings)
        shown = {self._tab.who: who, self._tab.made: "", self._tab.notice: ""}
        return shown | self._show_tokens(user) | self._show_sessions(user, request)

    def create_token(self, label: str | None, request: gr.Request) -> Update:
        """Create a token and show it."""
        try:
            user = get_current_user(request, self._services)
            made = self._services.accounts.add_token(user, (label or "").strip())
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            return {self._tab.made: explain(error)}
        return {self._tab.made: render_new_token(made.secret), self._tab.label: "", **self._show_tokens(user)}

    def revoke_token(self, chosen: str | None, request: gr.Request) -> Update:
        """Revoke the selected token, and hide a new token, which may be the same."""
        try:
            user = get_current_user(request, self._services)
            if not _TOKEN_ID.fullmatch(chosen or ""):
                raise BadRequestError("token", "Choose a token first.")
            self._services.accounts.revoke_token(user, int(chosen or ""))
        except Exception as error:  # noqa: BLE001 - the outer edge of the page
            return {self._tab.notice: explain(error)}
        return {self._tab.notice: f"Token {chosen} is revoked.", self._tab.made: "", **self._show_tokens(user)}

    def _show_sessions(self, user: UserRecord | None, request: gr.Request) -> Update:
        if user is None:
            return {self._tab.sessions: ""}
        cookie = request.cookies.get(name_session_cookie(self._services.settings))
        current = get_session_id(cookie) if cookie else None
        listed = self._services.accounts.list_sessions(user)
        return {self._tab.sessions: render_sessions(listed, current, datetime.now(UTC))}

    def _show_tokens(self, user: UserRecord | None) -> Update:
        tab = self._tab
        if user is None:
            return {tab.own: gr.Column(visible=False), tab.tokens: ""}
        tokens = self._services.accounts.list_tokens(user)
        return {
            tab.own: gr.Column(visible=True),
            tab.tokens: render_tokens(tokens, datetime.now(UTC)),
            tab.chosen: gr.Dropdown(choices=list_token_choices(tokens), value=None),
            tab.revoke: gr.Button(interactive=bool(tokens)),
        }
