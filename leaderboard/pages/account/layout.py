"""Layout of the Account tab: personal tokens and sessions."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.assets import import_script
from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.shared.notes import render_heading, render_loading
from leaderboard.pages.shell.sign_in_markup import SIGN_IN_SCRIPT

_REVOKE_SCRIPT = f'{import_script("page.js")}.then((page) => page.watchRevocations(element, () => trigger("submit")));'


@dataclass(frozen=True, slots=True)
class AccountTab:
    """Components of the tab.

    Attributes:
        who: The current user, or how to sign in.
        own: Column for signed-in users.
        tokens: The user's tokens.
        label: Label of the next token.
        create: Button that creates it.
        made: The new token, shown once.
        chosen: The token to revoke.
        revoke: Button that revokes it.
        notice: Result of that.
        sessions: The user's sessions; triggers `submit` when a session was revoked.
    """

    who: Any
    own: Any
    tokens: Any
    label: Any
    create: Any
    made: Any
    chosen: Any
    revoke: Any
    notice: Any
    sessions: Any


def build_account_tab() -> AccountTab:
    """Build the tab."""
    who = gr.HTML(render_loading(), js_on_load=SIGN_IN_SCRIPT, elem_id="account-who", apply_default_css=False)
    with gr.Column(visible=False, elem_id="my-tokens") as own:
        gr.HTML(render_heading("Personal tokens"), apply_default_css=False)
        tokens = gr.HTML("", elem_id="tokens", apply_default_css=False)
        with gr.Row(equal_height=True):
            label = gr.Textbox(label="Token name", max_length=100, elem_id="token-label", scale=3)
            create = gr.Button("Create token", elem_id="token-create")
        made = gr.HTML("", elem_id="token-made", apply_default_css=False)
        with gr.Row(equal_height=True):
            chosen = take_as_sent(gr.Dropdown([], label="Token", elem_id="chosen-token", scale=3))
            revoke = gr.Button("Revoke", elem_id="token-revoke", interactive=False)
        notice = gr.HTML("", elem_id="token-notice", apply_default_css=False)
        gr.HTML(render_heading("Sessions"), apply_default_css=False)
        sessions = gr.HTML("", js_on_load=_REVOKE_SCRIPT, elem_id="sessions", apply_default_css=False)
    return AccountTab(who, own, tokens, label, create, made, chosen, revoke, notice, sessions)
