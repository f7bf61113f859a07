"""Hub lookups against a double that also misbehaves: the service, the route, the form."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined] # documented, but not in __all__

from submissions.__main__ import main
from submissions.errors import BadRequestError, SubmissionError
from submissions.hub.errors import HubBusyError, HubGatedError, HubNotFoundError, HubUnavailableError
from submissions.hub.lookup import HubModels, LookupLimits
from submissions.hub.repo_ids import is_repo_id
from tests.support.hub.double import MODEL, SHA, HubDouble, Reply
from tests.support.pages.visitor import Visitor, run_page
from tests.support.servers.live_site import BENCHMARK, UNLIMITED, predictions, problem_of

NAME = str(MODEL["id"])
ROUTE = "/api/v1/hub-models"


@pytest.fixture(scope="module")
def page(running_hub: HubDouble, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with run_page(tmp_path_factory.mktemp("hub"), HF_ENDPOINT=running_hub.url, **UNLIMITED) as visitor:
        yield visitor


def find(hub: HubDouble, name: str = NAME, **limits: Any) -> Any:
    return asyncio.run(HubModels(hub.url, LookupLimits(**limits)).find_model(name))


def test_double_answers_as_the_hub_client_expects(hub: HubDouble) -> None:
    info = huggingface_hub.HfApi(endpoint=hub.url, token=False).model_info(NAME)
    assert (info.sha, info.pipeline_tag, info.gated) == (SHA, "audio-text-to-text", False)
    assert info.safetensors is not None
    assert info.safetensors.total == 8_397_094_912


def test_lookup_is_anonymous_and_requests_few_fields(hub: HubDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret_of_the_server")
    model = find(hub)
    assert (model.size_billions, model.open_weights, model.kind) == (8.4, True, "LALM")
    (request,) = hub.received
    assert "authorization" not in request.headers
    assert "siblings" not in request.query["expand"]


def test_failed_lookup_explains_why(hub: HubDouble, subtests: pytest.Subtests) -> None:
    gated = Reply(403, {"error": "gated"}, (("X-Error-Code", "GatedRepo"),))
    elsewhere = Reply(307, {}, (("Location", "http://127.0.0.2:1/api/models/lab/x"),))
    loop = Reply(307, {}, (("Location", "/api/models/lab/x"),))
    cases: list[tuple[str, Any, type[SubmissionError], str]] = [
        ("missing", None, HubNotFoundError, "Check the spelling"),
        ("404", Reply(404, {}), HubNotFoundError, "no public model"),
        ("gated", gated, HubGatedError, "gated"),
        ("401 gated", Reply(401, {}, gated.headers), HubGatedError, "gated"),
        ("429", Reply(429, {}, (("Retry-After", "7"),)), HubBusyError, "Try again in 7 s"),
        ("429 odd", Reply(429, {}, (("Retry-After", "9" * 400),)), HubBusyError, "Try again in 60 s"),
        ("500", Reply(500, b"<html>"), HubUnavailableError, "does not respond"),
        ("slow", Reply(200, MODEL, stalls=True), HubUnavailableError, "does not respond"),
        ("huge", Reply(200, b" " * 2_000_000), HubUnavailableError, "invalid response"),
        ("no JSON", Reply(200, b"<html>"), HubUnavailableError, "invalid response"),
        (
            "deep",
            Reply(200, b'{"id":"lab/x","cardData":{"a":' + b"[" * 50_000),
            HubUnavailableError,
            "invalid response",
        ),
        ("a list", Reply(200, []), HubUnavailableError, "invalid response"),
        ("no id", Reply(200, {"sha": SHA}), HubUnavailableError, "invalid response"),
        ("hostile id", Reply(200, {"id": "<b>/x"}), HubUnavailableError, "invalid response"),
        ("another host", elsewhere, HubUnavailableError, "invalid response"),
        ("endless redirects", loop, HubUnavailableError, "invalid response"),
    ]
    for title, reply, kind, words in cases:
        with subtests.test(title=title):
            hub.models = {} if reply is None else {"lab/x": reply}
            with pytest.raises(kind, match=words):
                find(hub, "lab/x", timeout=0.5)


def test_lookup_of_an_unreachable_hub_reports_it() -> None:
    with pytest.raises(HubUnavailableError, match="does not respond"):
        asyncio.run(HubModels("http://127.0.0.1:9", LookupLimits(timeout=5)).find_model(NAME))


def test_lookup_refuses_an_invalid_id_without_a_request(hub: HubDouble, subtests: pytest.Subtests) -> None:
    for name in (
        "",
        "x",
        "a/b/c",
        "../x/y",
        "a/..",
        "lab/x?y",
        "http://evil/x",
        "lab/x\ny",
        "läb/x",
        "lab/" + "x" * 300,
    ):
        with subtests.test(name=name), pytest.raises(BadRequestError, match="org/model-name"):
            find(hub, name)
    assert hub.received == []


def test_repository_ids_match_those_of_the_hub_client(subtests: pytest.Subtests) -> None:
    names = (
        NAME,
        "a/b",
        "a-/b",
        "-a/b",
        "a/b.",
        "a/.b",
        "a_/_b",
        "a/b--c",
        "a/b..c",
        "a/b.git",
        "ä/b",
        "a/b c",
        "x" * 97 + "/b",
    )
    for name in names:
        with subtests.test(name=name):
            try:
                validate_repo_id(name)
                is_valid = True
            except HFValidationError:
                is_valid = False
            assert is_repo_id(name) is is_valid


def test_lookup_follows_a_renamed_repository(hub: HubDouble) -> None:
    hub.models["lab/old"] = Reply(307, {}, (("Location", f"/api/models/{NAME}"),))
    assert find(hub, "lab/old").hub.repo_id == NAME


def test_lookups_are_cached_for_minutes_and_limited_per_minute(hub: HubDouble) -> None:
    now = [0.0]
    models = HubModels(hub.url, LookupLimits(max_per_minute=3), lambda: now[0])

    def look(name: str) -> Any:
        return asyncio.run(models.find_model(name))

    assert look(NAME) == look(NAME)
    assert len(hub.received) == 1
    now[0] = 299
    look(NAME)
    now[0] = 301
    look(NAME)
    assert len(hub.received) == 2
    for name in ("lab/a", "lab/a", "lab/b"):  # a refusal is cached too
        with pytest.raises(HubNotFoundError):
            look(name)
    assert len(hub.received) == 4
    with pytest.raises(HubBusyError, match="Try again in 60 s"):
        look("lab/c")
    now[0] = 362
    with pytest.raises(HubNotFoundError):
        look("lab/c")


def test_untrusted_metadata_are_dropped_one_by_one(hub: HubDouble, subtests: pytest.Subtests) -> None:
    packed = {"parameters": {"I32": 900, "F16": 100}, "total": 1000}
    cases: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
        ({"cardData": {"license": "<script>"}}, {}, {"licence": None}),
        ({"cardData": {"license": ["mit"]}}, {}, {"licence": "mit"}),
        ({"cardData": {"license": {"a": 1}, "base_model": 3}}, {}, {"licence": None, "base_models": ()}),
        ({"cardData": {"base_model": ["a/b", "x", "<b>/c"] + ["c/d"] * 9}}, {}, {"base_models": ("a/b", *["c/d"] * 4)}),
        ({"cardData": None, "createdAt": "soon", "sha": "main"}, {}, {"created_on": None, "revision": None}),
        ({"pipeline_tag": "Any <b>"}, {"kind": None}, {"pipeline_tag": None}),
        ({"pipeline_tag": "any-to-any"}, {"kind": "OLM"}, {}),
        ({"gated": "manual"}, {"open_weights": None}, {"access": "gated"}),
        ({"gated": "auto"}, {"open_weights": True}, {"access": "gated"}),
        ({"safetensors": None}, {"size_billions": None, "open_weights": None}, {}),
        ({"safetensors": packed}, {"size_billions": None, "open_weights": True}, {}),
        ({"safetensors": {"parameters": {}, "total": 10**30}}, {"size_billions": None}, {}),
        ({"safetensors": {"parameters": {}, "total": -5}}, {"size_billions": None}, {}),
    ]
    for changed, expected, of_hub in cases:
        with subtests.test(changed=changed):
            hub.models = {NAME: MODEL | changed}
            model = find(hub)
            assert {name: getattr(model, name) for name in expected} == expected
            assert {name: getattr(model.hub, name) for name in of_hub} == of_hub


def test_route_returns_submittable_fields_and_the_revision_is_stored(hub: HubDouble, page: Visitor) -> None:
    found = page.site.get(f"{ROUTE}/{NAME}")
    assert found.headers["cache-control"] == "no-store"
    model = found.json()["model"]
    assert model["hub"] == {
        "id": NAME,
        "revision": SHA,
        "licence": "apache-2.0",
        "base_models": ["lab/listener-base"],
        "access": "open",
        "pipeline_tag": "audio-text-to-text",
        "created_on": "2026-03-01",
    }
    sent = page.site.submit(page.site.token("ann"), model=json.dumps(model)).json()
    stored = page.site.get(sent["url"], page.site.token("ann")).json()
    assert (stored["hub"], stored["hub_pull_request"]) == (model["hub"], None)
    assert stored["model"]["size_billions"] == 8.4


def test_route_refuses_with_a_problem(hub: HubDouble, page: Visitor) -> None:
    hub.models |= {
        "lab/busy": Reply(429, {}, (("Retry-After", "9"),)),
        "lab/gated": Reply(403, {}),
        "lab/off": Reply(502, {}),
    }
    problem_of(page.site.get(f"{ROUTE}/lab/none"), 404)
    problem_of(page.site.get(f"{ROUTE}/lab/gated"), 403)
    problem_of(page.site.get(f"{ROUTE}/lab/off"), 503)
    problem_of(page.site.get(f"{ROUTE}/lab/-x"), 400)
    busy = page.site.get(f"{ROUTE}/lab/busy")
    problem_of(busy, 429)
    assert busy.headers["retry-after"] == "9"


def test_submission_refuses_an_impossible_repository(page: Visitor, subtests: pytest.Subtests) -> None:
    token = page.site.token("ann")
    for field, value in (
        ("id", "nobody"),
        ("revision", "main"),
        ("licence", "<b>"),
        ("base_models", ["x"]),
        ("access", "secret"),
        ("pipeline_tag", "A b"),
        ("created_on", "2026-3-1"),
    ):
        with subtests.test(field=field):
            model = {"name": "m", "hub": {"id": NAME} | {field: value}}
            problem_of(page.site.submit(token, model=json.dumps(model)), 400)


def send_fill(page: Visitor, *fields: str | None) -> list[Any]:
    answered = page.send("fill", list(fields))
    assert answered.status_code == 200, answered.text
    data: list[Any] = answered.json()["data"]
    return data


def value_of(update: Any) -> Any:
    return update.get("value") if isinstance(update, dict) else update


def test_form_fills_only_empty_fields_and_sends_the_revision(hub: HubDouble, page: Visitor) -> None:
    notice, filled, name, organisation, kind, size, weights, url = send_fill(
        page, NAME, "", "My lab", None, "", "unknown", ""
    )
    assert "revision 0123456" in value_of(notice)
    assert [value_of(one) for one in (name, kind, size, weights, url)] == [
        "listener-7b",
        "LALM",
        "8.4",
        "open",
        f"{hub.url}/{NAME}",
    ]
    assert value_of(organisation) is None, "what was typed stays"
    token = page.site.token("bob")
    (reference,) = page.upload(predictions()).json()
    chosen = [reference, f"{BENCHMARK.id} {BENCHMARK.version}", False, "default"]
    described = ["listener-7b", "My lab", "LALM", "8.4", "open", value_of(url)]
    sent = page.send(
        "send",
        [
            {"path": reference, "meta": {"_type": "gradio.FileData"}},
            *chosen[1:],
            *described,
            NAME,
            value_of(filled),
            True,
            True,
        ],
        token,
    )
    assert "Submitted (" in sent.text, sent.text
    (mine,) = page.site.get("/api/v1/submissions?mine=true", token).json()["submissions"]
    assert mine["hub"]["revision"] == SHA


def test_form_that_cannot_be_filled_explains_why(hub: HubDouble, page: Visitor) -> None:
    for name, words in (
        ("", "Enter a Hugging Face model ID"),
        ("lab/none-here", "no public model"),
        ("<b>", "org/model-name"),
    ):
        notice, filled, *others = send_fill(page, name, "", "", None, "", "unknown", "")
        assert words in value_of(notice)
        assert "<b>" not in value_of(notice)
        assert value_of(filled) == ""
        assert [value_of(one) for one in others] == [None] * 6


def test_command_line_describes_a_model_by_its_repository(
    hub: HubDouble, page: Visitor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, token = tmp_path / "p.jsonl", page.site.token("cleo")
    file.write_bytes(predictions())
    server = ["--url", f"http://127.0.0.1:{page.site.port}", "--token", token]
    command = ["submit", str(file), "--benchmark", BENCHMARK.id, *server]
    assert main([*command, "--hub-id", NAME, "--organisation", "My lab"]) == 0, capsys.readouterr().err
    (mine,) = page.site.get("/api/v1/submissions?mine=true", token).json()["submissions"]
    assert (mine["model"]["name"], mine["model"]["organisation"]) == ("listener-7b", "My lab")
    assert mine["hub"]["revision"] == SHA
    assert main(command) == 2
    assert "--hub-id" in capsys.readouterr().err
    assert main([*command, "--hub-id", "lab/none"]) == 1
    assert "no public model" in capsys.readouterr().err
