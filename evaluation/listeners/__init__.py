"""Reference systems: listeners that answer from audio analysis."""

from collections.abc import Mapping

from evaluation.errors import EvaluationError
from evaluation.listeners.analyst import AnalysingListener
from evaluation.listeners.listener_types import Heard, Listener, Sound
from evaluation.listeners.random_listener import ChanceListener

LISTENERS: Mapping[str, Listener] = {
    listener.id: listener
    for listener in (
        ChanceListener(),
        AnalysingListener("earshot-mono", "Earshot mono", both_ears=False),
        AnalysingListener("earshot-binaural", "Earshot binaural", both_ears=True),
    )
}
"""ID → listener."""


class UnknownListenerError(EvaluationError):
    """No listener has this ID."""


def get_listener(listener_id: str) -> Listener:
    """Return the listener with an ID.

    Raises:
        UnknownListenerError: There is none.
    """
    if listener_id not in LISTENERS:
        names = ", ".join(f"`{name}`" for name in LISTENERS)
        raise UnknownListenerError(f"Unknown listener `{listener_id}`. Use one of {names}.")
    return LISTENERS[listener_id]


__all__ = ["LISTENERS", "Heard", "Listener", "Sound", "UnknownListenerError", "get_listener"]
