"""Reference systems: served by a separate process, submitted one at a time, evaluated like any endpoint."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest

from db.records import NewModel
from evaluation.listeners import LISTENERS
from settings.environments import listener_environment
from submissions.reference_systems.listener_server import ListenersError, serve_listeners
from tests.support.endpoints.answering import run_endpoint
from tests.support.endpoints.endpoint_installation import EndpointInstallation, make_references
from tests.support.servers.server import ROOT, has_ended, wait_for


@contextmanager
def serve_in_this_process() -> Iterator[str]:
    with run_endpoint([*LISTENERS.values()]) as url:
        yield f"{url}/v1"


@pytest.fixture
def asking(installed_to_ask: Path, tmp_path: Path) -> Iterator[EndpointInstallation]:
    shutil.copytree(installed_to_ask, tmp_path, dirs_exist_ok=True)
    # A process for the first listener only: starting one takes longer than the questions.
    serve_first = iter([partial(serve_listeners, listener_environment())])
    made = EndpointInstallation(tmp_path, lambda: next(serve_first, serve_in_this_process)())
    with closing(made.place.database):
        yield made


def test_reference_systems_are_submitted_one_at_a_time_and_become_verified_rows(asking: EndpointInstallation) -> None:
    references = make_references(asking)
    for number in range(len(LISTENERS)):
        assert references.submit_next()
        assert not references.submit_next(), "one is under way"
        assert not make_references(asking).submit_next(), "another evaluator sees it too"
        assert asking.evaluator.run_next()
        assert not [child for child in psutil.Process().children() if "listen" in child.cmdline()], "it has ended"
        found = asking.place.query("select state, count(*) from submissions where source = 'verified' group by state")
        assert found == [("scored", number + 1)]
    rows = asking.place.query("select model_name, benchmark, version, visibility from submissions order by created_at")
    assert [row[1:] for row in rows] == [("mdar", "demo", "public")] * len(rows), "the smallest set first"
    assert {row[0] for row in rows} == {"Earshot chance", "Earshot mono", "Earshot binaural"}
    assert asking.place.query("select count(*) from submissions where is_reference") == [(len(LISTENERS),)]
    # A model of the same name, or another evaluation of our listeners, is no reference system.
    model = NewModel("Earshot binaural", "Earshot", "reference")
    assert not asking.register("http://127.0.0.1:9/v1", model=model, model_name="earshot-binaural").is_reference
    again = make_references(asking)
    assert again.submit_next()
    assert asking.place.query("select benchmark from submissions where state = 'queued'") == [("star-bench",)]


def test_listeners_receive_no_settings_of_this_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EARSHOT_ANSWER_KEYS", "/srv/keys")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-own")
    environment = listener_environment()
    assert not any(name.startswith(("EARSHOT_", "OPENAI_")) for name in environment)
    with serve_listeners(environment) as url:
        assert url.endswith("/v1")
        (listening,) = [child for child in psutil.Process().children() if "listen" in child.cmdline()]
        known = set(listening.environ())
    assert known <= set(environment) | {"LC_CTYPE"}
    assert has_ended(listening)


def test_listeners_that_do_not_start_are_one_error() -> None:
    with pytest.raises(ListenersError), serve_listeners({"PATH": os.environ["PATH"], "PYTHONHOME": "/nowhere"}):
        pass


def test_listeners_end_when_their_evaluator_is_killed() -> None:
    script = (
        "from submissions.reference_systems.listener_server import serve_listeners\n"
        "import os, time\n"
        "with serve_listeners(dict(os.environ)) as url:\n"
        "    print(url, flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().startswith("http://127.0.0.1:")
        (listening,) = psutil.Process(parent.pid).children()
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: has_ended(listening), "the end")
