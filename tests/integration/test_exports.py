"""Every export format of a real server: no items, no private rows, and no executable content of users."""

import re
from collections.abc import Iterator

import pytest
import yaml

from leaderboard.boards import board_pages
from leaderboard.exports import FORMATS
from tests.support.servers.live_site import BENCHMARK, ITEMS, Site, add_row, fill_board, problem_of, rank, run_site

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"
EXPORT = f"{BOARD_URL}/export?format="
HOSTILE = "<script>alert(1)</script>\\input{x} & =1+1"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("exports")) as site:
        fill_board(site)
        add_row(site.services, HOSTILE, 0.3, source="reported", notes={"overall": "Table 3."}, organisation=HOSTILE)
        rank(site.services)
        yield site


def row_of(site: Site, name: str) -> str:
    rows = site.get(BOARD_URL).json()["rows"]
    return str(next(row["submission"] for row in rows if row["model"]["name"] == name))


@pytest.mark.parametrize("name", FORMATS)
def test_export_names_no_item_and_no_private_row(board: Site, name: str) -> None:
    response = board.get(EXPORT + name)
    assert response.status_code == 200
    assert FORMATS[name].extension in response.headers["content-disposition"]
    assert not [item for item in ITEMS if item in response.text]
    assert "secret" not in response.text
    assert not re.search(r"(?<!\d)0\.99", response.text), (
        "the private score; seconds of a time have two digits before the dot"
    )


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "bibtex"])
def test_export_marks_reported_rows_and_has_signatures(board: Site, name: str) -> None:
    text = board.get(EXPORT + name).text
    assert "reported" in text
    assert "Table 3" in text or name == "csv"
    assert "best" in text


def test_export_of_too_many_scores_is_refused(board: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_pages, "MAX_SCORES", 20)
    problem = problem_of(board.get(f"{EXPORT}csv"), 400)
    assert "Choose fewer `columns`" in problem["detail"]
    assert board.get(f"{EXPORT}csv&columns=sct%7Caccuracy&q=best").status_code == 200


@pytest.mark.parametrize("name", FORMATS)
def test_export_of_one_submission_has_only_that_row(board: Site, name: str) -> None:
    submission = row_of(board, "best")
    response = board.get(f"{EXPORT}{name}&submission={submission}")
    assert response.status_code == 200
    assert submission in response.headers["content-disposition"]
    assert "worst" not in response.text
    assert "Tied" not in response.text


def test_export_of_a_submission_without_a_public_row_is_404(board: Site) -> None:
    private = add_row(board.services, "hidden away", 0.5, visibility="private")
    for submission in (private, "s-nobody", "%00"):
        problem = problem_of(board.get(f"{EXPORT}latex&submission={submission}"), 404)
        assert "no such row" in problem["detail"]


@pytest.mark.parametrize("name", ["hub", "model-index", "eee"])
def test_export_of_human_rows_for_models_is_refused(board: Site, name: str) -> None:
    problem = problem_of(board.get(f"{EXPORT}{name}&submission={row_of(board, 'people')}"), 400)
    assert "for models only" in problem["detail"]


def test_export_uses_the_columns_and_filters_of_the_view(board: Site) -> None:
    text = board.get(f"{EXPORT}latex&source=reported&columns=overall|accuracy").text
    assert "\\begin{tabular}{lr}" in text
    assert "worst" not in text
    assert "source=reported" in text
    assert not [line for line in text.split("\n") if "<script>" in line and not line.startswith("%")]


def test_export_links_use_the_requested_host(board: Site) -> None:
    assert f"http://127.0.0.1:{board.port}/?tab={BENCHMARK.id}" in board.get(EXPORT + "bibtex").text
    odd = board.get(EXPORT + "bibtex", host="localhost:1}x")
    assert odd.status_code == 403 or "1}x" not in odd.text


# --- citing one row -------------------------------------------------------------------------------------------------


def test_citation_of_a_public_row_is_public(board: Site) -> None:
    submission = row_of(board, "best")
    response = board.get(f"/api/v1/submissions/{submission}/citation")
    said = response.json()
    assert "best on AudioMotionBench 1.0, setting default: Overall 90.0 %" in said["text"]
    assert "rank 1" in said["text"]
    model = re.search(r"model=(m-[0-9a-f]+)", said["url"])
    assert model
    assert board.get(f"/api/v1/models/{model.group(1)}").json()["name"] == "best"
    assert f"row={submission}&signature=s" in said["url"]
    assert said["signature"] == "s"
    assert yaml.safe_load(said["hub_yaml"])[0]["value"] == 90.0
    etag = response.headers["etag"]
    assert board.get(f"/api/v1/submissions/{submission}/citation", if_none_match=etag).status_code == 304


def test_citation_of_a_private_row_requires_its_owner_or_a_maintainer(board: Site) -> None:
    private = add_row(board.services, "my own", 0.6, owner="pia", visibility="private")
    path = f"/api/v1/submissions/{private}/citation"
    for token in (None, board.token("bob")):
        assert problem_of(board.get(path, token), 404) == problem_of(
            board.get(path.replace(private, "s-no"), token), 404
        )
    for token in (board.token("pia"), board.token("local")):
        response = board.get(path, token)
        assert "my own" in response.json()["text"]
        assert "60.0 %" in response.json()["text"]
        assert "private" in response.headers["cache-control"]


def test_citation_of_an_unscored_submission_is_409(board: Site) -> None:
    token = board.token("ada")
    sent = board.submit(token).json()["id"]
    assert "queued" in problem_of(board.get(f"/api/v1/submissions/{sent}/citation", token), 409)["detail"]
