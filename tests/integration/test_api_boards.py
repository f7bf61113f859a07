import base64
import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from db.records import NewModel, StandingRecord
from db.repositories import boards, evaluations
from db.repositories.boards import BoardKey
from leaderboard.web import SLOW_PATHS
from tests.support.servers.live_site import (
    BENCHMARK,
    Site,
    add_row,
    problem_of,
    rank,
    result,
    run_site,
)

BOARD_URL = f"/api/v1/leaderboards/{BENCHMARK.id}"
HEADLINE = "overall|accuracy"
NOW = datetime(2026, 1, 2, tzinfo=UTC)


def read_pages(site: Site, query: str) -> list[list[str]]:
    pages, cursor = [], ""
    while True:
        body = site.get(f"{BOARD_URL}?{query}{cursor}").json()
        pages.append([row["model"]["name"] for row in body["rows"]])
        if body["next_cursor"] is None:
            return pages
        cursor = f"&cursor={body['next_cursor']}"


def test_board_page_has_the_form_of_the_contract(board: Site) -> None:
    body = board.get(f"{BOARD_URL}?limit=1").json()
    fields = {
        "benchmark",
        "revision",
        "metric",
        "columns",
        "rows",
        "next_cursor",
        "detectable",
        "detectable_figure",
        "opening",
    }
    assert set(body) == fields
    assert (body["detectable"], body["detectable_figure"]) == (None, None)
    assert body["benchmark"] == BENCHMARK.id
    assert body["metric"] == HEADLINE
    assert body["revision"] > 0
    assert len(body["columns"]) == sum(not column.needs_value for column in BENCHMARK.columns)
    assert set(body["columns"][0]) == {
        "key",
        "slice",
        "metric",
        "title",
        "group",
        "definition",
        "judged",
        "higher_is_better",
        "ranked",
        "shown",
        "chance",
    }
    row = body["rows"][0]
    assert set(row) == {
        *("rank", "rank_low", "rank_high", "model", "source", "setting", "scores", "parts", "runs"),
        *("missing", "unreadable", "open_pending"),
        *("signature", "submission", "date", "printed_on", "paper", "notes", "ranks", "score_notes", "reference"),
    }
    described = {"name", "organisation", "kind", "size_billions", "open_weights", "url", "links"}
    assert set(row["model"]) == {"id", "sent_as"} | described
    assert row["scores"][HEADLINE] == {"value": 0.95, "low": None, "high": None, "std": 0.01}
    assert row["ranks"][HEADLINE] == row["rank"]
    assert row["missing"] == 0.01
    assert row["unreadable"] == 0.02
    assert row["parts"] == ["sct"]


def test_board_ties_share_a_rank_and_pinned_rows_have_none(board: Site) -> None:
    rows = board.get(BOARD_URL).json()["rows"]
    ranks = {row["model"]["name"]: row["rank"] for row in rows}
    assert ranks == {
        **{"people": None, "best": 1, "paper": 2, "tied b": 3, "Tied a": 3, "tied c": 3, "dice": None},
        **{"worst": 6, "without": None, "without either": None},
    }


def test_board_pagination_returns_every_row_once_in_order(board: Site, subtests: pytest.Subtests) -> None:
    for limit, sort, order in product(
        [1, 2, 3, 50], [HEADLINE, "overall/clean/tf|yes_bias", "model", "date"], ["asc", "desc"]
    ):
        with subtests.test(sort=sort, order=order, limit=limit):
            query = f"columns={HEADLINE}&sort={sort}&order={order}"
            pages = read_pages(board, f"{query}&limit={limit}")
            names = [name for page in pages for name in page]
            assert len(names) == len(set(names)) == 10
            assert all(len(page) == limit for page in pages[:-1])
            assert names == read_pages(board, f"{query}&limit=50")[0]


def test_board_sorts_both_ways_with_missing_scores_last(board: Site) -> None:
    down, up = (read_pages(board, f"sort={HEADLINE}&order={order}")[0] for order in ("desc", "asc"))
    assert down[:3] == ["people", "best", "paper"]
    assert up[:2] == ["worst", "dice"]
    assert set(down[-2:]) == set(up[-2:]) == {"without", "without either"}
    by_name = read_pages(board, "sort=model")[0]
    assert by_name == sorted(by_name, key=str.lower)


def test_board_ranks_the_smallest_first_where_smaller_is_better(board: Site) -> None:
    body = board.get(f"{BOARD_URL}?slice=overall/clean/tf&metric=yes_bias").json()
    assert body["metric"] == "overall/clean/tf|yes_bias"
    assert next(column for column in body["columns"] if column["metric"] == "yes_bias")["higher_is_better"] is False


def test_board_filters_by_source_and_search(board: Site) -> None:
    names = read_pages(board, "source=reported,human")[0]
    assert names == ["people", "paper"]
    assert set(read_pages(board, "q=TIED")[0]) == {"tied b", "Tied a", "tied c"}
    assert len(read_pages(board, "q=lab %26")[0]) == 5
    assert read_pages(board, "q=%25") == [[]]


def test_board_returns_the_requested_columns(board: Site) -> None:
    body = board.get(f"{BOARD_URL}?columns=sct|accuracy&slice=overall").json()
    assert [column["key"] for column in body["columns"]] == ["sct|accuracy"]
    assert set(body["rows"][0]["scores"]) == {"sct|accuracy"}
    assert body["rows"][1]["rank"] == 1


BAD_PARAMETERS = [
    ("slice=overal", "slice", "Did you mean `overall`?"),
    ("metric=acuracy", "metric", "accuracy"),
    ("setting=fast", None, "Settings: default"),
    ("source=submited", "source", "Did you mean `submitted`?"),
    ("sort=rank", "sort", "Allowed:"),
    ("order=up", "order", "asc or desc"),
    ("limit=0", "limit", "1 to 500"),
    ("limit=501", "limit", "1 to 500"),
    ("limit=many", "limit", "integer"),
    ("columns=x|y", "columns", "Allowed:"),
    ("cursor=%00", "cursor", "next_cursor"),
    ("cursor=eyJhIjogMX0", "cursor", "next_cursor"),
    ("cursor=WzFd", "cursor", "next_cursor"),
    (f"q={'x' * 101}", "q", "at most 100"),
    ("slcie=overall", "slcie", "Did you mean `slice`?"),
    # Parameters of the export alone.
    ("format=csv", "format", "Unknown parameter `format`"),
    ("submission=s-x", "submission", "Unknown parameter `submission`"),
    (f"kind={'x' * 41}", "kind", "at most 40"),
    ("kind=%07", "kind", "printable"),
    (f"organisation={'x' * 121}", "organisation", "at most 120"),
    ("weights=opne", "weights", "Did you mean `open`?"),
    *((f"size={size}", "size", "`10-40`") for size in ("big", "7", "-", "9-8", "8-8", "1e3-", "1-2-3", "-1-2")),
]


def test_board_bad_parameter_is_400_and_lists_allowed_values(board: Site, subtests: pytest.Subtests) -> None:
    for query, field, said in BAD_PARAMETERS:
        with subtests.test(query):
            problem = problem_of(board.get(f"{BOARD_URL}?{query}"), 400)
            assert said in problem["detail"]
            if field is not None:
                assert problem["errors"][0]["code"] == f"bad-{field}"


@pytest.mark.parametrize(
    ("sort", "value", "row_id"),
    [
        (HEADLINE, "text", "s-x"),
        (HEADLINE, True, 5),
        (HEADLINE, 0.5, "s-\x00"),
        (HEADLINE, {}, "s-x"),
        ("model", "a\x00", "s-x"),
        ("model", 5, "s-x"),
        ("date", "yesterday", "s-x"),
        ("date", 5, "s-x"),
        ("model", None, "s-x"),
        ("date", None, "s-x"),
    ],
)
def test_board_forged_cursor_is_refused(board: Site, sort: str, value: object, row_id: object) -> None:
    forged = json.dumps([sort, True, value, row_id]).encode()
    cursor = base64.urlsafe_b64encode(forged).decode().rstrip("=")
    problem = problem_of(board.get(f"{BOARD_URL}?sort={sort}&order=desc&cursor={cursor}"), 400)
    assert problem["errors"][0]["code"] == "bad-cursor"


def test_scores_are_listed_with_their_own_signature(tmp_path: Path) -> None:
    with run_site(tmp_path) as site:
        row_id = add_row(site.services, "again", 0.5)
        rank(site.services)
        with site.services.database.write() as transaction:
            evaluations.add_finished_evaluation(transaction, row_id, result(0.9, signature="new"), NOW)
            boards.touch_board(transaction, BoardKey(BENCHMARK.id, BENCHMARK.version, "default"), NOW)

        def seen() -> tuple[float, str, str]:
            (row,) = site.get(f"{BOARD_URL}?source=submitted").json()["rows"]
            cited = site.get(f"/api/v1/submissions/{row_id}/citation").json()
            return row["scores"][HEADLINE]["value"], row["signature"], cited["text"]

        value, signature, cited = seen()
        assert (value, signature) == (0.5, "s"), "the board is the one from before, with its signature"
        assert "90.0 %" in cited
        assert "rank" not in cited
        rank(site.services)
        value, signature, cited = seen()
        assert (value, signature) == (0.9, "new")
        assert "90.0 %" in cited
        assert "rank 1" in cited


def test_board_cursor_of_another_order_is_refused(board: Site) -> None:
    cursor = board.get(f"{BOARD_URL}?limit=1").json()["next_cursor"]
    problem_of(board.get(f"{BOARD_URL}?limit=1&cursor={cursor}&order=asc"), 400)
    problem_of(board.get(f"{BOARD_URL}?limit=1&cursor={cursor}&sort=model"), 400)


def test_board_etag_answers_304_until_something_changes(site: Site) -> None:
    add_row(site.services, "first", 0.5)
    rank(site.services)
    first = site.get(BOARD_URL)
    assert first.headers["cache-control"] == "no-cache"
    assert site.get(BOARD_URL).content == first.content
    again = site.get(BOARD_URL, if_none_match=first.headers["etag"])
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["etag"] == first.headers["etag"]
    submission = add_row(site.services, "second", 0.6)
    rank(site.services)
    assert site.get(BOARD_URL, if_none_match=first.headers["etag"]).json()["revision"] > first.json()["revision"]
    token = site.token("ada")
    site.post(f"/api/v1/submissions/{submission}/withdraw", token)
    names = [row["model"]["name"] for row in site.get(BOARD_URL).json()["rows"]]
    assert names == ["first"], "a withdrawn row leaves before the next revision"


def test_board_response_is_cached_until_it_changes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    add_row(site.services, "first", 0.5)
    rank(site.services)
    url = f"{BOARD_URL}?columns={HEADLINE}&limit=7"
    first = site.get(url)
    with monkeypatch.context() as patched:
        # Handling the request would fail now.
        patched.setattr("leaderboard.api.routes.leaderboard_routes.parse_request", None)
        again = site.get(url)
        assert again.content == first.content
        assert again.headers.items() >= first.headers.items() - {("date", first.headers["date"])}
        assert site.get(url, if_none_match=first.headers["etag"]).status_code == 304
        head = site.client.head(url)
        assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", first.headers["etag"])
        assert site.get(f"{url}&order=desc").status_code == 500, "these bytes were never asked for"
    add_row(site.services, "second", 0.6)
    rank(site.services)
    assert [row["model"]["name"] for row in site.get(url).json()["rows"]] == ["second", "first"]


def test_board_searches_are_not_cached(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"{BOARD_URL}?q=first"
    assert site.get(url).status_code == 200
    monkeypatch.setattr("leaderboard.api.routes.leaderboard_routes.parse_request", None)
    assert site.get(url).status_code == 500


def test_board_etag_changes_with_a_release(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    etag = site.get(BOARD_URL).headers["etag"]
    monkeypatch.setattr("leaderboard.boards.board_pages.CODE_VERSION", "9.9.9")
    again = site.get(BOARD_URL, if_none_match=etag)
    assert again.status_code == 200
    assert again.headers["etag"] != etag


def test_board_names_the_sources_of_reported_scores(site: Site) -> None:
    notes = {"overall": "Not in the paper; mean of sct, sdt, tat.", "sct": "Table 3."}
    submission = add_row(site.services, "paper", 0.7, source="reported", n=None, notes=notes)
    add_row(site.services, "plain", 0.5)
    rank(site.services)
    paper, plain = site.get(f"{BOARD_URL}?columns={HEADLINE}").json()["rows"]
    assert paper["score_notes"] == {HEADLINE: notes["overall"]}
    assert plain["score_notes"] == {}
    assert site.get(f"{BOARD_URL}?columns={HEADLINE},sct|accuracy").json()["rows"][0]["score_notes"] == {
        HEADLINE: notes["overall"],
        "sct|accuracy": "Table 3.",
    }
    scores = site.get(f"/api/v1/submissions/{submission}").json()["scores"]
    assert scores[HEADLINE]["note"] == notes["overall"]
    assert scores["overall/clean/tf|yes_bias"]["note"] is None


def test_board_row_reveals_nothing_of_a_private_submission_of_the_same_model(site: Site) -> None:
    add_row(
        site.services,
        "Hear-7B",
        0.9,
        owner="bob",
        organisation="Secret",
        url="https://secret",
        visibility="private",
    )
    add_row(site.services, "hear-7b", 0.5)
    rank(site.services)
    response = site.get(BOARD_URL)
    (row,) = response.json()["rows"]
    assert row["model"]["organisation"] is None
    assert row["model"]["url"] is None
    assert "ecret" not in response.text


def test_board_without_rows_is_an_empty_page(site: Site) -> None:
    body = site.get(BOARD_URL).json()
    assert body["rows"] == []
    assert body["revision"] == 0
    assert body["next_cursor"] is None


def test_export_has_every_row_and_neutralises_formulas(site: Site) -> None:
    for name in ("=HYPERLINK(1)", "+1", "@sum", "-2", "plain"):
        add_row(site.services, name, 0.5)
    rank(site.services)
    response = site.get(f"{BOARD_URL}/export?format=csv&columns={HEADLINE}")
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in response.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert {row["model_name"] for row in rows} == {"'=HYPERLINK(1)", "'+1", "'@sum", "'-2", "plain"}
    assert {row[HEADLINE] for row in rows} == {"0.5"}
    assert {row["rank"] for row in rows} == {"1"}
    exported = site.get(f"{BOARD_URL}/export?format=json").json()
    assert len(exported["rows"]) == 5
    assert exported["rows"][0]["scores"][HEADLINE]["value"] == 0.5


def test_unknown_export_format_is_refused_with_the_known_ones(board: Site) -> None:
    problem = problem_of(board.get(f"{BOARD_URL}/export?format=xlsx"), 400)
    assert "Unknown format" in problem["detail"]
    assert "csv, latex, json" in problem["detail"]


def test_row_has_interval_and_rank_range_and_board_the_smallest_difference(site: Site) -> None:
    submission_id = add_row(site.services, "one", 0.5)
    paper_id = add_row(site.services, "paper", 0.7, source="reported", n=None)
    rank(site.services)
    slice_name, metric = HEADLINE.split("|")
    with site.services.database.write() as transaction:
        key = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")
        found = boards.find_board(transaction, key)
        assert found is not None
        placed = [
            StandingRecord(submission_id, 1, slice_name, metric, 0.5, None, 0.45, 0.55, 4, 3, 6),
            StandingRecord(paper_id, 2, slice_name, metric, 0.7, rank=1),
        ]
        seen = found.changes + 1
        assert boards.replace_standings(transaction, key, placed, seen=seen, rule="", now=NOW, detectable=0.044)
    body = site.get(BOARD_URL).json()
    # The questions of this site cover one part.
    assert (body["detectable"], body["detectable_figure"]) == (0.044, "sct|accuracy")
    paper, row = body["rows"]
    assert (row["rank"], row["rank_low"], row["rank_high"]) == (4, 3, 6)
    assert row["scores"][HEADLINE] == {"value": 0.5, "low": 0.45, "high": 0.55, "std": None}
    assert (paper["rank"], paper["rank_low"], paper["rank_high"]) == (1, None, None)
    assert paper["scores"][HEADLINE] == {"value": 0.7, "low": None, "high": None, "std": None}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Board with described models, two of them merged, one described by a maintainer."""
    with run_site(tmp_path_factory.mktemp("described")) as site:
        for name, value, facts in (
            ("seven", 0.9, ("LALM", 7.0, True, "Lab & Co")),
            ("seven again", 0.8, ("OLM", 7.1, False, "lab & co")),
            ("ten", 0.7, ("lalm", 10.0, True, None)),
            ("forty", 0.6, ("OLM", 40.0, None, "Others, Inc.")),
            ("unknown", 0.5, (None, None, None, None)),
        ):
            kind, size, is_open, organisation = facts
            known = NewModel(name, organisation, kind, size, is_open)
            add_row(site.services, name, value, model=known)
        add_row(site.services, "people", 0.95, source="human")
        rank(site.services)
        token = site.token("local")
        ids = {one["name"]: one["id"] for one in site.get("/api/v1/models").json()["models"]}
        for name, act in (
            ("seven again", {"join_to": ids["seven"]}),
            ("unknown", {"describe": {"kind": "cascaded", "size_billions": 8}}),
            ("seven", {"describe": {"organisation": "The Lab"}}),
        ):
            said = act | {"reason": "As its paper says."}
            assert site.post(f"/api/v1/admin/models/{ids[name]}", token, json=said).status_code == 200
        yield site


FILTERS = [
    ("kind=LALM", [0.9, 0.7]),
    ("kind=lalm", [0.9, 0.7]),
    ("kind=Cascaded", [0.5]),
    ("kind=nothing", []),
    ("weights=open", [0.9, 0.7]),
    ("weights=closed", [0.8]),
    ("size=7-10", [0.9, 0.8, 0.5]),
    ("size=10-", [0.7, 0.6]),
    ("size=-7.1", [0.9]),
    ("organisation=the%20lab", [0.9, 0.8]),
    ("organisation=lab %26 co", []),
    ("organisation=Others, Inc.", [0.6]),
    ("kind=olm&size=0-10&weights=closed&organisation=The Lab", [0.8]),
    ("kind=olm&q=seven", [0.8]),
    ("kind=&weights=&size=&organisation=&source=submitted", [0.9, 0.8, 0.7, 0.6, 0.5]),
]


def test_board_filters_by_displayed_model_facts(described: Site, subtests: pytest.Subtests) -> None:
    for words, values in FILTERS:
        with subtests.test(words):
            pages, cursor = [], ""
            while True:
                body = described.get(
                    f"{BOARD_URL}?{words}&source=submitted,verified&limit=1{cursor}".replace(" ", "%20")
                ).json()
                pages += [row["scores"][HEADLINE]["value"] for row in body["rows"]]
                if body["next_cursor"] is None:
                    break
                cursor = f"&cursor={body['next_cursor']}"
            assert pages == values
            exported = described.get(f"{BOARD_URL}/export?format=json&source=submitted&{words}").json()["rows"]
            assert [row["scores"][HEADLINE]["value"] for row in exported] == values


def test_board_offers_facets_of_its_rows_and_a_new_etag_when_they_change(described: Site) -> None:
    answer = described.get(f"{BOARD_URL}/filters")
    assert answer.json() == {
        "benchmark": BENCHMARK.id,
        "version": BENCHMARK.version,
        "setting": "default",
        "kinds": [{"value": "LALM", "rows": 2}, {"value": "OLM", "rows": 2}, {"value": "cascaded", "rows": 1}],
        "organisations": [{"value": "The Lab", "rows": 2}, {"value": "Others, Inc.", "rows": 1}],
    }
    tag = answer.headers["etag"]
    assert described.get(f"{BOARD_URL}/filters", if_none_match=tag).status_code == 304
    assert described.get(BOARD_URL).headers["etag"].removeprefix("W/") == tag.removeprefix("W/")


def test_filters_refuse_bad_parameters_and_those_of_the_board_alone(board: Site, subtests: pytest.Subtests) -> None:
    for query, said in (
        ("setting=fast", "Settings: default"),
        ("verison=1.0", "Did you mean `version`?"),
        ("source=submitted", "Unknown parameter `source`"),
    ):
        with subtests.test(query):
            assert said in problem_of(board.get(f"{BOARD_URL}/filters?{query}"), 400)["detail"]
    assert board.get(f"{BOARD_URL}/filters?version={BENCHMARK.version}&setting=default").status_code == 200


def test_board_free_text_filters_are_not_cached(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    add_row(site.services, "one", 0.5)
    rank(site.services)
    words = ("kind=a", "organisation=a", "size=1-2", "weights=open")
    for word in words:
        assert site.get(f"{BOARD_URL}?{word}").status_code == 200
    monkeypatch.setattr("leaderboard.api.routes.leaderboard_routes.parse_request", None)
    assert [site.get(f"{BOARD_URL}?{word}").status_code for word in words] == [500, 500, 500, 200]


def test_answers_that_fill_the_caches_after_a_start_exist(site: Site) -> None:
    assert {site.get(path).status_code for path in SLOW_PATHS} == {200}
