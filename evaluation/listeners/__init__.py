"""Reference systems that answer from what they hear."""

from evaluation.listeners.types import Heard, Listener, Sound

__all__ = ["Heard", "Listener", "Sound"]
