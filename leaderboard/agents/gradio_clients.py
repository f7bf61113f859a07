"""Answer to `gradio_client`: there is no Gradio API, and where programs find the same data.

A call through that client needs Gradio's queue, which a stranger can stop and fill, so the guard keeps it closed.
"""

from fastapi import FastAPI, Request
from starlette.responses import PlainTextResponse

from leaderboard.agents.server import MCP_PATH
from leaderboard.http.origin import find_origin


def add_gradio_clients(site: FastAPI) -> None:
    """Answer what `gradio_client.Client(url)` asks first; it raises an error with this sentence."""

    @site.get("/gradio_api/info")
    async def refuse_gradio_client(request: Request) -> PlainTextResponse:
        origin = find_origin(request.scope)
        sentence = (
            f"Earshot has no Gradio API. Use its HTTP API, documented at {origin}/api/v1/docs, or its MCP tools at "
            f"{origin}{MCP_PATH}."
        )
        return PlainTextResponse(sentence, 404, headers={"Cache-Control": "no-store"})
