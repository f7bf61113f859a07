"""API documentation at /api/v1/docs: every address with a curl example, generated from the OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from http import HTTPStatus
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from leaderboard.api.description import describe
from leaderboard.http.origin import find_origin

DOCS_PATH = "/api/v1/docs"
OPENAPI_PATH = "/api/v1/openapi.json"
# Values of path parameters. Examples of bodies are defined with the bodies.
_PATH_VALUES = {
    "benchmark_id": "audio-motion-bench",
    "organisation": "lab",
    "repository": "listener-7b",
    "submission_id": "s-0123456789abcd",
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
_SIGNED_IN = ("submissions", "tokens", "limits", "/me/", "/admin/")
_NEEDS_NO_TOKEN = ("/tokens/exchange",)
_JSON = "application/json"
_WAIT = "Wait for the number of seconds in <code>Retry-After</code>, then try again."
# Status → meaning and remedy, in HTML.
_PROBLEMS = {
    400: (
        "Invalid request. <code>errors</code> names the parameters and fields, if known. Correct them; each route's "
        "table lists what is allowed."
    ),
    401: "Not signed in, or the token is not valid here. Send <code>Authorization: Bearer esh_…</code>.",
    403: (
        "Not allowed: only the owner or a maintainer may do this, or the request came from another site or under a "
        "foreign host name. <code>detail</code> says which."
    ),
    404: "Not found, or not visible to you. Check the name in this documentation or in the list it comes from.",
    405: "The route does not support this method. Use one of the methods in the <code>Allow</code> header.",
    408: "The body arrived too slowly, so nothing was saved. Send it again over a faster connection.",
    409: (
        "Not possible in the current state, or the data are not available here. <code>detail</code> says which. "
        "Check the state before you try again."
    ),
    413: "The body is too large. <code>detail</code> states the limit. Send a smaller body.",
    416: (
        "The requested <code>Range</code> begins after the end. Request a range within the length in "
        "<code>Content-Range</code>."
    ),
    422: "The file cannot be accepted. <code>errors</code> says why. Correct the file and send it again.",
    429: f"Too many requests. {_WAIT}",
    500: "Something went wrong on our side. Try again, or report the reference in <code>incident</code>.",
    503: f"The answer is not ready yet, or the server is busy. {_WAIT}",
    507: "The server's disk is full, so nothing was saved. Try again later, or tell the maintainers.",
}
# Codes that are narrower than their status.
_NARROWER = {
    "closed-version": (
        409,
        (
            "This version of the benchmark shows published scores only. <code>open_version</code> and <code>url</code> "
            "name the version that accepts submissions. Send the same request for that version."
        ),
    ),
    "sign-in-failed": (
        400,
        (
            "The sign-in failed: it was not confirmed, took too long, or the provider did not respond (502). Open "
            "<code>url</code> to try again. If that fails too, report the reference in <code>incident</code>."
        ),
    ),
    "already-submitted": (
        409,
        (
            "The same file or endpoint is already queued or scored for this board and model. Nothing was added. "
            "<code>submission</code> and <code>url</code> name the earlier submission."
        ),
    ),
    "rejected-file": (
        422,
        (
            "The file cannot be scored. <code>errors</code> has one entry per cause: its first lines and IDs in "
            "<code>details</code>, their number in <code>count</code>. <code>total</code> counts all problems. Correct "
            "them, and check the file with <code>POST /api/v1/validations</code> (free)."
        ),
    ),
    "limit-reached": (
        429,
        (
            "You have reached a submission limit. <code>limit</code> names it, and <code>renewed_at</code> says when "
            "you can submit again (null: never). Checking a file is always free."
        ),
    ),
    "database-away": (
        503,
        (
            f"The database is temporarily unavailable. {_WAIT} A request with the same <code>Idempotency-Key</code> "
            "takes effect only once."
        ),
    ),
    "not-confirmed": (
        503,
        (
            f"The change is saved on this server but not yet in its replica, so a restart could lose it. {_WAIT} "
            "Repeating the request takes effect only once."
        ),
    ),
}
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #8881; padding: .6rem; overflow-x: auto; border-radius: 4px; }
table { display: block; overflow-x: auto; }
h2 { border-top: 1px solid #8884; padding-top: 1rem; font-size: 1.1rem; }
td, th { text-align: left; padding: .1rem 1rem .1rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8bf; } }
"""

router = APIRouter(include_in_schema=False)
_Schemas = Mapping[str, Any]


class _Input(NamedTuple):
    """A request body that a route accepts."""

    name: str
    place: str
    kind: str
    need: str
    text: str


@router.get(DOCS_PATH)
def show_docs(request: Request) -> HTMLResponse:
    """Return the documentation page."""
    page = build_page(describe(request.app), find_origin(request.scope))
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})


@router.get(OPENAPI_PATH)
def show_openapi(request: Request) -> Response:
    """Return the OpenAPI description."""
    body = orjson.dumps(describe(request.app))
    return Response(body, headers={"Cache-Control": "no-cache"}, media_type="application/json")


def build_page(openapi: Mapping[str, Any], base: str) -> str:
    """Render the documentation of an API.

    Args:
        openapi: The OpenAPI description.
        base: Address of the API for the examples; escaped here, because it comes from the request.
    """
    schemas = openapi["components"]["schemas"]
    routes = "\n".join(
        _describe_route(method, path, route, schemas, base)
        for path, methods in openapi["paths"].items()
        for method, route in methods.items()
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Earshot API</title><style>{_STYLE}</style></head><body>
<h1>Earshot API</h1>
<p>Scores are fractions. Errors are <code>application/problem+json</code>. A token is sent as
<code>Authorization: Bearer esh_…</code>, or as <code>X-Earshot-Token: esh_…</code> where Authorization is needed for
something else; the Account tab of the page makes one, and so does <code>python -m db tokens create NAME</code> where
the server runs. Servers that accept Hub tokens also take <code>Authorization: Bearer hf_…</code>, an access token of
the Hub that may write in your name. Machine-readable:
<a href="{OPENAPI_PATH}">openapi.json</a>.</p>
{routes}
<h2 id="problems">Problems</h2>
<p>The part of <code>type</code> after the <code>#</code> is one of these.</p><table>{"".join(_problem_rows())}</table>
</body></html>"""


def _describe_route(method: str, path: str, route: Mapping[str, Any], schemas: _Schemas, base: str) -> str:
    rows = "".join(_show_input(one) for one in (*_list_parameters(route, schemas), *_list_fields(route, schemas)))
    head = "<tr><th>Name</th><th>In</th><th>Type</th><th>Needed</th><th>Description</th></tr>" if rows else ""
    may_lack_body = not route.get("requestBody", {"required": True}).get("required", False)
    return (
        f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(route.get('summary', ''))}. "
        f"{escape(route.get('description', ''))}{' The body is optional.' if may_lack_body else ''}</p>"
        f"<table>{head}{rows}</table>"
        f"<pre>{escape(_curl(method, path, route, schemas, base))}</pre>"
    )


def _show_input(one: _Input) -> str:
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in one[1:])
    return f"<tr><td><code>{escape(one.name)}</code></td>{cells}</tr>"


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


def _problem_rows() -> Iterator[str]:
    yield "<tr><th>Type</th><th>Status</th><th>Meaning and solution</th></tr>"
    kinds = {HTTPStatus(status).phrase.lower().replace(" ", "-"): (status, text) for status, text in _PROBLEMS.items()}
    for kind, (status, text) in (kinds | _NARROWER).items():
        yield f'<tr id="{kind}"><td><code>{kind}</code></td><td>{status}</td><td>{text}</td></tr>'
