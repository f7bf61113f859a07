"""The page at /api/v1/docs: every address with an example for curl, made from the OpenAPI description, no script."""

from collections.abc import Iterator, Mapping
from html import escape
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from leaderboard.api.description import describe

DOCS_PATH = "/api/v1/docs"
OPENAPI_PATH = "/api/v1/openapi.json"
_EXAMPLE_VALUES = {
    "benchmark_id": "audio-motion-bench",
    "submission_id": "s-0123456789abcd",
    "token_id": "1",
    "reevaluation_id": "1",
    "model_id": "m-0123456789abcdef",
    "file": "@predictions.jsonl",
    "benchmark": "audio-motion-bench",
    "model": '{"name": "My model"}',
    "name": "ada",
}
_QUERIES = {
    "/api/v1/submissions": "?mine=true",
    "/api/v1/leaderboards/{benchmark_id}": "?limit=5&columns=all",
    "/api/v1/comparisons": "?benchmark=audio-motion-bench&a=s-0123456789abcd&b=s-abcdefghjkmnpq",
    "/api/v1/models": "?q=qwen+audio",
}
_JSON_BODIES = {
    "/api/v1/tokens": '{"label": "laptop"}',
    "/api/v1/admin/reevaluations": '{"benchmark": "audio-motion-bench", "dry_run": true, "reason": "New keys."}',
    "/api/v1/admin/models/{model_id}": '{"join_to": "m-fedcba9876543210", "reason": "Two names of one model."}',
    "/api/v1/admin/submissions/{submission_id}/hide": '{"reason": "Asked for by its owner."}',
    "/api/v1/admin/submissions/{submission_id}/restore": '{"reason": "The doubt was cleared."}',
}
_PROBLEMS = (400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503)
_SIGNED_IN = ("submissions", "tokens", "limits", "/admin/")
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #8881; padding: .6rem; overflow-x: auto; border-radius: 4px; }
h2 { border-top: 1px solid #8884; padding-top: 1rem; font-size: 1.1rem; }
td, th { text-align: left; padding: .1rem 1rem .1rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8bf; } }
"""

router = APIRouter(include_in_schema=False)


@router.get(DOCS_PATH)
def show_docs(request: Request) -> HTMLResponse:
    """Return the page."""
    base = f"{request.url.scheme}://{request.url.netloc}"
    return HTMLResponse(build_page(describe(request.app), base), headers={"Cache-Control": "no-cache"})


@router.get(OPENAPI_PATH)
def show_openapi(request: Request) -> Response:
    """Return the description for programs."""
    body = orjson.dumps(describe(request.app))
    return Response(body, headers={"Cache-Control": "no-cache"}, media_type="application/json")


def build_page(openapi: Mapping[str, Any], base: str) -> str:
    """Return the page that describes an API.

    Args:
        openapi: The OpenAPI description.
        base: Where the API is, for the examples; escaped here, because it is what the request called us.
    """
    routes = "\n".join(
        _describe_route(method, path, route, base)
        for path, methods in openapi["paths"].items()
        for method, route in methods.items()
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Earshot API</title><style>{_STYLE}</style></head><body>
<h1>Earshot API</h1>
<p>Scores are fractions. Errors are <code>application/problem+json</code>. A token is sent as
<code>Authorization: Bearer esh_…</code>; the Account tab of the page makes one, and so does
<code>python -m db tokens create NAME</code> where the server runs. Machine-readable:
<a href="{OPENAPI_PATH}">openapi.json</a>.</p>
{routes}
<h2 id="problems">Problems</h2><table>{"".join(_problem_rows())}</table>
</body></html>"""


def _describe_route(method: str, path: str, route: Mapping[str, Any], base: str) -> str:
    parameters = "".join(
        f"<tr><td><code>{escape(parameter['name'])}</code></td><td>{escape(parameter.get('description', ''))}</td></tr>"
        for parameter in route.get("parameters", ())
    )
    return (
        f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(route.get('summary', ''))}. "
        f"{escape(route.get('description', ''))}</p><table>{parameters}</table>"
        f"<pre>{escape(_curl(method, path, route, base))}</pre>"
    )


def _curl(method: str, path: str, route: Mapping[str, Any], base: str) -> str:
    address = path
    for name, value in _EXAMPLE_VALUES.items():
        address = address.replace(f"{{{name}}}", value)
    words = ["curl", *_options(method, path, route), f"'{base}{address}{_QUERIES.get(path, '')}'"]
    return " ".join(words)


def _options(method: str, path: str, route: Mapping[str, Any]) -> Iterator[str]:
    if method == "head":
        yield "-I"
    if path.endswith("/pack"):
        yield "-OJ"
    if any(word in path for word in _SIGNED_IN):
        yield '-H "Authorization: Bearer $TOKEN"'
    forms = {"/api/v1/submissions": ("file", "benchmark", "model"), "/api/v1/validations": ("file", "benchmark")}
    fields = forms.get(path, ()) if method == "post" else ()
    for name in fields:
        yield f"-F '{name}={_EXAMPLE_VALUES[name]}'"
    if path == "/auth/local":
        yield '-c cookies.txt --json \'{"name": "ada"}\''
    elif method == "delete" or (method == "post" and not fields and "requestBody" not in route):
        yield f"-X {method.upper()}"
    if method == "post" and path in _JSON_BODIES:
        yield f"--json '{_JSON_BODIES[path]}'"


def _problem_rows() -> Iterator[str]:
    for status in _PROBLEMS:
        title = HTTPStatus(status).phrase
        yield f'<tr id="{title.lower().replace(" ", "-")}"><td>{status}</td><td>{title}</td></tr>'
    yield '<tr id="limit-reached"><td>429</td><td>Limit reached: <code>limit</code> names it, and until when</td></tr>'
    yield '<tr id="rejected-file"><td>422</td><td>Rejected file: <code>errors</code> names lines and ids</td></tr>'
