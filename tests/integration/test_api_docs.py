"""API documentation page: every command works, and every field and problem type is explained."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html import escape, unescape
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

import leaderboard
from db.repositories import submissions
from leaderboard.api.docs import DOCS_PATH, build_page
from leaderboard.http.problem_details import STATUS_OF, make_problem
from tests.support.hub.double import HubDouble
from tests.support.samples.practice_packs import write_small_pack
from tests.support.servers.live_site import BENCHMARK, Site, predictions, problem_of, run_site

API = "/api/v1"
CODE = Path(leaderboard.__file__).parent
Route = tuple[str, str]
# Statuses set by the web framework: malformed bodies, unknown addresses, unsupported methods.
FRAMEWORK = {400, 404, 405}
# Expressions that stand for a problem's status: statuses of known errors, and other refusals.
HANDED_ON = {"error.status", "status", "error.status_code", "*refusal", "*body.refusal"}


@pytest.fixture(scope="module")
def site(running_hub: HubDouble, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("docs")
    write_small_pack(BENCHMARK, folder / "packs")
    running_hub.reset()
    with run_site(folder, HF_ENDPOINT=running_hub.url) as running:
        yield running


@pytest.fixture(scope="module")
def page(site: Site) -> str:
    return site.get(DOCS_PATH).text


@pytest.fixture(scope="module")
def openapi(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = site.get(f"{API}/openapi.json").json()
    return found


def operations(openapi: Mapping[str, Any]) -> dict[Route, dict[str, Any]]:
    return {(method, path): one for path, methods in openapi["paths"].items() for method, one in methods.items()}


def split_page(page: str) -> dict[Route, str]:
    """Return the page's section for each route."""
    found = {}
    for part in page.split("<h2>")[1:]:
        heading = re.match(r"<code>([A-Z]+) (.*?)</code>", part)
        assert heading is not None
        found[heading[1].lower(), unescape(heading[2])] = part.partition("<h2 ")[0]
    return found


def find_command(part: str) -> str:
    (command,) = re.findall("<pre>(.*?)</pre>", part)
    return unescape(command)


def method_of(words: list[str]) -> str:
    """Return the HTTP method that curl uses."""
    if "-X" in words:
        return words[words.index("-X") + 1].lower()
    return "post" if {"-F", "--json"} & set(words) else "get"


def test_page_has_one_section_for_every_route(page: str, openapi: dict[str, Any]) -> None:
    assert set(split_page(page)) == set(operations(openapi))
    assert page.count("<h2>") == len(operations(openapi))


def test_command_uses_the_method_of_its_heading_and_an_absolute_url(
    site: Site, page: str, openapi: dict[str, Any]
) -> None:
    for (method, path), part in split_page(page).items():
        words = shlex.split(find_command(part))
        assert words[0] == "curl", (method, path)
        assert method_of(words) == method, (method, path)
        asked, _, query = words[-1].removeprefix(f"http://127.0.0.1:{site.port}").partition("?")
        assert not set("{}") & set(words[-1])
        assert re.fullmatch(re.sub(r"\{\w+\}", "[a-z0-9.-]+", path), asked), (method, path)
        takes = {one["name"] for one in openapi["paths"][path][method].get("parameters", ()) if one["in"] == "query"}
        assert {pair.partition("=")[0] for pair in query.split("&") if pair} <= takes, (method, path)


def test_command_sends_a_body_exactly_where_the_description_has_one(page: str, openapi: dict[str, Any]) -> None:
    for route, part in split_page(page).items():
        words = shlex.split(find_command(part))
        body = operations(openapi)[route].get("requestBody")
        assert bool({"-F", "--json"} & set(words)) is (body is not None), route
        sent = [json.loads(words[at + 1]) for at, word in enumerate(words) if word == "--json"]
        sent += [dict(words[at + 1].split("=", 1) for at, word in enumerate(words) if word == "-F")] if not sent else []
        if body is not None:
            schema = find_objects(next(iter(body["content"].values()))["schema"], openapi)[0]
            assert set(schema.get("required", ())) <= set(sent[0]) <= set(schema["properties"]), route
            assert sent[0] == schema.get("example", sent[0])
            assert sent[0], route
            assert all(sent[0].values()), route


def find_objects(schema: dict[str, Any], openapi: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the schemas of all objects that a value may contain."""
    if "$ref" in schema:
        schema = openapi["components"]["schemas"][schema["$ref"].split("/")[-1]]
    found = [one for option in schema.get("anyOf", ()) for one in find_objects(option, openapi)]
    return [*found, schema] if "properties" in schema else found


def fields_of(schema: dict[str, Any], openapi: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any, bool]]:
    for one in find_objects(schema, openapi):
        for name, field in one["properties"].items():
            yield before + name, field, name in one.get("required", ())
            yield from fields_of(field, openapi, f"{before}{name}.")


def test_every_parameter_and_body_field_is_explained_with_its_route(page: str, openapi: dict[str, Any]) -> None:
    listed = {}
    for route, part in split_page(page).items():
        rows = [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", part)]
        cells = {row[0]: row[1:] for row in rows if row}
        operation = operations(openapi)[route]
        expected = [(one["name"], one, one.get("required", False)) for one in operation.get("parameters", ())]
        for media in operation.get("requestBody", {"content": {}})["content"].values():
            expected += fields_of(media["schema"], openapi)
        for name, field, is_required in expected:
            _place, kind, need, text = cells[f"<code>{escape(name)}</code>"]
            assert kind, (route, name)
            assert (need == "required") is is_required, (route, name)
            assert field.get("description", "") in unescape(text), (route, name)
        assert set(cells) == {f"<code>{escape(name)}</code>" for name, *_ in expected}, route
        listed[route] = {unescape(re.sub("</?code>", "", name)): row for name, row in cells.items()}
    assert {"allow_missing", "publish", "idempotency-key"} <= set(listed["post", f"{API}/submissions"])
    assert listed["post", f"{API}/submissions"]["file"][:3] == ["form", "file", "required"]
    endpoint = listed["post", f"{API}/endpoint-submissions"]
    assert endpoint["concurrency"][:3] == ["JSON", "integer", "optional; default 8"]
    assert endpoint["model.name"][:3] == ["JSON", "string", "required"]
    assert "base_url" in endpoint
    assert "describe.open_weights" in listed["post", f"{API}/admin/models/{{model_id}}"]
    assert listed["post", "/auth/local"]["name"][:3] == ["JSON or form", "string", "required"]


def called(node: ast.AST) -> str:
    return ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""


def read_status(node: ast.expr) -> int | str:
    """Return a literal status, or the expression that stands for it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    text = ast.unparse(node)
    return HTTPStatus[text.removeprefix("HTTPStatus.")] if text.startswith("HTTPStatus.") else text


def list_kinds() -> set[str]:
    """Return the kinds of problems that the code raises, from its source."""
    statuses: set[int | str] = {*STATUS_OF.values(), *FRAMEWORK}
    kinds = set()
    for path in CODE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in ("make_problem", "Refusal", "HTTPException"):
                statuses.add(read_status(node.args[0]))
                kinds |= {ast.literal_eval(word.value) for word in node.keywords if word.arg == "code"}
    assert {status for status in statuses if isinstance(status, str)} <= HANDED_ON
    types = [json.loads(bytes(make_problem(status, "").body))["type"] for status in statuses if isinstance(status, int)]
    assert all(type_.startswith(f"{DOCS_PATH}#") for type_ in types)
    return kinds | {type_.partition("#")[2] for type_ in types}


def test_every_problem_type_is_explained_at_its_address(page: str) -> None:
    kinds = list_kinds()
    assert {"already-submitted", "database-away", "limit-reached", "rejected-file"} <= kinds
    assert {"request-timeout", "insufficient-storage"} <= kinds
    explained = dict(re.findall(r'<tr id="([a-z-]+)">.*?<td>([^<].{20,}?\.)</td></tr>', page))
    assert set(explained) == kinds
    assert len(re.findall(' id="', page)) == len(set(re.findall(' id="(.*?)"', page)))


def test_returned_problem_links_to_its_explanation(site: Site, page: str) -> None:
    token = site.token("bob")
    assert site.submit(token).status_code == 201
    for response, status in (
        (site.submit(token), 409),
        (site.submit(token, b"rubbish\n"), 422),
        (site.get(f"{API}/limits"), 401),
        (site.get(find_sound(site), Range="bytes=9999999-"), 416),
    ):
        where, _, kind = problem_of(response, status)["type"].partition("#")
        assert where == DOCS_PATH
        assert f'id="{kind}"' in page


def find_sound(site: Site) -> str:
    url: str = site.get(f"{API}/listening/{BENCHMARK.id}").json()["questions"][0]["audio"][0]["url"]
    return url


def test_page_loads_nothing_from_other_hosts_and_runs_no_script(page: str) -> None:
    assert re.findall(r'(?:src|href|action)="(.*?)"', page) == [f"{API}/openapi.json"]
    assert not re.search(r"<(script|link|img|iframe|form)|url\(|@import| on\w+=", page)


def test_descriptions_are_escaped_on_the_page_and_quoted_in_commands() -> None:
    bad = """<b>'"&;$(id)`"""
    field = {"type": "string", "description": bad, "default": bad, "examples": [bad]}
    media = {"application/json": {"schema": {"properties": {bad: field}}}}
    parameter = {"name": bad, "in": bad, "schema": {"enum": [bad]}, "description": bad}
    route = {"summary": bad, "description": bad, "parameters": [parameter], "requestBody": {"content": media}}
    forms = route | {"requestBody": {"content": {"multipart/form-data": media["application/json"]}}}
    paths = {"/a": {"post": route, "put": forms}, f"/{bad}": {"get": {}}}
    page = build_page({"paths": paths, "components": {"schemas": {}}}, f"http://{bad}")
    assert "<b>" not in page
    json_, form, get = (shlex.split(find_command(part)) for part in page.split("<h2>")[1:])
    assert json_ == ["curl", "--json", json.dumps({bad: bad}), f"http://{bad}/a"]
    assert form == ["curl", "-X", "PUT", "-F", f"{bad}={bad}", f"http://{bad}/a"]
    assert get == ["curl", f"http://{bad}/{bad}"]


# --- running the commands -------------------------------------------------------------------------------------------

CURL = shutil.which("curl")


def run(command: str, folder: Path, token: str) -> tuple[int, Any]:
    """Run a command as a reader does, and return status and response."""
    (folder / "predictions.jsonl").write_bytes(predictions())
    (folder / ".curlrc").write_text('silent\nnoproxy = "*"\nwrite-out = "\\n%{http_code}"\n')
    environment = {**os.environ, "TOKEN": token, "CURL_HOME": str(folder)}
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, timeout=300, check=True
    )
    body, _, status = done.stdout.decode().rpartition("\n")
    return int(status), json.loads(body) if body.startswith("{") else body


# Responses to commands as printed, where they differ from their route's success: most ids on the page are made up.
REFUSED = {
    ("get", "/readyz"): 503,
    ("get", f"{API}/comparisons"): 404,
    ("get", f"{API}/benchmarks/{{benchmark_id}}/pack"): 503,
    ("post", f"{API}/listening/{{benchmark_id}}/results"): 400,
    # The example file has no rows, and a change needs a reason.
    ("post", f"{API}/admin/reported-rows"): 400,
    # AudioMotionBench has editions, and thus no competition mode.
    ("post", f"{API}/admin/competitions/{{benchmark_id}}/start"): 409,
    ("post", f"{API}/admin/competitions/{{benchmark_id}}/end"): 409,
}
MADE_UP = (
    *("tokens/exchange", "{session_id}", "row_id", "{submission_id}", "{edition_id}"),
    *("{model_id}", "{result_id}", "{name}"),
)


def read_commands(site: Site) -> dict[Route, str]:
    """Return the commands, with a key in place of the ellipsis."""
    parts = split_page(site.get(DOCS_PATH).text)
    return {route: find_command(part) for route, part in parts.items()}


if CURL is not None:  # Not every system has it, and nothing of Earshot needs it.

    def test_every_command_gets_a_response_of_its_route(
        hub: HubDouble, tmp_path: Path, openapi: dict[str, Any]
    ) -> None:
        with run_site(tmp_path / "site", maintainers=("ada", "bea"), HF_ENDPOINT=hub.url) as place:
            write_small_pack(BENCHMARK, place.services.settings.packs_dir)
            for number, (route, command) in enumerate(read_commands(place).items()):
                # A command may revoke its token, and a user has at most 50.
                status, answer = run(
                    command, tmp_path, place.token("ada" if "token" in route[1] else ("ada", "bea")[number % 2])
                )
                success = next(code for code in operations(openapi)[route]["responses"] if code.startswith("2"))
                made_up = 404 if any(name in route[1] for name in MADE_UP) else int(success)
                assert status == REFUSED.get(route, made_up), (route, answer)

    def test_commands_in_a_row_send_hide_restore_retry_and_withdraw(tmp_path: Path) -> None:
        with run_site(tmp_path / "site", maintainers=("ada",)) as place:
            token, commands = place.token("ada"), read_commands(place)

            def ask(method: str, path: str, old: str = "", new: str = "") -> Any:
                command = commands[method, path].replace(old, new) if old else commands[method, path]
                status, answer = run(command, tmp_path, token)
                assert status in (200, 201), answer
                return answer

            one, admin = f"{API}/submissions/{{submission_id}}", f"{API}/admin/submissions/{{submission_id}}"
            sent = "s-0123456789abcd", ask("post", f"{API}/submissions")["id"]
            assert ask("post", f"{admin}/hide", *sent)["visibility"] == "hidden"
            assert ask("post", f"{admin}/restore", *sent)["visibility"] == "private"
            assert ask("post", f"{one}/publish", *sent)["visibility"] == "public"
            failed = {"state": "failed", "retryable": True, "reason": "The disk was full.", "fault": "ours"}
            with place.services.database.write() as transaction:
                assert submissions.change_state(transaction, sent[1], ["queued"], datetime.now(UTC), **failed)
            assert ask("post", f"{one}/retry", *sent)["state"] == "queued"
            assert ask("post", f"{one}/withdraw", *sent)["state"] == "withdrawn"
            assert ask("get", one, *sent)["state"] == "withdrawn"
            endpoint = "s-0123456789abcd", ask("post", f"{API}/endpoint-submissions")["id"]
            assert ask("post", f"{admin}/approve", *endpoint)["state"] == "queued"
            made = ask("post", f"{API}/tokens")
            assert made["label"] == "laptop"
            left = ask("delete", f"{API}/tokens/{{token_id}}", "/tokens/1", f"/tokens/{made['id']}")["tokens"]
            assert made["id"] not in {kept["id"] for kept in left}

    def test_commands_sign_in_and_out_again(tmp_path: Path) -> None:
        with run_site(tmp_path / "site") as place:
            commands = read_commands(place)
            limits = commands["get", f"{API}/limits"].replace('-H "Authorization: Bearer $TOKEN"', "-b cookies.txt")
            row = (commands["post", "/auth/local"], limits, commands["post", "/auth/sign-out"], limits)
            assert [run(command, tmp_path, "")[0] for command in row] == [200, 200, 200, 401]
