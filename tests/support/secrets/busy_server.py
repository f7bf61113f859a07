"""Complete Earshot with a canary in each secret, and misbehaving visitors, maintainers and partners."""

import asyncio
import json
import re
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import psutil

from evaluation import get_benchmark
from evaluation.answer_keys import find_key, save_key
from evaluation.packs import example_predictions
from leaderboard.api.auth import COOKIE
from tests.support.endpoints.misbehaving import ScriptedServer, ServedRequest, make_reply, run_server
from tests.support.replicas.object_gateway import ObjectGateway, run_gateway
from tests.support.secrets.canaries import AS_USER, Canaries, can_inspect
from tests.support.servers import openid_provider
from tests.support.servers.live_site import find_free_port
from tests.support.servers.openid_provider import OpenIdProvider, run_provider
from tests.support.servers.server import ROOT, Server, wait_for, write_example

BENCHMARK, OPEN = get_benchmark("audio-motion-bench"), get_benchmark("mdar", "demo")
API = "/api/v1"
MAINTAINER = "sub-may"


@dataclass
class BusyServer:
    """A server under test: its processes, and everything that they sent or stored.

    Attributes:
        server: The server.
        canaries: The secrets.
        gateway: Double of the replica's bucket.
        answers: Address → all its responses.
        holders: Kind of process → secrets found in its environment or memory; None if unreadable.
        inspectable: Kinds of processes that other processes of the same user can inspect.
        tokens: Name of a user → their personal token.
    """

    server: Server
    canaries: Canaries
    gateway: ObjectGateway
    provider: OpenIdProvider
    judge: ScriptedServer
    endpoint: ScriptedServer
    answers: dict[str, bytes] = field(default_factory=dict)
    holders: dict[str, set[str] | None] = field(default_factory=dict)
    inspectable: set[str] = field(default_factory=set)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def log(self) -> bytes:
        return (self.server.folder / "server.log").read_bytes()

    def request(self, method: str, path: str, user: str | None = None, **options: Any) -> httpx2.Response:
        """Send a request, and record the response."""
        headers = options.pop("headers", {}) | ({"X-Earshot-Token": self.tokens[user]} if user else {})
        with self.browse() as client:
            response = client.request(method, path, headers=headers, **options)
        self.keep(f"{method} {path} {user} {len(self.answers)}", response)
        return response

    def keep(self, name: str, response: httpx2.Response) -> None:
        self.answers[name] = f"{response.status_code} {response.headers}".encode() + response.content

    def browse(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.server.url, timeout=60, trust_env=False)

    def list_processes(self) -> dict[str, psutil.Process]:
        """Return kind → process for the launcher and all its descendants."""
        assert self.server.process is not None
        launcher = psutil.Process(self.server.process.pid)
        return {"launcher": launcher} | {_name_kind(one): one for one in launcher.children(recursive=True)}

    def inspect(self, kinds: set[str]) -> None:
        """Record the secrets that processes hold, and whether other processes of their user can read them."""
        processes = self.list_processes()
        for kind in kinds:
            pid = processes[kind].pid
            self.inspectable |= {kind} if can_inspect(pid) else set()
            try:
                self.holders[kind] = self.canaries.find_in_process(pid)
            except PermissionError:
                self.holders[kind] = None


def _name_kind(process: psutil.Process) -> str:
    command = " ".join(process.cmdline())
    kinds = {
        "check_server": "checks",
        "leaderboard": "web",
        "submissions.judging": "evaluator",
        "replicate": "litestream",
        " pack ": "pack",
    }
    return next((kind for text, kind in kinds.items() if text in command), command)


def _make_environment(
    canaries: Canaries, provider: OpenIdProvider, gateway: ObjectGateway, port: int
) -> dict[str, str]:
    make = canaries.make
    public_url = f"http://127.0.0.1:{port}"
    provider.redirect_uris.add(f"{public_url}/login/callback")
    return {
        **gateway.environment(),
        "AWS_SECRET_ACCESS_KEY": make("bucket-key"),
        "AWS_SESSION_TOKEN": make("bucket-session"),
        "EARSHOT_REPLICA_URL": "s3://earshot/db",
        "EARSHOT_REPLICA_LEASE_SECONDS": "8",
        "EARSHOT_SECRET_KEY": f"{make('server-secret')},{make('earlier-secret')}",
        "EARSHOT_KEYS_TOKEN": make("keys-token"),
        "EARSHOT_AUTH": "oidc",
        "EARSHOT_PUBLIC_URL": public_url,
        "EARSHOT_OIDC_ISSUER": provider.url,
        "EARSHOT_OIDC_CLIENT_ID": openid_provider.CLIENT_ID,
        "EARSHOT_OIDC_CLIENT_SECRET": make("client-secret"),
        "EARSHOT_MAINTAINERS": MAINTAINER,
        "EARSHOT_ACCEPT_HUB_TOKENS": "1",
        "HF_ENDPOINT": provider.url,
        "EARSHOT_JUDGE_MODEL": "judge",
        "EARSHOT_JUDGE_API_KEY": make("judge-key"),
        "EARSHOT_TOKEN": make("client-token"),
        "EARSHOT_ALLOW_LOOPBACK_ENDPOINTS": "1",
        "HF_TOKEN": make("hub-token"),
        "HUGGING_FACE_HUB_TOKEN": make("old-hub-token"),
        "OPENAI_API_KEY": make("openai-key"),
        "ANTHROPIC_API_KEY": make("anthropic-key"),
    }


async def _quote(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
    """Reject a request and quote its head, including credentials."""
    writer.write(make_reply(401, json.dumps({"error": {"message": asked.head}}).encode()))


@contextmanager
def run_busy_server(folder: Path) -> Iterator[BusyServer]:
    """Start a server, exercise normal operation and failures, and record the secrets that each process holds."""
    canaries = Canaries()
    port = find_free_port()
    with ExitStack() as held:
        gateway, provider = held.enter_context(run_gateway()), held.enter_context(run_provider())
        judge, endpoint = held.enter_context(run_server(_quote)), held.enter_context(run_server(_quote))
        environment = _make_environment(canaries, provider, gateway, port)
        environment |= {"EARSHOT_JUDGE_BASE_URL": judge.url, "EARSHOT_ANSWER_KEYS": str(folder / "keys")}
        provider.client_secret = environment["EARSHOT_OIDC_CLIENT_SECRET"]
        save_key(folder / "keys", BENCHMARK.make_key("test", canaries.make("answer-key")))
        server = Server(folder, environment, port=port)
        server.start_command([*AS_USER, sys.executable, "app.py", "--no-references", "-v"], ROOT)
        held.callback(server.stop)
        server.wait_until_ready(with_chance=False)
        busy = BusyServer(server, canaries, gateway, provider, judge, endpoint)
        # Started first: rendering takes as long as all other steps together.
        _render_pack(busy)
        server.wait_until_ready()
        _work(busy)
        _fail(busy)
        busy.inspect({"launcher", "web", "evaluator", "litestream", "checks"})
        yield busy


def _render_pack(busy: BusyServer) -> None:
    """Inspect the process that renders a pack, then stop it, because rendering takes minutes."""
    process = wait_for(lambda: busy.list_processes().get("pack"), "the rendering of a pack")
    wait_for(lambda: "answer-key" in (_find_readable(busy, process.pid) or {"answer-key"}), "the reading of the key")
    wait_for(lambda: not can_inspect(process.pid), "a process that nobody can inspect")
    busy.inspect({"pack"})
    process.send_signal(signal.SIGKILL)


def _find_readable(busy: BusyServer, pid: int) -> set[str] | None:
    try:
        return busy.canaries.find_in_process(pid)
    except PermissionError:
        return None


def _work(busy: BusyServer) -> None:
    """Sign in, submit a file, and wait for its score."""
    for user in ("ann", MAINTAINER.removeprefix("sub-")):
        _sign_in(busy, user)
    sent = _send(busy, BENCHMARK.id, write_example(busy.server).read_bytes(), publish="true")
    _wait_for_state(busy, sent, "scored")
    _send(busy, OPEN.id, _answer_open_questions(busy.server))
    wait_for(lambda: busy.judge.asked, "a question to the judge")
    fields = {"benchmark": BENCHMARK.id, "model": {"name": "An endpoint"}, "model_name": "m"}
    fields |= {"base_url": busy.endpoint.url, "api_key": busy.canaries.make("endpoint-key")}
    sent = busy.request("POST", f"{API}/endpoint-submissions", "ann", json=fields)
    busy.request("POST", f"{API}/admin/submissions/{sent.json()['id']}/approve", "may")
    _wait_for_state(busy, sent, "failed")
    assert busy.endpoint.asked, "the endpoint was sent its key"


def _send(busy: BusyServer, benchmark: str, data: bytes, **fields: str) -> httpx2.Response:
    described = {"benchmark": benchmark, "model": json.dumps({"name": "A model"}), **fields}
    return busy.request("POST", f"{API}/submissions", "ann", files={"file": ("p.jsonl", data)}, data=described)


def _answer_open_questions(server: Server) -> bytes:
    """Return an answer file that a judge has to grade in part."""
    key = find_key(server.keys_dir, OPEN.id, OPEN.version, "test")
    assert key is not None
    content = OPEN.content(key)
    # Identical answers to all open questions would be scored without a judge.
    heard = ("Rain falls on a roof.", "A dog barks twice.", "Someone laughs and leaves.", "The kettle boils over.")
    texts = {item.id: heard[number % 4] for number, item in enumerate(content.items) if item.answer_format == "text"}
    rows = (row | {"response": texts.get(str(row["id"]), row["response"])} for row in example_predictions(content))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _wait_for_state(busy: BusyServer, sent: httpx2.Response, state: str) -> None:
    assert sent.status_code == 201, sent.text
    address = urlsplit(sent.json()["url"]).path
    headers = {"X-Earshot-Token": busy.tokens["ann"]}
    wait_for(lambda: busy.server.json(address, headers)["state"] == state, f"the state {state}")
    busy.request("GET", address, "ann")


def _sign_in(busy: BusyServer, user: str) -> None:
    """Sign a user in with the provider, and create a token for them."""
    busy.provider.user = f"sub-{user}"
    with busy.browse() as client:
        begun = client.get("/auth/login", headers={"Accept": "text/html"})
        with httpx2.Client(trust_env=False) as elsewhere:
            back = elsewhere.get(begun.headers["location"]).headers["location"]
        finished = client.get(back, headers={"Accept": "text/html"})
        assert finished.status_code == 303, finished.text
        cookie = client.cookies[COOKIE]
        made = client.post(f"{API}/tokens", json={"label": "test"}, headers={"Origin": busy.server.url})
        busy.keep(f"page {user}", client.get("/", headers={"Accept": "text/html"}))
    busy.tokens[user] = made.json()["token"]
    busy.canaries.add(f"token of {user}", busy.tokens[user])
    busy.canaries.add(f"cookie of {user}", str(cookie))
    for number, token in enumerate(busy.provider.access):
        busy.canaries.add(f"token of the provider {number}", token)


def _fail(busy: BusyServer) -> None:
    """Cause every failure that visitors and partners can cause, and an internal one: a missing table."""
    for fault in ("500 token", "error", "other-subject"):
        busy.provider.fault = fault
        with busy.browse() as client, httpx2.Client(trust_env=False) as elsewhere:
            begun = client.get("/auth/login")
            back = elsewhere.get(begun.headers["location"]).headers["location"]
            busy.keep(f"sign-in {fault}", client.get(back, headers={"Accept": "text/html"}))
    busy.provider.fault = ""
    wrong = busy.canaries.make("visitor-token")
    for headers in ({"Authorization": f"Bearer {wrong}"}, {"X-Earshot-Token": wrong}, {"Cookie": f"{COOKIE}={wrong}"}):
        busy.request("GET", f"{API}/submissions?mine=true", headers=headers)
    for name, token in (("hub", busy.provider.add_personal_token("sub-ann")), ("unknown", f"hf_{'unknown' * 5}")):
        busy.canaries.add(f"{name} access token", token)
        busy.request("GET", f"{API}/submissions?mine=true", headers={"Authorization": f"Bearer {token}"})
    assert "/api/whoami-v2" in busy.provider.asked
    busy.gateway.is_away = True
    wait_for(lambda: b"was not renewed" in busy.log, "a complaint about the bucket")
    busy.gateway.is_away = False
    _visit_everything(busy)
    with closing(sqlite3.connect(busy.server.data_dir / "earshot.db")) as connection:
        connection.execute("alter table sessions rename to sessions_before")
    broken = busy.request("GET", f"{API}/submissions?mine=true", headers={"Cookie": f"{COOKIE}={wrong}"})
    assert broken.status_code == 500, broken.text


def _visit_everything(busy: BusyServer) -> None:
    """Request every API and page address, including errors, as an anonymous visitor, an owner and a maintainer."""
    paths = busy.request("GET", f"{API}/openapi.json").json()["paths"]
    rows = busy.server.rows(source="submitted")
    values = {"benchmark_id": BENCHMARK.id, "submission_id": rows[0]["submission"], "model_id": rows[0]["model"]["id"]}
    queries = {
        f"{API}/leaderboards/{{benchmark_id}}/export": ["?format=csv", "?format=json", "?format=latex", "?format=hub"],
        f"{API}/submissions": ["?mine=true"],
    }
    for path, methods in paths.items():
        filled = re.sub(r"{(\w+)}", lambda match: str(values.get(match[1], "1")), path)
        for query in queries.get(path, [""]) if "get" in methods else ():
            for user in (None, "ann", "may"):
                busy.request("GET", filled + query, user)
    for path in (
        "/",
        "/config",
        "/nowhere",
        "/auth/login?next=//x",
        "/embed/audio-motion-bench",
        "/feed/x",
        "/../data",
    ):
        busy.request("GET", path, headers={"Accept": "text/html"})
