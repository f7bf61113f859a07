"""Canaries in every secret of a busy server: each process holds only the secrets it uses, and none leaks."""

import base64
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from settings import EvaluatorSettings
from tests.support.secrets.busy_server import BusyServer, run_busy_server
from tests.support.secrets.canaries import AS_USER, Canaries, can_inspect, spell

# Secret → processes that may hold it, besides the launcher for secrets from its environment.
HOLDERS: dict[str, set[str]] = {
    "server-secret": {"launcher", "web", "evaluator"},
    "earlier-secret": {"launcher", "web", "evaluator"},
    "client-secret": {"launcher", "web"},
    "bucket-key": {"launcher", "litestream"},
    "bucket-session": {"launcher", "litestream"},
    "keys-token": {"launcher", "evaluator"},
    "judge-key": {"launcher", "evaluator"},
    "client-token": {"launcher"},
    "hub-token": {"launcher"},
    "old-hub-token": {"launcher"},
    "openai-key": {"launcher"},
    "anthropic-key": {"launcher"},
    "answer-key": {"evaluator", "pack"},
    "endpoint-key": {"web", "evaluator"},
    "visitor-token": {"web"},
}
# Secret settings, and the canary of each.
SETTINGS = {
    "secret_key": "server-secret",
    "oidc_client_secret": "client-secret",
    "keys_token": "keys-token",
    "judge_api_key": "judge-key",
}


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BusyServer]:
    with run_busy_server(tmp_path_factory.mktemp("busy")) as running:
        yield running


def test_every_secret_setting_has_a_canary() -> None:
    fields = EvaluatorSettings.model_fields.items()
    assert {name for name, field in fields if "SecretStr" in str(field.annotation)} == set(SETTINGS)
    assert set(SETTINGS.values()) <= set(HOLDERS)


def test_each_process_holds_only_the_secrets_that_it_uses(busy: BusyServer) -> None:
    assert set(busy.holders) == {"launcher", "web", "evaluator", "litestream", "pack", "checks"}
    readable = {kind: names for kind, names in busy.holders.items() if names is not None}
    assert {kind: {name for name in names if kind not in HOLDERS[name]} for kind, names in readable.items()} == {
        kind: set() for kind in readable
    }
    if "evaluator" in readable:
        assert {"judge-key", "answer-key", "server-secret"} <= readable["evaluator"], "the search finds what is there"


def test_no_process_can_be_inspected_by_others_of_its_user(busy: BusyServer) -> None:
    assert busy.inspectable == set()


def test_no_response_contains_a_secret(busy: BusyServer) -> None:
    assert len(busy.answers) > 100
    statuses = {int(answer[:3]) for answer in busy.answers.values()}
    assert {200, 401, 403, 404, 500, 502} <= statuses
    found = {address: busy.canaries.find(answer) for address, answer in busy.answers.items()}
    assert {address: names for address, names in found.items() if names} == {}


def test_no_log_contains_a_secret(busy: BusyServer) -> None:
    assert b"incident" in busy.log
    assert busy.canaries.find(busy.log) == set()


def test_no_file_and_no_object_in_the_bucket_contains_a_secret(busy: BusyServer) -> None:
    data_dir = busy.server.data_dir
    assert (data_dir / "earshot.db").is_file()
    assert busy.canaries.find_in_files(data_dir, ignored=[data_dir / "replica" / "litestream"]) == {}
    objects = {key: busy.canaries.find(busy.gateway.objects[key]) for key in busy.gateway.list_keys("db/")}
    assert objects
    assert {key: names for key, names in objects.items() if names} == {}


def test_planted_secret_is_found_in_each_encoding_and_place(tmp_path: Path) -> None:
    canaries = Canaries()
    value = canaries.make("planted")
    for form in spell(value):
        assert canaries.find(b"x" + form + b"y") == {"planted"}
    assert canaries.find(base64.b64encode(b"id:" + value.encode())) == {"planted"}
    assert canaries.find(value[:-1].encode()) == set()
    (tmp_path / "file").write_text(f"x{value}y")
    assert canaries.find_in_files(tmp_path) == {str(tmp_path / "file"): {"planted"}}
    # In its environment the value is reversed, so only its memory contains it unchanged.
    text = "import os; value = os.environ['PLANTED'][::-1]; print(len(value), flush=True); input()"
    for planted, other, holds in ((value[::-1], "", True), ("", value, True), ("x", "", False)):
        with subprocess.Popen(
            [*AS_USER, sys.executable, "-c", text],
            env={"PLANTED": planted, "OTHER": other},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            try:
                assert process.stdout is not None
                process.stdout.readline()
                assert canaries.find_in_process(process.pid) == ({"planted"} if holds else set())
                assert can_inspect(process.pid)
            finally:
                process.kill()
