"""State of events: the page keeps nothing of a session, so that a client cannot fill the memory with invented ones.

Gradio would keep a copy of the page's layout for each session that an event names, up to 0.9 MB for 10,000 of them.
Our page needs none: handlers see the values as sent (`take_as_sent`), whatever an earlier event has changed.
"""

from copy import copy
from typing import Any

import gradio as gr
from fastapi import FastAPI
from gradio.routes import App
from gradio.state_holder import SessionState, StateHolder
from starlette.routing import Mount


class EventState(SessionState):  # type: ignore[misc] # Gradio brings no types of it
    """What Gradio changes while it answers one event."""

    def __init__(self, blocks: gr.Blocks) -> None:
        # Without the values for links to a session, which the page does not offer and which take longest.
        self.blocks_config = copy(blocks.default_config)
        self.config_values: dict[int, Any] = {}
        self.state_data: dict[int, Any] = {}
        self.is_closed = False

    def __setitem__(self, key: int, value: Any) -> None:
        """Use another component in place of one of the page until the event is answered."""
        self.blocks_config.blocks[key] = value

    def _update_config(self, key: int) -> None:
        pass

    def _update_value_in_config(self, key: int, value: Any) -> None:
        pass


class EventStates(StateHolder):  # type: ignore[misc] # the same
    """A new state for every event, whatever session it names."""

    def __getitem__(self, session_id: str) -> EventState:
        """Return the state for one event."""
        return EventState(self.blocks)


def keep_no_sessions(site: FastAPI, page: gr.Blocks) -> None:
    """Let a mounted page answer every event from a new state."""
    mounted = [route.app for route in site.routes if isinstance(route, Mount) and isinstance(route.app, App)]
    for app in mounted:
        app.state_holder = EventStates()
        app.state_holder.set_blocks(page)
