"""MCP tools, called with the SDK's client over HTTP."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from gradio_client import Client
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent, Tool

from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import BENCHMARK, Site, fill_board, problem_of, run_site

TOOLS = {"list_benchmarks", "get_board", "get_model", "compare_models", "how_to_submit"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("agents"), shared_splits_until=None) as running:
        fill_board(running)
        yield running


def call_all(site: Site, *calls: tuple[str, dict[str, Any]]) -> tuple[list[Tool], list[CallToolResult]]:
    """List the tools and call some, in one session."""

    async def run() -> tuple[list[Tool], list[CallToolResult]]:
        address = f"http://127.0.0.1:{site.port}/mcp"
        async with streamable_http_client(address) as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            return tools, [await session.call_tool(name, arguments) for name, arguments in calls]

    return asyncio.run(run())


def read(result: CallToolResult) -> dict[str, Any]:
    assert not result.isError, result.content
    assert result.structuredContent is not None
    found: dict[str, Any] = result.structuredContent
    return found


def explain(result: CallToolResult) -> str:
    assert result.isError
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def test_tools_return_the_same_as_the_api(site: Site) -> None:
    board_url = f"/api/v1/leaderboards/{BENCHMARK.id}"
    rows = site.get(f"{board_url}?source=verified,submitted,reported&columns=overall|accuracy&limit=3").json()["rows"]
    best, paper = rows[0], rows[1]
    tools, results = call_all(
        site,
        ("list_benchmarks", {}),
        ("get_board", {"benchmark": BENCHMARK.id, "limit": 3}),
        ("get_model", {"model": "Tied A"}),
        ("compare_models", {"benchmark": BENCHMARK.id, "a": best["submission"], "b": paper["submission"]}),
        ("how_to_submit", {"benchmark": BENCHMARK.id}),
    )
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.annotations is not None and tool.annotations.readOnlyHint for tool in tools)
    benchmarks, board, model, comparison, submission = map(read, results)
    assert benchmarks == site.get("/api/v1/benchmarks").json()
    assert board["rows"] == rows
    assert {row["source"] for row in board["references"]} == {"human", "random"}
    origin = f"http://127.0.0.1:{site.port}"
    assert board["url"].startswith(f"{origin}/?tab={BENCHMARK.id}&sort=overall")
    assert model["name"] == "Tied a"
    assert model["rows"] == site.get(f"/api/v1/models/{model['id']}").json()["rows"]
    assert comparison["paired"] is False
    assert comparison["difference"] == pytest.approx(0.2)
    assert any(f"{origin}/api/v1/submissions" in step for step in submission["steps"])
    assert any(f"POST {origin}/api/v1/benchmarks/{BENCHMARK.id}/editions" in step for step in submission["steps"])


def test_private_rows_are_hidden_from_agents(site: Site) -> None:
    _, results = call_all(
        site, ("get_board", {"benchmark": BENCHMARK.id, "limit": 50}), ("get_model", {"model": "secret"})
    )
    assert "secret" not in str(read(results[0])["rows"])
    assert "secret" not in str(results[1].content)


def test_refused_tool_call_explains_why_as_the_api_does(site: Site) -> None:
    refusals = (
        ("get_board", {"benchmark": "nothing"}, "/api/v1/leaderboards/nothing"),
        (
            "get_board",
            {"benchmark": BENCHMARK.id, "slice": "nope"},
            f"/api/v1/leaderboards/{BENCHMARK.id}?slice=nope",
        ),
        ("get_model", {"model": "m-nope"}, "/api/v1/models/m-nope"),
    )
    _, results = call_all(site, *((name, arguments) for name, arguments, _ in refusals))
    for result, (_, _, path) in zip(results, refusals, strict=True):
        assert site.get(path).json()["detail"] in explain(result)
    _, (too_many,) = call_all(site, ("get_board", {"benchmark": BENCHMARK.id, "limit": 51}))
    assert "less than or equal to 50" in explain(too_many)


def test_mcp_endpoint_accepts_posts_only_from_this_site_and_from_programs(site: Site) -> None:
    for method in ("GET", "DELETE"):
        answer = site.client.request(method, "/mcp")
        assert problem_of(answer, 405)["detail"].startswith("This MCP server answers POST only")
        assert answer.headers["allow"] == "POST"
    problem_of(site.post("/mcp", headers={"Origin": "https://evil.example"}, json={}), 403)
    problem_of(site.post("/mcp", content=b"x" * 100_001), 413)
    assert site.post("/mcp", content=b"no JSON", headers={"Accept": "application/json"}).status_code in (400, 406, 415)


def test_gradio_client_is_pointed_to_the_apis(visitor: Visitor) -> None:
    origin = f"http://127.0.0.1:{visitor.site.port}"
    with pytest.raises(ValueError, match="Could not fetch api info") as refused:
        Client(origin, verbose=False, analytics_enabled=False)
    sentence = str(refused.value).partition(": Earshot ")[2]
    assert sentence == (
        f"has no Gradio API. Use its HTTP API, documented at {origin}/api/v1/docs, or its MCP tools at {origin}/mcp."
    )


def test_arguments_of_tool_calls_are_not_logged(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    headers = {"Accept": "application/json, text/event-stream"}
    canary = "canary\nforged line"
    for params in ({"name": canary, "arguments": {}}, {"name": ["canary"]}, {"name": "get_model", "arguments": canary}):
        for method in ("tools/call", "canary/method"):
            message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            assert site.post("/mcp", headers=headers, json=message).status_code < 500
    assert "canary" not in caplog.text
