"""Unhandled errors of events: logged, and shown where the event shows its result."""

from typing import Any

import gradio as gr
from gradio.blocks import BlockFunction

from leaderboard.pages.shared.current_user import explain_or_reload


class CatchingBlocks(gr.Blocks):  # type: ignore[misc] # Gradio brings no types of it
    """A page on which no event fails silently: with `show_error=False`, Gradio itself shows nothing of a failure.

    The message replaces the event's output. A `gr.Error` would be rendered as HTML, disappear after seconds, reappear
    with each tick of a timer, and stand beside a tab that stays on "Loading…".
    """

    async def call_function(self, block_fn: BlockFunction, *args: Any, **options: Any) -> dict[str, Any]:
        """Run a handler; an exception becomes its output."""
        try:
            found: dict[str, Any] = await super().call_function(block_fn, *args, **options)
        except Exception as error:  # noqa: BLE001 - the outer edge of the page: no unknown error's text is shown
            told = _tell(block_fn, error)
            return {"prediction": told, "duration": 0.0, "is_generating": False, "iterator": None}
        return found

    async def postprocess_data(self, block_fn: BlockFunction, predictions: Any, *args: Any, **options: Any) -> Any:
        """Encode the output; output that the page cannot show is a failure like any other."""
        try:
            return await super().postprocess_data(block_fn, predictions, *args, **options)
        except Exception as error:  # noqa: BLE001 - the same
            return await super().postprocess_data(block_fn, _tell(block_fn, error), *args, **options)


def _tell(block_fn: BlockFunction, error: Exception) -> dict[Any, Any]:
    """Return the outputs for an error: a message at the event's first HTML output, which every event has."""
    place = next((one for one in block_fn.outputs if isinstance(one, gr.HTML)), None)
    if place is None:
        raise error
    return {place: explain_or_reload(error)}
