"""How every event of the page is bound, and what asks before something is done for good.

Every event has `queue=False`: a stranger can stop Gradio's queue for good, and nothing here takes long. `private` only
keeps the events out of Gradio's own API page; each handler checks its caller.
"""

from typing import Any

QUIET: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "hidden"}
BUSY: dict[str, Any] = {"queue": False, "api_visibility": "private", "show_progress": "minimal"}
