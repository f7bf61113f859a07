"""Endpoint evaluation on the page: permissions of events, their messages, and no leaked keys."""

from datetime import UTC, datetime
from typing import Any

import pytest

from db.repositories import endpoints, submissions, users
from leaderboard.pages.shared.status_outputs import show_status
from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import BENCHMARK, Site

KEY = "sk-canary-of-the-page"
URL = "https://models.example.com/v1"
NAMED = f"{BENCHMARK.id} {BENCHMARK.version}"
FORM: dict[str, Any] = {
    "benchmark": NAMED,
    "setting": "default",
    "parts": ["sct", "sdt", "tat"],
    "base_url": URL,
    "model_name": "m-1",
    "key": KEY,
    "concurrency": "8",
    "audio_form": "input_audio",
    "multi_audio": True,
    "allow_missing": False,
    "model": "Asked",
    "organisation": None,
    "kind": None,
    "size": None,
    "weights": "unknown",
    "url": None,
    "hub_id": "",
    "hub_filled": "",
    "publish": False,
}
HOSTILE = "<img src=x onerror=alert(1)>"


class Somebody:
    """A visitor; None is anonymous. `session` may be another visitor's, whose lists offer that visitor's private
    entries.
    """

    def __init__(self, visitor: Visitor, name: str | None, session: str | None = None) -> None:
        self.visitor = visitor
        self.session = f"session-{session or name}"
        self.token = visitor.site.token(name) if name else None

    def send(self, name: str, data: list[Any]) -> str:
        """Send an event and return the text of its response, which must not contain a key."""
        index = min(at for at, function in self.visitor.page.fns.items() if function.name == name)
        response = self.visitor.post({"fn_index": index, "data": data, "session_hash": self.session}, self.token)
        assert response.status_code in (200, 400), response.text
        assert KEY not in response.text
        return response.text

    def register(self, **fields: Any) -> str:
        return self.send("register", list((FORM | fields).values()))

    def asked(self) -> list[dict[str, Any]]:
        answer = self.visitor.site.get("/api/v1/submissions?mine=true", self.token)
        return list(answer.json()["submissions"])


@pytest.fixture(scope="module")
def boss(visitor: Visitor) -> Somebody:
    return Somebody(visitor, "local")


def register(visitor: Visitor, owner: str, **fields: Any) -> str:
    """Register an endpoint for a user and return its id."""
    somebody = Somebody(visitor, owner)
    shown = somebody.register(**fields)
    assert "Registered (s-" in shown, shown
    return shown.split("Registered (")[1].split(")")[0]


def fail(site: Site, submission_id: str) -> None:
    """Fail a submission as an unauthorised endpoint does: its key is deleted."""
    failed = {"reason_code": "endpoint-unauthorised", "reason": "Shut out.", "retryable": True, "fault": "yours"}
    with site.services.database.write() as transaction:
        submissions.change_state(
            transaction, submission_id, ["awaiting-approval"], datetime.now(UTC), state="failed", **failed
        )


def test_registered_endpoint_key_is_encrypted_and_the_endpoint_shown_to_its_owner(visitor: Visitor) -> None:
    one = register(visitor, "ann", model=HOSTILE, model_name=HOSTILE)
    shown = Somebody(visitor, "ann").send("choose", [one])
    assert URL in shown
    assert "awaiting-approval" in shown
    assert "Waiting for a maintainer" in shown
    # Text content is escaped; list options are data, which the browser never parses as markup.
    assert f">{HOSTILE}<" not in shown
    assert "&lt;img" in shown
    with visitor.site.services.database.read() as transaction:
        record = endpoints.find_endpoint(transaction, one)
    assert record is not None
    assert record.sealed_key is not None
    assert KEY.encode() not in record.sealed_key
    assert record.parts is None, "all that are offered are all there are"
    again = Somebody(visitor, "ann").register(model_name=HOSTILE)
    assert f"see {one}" in again, "the same address and model; the name that is shown does not matter"


REFUSED_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"base_url": ""}, "Base URL: This field is required"),
    ({"base_url": "http://models.example.com/v1"}, "Base URL: `base_url` must begin with https://"),
    ({"base_url": "https://10.0.0.1/v1"}, "Base URL: "),
    ({"base_url": f"https://ann:{KEY}@models.example.com/v1"}, "Base URL: `base_url` must not contain a user name"),
    ({"model_name": " "}, "Model ID sent to the API: This field is required"),
    ({"model_name": "a\u202eb"}, "Model ID sent to the API: "),
    ({"key": f"{KEY} {KEY}"}, "API key: "),
    ({"key": "é"}, "API key: "),
    ({"concurrency": "many"}, "Parallel requests: Enter a whole number"),
    ({"concurrency": "0"}, "Parallel requests: `concurrency` is 0"),
    ({"concurrency": "257"}, "Parallel requests: `concurrency` is 257"),
    ({"parts": []}, "Parts to evaluate: "),
    ({"model": ""}, "Model: Enter a model name"),
    ({"size": "big"}, "Size: `big` is not a size"),
    ({"url": "javascript:alert(1)"}, "Link: "),
]


def test_refused_field_is_named_and_nothing_is_registered(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for fields, words in REFUSED_FIELDS:
        with subtests.test(fields=fields):
            somebody = Somebody(visitor, "fay")
            shown = somebody.register(**fields).encode().decode("unicode_escape")
            assert words in shown, shown
            assert somebody.asked() == []


@pytest.mark.parametrize("odd", [5, 1e300, True, None, "\x00", "x" * 5_000])
def test_malformed_values_are_refused_without_an_incident(visitor: Visitor, odd: Any, caplog: Any) -> None:
    somebody = Somebody(visitor, "odile")
    for field in ("base_url", "model_name", "concurrency", "model", "size"):
        somebody.register(**{"base_url": "", field: odd})
    assert somebody.asked() == []
    assert "incident" not in caplog.text


def test_anonymous_visitor_cannot_register_or_retry(visitor: Visitor) -> None:
    stranger = Somebody(visitor, None)
    assert "Sign in first" in stranger.register()
    assert "Sign in first" in stranger.send("retry", [None, NAMED, KEY])


def test_retry_requires_the_key_again_and_uses_it(visitor: Visitor) -> None:
    one = register(visitor, "rita")
    fail(visitor.site, one)
    rita = Somebody(visitor, "rita")
    rita.send("refresh_submissions", [None, NAMED])
    assert "API key: The API key was deleted" in rita.send("retry", [one, NAMED, " "])
    assert "API key: `api_key` must have" in rita.send("retry", [one, NAMED, "a b"])
    assert "Queued again." in rita.send("retry", [one, NAMED, KEY])
    assert rita.asked()[0]["state"] == "queued"


def test_endpoint_of_another_user_is_neither_visible_nor_changeable(visitor: Visitor) -> None:
    one = register(visitor, "olga", model="Olga's")
    fail(visitor.site, one)
    olga = Somebody(visitor, "olga")
    events = (
        ("choose", [one]),
        ("refresh_submissions", [one, NAMED]),
        ("retry", [one, NAMED, KEY]),
        ("withdraw", [one, NAMED]),
    )
    for other in (None, "otto"):
        for event, data in events:
            assert one in olga.send("open", [None, NAMED, NAMED])
            for session in (None, "olga"):
                shown = Somebody(visitor, other, session).send(event, data)
                assert URL not in shown, event
                assert "Olga" not in shown, event
            if event in ("retry", "withdraw"):
                assert ("Sign in first" if other is None else "There is no such submission") in shown
    assert olga.asked()[0]["state"] == "failed"


def test_published_result_hides_its_endpoint(visitor: Visitor, boss: Somebody) -> None:
    """A public row is visible to everybody on the Admin tab and in the API, except for its endpoint."""
    one = register(visitor, "pia", model="Public")
    with visitor.site.services.database.write() as transaction:
        moved = {"state": "scored", "visibility": "public"}
        submissions.change_state(transaction, one, ["awaiting-approval"], datetime.now(UTC), **moved)
    assert URL in boss.send("look_at", [one])
    token = visitor.site.token("otto")
    otto = visitor.site.get(f"/api/v1/submissions/{one}", token)
    assert otto.status_code == 200
    assert URL not in otto.text
    services = visitor.site.services
    with services.database.write() as transaction:
        user = users.get_or_add_user(transaction, "otto", datetime.now(UTC))
    shown = show_status(services, one, user)
    assert one in shown
    assert URL not in shown


@pytest.mark.parametrize(("event", "state"), [("approve_endpoint", "queued"), ("reject_endpoint", "failed")])
def test_only_maintainers_approve_or_reject_an_endpoint(
    visitor: Visitor, boss: Somebody, event: str, state: str
) -> None:
    name = f"owner-of-{state}"
    one = register(visitor, name, model=HOSTILE)
    owner = Somebody(visitor, name)
    assert one in boss.send("open_admin", [None])
    for other, words in ((None, "Sign in first"), (name, "Only a maintainer"), ("otto", "Only a maintainer")):
        assert words in Somebody(visitor, other, "local").send(event, [one, "why"])
        assert URL not in Somebody(visitor, other).send("open_admin", [None])
        assert words in Somebody(visitor, other).send(event, [None, "why"])
    assert owner.asked()[0]["state"] == "awaiting-approval"
    listed = boss.send("open_admin", [None])
    assert one in listed
    assert URL in listed
    assert name in listed
    assert HOSTILE not in listed
    if event == "reject_endpoint":
        assert "Enter a reason of 1 to 500" in boss.send(event, [one, ""])
    decided = boss.send(event, [one, "Known to us."])
    assert f"ed: {one}." in decided
    assert "Known to us." in decided
    assert owner.asked()[0]["state"] == state
    assert "Choose an endpoint" in boss.send(event, [None, "why"])


def test_maintainer_cannot_retry_an_endpoint_whose_key_is_deleted(visitor: Visitor, boss: Somebody) -> None:
    one = register(visitor, "kim")
    fail(visitor.site, one)
    assert "was deleted" in boss.send("retry_one", [one])


def test_choice_of_a_benchmark_offers_its_parts_and_settings(visitor: Visitor) -> None:
    stranger = Somebody(visitor, None)
    shown = stranger.send("choose_benchmark", ["mdar demo"])
    assert '"choices":[["default","default"],["noise","noise"]]' in shown.replace(" ", "")
    assert "all questions of MDAR demo" in shown
    shown = stranger.send("choose_endpoint_setting", ["mdar demo", "noise"])
    assert "MDAR-main" in shown
    assert "es-error" not in shown
