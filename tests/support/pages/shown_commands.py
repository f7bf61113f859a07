"""Commands that the Submit tab of a running server shows, read as a browser gets them."""

import html
import json
import re
import urllib.request
from typing import Any

from evaluation.benchmarks import Benchmark
from tests.support.pages.visitor import EVENT_URL
from tests.support.servers.server import Server

_COMMANDS = re.compile(r'<pre class="es-code"[^>]*>(.*?)</pre>', re.DOTALL)
_TAGS = re.compile(r"<[^>]+>")


class SubmitTabEvents:
    """Events of the Submit tab of a server, for a visitor without an account."""

    def __init__(self, server: Server) -> None:
        self._server = server
        page = server.get("/")[1].decode()
        self._config, _ = json.JSONDecoder().raw_decode(page, page.index("{", page.rindex("window.gradio_config = ")))
        self._names = {one["id"]: one["props"].get("elem_id") for one in self._config["components"]}

    def list_commands_at_load(self, place: str) -> list[str]:
        """Return the commands in a component of the page as it is sent."""
        (component,) = (one for one in self._config["components"] if self._names[one["id"]] == place)
        return find_commands(component["props"]["value"])

    def choose_benchmark(self, benchmark: Benchmark) -> dict[str, Any]:
        """Choose a version, and return the ID of each changed component with its update."""
        return self._send("submit-benchmark", f"{benchmark.id} {benchmark.version}")

    def choose_setting(self, dropdown: str, benchmark: Benchmark, setting: str) -> dict[str, Any]:
        """Choose a setting in a dropdown."""
        return self._send(dropdown, f"{benchmark.id} {benchmark.version}", setting)

    def _send(self, place: str, *values: str) -> dict[str, Any]:
        event = next(
            event
            for event in self._config["dependencies"]
            if event["backend_fn"]
            and any(self._names.get(target) == place and name == "input" for target, name in event["targets"])
        )
        body = {"fn_index": event["id"], "data": values, "session_hash": "abc123"}
        request = urllib.request.Request(
            self._server.url + EVENT_URL, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            updates = json.load(answer)["data"]
        return dict(zip(map(self._names.get, event["outputs"]), updates, strict=True))  # type: ignore[arg-type]


def find_commands(markup: str) -> list[str]:
    """Return the commands in a component as their copy buttons copy them."""
    return [html.unescape(_TAGS.sub("", code)) for code in _COMMANDS.findall(markup)]
