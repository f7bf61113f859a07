"""Models over HTTP and in the Submit form: suggestions, details, and merges by maintainers."""

from collections.abc import Iterator
from typing import Any

import pytest

from leaderboard.api.schemas.model_answers import ModelsAnswer, WholeModelAnswer
from tests.support.pages.visitor import Visitor, run_page
from tests.support.servers.live_site import BENCHMARK, Site, add_row, problem_of, rank

MODELS = "/api/v1/models"
ADMIN = "/api/v1/admin/models"
BOARD = f"/api/v1/leaderboards/{BENCHMARK.id}"
SENT, SHOWN, HIDDEN, PRIVATE = "Qwen2-Audio-7B", "Qwen2-Audio-Instruct", "Hidden-Omni", "Private-Omni"
HOSTILE = ("a\x00b", "a\u202eb", "x" * 10_000, "a\nb", "\ud800".encode("utf-16", "surrogatepass").decode("latin-1"))


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("models")
    with run_page(folder) as visitor:
        services = visitor.site.services
        add_row(services, SENT, 0.5, organisation="Lab", url="https://a")
        add_row(services, SHOWN, 0.6, source="reported", n=None)
        add_row(services, HIDDEN, 0.7, owner="bob", visibility="hidden")
        add_row(services, PRIVATE, 0.8, owner="bob", visibility="private")
        add_row(services, "<script>alert(1)</script>", 0.1)
        rank(services)
        yield visitor


@pytest.fixture
def site(visitor: Visitor) -> Iterator[Site]:
    visitor.site.client.cookies.clear()
    yield visitor.site
    visitor.site.client.cookies.clear()


def token_of(site: Site, name: str, made: dict[tuple[int, str], str] = {}) -> str:  # noqa: B006 - kept between calls on purpose
    """Return a user's token, the same on each call: a user may have at most fifty."""
    return made.get((site.port, name)) or made.setdefault((site.port, name), site.token(name))


def names(site: Site, q: str = "", token: str | None = None) -> list[str]:
    response = site.client.get(MODELS, params={"q": q}, headers={"Authorization": f"Bearer {token}"} if token else {})
    assert response.status_code == 200, response.text
    return [one["name"] for one in response.json()["models"]]


def id_of(site: Site, name: str) -> str:
    listed = site.get(f"{ADMIN}?limit=200", token_of(site, "local")).json()["models"]
    return next(str(one["id"]) for one in listed if one["name"] == name)


def change(site: Site, name: str, **fields: Any) -> dict[str, Any]:
    response = site.post(f"{ADMIN}/{id_of(site, name)}", token_of(site, "local"), json={"reason": "A test.", **fields})
    assert response.status_code == 200, response.text
    changed: dict[str, Any] = response.json()
    return changed


@pytest.fixture
def joined(site: Site) -> Iterator[Site]:
    """The site while one model is merged into the other."""
    change(site, SENT, join_to=id_of(site, SHOWN))
    yield site
    change(site, SENT, split=True)


def test_suggestion_has_the_form_that_the_description_shows(site: Site) -> None:
    ModelsAnswer.model_validate_json(site.get(f"{MODELS}?q=audio+7b").content, strict=True)
    WholeModelAnswer.model_validate_json(site.get(f"{MODELS}/{id_of(site, SENT)}").content, strict=True)
    (one,) = site.get(f"{MODELS}?q=audio+7b").json()["models"]
    assert (one["name"], one["organisation"], one["url"], one["links"], one["aliases"], one["n_rows"]) == (
        *(SENT, "Lab", "https://a", ["https://a"]),
        *([], 1),
    )


@pytest.mark.parametrize("query", [HIDDEN, PRIVATE, "omni", "private hidden", ""])
def test_private_name_is_suggested_only_to_its_owner(site: Site, query: str) -> None:
    for token in (None, token_of(site, "ada"), token_of(site, "local")):
        assert not {HIDDEN, PRIVATE} & set(names(site, query, token))
    if query in (HIDDEN, PRIVATE):
        assert names(site, query, token_of(site, "bob")) == [query]


def test_model_without_a_public_row_is_404_for_all_but_its_owner(site: Site) -> None:
    for name in (HIDDEN, PRIVATE):
        address = f"{MODELS}/{id_of(site, name)}"
        missing = problem_of(site.get(f"{MODELS}/m-0123456789abcdef"), 404)["detail"]
        for token in (None, token_of(site, "ada"), token_of(site, "local")):
            assert problem_of(site.get(address, token), 404)["detail"] == missing, "the two are not told apart"
        own = site.get(address, token_of(site, "bob"))
        assert (own.status_code, own.json()["name"]) == (200, name)
        etag = own.headers["etag"]
        problem_of(site.get(address, if_none_match=etag), 404)
        problem_of(site.get(address, if_none_match="*"), 404)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_refused_with_a_message_everywhere(site: Site, hostile: str) -> None:
    maintainer = token_of(site, "local")
    authorised = {"Authorization": f"Bearer {maintainer}"}
    for address in (MODELS, ADMIN):
        problem_of(site.client.get(address, params={"q": hostile}, headers=authorised), 400)
    key = id_of(site, SENT)
    for said in ({"organisation": hostile}, {"kind": hostile}, {"links": [f"https://{hostile}"]}):
        body = {"describe": said, "reason": "r"}
        problem_of(site.post(f"{ADMIN}/{key}", maintainer, json=body), 400)
    problem_of(site.post(f"{ADMIN}/{key}", maintainer, json={"join_to": hostile, "reason": "r"}), 400)
    # Line breaks of a reason become spaces.
    status = 409 if "\n" in hostile else 400
    problem_of(site.post(f"{ADMIN}/{key}", maintainer, json={"split": True, "reason": hostile}), status)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"split": True, "join_to": "m-0"},
        {"split": True, "describe": {}},
        {"split": "yes"},
        {"describe": {"name": "Other"}},
        {"describe": {"size_billions": "7"}},
        {"describe": {"links": "https://a"}},
        {"describe": {"links": ["https://a"] * 6}},
    ],
)
def test_change_that_is_not_exactly_one_action_is_refused(site: Site, body: dict[str, Any]) -> None:
    answer = site.post(f"{ADMIN}/{id_of(site, SENT)}", token_of(site, "local"), json={"reason": "r", **body})
    problem_of(answer, 400)


def test_merged_model_is_shown_under_the_other_name_and_split_again_unchanged(site: Site) -> None:
    addresses = (BOARD, f"{BOARD}/export?format=csv", f"{MODELS}?q=qwen", f"{MODELS}/{id_of(site, SENT)}")
    before = [site.get(address) for address in addresses]
    assert [
        site.get(one, if_none_match=seen.headers["etag"]).status_code
        for one, seen in zip(addresses[2:], before[2:], strict=True)
    ] == [304] * 2
    entry = change(site, SENT, join_to=id_of(site, SHOWN))
    assert (entry["shown_as"]["name"], entry["joined_to"]["name"], entry["n_public"]) == (SHOWN, SHOWN, 1)
    for address, seen in zip(addresses, before, strict=True):
        if "etag" in seen.headers:
            assert site.get(address, if_none_match=seen.headers["etag"]).status_code == 200
    rows = site.get(BOARD).json()["rows"]
    as_before = before[0].json()["rows"]
    for row, old in zip(rows, as_before, strict=True):
        assert row | {"model": None} == old | {"model": None}, "no figure, place or signature is another"
        assert row["model"]["sent_as"] == old["model"]["sent_as"]
    ours = {row["model"]["sent_as"]: row for row in rows}
    assert {ours[name]["model"]["name"] for name in (SENT, SHOWN)} == {SHOWN}
    assert ours[SENT]["submission"] != ours[SHOWN]["submission"]
    page = site.get(f"{MODELS}/{id_of(site, SENT)}").json()
    assert (page["name"], page["aliases"], [row["sent_as"] for row in page["rows"]]) == (SHOWN, [SENT], [SHOWN, SENT])
    ids = (ours[SENT]["submission"], ours[SHOWN]["submission"])
    compared = site.get(f"/api/v1/comparisons?benchmark={BENCHMARK.id}&a={ids[0]}&b={ids[1]}").json()
    models = [compared[side]["model"] for side in "ab"]
    assert [(one["name"], one["sent_as"]) for one in models] == [(SHOWN, SENT), (SHOWN, SHOWN)]
    assert models[0]["id"] == models[1]["id"]
    status = site.get(f"/api/v1/submissions/{ids[0]}").json()
    assert (status["model"]["name"], status["shown_as"]["name"]) == (SENT, SHOWN)
    change(site, SENT, split=True)
    assert [site.get(address).content for address in addresses] == [seen.content for seen in before]
    acts = [one["action"] for one in site.get("/api/v1/admin/audit", token_of(site, "local")).json()["entries"]]
    assert [act for act in acts if act.endswith("-model")][:2] == ["split-model", "join-model"]


def test_file_sent_under_an_alias_keeps_its_name_and_is_a_duplicate_of_the_other(joined: Site) -> None:
    token = token_of(joined, "eve")
    sent = joined.submit(token, model=f'{{"name": " {SENT.lower()}", "links": ["https://a", "https://b"]}}')
    assert sent.status_code == 201, sent.text
    status = joined.get(sent.json()["url"], token).json()
    assert (status["model"]["name"], status["shown_as"]["name"]) == (SENT.lower(), SHOWN)
    assert (status["model"]["url"], status["model"]["links"]) == ("https://a", ["https://a", "https://b"])
    again = problem_of(joined.submit(token, model=f'{{"name": "{SHOWN}"}}'), 409)
    assert sent.json()["id"] in again["detail"]
    for links in (["https://a"] * 2 + ["ftp://a"], [f"https://{n}" for n in range(6)], "https://a", [5]):
        problem_of(joined.submit(token, model=f'{{"name": "n", "links": {links!r}}}'.replace("'", '"')), 400)


# --- the Submit form ------------------------------------------------------------------------------------------------


def recognise(visitor: Visitor, *data: Any) -> tuple[str, list[Any]]:
    """Return the hint below the name and the fields: known facts are filled in, None leaves a field unchanged."""
    response = visitor.send("recognise", list(data))
    assert response.status_code == 200, response.text
    note, filled, *described = response.json()["data"]
    return str(note), [one if not isinstance(one, dict) or "value" in one else None for one in (*described, filled)]


def test_form_suggests_names_and_escapes_them(visitor: Visitor, site: Site) -> None:
    note, _ = recognise(visitor, "qwne2 adio", "", None, "", "unknown", "")
    assert f'data-model-name="{SENT}"' in note
    assert f'data-model-name="{SHOWN}"' in note
    note, _ = recognise(visitor, "script", "", None, "", "unknown", "")
    assert "&lt;script&gt;" in note
    assert "<script" not in note
    note, _ = recognise(visitor, "omni", "", None, "", "unknown", "")
    assert HIDDEN not in note
    assert PRIVATE not in note
    site.post("/auth/local", json={"name": "bob"})
    assert PRIVATE in recognise(visitor, "omni", "", None, "", "unknown", "")[0]
    for odd in (None, "", 5, "a\x00", "\u202e", "x" * 500, ["a"], "Z" * 120):
        answer = visitor.send("recognise", [odd, odd, None, odd, "unknown", odd])
        assert answer.status_code == 200, odd
        assert "our fault" not in answer.text, odd


def test_form_fills_empty_fields_and_keeps_typed_text(visitor: Visitor, joined: Site) -> None:
    change(joined, SHOWN, describe={"organisation": "Lab", "kind": "LALM", "size_billions": 8.4, "open_weights": True})
    try:
        note, fields = recognise(visitor, f" {SENT} ", "", None, "", "unknown", "")
        assert f"{SENT} will be shown as {SHOWN} (same model)." in note
        key = id_of(joined, SHOWN)
        assert fields == ["Lab", "LALM", "8.4", "open", key]
        _, fields = recognise(visitor, SENT, "My lab", "OLM", "", "closed", "")
        assert fields == [None, None, "8.4", None, key]
        _, fields = recognise(visitor, f"{SENT}-mine", "Lab", "LALM", "9", "open", key)
        assert [fields[0], fields[2], fields[3], fields[4]] == ["", None, "unknown", ""], (
            "what was filled is taken back"
        )
    finally:
        change(joined, SHOWN, describe=dict.fromkeys(("organisation", "kind", "size_billions", "open_weights")))
