"""Event bindings of the page.

Every event has `queue=False`: a stranger can stop Gradio's queue for good, and nothing here takes long. `private` only
keeps the events out of Gradio's own API page; each handler checks its caller. The first HTML among an event's outputs
is where the visitor reads of what its handler did not expect (see `catching.py`).
"""

from typing import Any

QUIET: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
# For what only shows the state: while one is on its way, the last of those that follow waits for it. All others are
# dropped then, which is right where something is changed: a double click does it once.
LATEST: dict[str, Any] = {**QUIET, "trigger_mode": "always_last"}
BUSY: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}
