"""Helpers for event bindings of the page.

Every event has `queue=False`: anyone could stop Gradio's queue for good, and no event takes long. `private` only hides
events from Gradio's API page; each handler checks its caller. The first HTML among an event's outputs shows unexpected
errors of its handler (see `unhandled_errors.py`).

Events with hidden progress change nothing. `assets/reconnect.js` sends those that fill the same component one after
another, so that no response is replaced by an older one, and sends them again after a lost connection.

Hidden progress is also shown on no component: whenever the status of an event changes, Gradio would update the outputs
of all events so far, with everything inside them.
"""

import json
from collections.abc import Callable
from typing import Any

from leaderboard.assets import import_script

QUIET: dict[str, Any] = {
    "queue": False,
    "api_visibility": "private",
    "show_progress": "hidden",
    "show_progress_on": [],
}
# For events that only show state: while one is pending, the latest of the following ones waits. All others are
# dropped meanwhile, which is right for changes: a double click makes one.
LATEST: dict[str, Any] = {**QUIET, "trigger_mode": "always_last"}
BUSY: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}

_FOCUS = """async (value) => {{
  const {{ focusList }} = await {script};
  focusList({name}, value);
  return [];
}}"""
_CHOOSE = """async (...values) => {{
  const {{ chooseFrom }} = await {script};
  await chooseFrom({name}, values.at({place}));
  return values;
}}"""


def bind_choice(choices: Any, handler: Callable[..., Any], inputs: list[Any], outputs: list[Any]) -> None:
    """Run a handler when the visitor chooses another value from a list, one of the inputs; see `assets/lists.js`."""
    words = {"script": import_script("lists.js"), "name": json.dumps(choices.elem_id)}
    choices.focus(None, choices, None, js=_FOCUS.format(**words), **QUIET)
    choices.input(handler, inputs, outputs, js=_CHOOSE.format(place=inputs.index(choices), **words), **LATEST)
