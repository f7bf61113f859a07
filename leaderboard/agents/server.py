"""MCP over streamable HTTP at `/mcp`: stateless, one JSON answer per request."""

import logging
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import mcp
from mcp.server.fastmcp import FastMCP
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from leaderboard.agents.api_client import ApiClient
from leaderboard.agents.tools import add_tools
from leaderboard.http.problem_details import make_problem

MCP_PATH = "/mcp"
_INSTRUCTIONS = (
    "Earshot is a leaderboard for audio reasoning. Start with list_benchmarks. Scores are fractions between 0 and 1. "
    "Compare rows by their rank ranges and confidence intervals, not by scores alone. All tools only read."
)
_NOT_POST = "This MCP server answers POST only: it is stateless and sends no events of its own."
_SDK_FOLDER = str(Path(mcp.__file__).parent)


class AgentServer:
    """ASGI application of the MCP server."""

    def __init__(self, api: ASGIApp) -> None:
        _silence_sdk()
        # The guard has already checked Host, Origin and size.
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        server = FastMCP(
            "Earshot",
            _INSTRUCTIONS,
            streamable_http_path=MCP_PATH,
            stateless_http=True,
            json_response=True,
            log_level="WARNING",
            transport_security=security,
        )
        add_tools(server, ApiClient(api))
        self._app: ASGIApp = server.streamable_http_app()
        self._sessions = server.session_manager

    def run(self) -> AbstractAsyncContextManager[None]:
        """Return the context in which requests can be answered; it can be entered only once."""
        return self._sessions.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_post = scope["method"] == "POST"
        app = self._app if is_post else make_problem(405, _NOT_POST, headers={"Allow": "POST"})
        await app(scope, receive, send)


def _silence_sdk() -> None:
    """Keep the SDK from logging untrusted input; the API logs its own failures."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    logging.getLogger().addFilter(_is_by_others)


def _is_by_others(record: logging.LogRecord) -> bool:
    return not record.pathname.startswith(_SDK_FOLDER)
