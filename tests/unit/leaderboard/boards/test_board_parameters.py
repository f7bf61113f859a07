"""Board parameters: API, addresses and the page's scripts have exactly the fields of `BoardRequest`."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi import FastAPI

import settings
from db.repositories.boards import Filters
from evaluation.benchmarks import get_benchmark
from leaderboard.api.routes import embed_routes, leaderboard_routes
from leaderboard.api.schemas.board_answers import FiltersAnswer
from leaderboard.boards.board_options import describe_board_options
from leaderboard.boards.board_parameters import (
    BOARD_PARAMETERS,
    FILTERS,
    BoardRequest,
    read_address_values,
    read_narrowing_values,
    split_range,
)
from leaderboard.boards.board_query import parse_request
from leaderboard.exports.view import link_to_board
from leaderboard.pages.shell.opening import complete, render_opening
from leaderboard.rendering.templating import Markup
from submissions.errors import BadRequestError

ROOT = Path(settings.__file__).parent.parent
BENCHMARK = get_benchmark("star-bench")
# Parameters of an address that can be shared or bookmarked, in the order of the address bar.
ADDRESS = ["version", "setting", "sort", "order", "source", "q", *FILTERS, "columns", "references"]
# A valid value of each filter, never the default.
VALUES = {name: (parameter.values or ("LALM",))[0] for name, parameter in FILTERS.items()}


def list_query_parameters(path: str) -> dict[str, dict[str, Any]]:
    """Return name → parameter of a route, as the API describes it."""
    app = FastAPI()
    app.include_router(leaderboard_routes.router)
    parameters = app.openapi()["paths"][path]["get"]["parameters"]
    return {parameter["name"]: parameter for parameter in parameters if parameter["in"] == "query"}


def make_request(name: str, value: str) -> BoardRequest:
    """Return a request with one parameter."""
    values: dict[str, Any] = {name: value}
    return BoardRequest(**values)


def read_page_options(html: str) -> Any:
    """Return the options that a page sends to its scripts."""
    (data,) = re.findall(r'<script type="application/json" id="es-board-options">(.*?)</script>', html)
    return json.loads(data)


def test_api_documents_every_board_parameter() -> None:
    for path, extra in (("", []), ("/export", ["format", "submission"])):
        documented = list_query_parameters(f"/api/v1/leaderboards/{{benchmark_id}}{path}")
        assert sorted(documented) == sorted([*BOARD_PARAMETERS, *extra])
        assert {name: documented[name]["description"] for name in BOARD_PARAMETERS} == {
            name: parameter.description for name, parameter in BOARD_PARAMETERS.items()
        }
        assert documented["cursor"]["schema"]["anyOf"][0] == {"type": "string", "maxLength": 1_000}
        assert documented["limit"]["schema"]["default"] == 50


def test_board_address_has_its_parameters_in_order() -> None:
    values: dict[str, Any] = {name: f"x {name}" for name in BOARD_PARAMETERS if name != "limit"}
    request = BoardRequest(**values)
    link = link_to_board("https://here.example", BENCHMARK, read_address_values(request))
    assert parse_qsl(urlsplit(link).query) == [("tab", BENCHMARK.id), *((name, values[name]) for name in ADDRESS)]
    assert [*read_narrowing_values(request)] == ["source", "q", *FILTERS]


@pytest.mark.parametrize("gradio", ['<base href="./" /><gradio-app>', "<head></head><other-app>"])
def test_page_options_contain_every_board_parameter(gradio: str) -> None:
    opening = render_opening("/static", "", Markup(""), [], {})
    options = read_page_options(complete(gradio, opening, ""))
    assert options == describe_board_options()
    assert [parameter["name"] for parameter in options["parameters"] if parameter["in_address"]] == ADDRESS
    assert sorted(parameter["name"] for parameter in options["parameters"]) == sorted(BOARD_PARAMETERS)
    assert [parameter["name"] for parameter in options["parameters"] if parameter["filter"]] == [*FILTERS]


def test_script_tests_use_the_options_that_the_page_sends() -> None:
    path = ROOT / "tests" / "js" / "board-options.json"
    options = json.dumps(describe_board_options(), ensure_ascii=False, indent=2)
    assert path.read_text(encoding="utf-8") == f"{options}\n", f"Write this to {path.name}:\n{options}"


def test_every_filter_is_applied_and_documented() -> None:
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for name, value in VALUES.items():
        query = parse_request(BENCHMARK, make_request(name, value))
        assert query.page.filters != Filters(), name
        assert f"`{name}`" in guide, name


def test_filter_choices_match_the_filters_answer() -> None:
    offered = {parameter.offered_as for parameter in FILTERS.values() if parameter.offered_as}
    assert offered == {*FiltersAnswer.model_fields} - {"benchmark", "version", "setting"}
    for name, parameter in FILTERS.items():
        assert bool(parameter.values) != bool(parameter.offered_as), name


def test_size_ranges_have_no_gaps() -> None:
    ranges = [split_range(text) for text in FILTERS["size"].values]
    ends = [(low, high) for low, high in filter(None, ranges)]
    assert [high for _, high in ends] == [*(low for low, _ in ends[1:]), None]
    assert [split_range(text) for text in ("", "-", "7-7", "40-10", "x-9", "1-2 ")] == [None] * 6


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "x" * 41),
        ("organisation", "x" * 121),
        ("q", "x" * 101),
        ("weights", "maybe"),
        ("size", "big"),
    ],
)
def test_value_out_of_bounds_is_refused(field: str, value: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        parse_request(BENCHMARK, make_request(field, value))
    assert refused.value.field == field


def test_embedded_boards_accept_version_setting_slice_and_metric() -> None:
    (route,) = embed_routes.router.routes
    names = [parameter.name for dependency in route.dependant.dependencies for parameter in dependency.query_params]  # type: ignore[attr-defined]
    assert names == ["version", "setting", "slice", "metric"]
