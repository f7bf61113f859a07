"""Read-only MCP tools: benchmarks, boards, models, comparisons, and how to submit."""

from typing import Annotated, Any
from urllib.parse import quote, urlencode

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from leaderboard.agents.api_client import ApiClient
from leaderboard.boards.board_parameters import BOARD_PARAMETERS
from leaderboard.http.origin import USUAL_ORIGIN, find_origin
from submissions.ranking.row_sources import BASELINE_SOURCES, RANKED_SOURCES

_READ_ONLY = ToolAnnotations(readOnlyHint=True, destructiveHint=False, idempotentHint=True, openWorldHint=False)
_MAX_ROWS = 50

_Benchmark = Annotated[str, Field(description="Benchmark ID from list_benchmarks", max_length=100)]
_Version = Annotated[str | None, Field(description=BOARD_PARAMETERS["version"].description)]
_Setting = Annotated[str | None, Field(description=BOARD_PARAMETERS["setting"].description)]
_Slice = Annotated[str | None, Field(description="Slice to rank by; the headline score by default")]
_Metric = Annotated[str | None, Field(description="Metric of the slice; its first one by default")]
_Context = Context[Any, Any, Any]


def add_tools(server: FastMCP[Any], api: ApiClient) -> None:
    """Add the tools to a server."""
    _add_board_tools(server, api)
    _add_model_tools(server, api)
    _add_submission_tool(server, api)


def _add_board_tools(server: FastMCP[Any], api: ApiClient) -> None:
    @server.tool(annotations=_READ_ONLY)
    async def list_benchmarks(context: _Context) -> dict[str, Any]:
        """List the benchmarks of this leaderboard with their versions, settings and headline scores."""
        return await api.get("/benchmarks", {}, _find_origin(context))

    @server.tool(annotations=_READ_ONLY)
    async def get_board(
        context: _Context,
        benchmark: _Benchmark,
        version: _Version = None,
        setting: _Setting = None,
        slice: _Slice = None,  # noqa: A002, RUF100 - the API's name
        metric: _Metric = None,
        search: Annotated[str | None, Field(description="Part of a model's or organization's name")] = None,
        limit: Annotated[int, Field(description="Number of rows", ge=1, le=_MAX_ROWS)] = 10,
    ) -> dict[str, Any]:
        """Get the best rows of a board with ranks, scores (fractions), confidence intervals, and human and chance rows.

        Rows with overlapping rank ranges (rank_low to rank_high) are statistically tied.
        """
        origin, path = _find_origin(context), f"/leaderboards/{quote(benchmark, safe='')}"
        params = {"version": version, "setting": setting, "slice": slice, "metric": metric}
        # Only the ranked column, which the first answer names.
        key = (await api.get(path, params | {"limit": 1, "columns": ","}, origin))["metric"]
        ranked = params | {"columns": key, "q": search, "source": ",".join(RANKED_SOURCES), "limit": limit}
        board = await api.get(path, ranked, origin)
        references = await api.get(path, params | {"columns": key, "source": ",".join(BASELINE_SOURCES)}, origin)
        address = {"tab": benchmark, "version": version, "setting": setting, "sort": key}
        return board | {"references": references["rows"], "url": _link(origin, address)}


def _add_model_tools(server: FastMCP[Any], api: ApiClient) -> None:
    @server.tool(annotations=_READ_ONLY)
    async def get_model(
        context: _Context,
        model: Annotated[str, Field(description="Model ID (m-…) or name, in any spelling close to it", max_length=100)],
    ) -> dict[str, Any]:
        """Get a model's metadata and all its rows. An ambiguous name returns the best match, with alternatives."""
        origin = _find_origin(context)
        found = (await api.get("/models", {"q": model, "limit": 5}, origin))["models"]
        model_id = model if model.startswith("m-") else next((one["id"] for one in found), None)
        if model_id is None:
            raise ToolError("No model with a similar name has public results. Try a shorter part of the name.")
        page = await api.get(f"/models/{quote(model_id, safe='')}", {}, origin)
        others = [{"id": one["id"], "name": one["name"]} for one in found if one["id"] != model_id]
        return page | {"alternatives": others, "url": _link(origin, {"tab": "model", "model": model_id})}

    @server.tool(annotations=_READ_ONLY)
    async def compare_models(
        context: _Context,
        benchmark: _Benchmark,
        a: Annotated[str, Field(description="Submission ID of the first row (`submission` in get_board)")],
        b: Annotated[str, Field(description="Submission ID of the second row of the same board")],
        slice: _Slice = None,  # noqa: A002, RUF100 - the API's name
        metric: _Metric = None,
    ) -> dict[str, Any]:
        """Compare two rows of one board: difference a − b with 95 % confidence interval and p-value, per slice.

        `paired` tells whether both answered the same questions; rows of different editions are independent samples.
        The first comparison of a pair takes a few seconds; `state: waiting` asks you to call the tool again.
        """
        origin = _find_origin(context)
        params = {"benchmark": benchmark, "a": a, "b": b, "slice": slice, "metric": metric}
        comparison = await api.get("/comparisons", params, origin)
        return comparison | {"url": _link(origin, {"tab": "compare", "a": a, "b": b})}


def _add_submission_tool(server: FastMCP[Any], api: ApiClient) -> None:
    @server.tool(annotations=_READ_ONLY)
    async def how_to_submit(context: _Context, benchmark: _Benchmark) -> dict[str, Any]:
        """Explain how to submit a model to a benchmark: question pack, file format, commands, documentation."""
        origin = _find_origin(context)
        described = await api.get(f"/benchmarks/{quote(benchmark, safe='')}", {}, origin)
        fields = f"-F file=@predictions.jsonl -F benchmark={described['id']}"
        close = "" if "test" in described["packs"] else " -F close=true"
        submission = f'{fields}{close} -F setting={described["settings"][0]} -F \'model={{"name": "My model"}}\''
        return {
            "benchmark": described["id"],
            "open_version": described["open_version"],
            "settings": described["settings"],
            "steps": [
                f"Create an access token on the Account tab: {_link(origin, {'tab': 'account'})}",
                *_list_pack_steps(described, origin),
                "Run the model on each line of questions.jsonl and write one JSON object per line to predictions.jsonl",
                f"Check the file (free, no account needed): curl {fields} {origin}/api/v1/validations",
                f'Submit: curl -H "Authorization: Bearer $TOKEN" {submission} {origin}/api/v1/submissions',
            ],
            "example_line": {"id": "<id from questions.jsonl>", "run": 0, "response": "<the model's raw output>"},
            "url": _link(origin, {"tab": "submit", "benchmark": described["id"]}),
            "api_documentation": f"{origin}/api/v1/docs",
        }


def _list_pack_steps(described: dict[str, Any], origin: str) -> list[str]:
    """Return how to get questions: of one's own if they are rendered, otherwise the same for everybody."""
    address = f"{origin}/api/v1/benchmarks/{described['id']}"
    if "test" in described["packs"]:
        return [f"Download the question pack: curl -OJ '{address}/pack?split=test'"]
    authorised = 'curl -H "Authorization: Bearer $TOKEN"'
    return [
        f"Request test questions of your own, which are used once: {authorised} -X POST {address}/editions",
        f"Download them once `state` is `open`: {authorised} -OJ {origin}/api/v1/editions/<id of the edition>/pack",
    ]


def _find_origin(context: _Context) -> str:
    request = context.request_context.request
    return (find_origin(request.scope) if request is not None else "") or USUAL_ORIGIN


def _link(origin: str, params: dict[str, str | None]) -> str:
    given = {name: value for name, value in params.items() if value}
    return f"{origin}/?{urlencode(given, safe='/:,')}"
