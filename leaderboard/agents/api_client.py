"""In-process client of our own HTTP API, so that tools share its services, validation and limits."""

from collections.abc import Mapping
from typing import Any

import httpx2
from mcp.server.fastmcp.exceptions import ToolError
from starlette.types import ASGIApp

_PREFIX = "/api/v1"


class ApiClient:
    """Reads the API as an anonymous visitor."""

    def __init__(self, api: ASGIApp) -> None:
        self._transport = httpx2.ASGITransport(app=api)

    async def get(self, path: str, params: Mapping[str, object | None], origin: str) -> dict[str, Any]:
        """Return the body of an answer.

        Args:
            path: Path below `/api/v1`.
            params: Query parameters; None and empty values are left out.
            origin: Address of this server as the agent sees it, for links in the answer.

        Raises:
            ToolError: The API refuses the request; the message is the API's.
        """
        given = {name: str(value) for name, value in params.items() if value not in (None, "")}
        async with httpx2.AsyncClient(transport=self._transport, base_url=origin) as client:
            answer = await client.get(_PREFIX + path, params=given)
        body: dict[str, Any] = answer.json()
        if answer.is_error:
            raise ToolError(str(body.get("detail", "The request failed.")))
        return body
