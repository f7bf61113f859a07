"""Page inputs: events and uploads. Every request here can be sent by an anonymous client."""

import asyncio
import errno
import json
import os
import re
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

import leaderboard.pages.inputs.page_uploads
from submissions.errors import BadRequestError
from submissions.service import SubmissionService
from tests.support.pages.visitor import EVENT_URL, UPLOAD_URL, Visitor, file_value
from tests.support.servers.live_site import BENCHMARK, predictions, problem_of
from tests.support.servers.server import wait_for

SECRET = "root-of-all-secrets"


@pytest.fixture
def uploads(visitor: Visitor) -> Iterator[Path]:
    """Yield the folder of uploads, empty before and after."""
    folder = visitor.site.services.settings.data_dir / "page-uploads"
    shutil.rmtree(folder, ignore_errors=True)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def watched_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Create a secret file, and check that Gradio's own folder does not change."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "gradio"))
    secret = tmp_path / "secret.jsonl"
    secret.write_text(SECRET)
    (tmp_path / "link").symlink_to(secret)
    return tmp_path


def require_refused(response: httpx2.Response, *hidden: object) -> None:
    assert 400 <= response.status_code < 500, response.text
    problem_of(response, response.status_code)
    assert SECRET not in response.text
    assert not any(str(word) in response.text for word in hidden if word), response.text


def test_page_keeps_no_unused_state_in_the_queue(visitor: Visitor) -> None:
    assert visitor.page.is_running
    # Gradio fills it when the queue starts.
    assert visitor.page._queue.active_jobs == []


def test_invented_sessions_leave_nothing_in_memory(visitor: Visitor, soak: bool) -> None:
    def name_sessions(count: int) -> None:
        for number in range(count):
            answer = visitor.send("open_admin", [None], session_hash=f"invented{number}")
            assert answer.status_code == 200

    name_sessions(20)
    before = measure_memory()
    name_sessions(50_000 if soak else 80)
    # Gradio's sessions would take 1 MB each, and the 10,000 newest 10 GB.
    assert measure_memory() - before < 30_000_000


def measure_memory() -> int:
    """Return the bytes of memory that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


PATHS_OF_STRANGERS = [
    "{folder}/secret.jsonl",
    "{folder}/link",
    "{folder}/x/../secret.jsonl",
    "{data}/page-uploads/../earshot.db",
    "{data}/earshot.db",
    "{data}/artifacts",
    "/etc/passwd",
    "/dev/zero",
    "/proc/self/environ",
    "../earshot.db",
    "earshot.db",
    "http://127.0.0.1:{port}/metrics",
    "file:///etc/passwd",
    "data:text/plain;base64,aGk=",
    "",
    "\x00" * 22,
    "a" * 22 + "\n",
    "a" * 90_000,
]


def test_event_with_its_own_path_is_refused_and_opens_no_file(
    visitor: Visitor, watched_paths: Path, subtests: pytest.Subtests
) -> None:
    for path in PATHS_OF_STRANGERS:
        with subtests.test(path=path[:80]):
            data_dir = visitor.site.services.settings.data_dir
            path = path.format(folder=watched_paths, data=data_dir, port=visitor.site.port)
            require_refused(visitor.check(file_value(path)), watched_paths, data_dir)
            assert not (watched_paths / "gradio").exists()


@pytest.mark.parametrize("hide", ["bare", "list", "deep", "text input", "dropdown", "too many", "url", "proxy"])
def test_file_value_in_any_position_is_refused(visitor: Visitor, watched_paths: Path, hide: str) -> None:
    value = file_value(str(watched_paths / "secret.jsonl"))
    good = visitor.upload().json()[0]
    setting = BENCHMARK.settings[0]
    event: tuple[str, list[Any]] = {
        "bare": ("check", [value["path"], False, setting]),
        "list": ("check", [[value], False, setting]),
        "deep": ("check", [{"a": [{"b": value}]}, False, setting]),
        "text input": ("choose", [value]),
        "dropdown": ("redraw", [[{"x": value}], None]),
        "too many": ("choose", [None, value]),
        "url": ("check", [file_value(good, url="http://127.0.0.1/metrics"), False, setting]),
        "proxy": ("check", [file_value(good, url=f"/proxy=http://x/{good}"), False, setting]),
    }[hide]
    require_refused(visitor.send(*event), watched_paths)
    assert not (watched_paths / "gradio").exists()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("choose_benchmark", ["no-such-benchmark 1.0"]),
        ("choose_benchmark", ["x" * 5_000]),
        ("choose", [["s-1"]]),
        ("redraw", [None, "s-1", None]),
        ("redraw", [None, [], ["s-1"]]),
        ("redraw", [None, ["s-1", 5], None]),
        ("check", [None, f"{BENCHMARK.id} {BENCHMARK.version}", False, 7]),
        ("register", [f"{BENCHMARK.id} {BENCHMARK.version}", "default", "all", *[None] * 6, False, *[None] * 8, False]),
    ],
)
def test_choice_outside_its_list_is_refused_with_one_message(
    visitor: Visitor, capfd: pytest.CaptureFixture[str], name: str, data: list[Any]
) -> None:
    problem = problem_of(visitor.send(name, data), 400)
    assert problem["detail"] == (
        "A value of the event is not one that the page offers there. Choose one of the list, or reload the page."
    )
    assert "Traceback" not in "".join(capfd.readouterr())


def test_choice_of_an_earlier_session_is_validated_by_its_handler(visitor: Visitor) -> None:
    """The options of a list belong to a session and are lost at a restart; an open page continues to work."""
    visitor.site.client.post("/auth/local", data={"name": "dan"})
    nothing = visitor.send("choose", ["s-of-before"])
    assert nothing.status_code == 200
    assert "No submissions yet" in nothing.text
    board = [f"{BENCHMARK.id} {BENCHMARK.version}", False, BENCHMARK.settings[0]]
    (reference,) = visitor.upload(predictions()).json()
    sent = visitor.send(
        "send", [file_value(reference), *board, "Dan's", None, None, "7", "open", None, "", "", False, True]
    )
    (submission,) = visitor.site.services.submissions.list_mine(visitor.site.services.accounts.find_by_name("dan"))
    assert submission.id in sent.text
    for session in ("abc123", "after-a-restart"):
        fields = {"session_hash": session, "data": [submission.id, board[0]]}
        index = min(at for at, function in visitor.page.fns.items() if function.name == "refresh_submissions")
        looked = visitor.post({"fn_index": index, **fields})
        assert looked.status_code == 200, looked.text
        assert "queued" in looked.text, looked.text
    (reference,) = visitor.upload(predictions()).json()
    refused = visitor.check_in("loud", file_value(reference))
    assert refused.status_code == 200
    assert "loud" in refused.text
    visitor.site.client.cookies.clear()


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b'{"data": []}', b"\xff", b"[" * 50_000, b'{"fn_index": true, "data": []}', b'{"fn_index"'],
)
def test_unknown_event_is_refused(visitor: Visitor, body: bytes) -> None:
    require_refused(visitor.site.post(EVENT_URL, content=body, headers={"Content-Type": "application/json"}))


@pytest.mark.parametrize(
    "fields",
    [
        {"fn_index": 999},
        {"fn_index": -1},
        {"fn_index": 10**30},
        {"fn_index": "0"},
        {"data": {"path": "/etc/passwd"}},
        {"data": []},
        {"session_hash": "../x"},
        {"session_hash": "x" * 65},
        {"session_hash": {"path": "/etc/passwd"}},
    ],
)
def test_event_with_an_unexpected_field_is_refused(visitor: Visitor, fields: dict[str, Any]) -> None:
    (index,) = (at for at, function in visitor.page.fns.items() if function.name == "choose")
    require_refused(visitor.post({"fn_index": index, "data": [None], **fields}), "/etc")


def test_browser_only_event_is_refused(visitor: Visitor) -> None:
    (index, *_) = (at for at, function in visitor.page.fns.items() if function.fn is None)
    require_refused(visitor.post({"fn_index": index, "data": []}))


def test_oversized_event_is_413(visitor: Visitor) -> None:
    assert "100,000 bytes" in problem_of(visitor.send("choose", ["x" * 100_001]), 413)["detail"]


def test_uploaded_file_is_checked_and_submitted_in_one_session(visitor: Visitor, uploads: Path) -> None:
    visitor.site.client.post("/auth/local", data={"name": "ada"})
    for name in ("first", "second"):
        response = visitor.upload(predictions())
        (reference,) = response.json()
        assert "/" not in reference
        assert response.status_code == 200
        file = file_value(reference, url=f"http://127.0.0.1/gradio_api/file={reference}", orig_name="p.jsonl", size=9)
        checked = visitor.check(file)
        assert checked.status_code == 200
        assert "4" in checked.text
        assert "es-error" not in checked.text
        assert len(list(uploads.iterdir())) == 1
        model = [name, None, None, "7", "open", None, "", "", False, True]
        sent = visitor.send("send", [file, f"{BENCHMARK.id} {BENCHMARK.version}", False, BENCHMARK.settings[0], *model])
        assert "Submitted (" in sent.text, sent.text
        assert list(uploads.iterdir()) == []
    visitor.site.client.cookies.clear()


def test_double_click_submits_once_and_reports_it_twice(visitor: Visitor, uploads: Path) -> None:
    visitor.site.client.post("/auth/local", data={"name": "eda"})
    (reference,) = visitor.upload(predictions()).json()
    described = ["Twice", None, None, "7", "open", None, "", "", False, True]
    event = [file_value(reference), f"{BENCHMARK.id} {BENCHMARK.version}", False, BENCHMARK.settings[0], *described]
    with ThreadPoolExecutor(2) as pool:
        answers = [*pool.map(lambda _: visitor.send("send", event).text, range(2)), visitor.send("send", event).text]
    (submission,) = visitor.site.services.submissions.list_mine(visitor.site.services.accounts.find_by_name("eda"))
    # The session belongs to whoever was signed in when the page was opened.
    assert all("<b>eda</b>" in json.loads(answer)["data"][2] for answer in answers)
    assert all(f"Submitted ({submission.id})" in answer for answer in answers), answers
    visitor.site.client.cookies.clear()


def test_refused_file_can_be_checked_and_sent_in_the_same_session(visitor: Visitor, uploads: Path) -> None:
    """Gradio recreates an unchanged component for the session as a plain one, including file inputs."""
    visitor.site.client.post("/auth/local", data={"name": "cem"})
    board = [f"{BENCHMARK.id} {BENCHMARK.version}", False, BENCHMARK.settings[0]]
    described = [None, None, "7", "open", None, "", "", False, True]
    nothing = visitor.send("send", [None, *board, "Later", *described])
    assert "Choose a file first" in nothing.text
    (reference,) = visitor.upload(predictions()).json()
    file = file_value(reference)
    nameless = visitor.send("send", [file, *board, "", *described])
    assert nameless.status_code == 200
    assert "es-error" in nameless.text
    checked = visitor.check(file)
    assert checked.status_code == 200, checked.text
    assert "file-ok" in checked.text, checked.text
    sent = visitor.send("send", [file, *board, "Later", *described])
    assert sent.status_code == 200, sent.text
    assert "Submitted (" in sent.text, sent.text
    visitor.site.client.cookies.clear()


def test_reference_to_a_missing_file_is_explained_by_the_handler(visitor: Visitor, uploads: Path) -> None:
    shown = visitor.check(file_value("a" * 22))
    assert shown.status_code == 200
    assert "Choose it again" in shown.text
    uploads.mkdir(exist_ok=True)
    (uploads / ("b" * 22)).symlink_to("/etc/passwd")
    (uploads / ("c" * 22)).mkdir()
    os.mkfifo(uploads / ("d" * 22))
    for letter in "bcd":
        shown = visitor.check(file_value(letter * 22))
        assert shown.status_code == 200
        assert "Choose it again" in shown.text
        assert str(uploads) not in shown.text


def test_event_writes_nothing_to_gradio_s_folder(visitor: Visitor, watched_paths: Path) -> None:
    (reference,) = visitor.upload(predictions()).json()
    assert visitor.check(file_value(reference)).status_code == 200
    assert not (watched_paths / "gradio").exists()


def test_page_does_not_pass_for_a_script_being_set_up(visitor: Visitor) -> None:
    assert visitor.page.has_launched
    assert visitor.page.is_running


def test_second_barrier_refuses_a_file_value_that_passes_the_first(visitor: Visitor, watched_paths: Path) -> None:
    (check,) = (function for function in visitor.page.fns.values() if function.name == "check")
    for value in (file_value(str(watched_paths / "secret.jsonl")), [file_value("http://127.0.0.1/")]):
        with pytest.raises(BadRequestError):
            asyncio.run(visitor.page.preprocess_data(check, [value, False, "default"], None))
    assert not (watched_paths / "gradio").exists()


def test_interrupted_upload_leaves_nothing_and_is_no_incident(
    visitor: Visitor, uploads: Path, caplog: pytest.LogCaptureFixture
) -> None:
    head = (
        f"POST {UPLOAD_URL}?upload_id=broken HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90000\r\n"
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="files"; '
        'filename="p"\r\n\r\nhello'
    )
    with socket.create_connection(("127.0.0.1", visitor.site.port), timeout=120) as connection:
        connection.sendall(head.encode())
        with visitor.site.client.stream("GET", "/gradio_api/upload_progress?upload_id=broken") as progress:
            news = progress.iter_lines()
            assert next(news) == 'data: {"msg":"update","orig_name":"p","chunk_size":5}'
            connection.close()
            assert [line for line in news if line][-1] == 'data: {"msg":"done"}'
    assert list(uploads.glob("*")) == []
    assert "incident" not in caplog.text


def test_progress_of_a_completed_upload_is_done(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file arrives before its page polls: an error would appear in the console."""
    monkeypatch.setattr(leaderboard.pages.inputs.page_uploads, "_LOOKS_FOR_A_START", 1)
    answer = visitor.site.get("/gradio_api/upload_progress?upload_id=arrived")
    assert (answer.status_code, answer.text) == (200, 'data: {"msg":"done"}\n\n')


def test_checks_of_page_and_api_share_a_concurrency_limit(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = threading.Lock()
    release = threading.Event()
    running = 0

    def block(*_args: object, **_options: object) -> None:
        nonlocal running
        with lock:
            running += 1
        assert release.wait(300)
        raise BadRequestError("file", "That was enough.")

    (reference,) = visitor.upload(predictions()).json()
    monkeypatch.setattr(SubmissionService, "validate", block)

    def check_by_api() -> httpx2.Response:
        files = {"file": ("p", predictions())}
        return visitor.site.post("/api/v1/validations", files=files, data={"benchmark": BENCHMARK.id})

    with ThreadPoolExecutor(4) as threads:
        by_page = [threads.submit(visitor.check, file_value(reference)) for _ in range(2)]
        wait_for(lambda: running == 2, "two checks at once")
        by_api = threads.submit(check_by_api)
        third = threads.submit(visitor.check, file_value(reference))
        # A free slot would be given immediately; fifty responses of the same server later, the two checks have none.
        for _ in range(50):
            assert visitor.site.get("/healthz").status_code == 200
        assert running == 2
        release.set()
        assert all("That was enough" in one.result().text for one in (*by_page, third, by_api))


def test_upload_without_a_file_or_with_two_is_refused_and_not_stored(visitor: Visitor, uploads: Path) -> None:
    post = visitor.site.post
    require_refused(visitor.upload(field="other"))
    require_refused(post(UPLOAD_URL, files=[("files", ("a", b"1")), ("files", ("b", b"2"))]))
    require_refused(post(UPLOAD_URL, data={"files": "text"}))
    require_refused(post(UPLOAD_URL, content=b"x"))
    for content_type in ("multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\xff"):
        headers = {"Content-Type": content_type.encode("latin-1")}
        require_refused(post(UPLOAD_URL, content=b"--x\r\n\r\n", headers=headers))
    assert list(uploads.glob("*")) == []


def test_oversized_upload_is_413_and_not_stored(visitor: Visitor, uploads: Path) -> None:
    problem_of(visitor.upload(b"x" * 1_000_001), 413)
    problem_of(visitor.upload(b"x" * 2_100_000), 413)
    assert list(uploads.glob("*")) == []


def test_visitor_without_account_replaces_only_their_own_files(visitor: Visitor, uploads: Path) -> None:
    token = visitor.site.token("uploader")
    mine = visitor.upload(b"y" * 900_000, token=token).json()[0]
    assert [visitor.upload(b"x" * 900_000).status_code for _ in range(13)] == [200] * 13
    sizes = [path.stat().st_size for path in uploads.iterdir()]
    assert len(sizes) == 3
    assert (uploads / mine).read_bytes().startswith(b"y")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("place", ["folder", "spool"])
def test_full_disk_is_507_for_every_upload_and_stores_nothing(
    visitor: Visitor, uploads: Path, monkeypatch: pytest.MonkeyPatch, code: int, place: str
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise OSError(code, os.strerror(code), "/somewhere/secret")

    token = visitor.site.token("unlucky")
    with monkeypatch.context() as patched:
        if place == "spool":
            patched.setattr("starlette.formparsers.SpooledTemporaryFile", fail)
        else:
            patched.setattr(tempfile, "NamedTemporaryFile", fail)
            patched.setattr(Path, "rename", fail)
        answers = [visitor.upload(), visitor.site.submit(token)]
        if place == "spool":
            files = {"file": ("p", predictions())}
            answers.append(visitor.site.post("/api/v1/validations", files=files, data={"benchmark": BENCHMARK.id}))
    for answer in answers:
        problem = problem_of(answer, 507)
        assert "disk is full" in problem["detail"]
        assert "secret" not in answer.text
    assert list(uploads.glob("*")) == []
    assert visitor.site.get("/api/v1/submissions?mine=true", token).json()["submissions"] == []


ADMIN_EVENTS: dict[str, list[Any]] = {
    "open_admin": [None],
    "look_after": [None],
    "look_at": ["s-1"],
    "retry_one": ["s-1"],
    "hide_one": ["s-1", "spam"],
    "restore_one": ["s-1", "spam"],
    "release_one": ["s-1", "spam"],
    "reject_one": ["s-1", "spam"],
    "approve_endpoint": [None, "why"],
    "reject_endpoint": [None, "why"],
    "preview_rescoring": [f"{BENCHMARK.id} {BENCHMARK.version}", None, "why"],
    "start_rescoring": [f"{BENCHMARK.id} {BENCHMARK.version}", None, "why"],
    "find_models": [""],
    "join_model": ["", "m-1", "m-2", "why"],
    "split_model": ["", "m-1", "why"],
    "preview_rows": [None, "reported", "2026"],
    "apply_rows": [None, "reported", "2026", "0" * 64, "why"],
    "undo_row": ["s-1", "why"],
    "remove_row": ["s-1", "why"],
    "show_group": ["mdar demo", "why"],
    "hide_group": ["mdar demo", "why"],
    "start_competition": ["mdar demo", "why"],
    "end_competition": ["mdar demo", "why"],
}


def test_admin_event_of_another_user_is_refused_without_effect(visitor: Visitor, subtests: pytest.Subtests) -> None:
    site = visitor.site
    stranger, maintainer = site.token("stranger"), site.token("local")
    for token in (None, stranger):
        for name, values in ADMIN_EVENTS.items():
            with subtests.test(name=name, is_signed_in=token is not None):
                answer = visitor.send(name, values, token)
                assert answer.status_code == 200, answer.text
                assert "maintainer" in answer.text if token else "Sign in" in answer.text
                for table in ("Audit log", "Evaluators", "Re-evaluations", "perhaps the same", "waits for approval"):
                    assert table not in answer.text
        with subtests.test("what they would open, and what became of it", is_signed_in=token is not None):
            assert "Listeners" not in visitor.send("open_listeners", [], token).text
            assert "ompetition" not in visitor.send("open_competitions", [], token).text
            assert not re.search("rows-(un)?changed", visitor.send("open_rows", [], token).text)
            assert re.search("rows-(un)?changed", visitor.send("open_rows", [], maintainer).text)
            assert "to maintainers" in visitor.send("open_listeners", [], maintainer).text
            assert "In competition mode: none." in visitor.send("open_competitions", [], maintainer).text
            assert "Audit log" in visitor.send("open_admin", [None], maintainer).text
            assert site.get("/api/v1/admin/reevaluations", maintainer).json()["reevaluations"] == []


def test_maintainer_starts_and_ends_competition_mode_on_the_page(visitor: Visitor) -> None:
    maintainer = visitor.site.token("local")
    refused = visitor.send("start_competition", ["mdar demo", ""], maintainer).json()["data"]
    assert "reason" in refused[0]
    started = visitor.send("start_competition", ["mdar demo", "Fixed answers"], maintainer).json()["data"]
    assert "Competition mode started." in started[0]
    assert "In competition mode: MDAR demo." in started[1]
    assert "start-competition" in started[2]
    ended = visitor.send("end_competition", ["mdar demo", "Over"], maintainer).json()["data"]
    assert "In competition mode: none." in ended[1]


@pytest.mark.parametrize(
    ("user", "asked", "is_shown", "words"),
    [
        (None, "", False, ""),
        (None, "admin", False, "Sign in on the Submit tab"),
        ("stranger", "admin", False, "for maintainers only"),
        ("local", "", True, ""),
        ("local", "admin", True, ""),
    ],
)
def test_admin_tab_is_shown_only_to_maintainers(
    visitor: Visitor, user: str | None, asked: str, is_shown: bool, words: str
) -> None:
    answer = visitor.send("admit", [asked], visitor.site.token(user) if user else None)
    notice, tab, tabs, masthead = answer.json()["data"]
    assert tab["visible"] is is_shown
    assert (f'data-testid="header-user">{user}<' in masthead) == (user is not None)
    assert ("Sign out" in masthead) == (user is not None)
    assert words in notice if words else notice == ""
    assert (tabs.get("selected") == "admin") == (is_shown and asked == "admin")
    assert "EARSHOT_" not in answer.text
