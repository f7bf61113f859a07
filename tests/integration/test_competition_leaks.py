"""Scores that competition mode withholds appear nowhere: not in the API, exports, comparisons, pages, or the log."""

import io
import logging
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from db.repositories import users, workers
from leaderboard.charts.chart_reading import ChartReader
from leaderboard.exports import FORMATS
from leaderboard.pages.submit.markup import render_mine, render_status
from submissions.competitions.competition_texts import NO_CHANGE, NOTICE
from submissions.errors import NotFoundError, StateError
from submissions.jobs.registration import load_published
from tests.support.samples.competition_files import MDAR, answer_main, make_request
from tests.support.servers.installation import Installation, install
from tests.support.servers.live_site import Site, problem_of, run_site

API = "/api/v1"
BOARD = f"{API}/leaderboards/{MDAR.id}"
VERSION = f"version={MDAR.version}"
RELEASED, WITHHELD = "A released model", "Zyzzyva"
# 8 of 14 questions: withheld, because 7 are released and one more is within the standard error.
N_WITHHELD = 8
# Eight of 14, exactly or rounded; not the seconds of a time, "11:48:57.196688".
WITHHELD_SCORE = re.compile(r"(?<![0-9:.])(?:57\.1(?:4[0-9]*)?|0\.571(?:4[0-9]*)?)(?![0-9])")
OWNER, STRANGER, OTHER, MAINTAINER = "ann", None, "bob", "may"


@dataclass(frozen=True)
class Competition:
    """A server with a released and a withheld submission, and the log of the evaluator that scored them."""

    site: Site
    place: Installation
    tokens: dict[str, str]
    released: str
    withheld: str
    log: str

    def ask(self, address: str, who: str | None) -> Any:
        return self.site.get(address, self.tokens.get(who or ""))


@pytest.fixture(scope="module")
def competition(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Competition]:
    folder = install(tmp_path_factory.mktemp("competition"))
    place = Installation(folder)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    with closing(place.database), run_site(folder, maintainers="may") as site:
        load_published(place.database)
        site.services.competitions.start_competition(place.may, MDAR, "The answers cannot be redrawn.")
        sent: dict[str, str] = {}
        for name, n_right in ((RELEASED, 7), (WITHHELD, N_WITHHELD)):
            data = answer_main(place.key_of(MDAR), n_right)
            sent[name] = place.service.submit(place.ann, make_request(name), io.BytesIO(data)).id
            place.score_all()
        with place.database.write() as transaction:
            users.get_or_add_user(transaction, OTHER, datetime.now(UTC))
            workers.record_heartbeat(transaction, "x/x/1/1", {}, datetime.now(UTC), datetime.now(UTC))
        logger.removeHandler(handler)
        logger.setLevel(level)
        tokens = {name: site.token(name) for name in (OWNER, OTHER, MAINTAINER)}
        yield Competition(site, place, tokens, sent[RELEASED], sent[WITHHELD], stream.getvalue())


def list_addresses(competition: Competition) -> list[str]:
    """Return every address with scores of this board, and those of the submissions."""
    models = competition.ask(f"{API}/models?q=a", STRANGER).json()["models"]
    return [
        f"{API}/benchmarks/{MDAR.id}?{VERSION}",
        f"{BOARD}?{VERSION}&columns=all&limit=200",
        f"{BOARD}/filters?{VERSION}",
        *(f"{BOARD}/export?{VERSION}&columns=all&format={name}" for name in FORMATS),
        f"{API}/overview",
        f"{API}/models?q={WITHHELD[:3]}",
        *(f"{API}/models/{model['id']}" for model in models if model["name"] in (RELEASED, WITHHELD)),
        f"{API}/submissions?mine=true",
        f"{API}/submissions/{competition.withheld}",
        f"{API}/submissions/{competition.released}",
        f"{API}/submissions/{competition.withheld}/citation",
        f"{API}/comparisons?benchmark={MDAR.id}&{VERSION}&a={competition.released}&b={competition.withheld}",
        f"/embed/{MDAR.id}?{VERSION}",
        "/metrics",
        "/readyz",
    ]


@pytest.mark.parametrize("who", [STRANGER, OTHER, OWNER])
def test_no_response_has_a_withheld_score(competition: Competition, who: str | None) -> None:
    n_with_scores = 0
    for address in list_addresses(competition):
        text = competition.ask(address, who).text
        assert not WITHHELD_SCORE.findall(text), address
        n_with_scores += "main|accuracy" in text or "0.5" in text
    assert n_with_scores > 5, "the released score is shown"


@pytest.mark.parametrize("who", [STRANGER, OTHER])
def test_others_never_learn_of_a_withheld_submission(competition: Competition, who: str | None) -> None:
    for address in list_addresses(competition):
        text = competition.ask(address, who).text
        assert WITHHELD not in text, address
    problem_of(competition.ask(f"{API}/submissions/{competition.withheld}", who), 404)


def test_owner_reads_one_sentence_and_no_score(competition: Competition) -> None:
    status = competition.ask(f"{API}/submissions/{competition.withheld}", OWNER).json()
    assert (status["state"], status["reason"], status["reason_code"]) == (
        "unreleased",
        NO_CHANGE,
        "no-significant-change",
    )
    empty: dict[str, Any] = {
        "scores": {},
        "evaluations": [],
        "signature": None,
        "parts": [],
        "missing": None,
        "unreadable": None,
    }
    assert {name: status[name] for name in empty} == empty
    assert status["events"][-1]["text"] == NO_CHANGE
    for address in (
        f"{API}/submissions/{competition.withheld}/citation",
        f"{API}/comparisons?benchmark={MDAR.id}&{VERSION}&a={competition.released}&b={competition.withheld}",
    ):
        assert competition.ask(address, OWNER).status_code in (400, 404, 409), address
    board = competition.ask(f"{BOARD}?{VERSION}&limit=200", OWNER).json()
    ids = {row["submission"] for row in board["rows"]}
    assert competition.released in ids
    assert competition.withheld not in ids


def test_maintainer_sees_the_scores_of_the_submission_and_of_no_board(competition: Competition) -> None:
    status = competition.ask(f"{API}/submissions/{competition.withheld}", MAINTAINER).json()
    assert WITHHELD_SCORE.fullmatch(str(status["scores"]["main|accuracy"]["value"]))
    assert WITHHELD not in competition.ask(f"{BOARD}?{VERSION}&limit=200", MAINTAINER).text


def test_pages_show_no_withheld_score(competition: Competition) -> None:
    services, owner, now = competition.site.services, competition.place.ann, datetime.now(UTC)
    status = services.submissions.status(competition.withheld, owner)
    shown = str(render_status(status, now)) + str(render_mine(services.submissions.list_mine(owner), now))
    assert NO_CHANGE in shown
    assert not WITHHELD_SCORE.findall(shown)
    with pytest.raises((NotFoundError, StateError)):
        services.model_pages.read_row(competition.withheld, owner)
    board = ChartReader(services.database).read_board(MDAR, "default")
    assert competition.withheld not in {row.submission.id for row in board.rows}


def test_log_of_the_evaluator_has_no_withheld_score(competition: Competition) -> None:
    assert "mdar demo in competition mode, by may" in competition.log
    assert not WITHHELD_SCORE.findall(competition.log)


def test_everyone_reads_that_competition_mode_is_on(competition: Competition) -> None:
    for who in (STRANGER, OWNER):
        about = competition.ask(f"{API}/benchmarks/{MDAR.id}?{VERSION}", who).json()
        assert (about["competition"], about["needs"]) == (True, NOTICE)
        listed = competition.ask(f"{API}/benchmarks", who).json()["benchmarks"]
        on = [(one["id"], one["version"]) for one in listed if one["competition"]]
        assert on == [(MDAR.id, MDAR.version)]


def test_routes_start_and_end_it(competition: Competition) -> None:
    address, reason = f"{API}/admin/competitions/{MDAR.id}", {"reason": "A pause."}
    for who, status in ((STRANGER, 401), (OWNER, 403)):
        token = competition.tokens.get(who or "")
        problem_of(competition.site.post(f"{address}/end?{VERSION}", token, json=reason), status)
    token = competition.tokens[MAINTAINER]
    problem_of(competition.site.post(f"{address}/start?{VERSION}", token, json=reason), 409)
    ended = competition.site.post(f"{address}/end?{VERSION}", token, json=reason).json()
    assert (ended["competition"], ended["notice"], ended["started_by"]) == (False, None, None)
    # What was withheld stays withheld.
    assert competition.ask(f"{API}/submissions/{competition.withheld}", OWNER).json()["scores"] == {}
    started = competition.site.post(f"{address}/start?{VERSION}", token, json=reason).json()
    assert (started["competition"], started["notice"], started["started_by"]) == (True, NOTICE, MAINTAINER)
    acts = [one["action"] for one in competition.ask(f"{API}/admin/audit", MAINTAINER).json()["entries"]]
    assert acts[:2] == ["start-competition", "end-competition"]
