"""Disclosure of secret answers: no response has a score over few items or with many digits.

Files of two users are scored, compared and previewed for a re-evaluation. Then every GET route of the API is called as
an anonymous visitor, the owner and a maintainer, and every number in every response is checked.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest

from db.records import NewModel, UserRecord
from db.repositories import users, workers
from evaluation import Prediction
from evaluation.answer_keys import replace_key
from evaluation.benchmarks.chart_specs import list_keys
from evaluation.benchmarks.disclosure_rule import MIN_ITEMS
from evaluation.types import Report
from leaderboard.charts.chart_reading import ChartReader
from leaderboard.exports import FORMATS
from submissions.comparisons.comparer import Comparer
from submissions.jobs.registration import register_all
from submissions.service import Request
from tests.support.servers.installation import BENCHMARK, Installation, install
from tests.support.servers.live_site import Site, run_site

API = "/api/v1"
# Routes whose responses contain no score: permissions, and questions with public answers.
WITHOUT_SCORES = {
    f"{API}/benchmarks/{{benchmark_id}}/pack",
    f"{API}/hub-models/{{organisation}}/{{repository}}",
    f"{API}/listening/{{benchmark_id}}",
    f"{API}/listening/{{benchmark_id}}/audio/{{name}}",
    # Editions belong to one owner, and have no secrets once they have scores; test_api_editions.py reads them.
    *(f"{API}/editions/{{edition_id}}{more}" for more in ("", "/pack", "/items", "/audio/{name}")),
    "/healthz",
    "/readyz",
    "/metrics",
}
# Numbers derived from public facts alone: random baselines, and detectable differences for a board's size.
PUBLIC_NUMBERS = {"baselines", "chance", "detectable"}
MANY_DECIMALS = re.compile(r"(?<![\d.])\d{1,2}\.\d{4,}")
OWNER, STRANGER, MAINTAINER = "ann", None, "may"


@dataclass
class Running:
    """Server with scored rows, and the facts known to a holder of the key."""

    site: Site
    ids: dict[str, str]
    reports: dict[str, Report]
    reevaluation: int
    tokens: dict[str, str]
    answers: dict[str | None, dict[str, Any]] = field(default_factory=dict)

    def read_all(self, who: str | None) -> dict[str, Any]:
        """Return address → response of everything that may have a score, requested once for all tests."""
        if who not in self.answers:
            self.answers[who] = {address: ask(self, address, who) for address in self.addresses()}
        return self.answers[who]

    def routes(self) -> list[str]:
        paths = self.site.get(f"{API}/openapi.json").json()["paths"]
        return [path for path, methods in paths.items() if "get" in methods and path not in WITHOUT_SCORES]

    def addresses(self) -> Iterator[str]:
        """Yield every address that may return a score."""
        a, b = self.ids["public"], self.ids["other"]
        names = {
            "benchmark_id": [BENCHMARK.id],
            "submission_id": [*self.ids.values()],
            "model_id": [one["id"] for one in self.site.get(f"{API}/models?q=model").json()["models"]],
            "reevaluation_id": [self.reevaluation],
        }
        queries = {
            f"{API}/leaderboards/{{benchmark_id}}": ["", "?columns=all"],
            f"{API}/leaderboards/{{benchmark_id}}/export": [f"?columns=all&format={name}" for name in FORMATS],
            f"{API}/comparisons": [
                f"?benchmark={BENCHMARK.id}&a={first}&b={second}"
                for first, second in ((a, b), (b, a), (a, self.ids["private"]))
            ],
            f"{API}/models": ["?q=model"],
            f"{API}/submissions": ["?mine=true"],
        }
        for route in self.routes():
            (name,) = re.findall(r"{(\w+)}", route) or ("",)
            for value in names[name] if name else [""]:
                yield from (route.replace(f"{{{name}}}", str(value)) + query for query in queries.get(route, [""]))


def make_file(here: Installation, seed: int) -> tuple[bytes, list[Prediction]]:
    """Return answers of three runs that are correct half of the time."""
    rng = random.Random(seed)
    found = []
    for item in BENCHMARK.content(here.key).items:
        said = "ABCD" if item.options else ("True", "False")
        found += [Prediction(item.id, run, rng.choice(said)) for run in range(3)]
    rows = ({"id": one.id, "run": one.run, "response": one.response} for one in found)
    return "".join(json.dumps(row) + "\n" for row in rows).encode(), found


def preview_correction(here: Installation) -> int:
    """Preview the correction of four answers, revert it, and return the number of the preview."""
    key = here.key
    here.correct()
    previewed = here.reevaluate(dry_run=True)
    assert previewed.result is not None
    replace_key(here.keys_dir, key, here.key)
    register_all(here.database, here.keys_dir)
    here.score_all()
    return previewed.id


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = install(tmp_path_factory.mktemp("hidden"))
    here = Installation(folder)
    ids: dict[str, str] = {}
    reports: dict[str, Report] = {}
    with closing(here.database), pytest.MonkeyPatch.context() as patch:
        for seed, (name, owner) in enumerate((("public", "ann"), ("private", "ann"), ("other", "bob"))):
            data, predictions = make_file(here, seed)
            with here.database.write() as transaction:
                person: UserRecord = users.get_or_add_user(transaction, owner, datetime.now(UTC))
            request = Request(BENCHMARK, "default", NewModel(f"model {name}"), False, name != "private")
            ids[name] = here.service.submit(person, request, BytesIO(data)).id
            reports[ids[name]] = BENCHMARK.score(here.key, predictions)
        here.score_all()
        previewed = preview_correction(here)
        comparer = Comparer(here.database, folder / "answer-keys", "x/x/1/1")
        with run_site(folder, maintainers="may") as site, here.database.write() as transaction:
            workers.record_heartbeat(transaction, "x/x/1/1", {}, datetime.now(UTC), datetime.now(UTC))
        with run_site(folder, maintainers="may") as site:
            made = Running(site, ids, reports, previewed, {name: site.token(name) for name in (OWNER, MAINTAINER)})
            patch.setattr("leaderboard.api.routes.comparison_routes.WAIT_SECONDS", 0.0)
            for address in made.addresses():
                if "/comparisons" in address:
                    ask(made, address, OWNER)
            while comparer.run_next():
                pass
            yield made


def ask(running: Running, address: str, who: str | None) -> Any:
    """Return a response as JSON or text; None if it was refused."""
    response = running.site.get(address, running.tokens.get(who or ""))
    if response.status_code in (401, 403, 404):
        return None
    assert response.status_code in (200, 202), (address, response.text)
    is_json = "json" in response.headers["content-type"] and not address.endswith("jsonl")
    return response.json() if is_json else response.text


def list_numbers(answer: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number in a response with its path, except those derived from public facts."""
    if isinstance(answer, Mapping):
        for name, value in answer.items():
            if name not in PUBLIC_NUMBERS:
                yield from list_numbers(value, f"{path}/{name}")
    elif isinstance(answer, list):
        for number, value in enumerate(answer):
            yield from list_numbers(value, f"{path}/{number}")
    elif isinstance(answer, float):
        yield path, answer


def list_named(answer: Any) -> Iterator[str]:
    """Yield the names of scores that have a number in a response."""
    if isinstance(answer, Mapping):
        figure = answer.get("figure")
        if isinstance(figure, str) and any(
            isinstance(answer.get(name), float) for name in ("value", "a", "difference")
        ):
            yield figure
        for name, value in answer.items():
            if name in PUBLIC_NUMBERS:
                continue
            if "|" in name and isinstance(value, Mapping | float) and any(True for _ in list_numbers([value])):
                yield name
            yield from list_named(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from list_named(value)


def may_show(name: str, n: int) -> bool:
    slice_name, metric = name.split("|")
    return n >= MIN_ITEMS and not BENCHMARK.withholds(slice_name, metric)


@pytest.mark.parametrize("who", [STRANGER, OWNER, MAINTAINER])
def test_no_api_response_has_a_score_with_more_than_three_decimals(running: Running, who: str | None) -> None:
    n_numbers = 0
    for address, answer in running.read_all(who).items():
        if isinstance(answer, str):
            assert not MANY_DECIMALS.findall(answer), address
        for path, number in list_numbers(answer):
            n_numbers += 1
            assert number == round(number, 3), (address, path, number)
    assert n_numbers > 500


@pytest.mark.parametrize("who", [STRANGER, OWNER, MAINTAINER])
def test_no_api_response_has_a_score_over_fewer_than_100_items(running: Running, who: str | None) -> None:
    sizes = {
        f"{name}|{metric}": score.n
        for report in running.reports.values()
        for name, metric, score in report.list_scores()
    }
    assert sum(n < 100 for n in sizes.values()) > 100
    seen = set[str]()
    for address, answer in running.read_all(who).items():
        named = set(list_named(answer))
        few = {name for name in named if sizes[name] < 100 or not may_show(name, sizes[name])}
        assert not few, address
        seen |= named
    assert len(seen) > 40


def test_owner_sees_the_same_scores_of_their_file_as_everybody(running: Running) -> None:
    address = f"{API}/submissions/{running.ids['public']}"
    stranger, owner, maintainer = (ask(running, address, who)["scores"] for who in (STRANGER, OWNER, MAINTAINER))
    assert stranger == owner == maintainer
    assert len(owner) > 40
    assert not any(name.startswith("direction/") for name in owner)


def test_comparison_and_preview_use_rounded_scores(running: Running) -> None:
    a, b = running.ids["public"], running.ids["private"]
    found = ask(running, f"{API}/comparisons?benchmark={BENCHMARK.id}&a={a}&b={b}", OWNER)
    assert found["paired"]
    for one in found["slices"]:
        assert one["difference"] == round(one["a"] - one["b"], 3)
        assert one["wins"] is one["losses"] is one["ties"] is None
    preview = ask(running, f"{API}/admin/reevaluations/{running.reevaluation}", MAINTAINER)["result"]["rows"]
    assert [one["submission"] for one in preview]
    assert all(
        value == round(value, 3) for one in preview for pair in one["figures"].values() for value in pair.values()
    )


def test_pages_show_no_more_than_the_api(running: Running) -> None:
    """The Model tab, Compare, charts and the page of a submission read these routes."""
    services = running.site.services
    with services.database.write() as transaction:
        owner = users.get_or_add_user(transaction, OWNER, datetime.now(UTC))
    for submission in running.ids.values():
        row = services.model_pages.read_row(submission, owner)
        for figure in row.scores.values():
            assert all(end is None or end == round(end, 3) for end in (figure.value, figure.low, figure.high))
    board = ChartReader(services.database).read_board(BENCHMARK, "default")
    named = [name for chart in BENCHMARK.charts for name in list_keys(chart)]
    entries = ChartReader(services.database).read_entries(
        BENCHMARK, board.rows, [row.submission.id for row in board.rows], named
    )
    values = [(name, one.value) for entry in entries for name, one in entry.scores.items() if one.value is not None]
    assert len(values) > 20
    assert all(value == round(value, 3) and not name.startswith("direction/") for name, value in values)
