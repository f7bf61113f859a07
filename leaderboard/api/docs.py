"""API documentation at /api/v1/docs: every address with a curl example, generated from the OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from leaderboard.api.description import describe
from leaderboard.http.content_policies import POLICY_HEADER, write_document_policy
from leaderboard.http.origin import find_origin
from leaderboard.http.problem_details import name_problem
from leaderboard.rendering.templating import Markup, render_template

DOCS_PATH = "/api/v1/docs"
OPENAPI_PATH = "/api/v1/openapi.json"
_STYLE = Markup(Path(__file__).with_name("docs.css").read_text(encoding="utf-8"))
_POLICY = write_document_policy(_STYLE)
# Values of path parameters. Examples of bodies are defined with the bodies.
_PATH_VALUES = {
    "benchmark_id": "audio-motion-bench",
    "organisation": "lab",
    "repository": "listener-7b",
    "submission_id": "s-0123456789abcd",
    "edition_id": "e-7f3kq9x2",
    "token_id": "1",
    "session_id": "0123456789abcdef",
    "reevaluation_id": "1",
    "model_id": "m-fedcba9876543210",
    "row_id": "s-0123456789abcd",
    "result_id": "l-0123456789abcdef01234567",
    "name": "clip-0123abcd.wav",
}
_QUERIES = {
    ("get", "/api/v1/submissions"): "?mine=true",
    ("get", "/api/v1/leaderboards/{benchmark_id}"): "?limit=5&columns=all",
    ("get", "/api/v1/comparisons"): "?benchmark=audio-motion-bench&a=s-0123456789abcd&b=s-abcdefghjkmnpq",
    ("get", "/api/v1/models"): "?q=qwen+audio",
}
# curl would write bytes to the terminal.
_FILES = ("/pack", "/audio/{name}")
# Cookie file for the session between two commands.
_COOKIES = {"/auth/local": "-c cookies.txt", "/auth/sign-out": "-b cookies.txt"}
_SIGNED_IN = ("submissions", "editions", "tokens", "limits", "/me/", "/admin/")
_NEEDS_NO_TOKEN = ("/tokens/exchange",)
_JSON = "application/json"

router = APIRouter(include_in_schema=False)
_Schemas = Mapping[str, Any]


class _Input(NamedTuple):
    """An input of a route: a parameter, or a field of its body."""

    name: str
    place: str
    kind: str
    need: str
    text: str


class DocumentedRoute(NamedTuple):
    """A route, as the template takes it: with all its inputs and a command for curl."""

    method: str
    path: str
    summary: str
    description: str
    is_body_optional: bool
    inputs: list[_Input]
    command: str


@router.get(DOCS_PATH)
def show_docs(request: Request) -> HTMLResponse:
    """Return the documentation page."""
    page = build_page(describe(request.app), find_origin(request.scope))
    return HTMLResponse(page, headers={"Cache-Control": "no-cache", POLICY_HEADER: _POLICY})


@router.get(OPENAPI_PATH)
def show_openapi(request: Request) -> Response:
    """Return the OpenAPI description."""
    body = orjson.dumps(describe(request.app))
    return Response(body, headers={"Cache-Control": "no-cache"}, media_type="application/json")


def build_page(openapi: Mapping[str, Any], base: str) -> Markup:
    """Render the documentation of an API.

    Args:
        openapi: The OpenAPI description.
        base: Address of the API for the examples.
    """
    schemas = openapi["components"]["schemas"]
    routes = [
        _describe_route(method, path, route, schemas, base)
        for path, methods in openapi["paths"].items()
        for method, route in methods.items()
    ]
    names = {status.value: name_problem(status) for status in HTTPStatus}
    return render_template("api/docs.html", style=_STYLE, routes=routes, openapi_path=OPENAPI_PATH, problem_names=names)


def _describe_route(method: str, path: str, route: Mapping[str, Any], schemas: _Schemas, base: str) -> DocumentedRoute:
    return DocumentedRoute(
        method=method.upper(),
        path=path,
        summary=route.get("summary", ""),
        description=route.get("description", ""),
        is_body_optional=not route.get("requestBody", {"required": True}).get("required", False),
        inputs=[*_list_parameters(route, schemas), *_list_fields(route, schemas)],
        command=_curl(method, path, route, schemas, base),
    )


def _list_parameters(route: Mapping[str, Any], schemas: _Schemas) -> Iterator[_Input]:
    for one in route.get("parameters", ()):
        kind, need = _name_text_kind(one["schema"], schemas), _tell_need(one["schema"], one.get("required", False))
        yield _Input(one["name"], one["in"], kind, need, one.get("description", ""))


def _list_fields(route: Mapping[str, Any], schemas: _Schemas) -> Iterator[_Input]:
    """Yield the fields of the body, which are the same in every format."""
    content = route.get("requestBody", {}).get("content", {})
    place = " or ".join(sorted({"JSON" if kind == _JSON else "form" for kind in content}))
    for media in list(content.values())[:1]:
        yield from _list_properties(_find_object(media["schema"], schemas), schemas, place)


def _list_properties(found: Mapping[str, Any], schemas: _Schemas, place: str, before: str = "") -> Iterator[_Input]:
    for name, schema in found.get("properties", {}).items():
        inner = _find_object(schema, schemas)
        kind = _name_text_kind(schema, schemas) if place == "form" else _name_kind(schema, schemas)
        need = _tell_need(schema, name in found.get("required", ()))
        yield _Input(before + name, place, kind, need, schema.get("description", inner.get("description", "")))
        yield from _list_properties(inner, schemas, place, f"{before}{name}.")


def _resolve(schema: Mapping[str, Any], schemas: _Schemas) -> Mapping[str, Any]:
    found: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return found


def _find_object(schema: Mapping[str, Any], schemas: _Schemas) -> Mapping[str, Any]:
    """Return the object schema that a value may have; empty if it is no object."""
    options = (_resolve(one, schemas) for one in _resolve(schema, schemas).get("anyOf", (schema,)))
    return next((one for one in options if "properties" in one), {})


def _name_text_kind(schema: Mapping[str, Any], schemas: _Schemas) -> str:
    # Forms have no null: omit what may be null.
    return _name_kind(schema, schemas).removesuffix(" or null")


def _name_kind(schema: Mapping[str, Any], schemas: _Schemas) -> str:
    schema = _resolve(schema, schemas)
    if "anyOf" in schema:
        return " or ".join(_name_kind(one, schemas) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if "contentMediaType" in schema:
        return "file"
    if "items" in schema:
        return f"list of {_name_kind(schema['items'], schemas)}"
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {_name_kind(schema['additionalProperties'], schemas)}"
    return str(schema["type"])


def _tell_need(schema: Mapping[str, Any], is_required: bool) -> str:
    if is_required:
        return "required"
    default = schema.get("default")
    return "optional" if default in (None, "", []) else f"optional; default {json.dumps(default)}"


def _curl(method: str, path: str, route: Mapping[str, Any], schemas: _Schemas, base: str) -> str:
    address = path.format_map(_PATH_VALUES)
    query = _QUERIES.get((method, path), "")
    return " ".join(["curl", *_options(method, path, route, schemas), _quote(f"{base}{address}{query}")])


def _options(method: str, path: str, route: Mapping[str, Any], schemas: _Schemas) -> Iterator[str]:
    if path.endswith(_FILES):
        yield "-OJ"
    if any(word in path for word in _SIGNED_IN) and not path.endswith(_NEEDS_NO_TOKEN):
        yield '-H "Authorization: Bearer $TOKEN"'
    if path in _COOKIES:
        yield _COOKIES[path]
    # curl uses POST if there is a body.
    if method != "get" and (method != "post" or "requestBody" not in route):
        yield f"-X {method.upper()}"
    content = route.get("requestBody", {}).get("content", {})
    if _JSON in content:
        example = _make_example(_find_object(content[_JSON]["schema"], schemas), schemas)
        yield f"--json {_quote(json.dumps(example, ensure_ascii=False))}"
    elif content:
        example = _make_example(_find_object(next(iter(content.values()))["schema"], schemas), schemas)
        yield from (f"-F {_quote(f'{name}={value}')}" for name, value in example.items())


def _make_example(schema: Mapping[str, Any], schemas: _Schemas) -> Any:
    """Return the example of a schema, or of its fields that are required or have an example."""
    schema = _resolve(schema, schemas)
    if "example" in schema or "examples" in schema:
        return schema["example"] if "example" in schema else schema["examples"][0]
    if "contentMediaType" in schema:
        return "@predictions.jsonl"
    fields = schema.get("properties", {})
    shown = {name for name, one in fields.items() if name in schema.get("required", ()) or "examples" in one}
    return {name: _make_example(one, schemas) for name, one in fields.items() if name in shown}


def _quote(text: str) -> str:
    """Return a shell word in single quotes, even if it needs none: most shells interpret `?` and `&`."""
    return "'" + text.replace("'", "'\\''") + "'"
