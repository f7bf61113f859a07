"""OpenAPI description: examples and real responses conform to it, and every refusal is a documented problem."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import httpx2
import pytest

from db.repositories import editions, evaluations, submissions
from evaluation.packs import example_predictions
from leaderboard.api.description import ANSWERS, needs_name
from tests.support.editions.edition_places import open_without_pack
from tests.support.editions.practice_files import PRACTICE_KEY, guess_answers
from tests.support.hub.double import HubDouble
from tests.support.samples.practice_packs import write_small_pack
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.live_site import BENCHMARK, Site, add_row, predictions, problem_of, rank, result, run_site
from tests.support.servers.openid_provider import run_provider
from tests.support.servers.signed_in_site import run_signed_in_site

API = "/api/v1"
BOARD = f"{API}/leaderboards/{{benchmark_id}}"
SUBMISSION = f"{API}/submissions/{{submission_id}}"
LISTENING = f"{API}/listening"
# All documented addresses; new ones are added here deliberately.
ROUTES = {
    ("get", "/healthz"),
    ("get", "/metrics"),
    ("get", "/readyz"),
    ("post", "/auth/local"),
    ("post", "/auth/sign-out"),
    ("get", f"{API}/benchmarks"),
    ("get", f"{API}/benchmarks/{{benchmark_id}}"),
    ("get", f"{API}/benchmarks/{{benchmark_id}}/pack"),
    ("get", f"{API}/leaderboards"),
    ("get", BOARD),
    ("get", f"{BOARD}/filters"),
    ("get", f"{BOARD}/export"),
    ("get", f"{API}/comparisons"),
    ("get", f"{API}/models"),
    ("get", f"{API}/models/{{model_id}}"),
    ("get", f"{API}/hub-models/{{organisation}}/{{repository}}"),
    ("get", f"{API}/admin/models"),
    ("post", f"{API}/admin/models/{{model_id}}"),
    ("get", f"{API}/overview"),
    ("post", f"{API}/validations"),
    ("post", f"{API}/submissions"),
    ("get", f"{API}/submissions"),
    ("get", SUBMISSION),
    ("get", f"{SUBMISSION}/citation"),
    ("post", f"{SUBMISSION}/publish"),
    ("post", f"{SUBMISSION}/hub-pull-request"),
    ("post", f"{SUBMISSION}/practice"),
    ("post", f"{SUBMISSION}/withdraw"),
    ("post", f"{SUBMISSION}/retry"),
    ("post", f"{API}/endpoint-submissions"),
    ("post", f"{API}/benchmarks/{{benchmark_id}}/editions"),
    ("get", f"{API}/editions"),
    ("get", f"{API}/editions/{{edition_id}}"),
    ("get", f"{API}/editions/{{edition_id}}/pack"),
    ("get", f"{API}/editions/{{edition_id}}/items"),
    ("get", f"{API}/editions/{{edition_id}}/audio/{{name}}"),
    ("post", f"{API}/editions/{{edition_id}}/close"),
    ("post", f"{API}/editions/{{edition_id}}/publish"),
    ("post", f"{API}/editions/{{edition_id}}/hide"),
    ("get", f"{API}/limits"),
    ("get", f"{API}/tokens"),
    ("post", f"{API}/tokens"),
    ("delete", f"{API}/tokens/{{token_id}}"),
    ("post", f"{API}/tokens/exchange"),
    ("get", f"{API}/sign-in"),
    ("get", f"{API}/me"),
    ("get", f"{API}/me/sessions"),
    ("delete", f"{API}/me/sessions/{{session_id}}"),
    ("get", f"{API}/admin/audit"),
    ("get", f"{API}/admin/queue"),
    ("get", f"{API}/admin/reevaluations"),
    ("post", f"{API}/admin/reevaluations"),
    ("get", f"{API}/admin/reevaluations/{{reevaluation_id}}"),
    ("post", f"{API}/admin/submissions/{{submission_id}}/hide"),
    ("post", f"{API}/admin/submissions/{{submission_id}}/restore"),
    ("post", f"{API}/admin/submissions/{{submission_id}}/release"),
    ("post", f"{API}/admin/submissions/{{submission_id}}/approve"),
    ("post", f"{API}/admin/submissions/{{submission_id}}/reject"),
    ("get", f"{API}/admin/judge"),
    ("get", f"{API}/admin/reported-rows"),
    ("post", f"{API}/admin/reported-rows"),
    ("get", f"{API}/admin/reported-rows/file"),
    ("get", f"{API}/admin/reported-rows/example"),
    ("post", f"{API}/admin/reported-rows/{{row_id}}/remove"),
    ("post", f"{API}/admin/reported-rows/{{row_id}}/undo"),
    ("get", LISTENING),
    ("get", f"{LISTENING}/{{benchmark_id}}"),
    ("get", f"{LISTENING}/{{benchmark_id}}/audio/{{name}}"),
    ("post", f"{LISTENING}/{{benchmark_id}}/results"),
    ("delete", f"{LISTENING}/{{benchmark_id}}/results/{{result_id}}"),
    ("get", f"{API}/admin/listening"),
    ("post", f"{API}/admin/listening/{{benchmark_id}}/show"),
    ("post", f"{API}/admin/listening/{{benchmark_id}}/hide"),
    ("post", f"{API}/admin/competitions/{{benchmark_id}}/start"),
    ("post", f"{API}/admin/competitions/{{benchmark_id}}/end"),
}


@pytest.fixture(scope="module")
def site(running_hub: HubDouble, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("openapi")
    write_small_pack(BENCHMARK, folder / "packs")
    running_hub.reset()
    with run_site(folder, HF_ENDPOINT=running_hub.url) as running:
        yield running


@pytest.fixture(scope="module")
def maintainer(site: Site) -> str:
    return site.token("local")


@pytest.fixture(scope="module")
def openapi(site: Site) -> dict[str, Any]:
    found: dict[str, Any] = site.get(f"{API}/openapi.json").json()
    return found


@pytest.fixture(scope="module")
def exchanged(tmp_path_factory: pytest.TempPathFactory) -> httpx2.Response:
    """Responses of a server whose users sign in with a provider."""
    folder = tmp_path_factory.mktemp("provider")
    with run_provider() as provider, run_signed_in_site(folder, provider) as signed_in:
        tokens = provider.make_tokens("sub-ada", None)
        return signed_in.post(f"{API}/tokens/exchange", json={**pick_tokens(tokens), "label": "laptop"})


def pick_tokens(tokens: dict[str, str]) -> dict[str, str]:
    return {name: tokens[name] for name in ("id_token", "access_token")}


@pytest.fixture(scope="module")
def real(site: Site, exchanged: httpx2.Response) -> dict[tuple[str, str], httpx2.Response]:
    """Call every route once with success, and return the responses."""
    token, maintainer = site.token("ada"), site.token("local")
    found: dict[tuple[str, str], httpx2.Response] = {}

    def ask(method: str, path: str, sender: str | None = None, query: str = "", **more: Any) -> Any:
        address = path.format(benchmark_id=BENCHMARK.id, **names) + query
        headers = {"Authorization": f"Bearer {sender}"} if sender else {}
        response = site.client.request(method, address, headers=headers, **more)
        assert response.status_code in (200, 201, 202, 503), (path, response.text)
        found[method, path] = response
        return response.json()

    names: dict[str, object] = {}
    files = {"file": ("p.jsonl", predictions(["amb-1", "amb-9"]))}
    ask("post", f"{API}/validations", files=files, data={"benchmark": BENCHMARK.id})
    fields = {"benchmark": BENCHMARK.id, "model": '{"name": "A model"}'}
    sent = ask("post", f"{API}/submissions", token, files={"file": ("p", predictions())}, data=fields)
    names["submission_id"] = sent["id"]
    ask("get", f"{API}/admin/queue", maintainer)
    score_next(site)
    ask("post", f"{SUBMISSION}/publish", token)
    rank(site.services)
    for method, path, sender, query in (
        ("get", "/healthz", None, ""),
        ("get", "/readyz", None, ""),
        ("get", f"{API}/benchmarks", None, ""),
        ("get", f"{API}/benchmarks/{{benchmark_id}}", None, ""),
        ("get", f"{API}/leaderboards", None, ""),
        ("get", BOARD, None, ""),
        ("get", f"{BOARD}/filters", None, ""),
        ("get", f"{BOARD}/export", None, "?format=json"),
        ("get", f"{API}/overview", None, ""),
        ("get", SUBMISSION, token, ""),
        ("get", f"{SUBMISSION}/citation", None, ""),
        ("get", f"{API}/submissions", token, "?mine=true"),
        ("get", f"{API}/limits", token, ""),
    ):
        ask(method, path, sender, query)
    link = f"{running_hub_url(site)}/lab/listener-7b/discussions/1"
    ask("post", f"{SUBMISSION}/hub-pull-request", token, json={"url": link})
    ask("post", f"{SUBMISSION}/practice", token, files={"file": ("p.jsonl", guess_answers(PRACTICE_KEY, 0.5))})
    names["model_id"] = ask("get", f"{API}/models")["models"][0]["id"]
    ask("get", f"{API}/models/{{model_id}}")
    names["organisation"], names["repository"] = "lab", "listener-7b"
    ask("get", f"{API}/hub-models/{{organisation}}/{{repository}}")
    ask("get", f"{API}/admin/models", maintainer)
    said = {"describe": {"kind": "LALM"}, "reason": "As its paper says."}
    ask("post", f"{API}/admin/models/{{model_id}}", maintainer, json=said)
    other = add_row(site.services, "Another model", 0.6)
    ask("get", f"{API}/comparisons", None, f"?benchmark={BENCHMARK.id}&a={sent['id']}&b={other}")
    names["token_id"] = ask("post", f"{API}/tokens", token, json={"label": "laptop"})["id"]
    ask("get", f"{API}/tokens", token)
    ask("delete", f"{API}/tokens/{{token_id}}", token)
    reason = {"reason": "A doubt."}
    asked = {"benchmark": BENCHMARK.id, "dry_run": True}
    names["reevaluation_id"] = ask("post", f"{API}/admin/reevaluations", maintainer, json=reason | asked)["id"]
    ask("get", f"{API}/admin/reevaluations", maintainer)
    ask("get", f"{API}/admin/reevaluations/{{reevaluation_id}}", maintainer)
    for act in ("hide", "restore"):
        ask("post", f"{API}/admin/submissions/{{submission_id}}/{act}", maintainer, json=reason)
    ask("get", f"{API}/admin/audit", maintainer)
    ask("get", f"{API}/admin/judge", maintainer)
    rows, file = f"{API}/admin/reported-rows", {"file": ("rows.csv", make_csv(make_line()))}
    names["row_id"] = ask("post", rows, maintainer, files=file, data=reason)["rows"][0]["id"]
    ask("get", rows, maintainer)
    for act in ("remove", "undo"):
        ask("post", f"{rows}/{{row_id}}/{act}", maintainer, json=reason)
    names["submission_id"] = hold_one(site, ask("post", f"{API}/submissions", token, **another_file())["id"])
    for act in ("release", "reject"):
        ask("post", f"{API}/admin/submissions/{{submission_id}}/{act}", maintainer, json=reason)
        hold_one(site, str(names["submission_id"]))
    names["submission_id"] = sent["id"]
    for number, act in enumerate(("approve", "reject")):
        endpoint = {"base_url": f"https://models{number}.example.com/v1", "model_name": "m", "api_key": "sk-0123"}
        asked_for = {"benchmark": BENCHMARK.id, "model": {"name": "A model"}} | endpoint
        registered = ask("post", f"{API}/endpoint-submissions", token, json=asked_for)
        path = f"{API}/admin/submissions/{{submission_id}}/{act}"
        address = path.format(submission_id=registered["id"])
        headers = {"Authorization": f"Bearer {maintainer}"}
        found["post", path] = site.client.post(address, headers=headers, json=reason)
        assert found["post", path].status_code == 200, found["post", path].text
    failed = {"state": "failed", "retryable": True, "reason": "The disk was full.", "fault": "ours"}
    with site.services.database.write() as transaction:
        assert submissions.change_state(transaction, sent["id"], ["scored"], datetime.now(UTC), **failed)
    for act in ("start", "end"):
        path = f"{API}/admin/competitions/{{benchmark_id}}/{act}"
        address, headers = path.format(benchmark_id="mdar"), {"Authorization": f"Bearer {maintainer}"}
        found["post", path] = site.client.post(f"{address}?version=demo", headers=headers, json=reason)
        assert found["post", path].status_code == 200, found["post", path].text
    listen(site, ask, names)
    close_edition(site, ask, names)
    ask("post", f"{SUBMISSION}/retry", token)
    ask("post", f"{SUBMISSION}/withdraw", token)
    ask("get", f"{API}/sign-in")
    ask("post", "/auth/local", json={"name": "ada"})
    ask("get", f"{API}/me")
    names["session_id"] = ask("get", f"{API}/me/sessions")["sessions"][0]["id"]
    ask("delete", f"{API}/me/sessions/{{session_id}}", token)
    ask("post", "/auth/sign-out")
    found["post", f"{API}/tokens/exchange"] = exchanged
    return found


def running_hub_url(site: Site) -> str:
    return site.services.settings.hub_endpoint


def listen(site: Site, ask: Callable[..., Any], names: dict[str, object]) -> None:
    """Answer a round and withdraw it, with a group that is shown."""
    admin, maintainer, reason = f"{API}/admin/listening", site.token("local"), {"reason": "As an example."}
    ask("post", f"{admin}/{{benchmark_id}}/show", maintainer, json=reason)
    asked = ask("get", f"{LISTENING}/{{benchmark_id}}")
    answers = {one["id"]: True if one["answer_format"] == "boolean" else 0 for one in asked["questions"]}
    body = {"n": 10, "seed": 0, "answers": answers, "seconds": 100.0, "consent": True}
    names["result_id"] = ask("post", f"{LISTENING}/{{benchmark_id}}/results", json=body)["kept"]["id"]
    ask("get", LISTENING)
    ask("get", admin, maintainer)
    ask("post", f"{admin}/{{benchmark_id}}/hide", maintainer, json=reason)
    ask("delete", f"{LISTENING}/{{benchmark_id}}/results/{{result_id}}")


def close_edition(site: Site, ask: Callable[..., Any], names: dict[str, object]) -> None:
    """Request an edition, submit a file for it, and close it."""
    token, edition = site.token("ada"), f"{API}/editions/{{edition_id}}"
    names["edition_id"] = ask("post", f"{API}/benchmarks/{{benchmark_id}}/editions", token)["id"]
    ask("get", f"{API}/editions", token)
    key = BENCHMARK.make_key("test")
    content = open_without_pack(site.services.database, BENCHMARK, key, str(names["edition_id"]))
    lines = "".join(json.dumps(line) + "\n" for line in example_predictions(content))
    data = {"benchmark": BENCHMARK.id, "model": '{"name": "A fourth"}'}
    sent = site.post(f"{API}/submissions", token, files={"file": ("p.jsonl", lines.encode())}, data=data)
    assert sent.json()["edition"] == names["edition_id"], sent.text
    ask("get", edition, token)
    ask("post", f"{edition}/close", token)
    with site.services.database.write() as transaction:
        assert submissions.change_state(transaction, sent.json()["id"], ["queued"], datetime.now(UTC), state="scored")
        seed = BENCHMARK.make_edition_key(key, str(names["edition_id"])).seed
        assert editions.reveal_seed(transaction, str(names["edition_id"]), seed, "digest")
    ask("get", f"{edition}/items", token, "?outcome=wrong&limit=2")
    ask("post", f"{edition}/publish", token)
    ask("post", f"{edition}/hide", token)


def another_file() -> dict[str, Any]:
    files = {"file": ("p.jsonl", predictions())}
    return {"files": files, "data": {"benchmark": BENCHMARK.id, "model": '{"name": "A third"}'}}


def hold_one(site: Site, submission_id: str) -> str:
    """Hold a submission, as an evaluator does on a prompt injection."""
    with site.services.database.write() as transaction:
        submissions.change_state(
            transaction,
            submission_id,
            ["queued", "awaiting-judge"],
            datetime.now(UTC),
            state="awaiting-judge",
            lane="held",
        )
    return submission_id


def score_next(site: Site) -> None:
    now = datetime.now(UTC)
    with site.services.database.write() as transaction:
        lease = evaluations.claim_next(transaction, worker="w", token="t", now=now, expires_at=now)
        assert lease is not None
        evaluations.record_result(transaction, lease, result(0.5), now)


def operations(openapi: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(method, path): one for path, methods in openapi["paths"].items() for method, one in methods.items()}


def test_routes_are_the_committed_ones(openapi: dict[str, Any]) -> None:
    assert set(operations(openapi)) == ROUTES


def test_every_route_and_parameter_is_described(openapi: dict[str, Any]) -> None:
    for route, operation in operations(openapi).items():
        assert operation["summary"], route
        assert operation["description"], route
        for parameter in operation.get("parameters", ()):
            is_named_by_path = parameter["in"] == "path"
            assert is_named_by_path or parameter.get("description"), (route, parameter["name"])
        assert "500" in operation["responses"], route
        assert ("security" in operation) is needs_name(*route), route
    assert openapi["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


def test_names_of_schemas_are_the_published_ones(openapi: dict[str, Any]) -> None:
    names = openapi["components"]["schemas"]
    assert [name for name in names if name.endswith("Schema")] == []
    assert {"Column", "Fault", "Interval", "Model", "Problem", "Row", "SubmissionAnswer"} <= set(names)


def test_every_field_of_a_body_is_described(openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    bodies = [one["requestBody"]["content"] for one in operations(openapi).values() if "requestBody" in one]
    open_schemas = [kind["schema"] for body in bodies for kind in body.values()]
    seen: set[str] = set()
    while open_schemas:
        schema = open_schemas.pop()
        names = {one["$ref"].rpartition("/")[2] for one in [schema, *schema.get("anyOf", [])] if "$ref" in one} - seen
        seen |= names
        open_schemas += [schemas[name] for name in names]
        for name, field in schema.get("properties", {}).items():
            assert field.get("description"), (schema.get("title"), name)
            open_schemas.append(field)
    assert {"ModelFields", "SaidFields", "ReasonFields", "ReevaluationFields", "EndpointFields"} <= seen


def test_examples_and_real_responses_match_the_description(
    openapi: dict[str, Any], real: dict[tuple[str, str], httpx2.Response], subtests: pytest.Subtests
) -> None:
    for method, path in sorted(ANSWERS):
        with subtests.test(method=method, path=path):
            kind = ANSWERS[method, path]
            responses = openapi["paths"][path][method]["responses"]
            response = real[method, path]
            documented = next(status for status in responses if status.startswith("2"))
            assert str(response.status_code) == documented or path == "/readyz"
            assert responses[documented]["content"]["application/json"]["schema"]["$ref"].endswith(f"/{kind.__name__}")
            example = openapi["components"]["schemas"][kind.__name__]["example"]
            for said in (json.dumps(example), response.content):
                kind.model_validate_json(said, strict=True)
            assert set(example) == set(response.json())


def test_all_json_routes_describe_their_response() -> None:
    others = {
        ("get", "/metrics"),
        ("get", f"{API}/benchmarks/{{benchmark_id}}/pack"),
        ("get", f"{API}/editions/{{edition_id}}/pack"),
        ("get", f"{API}/editions/{{edition_id}}/audio/{{name}}"),
        ("get", f"{LISTENING}/{{benchmark_id}}/audio/{{name}}"),
        ("get", f"{API}/admin/reported-rows/file"),
        ("get", f"{API}/admin/reported-rows/example"),
    }
    assert set(ANSWERS) == ROUTES - others


def test_references_of_the_description_resolve(openapi: dict[str, Any]) -> None:
    text = json.dumps(openapi)
    named = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named <= set(openapi["components"]["schemas"])


BAD: dict[str, dict[str, Any]] = {
    "no name": {"sender": None},
    "wrong token": {"sender": "esh_wrong"},
    "body that is no JSON": {"content": b"\xff{", "headers": {"Content-Type": "application/json"}},
    "body with unprintable names": {
        "content": json.dumps({"\x1b[2J": 1, "\u202e": 1, "\ud800": 1, **{"x" * n: 1 for n in range(300)}}).encode(),
        "headers": {"Content-Type": "application/json"},
    },
    "body that is no form": {"content": b"--x", "headers": {"Content-Type": "multipart/form-data; boundary=y"}},
    "body of another kind": {"content": b"<a/>", "headers": {"Content-Type": "application/xml"}},
    "odd parameters": {"query": "?limit=x&cursor=%00&version=%07&benchmark=%07&split=%00&format=%00&mine=x&slice=%07"},
    "odd name": {"name": "%07%1b" + "x" * 500},
    "other method": {"method": "PATCH"},
}


def test_bad_request_is_answered_or_is_a_documented_problem(
    site: Site, maintainer: str, openapi: dict[str, Any], subtests: pytest.Subtests
) -> None:
    for (method, path), fault in product(sorted(ROUTES), BAD):
        with subtests.test(method=method, path=path, fault=fault):
            bad = dict(BAD[fault])
            name = bad.pop("name", "nobody")
            named = ("benchmark", "submission", "token", "reevaluation", "model", "result", "row", "session", "edition")
            address = path.format(name=name, organisation=name, repository=name, **{f"{one}_id": name for one in named})
            sender = bad.pop("sender", maintainer)
            headers = bad.pop("headers", {}) | ({"Authorization": f"Bearer {sender}"} if sender else {})
            sent = bad.pop("method", method)
            response = site.client.request(sent, address + bad.pop("query", ""), headers=headers, **bad)
            documented = {int(status) for status in openapi["paths"][path][method]["responses"]}
            assert response.status_code != 500, response.text
            if response.status_code >= 400 and path != "/readyz":
                detail = problem_of(response, response.status_code)["detail"]
                assert detail.isprintable()
                assert len(detail) < 1_500
                assert response.status_code in documented | ({405} if fault == "other method" else set())


@pytest.mark.parametrize("status", ["401", "403", "404", "405", "413"])
def test_status_of_framework_and_guard_is_a_problem(site: Site, status: str) -> None:
    big = {"Content-Length": "2000000"}
    response = {
        "401": lambda: site.get(f"{API}/limits"),
        "403": lambda: site.get(f"{API}/admin/queue", site.token("ada")),
        "404": lambda: site.get(f"{API}/nope"),
        "405": lambda: site.client.put(f"{API}/limits"),
        "413": lambda: site.post(f"{API}/tokens", site.token("ada"), content=b"x" * 2_000_000, headers=big),
    }[status]()
    assert problem_of(response, int(status))["detail"]


def test_examples_file_has_exactly_the_documented_schemas() -> None:
    examples = json.loads((Path(__file__).parents[2] / "leaderboard/api/schemas/examples.json").read_text())
    assert {kind.__name__ for kind in ANSWERS.values()} == set(examples)
