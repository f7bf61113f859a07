"""Answer to `gradio_client`: Earshot has no Gradio API; the HTTP API has the same data.

Calls through that client need Gradio's queue, which anyone could fill or stop, so the guard keeps it closed.
"""

from fastapi import FastAPI, Request
from starlette.responses import PlainTextResponse

from leaderboard.agents.server import MCP_PATH
from leaderboard.http.origin import find_origin


def add_gradio_clients(site: FastAPI) -> None:
    """Answer the first request of `gradio_client.Client(url)`, which then raises an error with this sentence."""

    @site.get("/gradio_api/info")
    async def refuse_gradio_client(request: Request) -> PlainTextResponse:
        origin = find_origin(request.scope)
        sentence = (
            f"Earshot has no Gradio API. Use its HTTP API, documented at {origin}/api/v1/docs, or its MCP tools at "
            f"{origin}{MCP_PATH}."
        )
        return PlainTextResponse(sentence, 404, headers={"Cache-Control": "no-store"})
