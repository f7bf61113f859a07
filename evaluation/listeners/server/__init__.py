"""OpenAI-compatible endpoint for the reference systems, so that Earshot queries them like any other model."""

from evaluation.listeners.server.endpoint_app import ListeningApp
from evaluation.listeners.server.errors import ListenError, RequestRefusedError
from evaluation.listeners.server.serving import make_server, read_api_key, serve

__all__ = ["ListenError", "ListeningApp", "RequestRefusedError", "make_server", "read_api_key", "serve"]
