"""Published rows over HTTP and on the command line: permissions, error reports, and effects on the board."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import submissions.__main__ as command_line
from submissions.published_rows.row_files import LARGEST_BYTES
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.commands import CommandResult, Run, run_in_process
from tests.support.servers.live_site import Site, run_site

ROWS = "/api/v1/admin/reported-rows"
REASON = {"reason": "As printed."}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("rows")) as running:
        yield running


@pytest.fixture(scope="module")
def maintainer(site: Site) -> str:
    return site.token("local")


@pytest.fixture
def run(site: Site, maintainer: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(command_line, "_OUT", Console(highlight=False, width=300))
    place = ("--url", f"http://127.0.0.1:{site.port}", "--token", maintainer)

    def run_here(*arguments: object) -> CommandResult:
        return run_in_process(capsys, command_line.main, (*arguments, *place))

    return run_here


def send(site: Site, token: str, content: bytes, **fields: str) -> dict[str, Any]:
    response = site.post(ROWS, token, files={"file": ("rows.csv", content)}, data=fields)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def state_of(site: Site, token: str, model: str) -> tuple[str, bool] | None:
    listed = site.get(ROWS, token).json()["rows"]
    return next(((row["origin"], row["removed"]) for row in listed if row["model"] == model), None)


def test_dry_run_then_add_then_remove_then_undo(site: Site, maintainer: str) -> None:
    content = make_csv(make_line(model="Over HTTP", value="43.2%"))
    tried = send(site, maintainer, content, dry_run="true")
    assert state_of(site, maintainer, "Over HTTP") is None
    done = send(site, maintainer, content, **REASON)
    (row,) = done["rows"]
    assert (tried["dry_run"], done["dry_run"], row["verdict"], row["line"]) == (True, False, "add", 2)
    assert {"slice": "sct", "metric": "accuracy", "old": None, "new": 0.432} in row["changes"]
    status = site.get(f"/api/v1/submissions/{row['id']}").json()
    assert (status["source"], status["scores"]["sct|accuracy"]["value"]) == ("reported", 0.432)
    removed = site.post(f"{ROWS}/{row['id']}/remove", maintainer, json=REASON).json()
    assert (removed["removed"], removed["can_be_undone"]) == (True, True)
    assert site.get(f"/api/v1/submissions/{row['id']}").status_code == 404
    shown = site.post(f"{ROWS}/{row['id']}/undo", maintainer, json=REASON).json()
    assert (shown["removed"], shown["paper"]["title"], shown["last_change"]["by"]) == (False, "New paper", "local")
    acts = site.get("/api/v1/admin/audit", maintainer).json()["entries"]
    assert [act["action"] for act in acts if act["subject"] == row["id"]] == ["restore-row", "remove-row", "add-row"]


def test_faults_are_reported_with_line_and_remedy(site: Site, maintainer: str) -> None:
    content = make_csv(make_line(), make_line(slice="sdt", value="43.2"))
    response = site.post(ROWS, maintainer, files={"file": ("rows.csv", content)}, data=REASON)
    problem = response.json()
    assert (response.status_code, problem["total"]) == (422, 1)
    assert (problem["errors"][0]["line"], problem["errors"][0]["code"]) == (3, "bad-value")
    assert "Write 0.432" in problem["errors"][0]["message"]


@pytest.mark.parametrize("act", ["list", "add", "remove", "undo"])
def test_other_users_are_refused_whatever_they_send(site: Site, act: str) -> None:
    def ask(token: str | None) -> int:
        if act == "list":
            return site.get(ROWS, token).status_code
        if act == "add":
            return site.post(ROWS, token, files={"file": ("rows.csv", b"x")}).status_code
        return site.post(f"{ROWS}/s-1/{act}", token, json=REASON).status_code

    assert [ask(None), ask(site.token("ada"))] == [401, 403]


def test_oversized_file_and_unknown_row_are_refused(site: Site, maintainer: str) -> None:
    large = site.post(ROWS, maintainer, files={"file": ("rows.csv", b"x" * (LARGEST_BYTES + 1))}, data=REASON)
    assert (large.status_code, large.json()["errors"][0]["code"]) == (422, "too-large")
    assert site.post(f"{ROWS}/s-none/remove", maintainer, json=REASON).status_code == 404
    assert site.post(f"{ROWS}/s-none/undo", maintainer, json={}).status_code == 400


def test_file_of_the_largest_size_is_accepted(site: Site, maintainer: str) -> None:
    content = make_csv(make_line(model="Large"))
    content += (b" " * 99 + b"\n") * (LARGEST_BYTES // 100)
    content = content[:LARGEST_BYTES]
    assert send(site, maintainer, content, dry_run="true")["rows"][0]["verdict"] == "add"


def test_pagination_returns_each_row_once(site: Site, maintainer: str) -> None:
    send(site, maintainer, make_csv(*(make_line(model=f"Paged {n}") for n in range(3))), **REASON)
    whole = [row["id"] for row in site.get(ROWS, maintainer).json()["rows"]]
    paged, cursor = [], ""
    while True:
        page = site.get(f"{ROWS}?limit=2{cursor}", maintainer).json()
        paged += [row["id"] for row in page["rows"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert paged == whole


def test_command_line_adds_lists_removes_and_undoes(site: Site, maintainer: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes(make_csv(make_line(model="By command [bold]")))
    tried = run("rows", "add", file, "--dry-run")
    assert (tried.code, tried.err) == (0, "")
    assert "Preview, nothing was changed: 1 added" in tried.out
    done = run("rows", "add", file, "--reason", "As printed")
    assert (done.code, done.out.splitlines()[-1]) == (0, "1 added.")
    assert "sct|accuracy: – → 40.00 %" in done.out
    listed = run("rows", "list")
    (line,) = [line for line in listed.out.splitlines() if "By command [bold]" in line]
    row_id = line.split()[0]
    removed = run("rows", "remove", row_id, "--reason", "Retracted")
    assert (removed.code, removed.out) == (0, f"{row_id}  By command [bold]: removed\n")
    assert state_of(site, maintainer, "By command [bold]") == ("added", True)
    assert run("rows", "undo", row_id, "--reason", "Not retracted").out == f"{row_id}  By command [bold]: added\n"


def test_command_line_fills_in_source_and_date(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes(make_csv(make_line(model="Undated", source="", date="")))
    assert "`source`" in run("rows", "add", file, "--dry-run").err
    done = run("rows", "add", file, "--dry-run", "--source", "human", "--date", "2026-02")
    assert (done.code, done.err) == (0, "")
    assert "human" in done.out
    refused = run("rows", "add", file, "--dry-run", "--source", "human", "--date", "soon")
    assert refused.code == 1
    assert "2026-06-07, 2026-06 or 2026" in refused.err


def test_command_line_reports_faults_by_line_and_needs_a_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    file.write_text(json.dumps([{"model": "A"}]))
    assert run("rows", "add", file).code == 2
    refused = run("rows", "add", file, "--reason", "As printed")
    assert refused.code == 1
    assert "missing-field" in refused.err
    assert run("rows", "remove", "../../tokens", "--reason", "A test").code == 1
