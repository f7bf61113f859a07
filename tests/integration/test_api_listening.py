"""Listening test over HTTP: rounds, clips by range, results and stored data."""

import io
import json
import re
import sqlite3
import wave
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2
import pytest

from evaluation.benchmarks import get_benchmark
from leaderboard.pages.overview.examples import find_example
from tests.support.samples.practice_packs import write_small_pack
from tests.support.servers.live_site import Site, add_row, problem_of, rank, run_site

API = "/api/v1/listening"
MDAR = get_benchmark("mdar", "demo")
MOTION = get_benchmark("audio-motion-bench")
CRITICS = get_benchmark("audio-process-bench", "synthetic-3")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("listening")
    for benchmark in (MDAR, MOTION, CRITICS):
        write_small_pack(benchmark, folder / "packs")
    with run_site(folder) as running:
        add_row(running.services, "Best", 0.9)
        add_row(running.services, "People", 0.95, source="human")
        rank(running.services)
        yield running


def rows(site: Site) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(site.services.settings.data_dir / "earshot.db")) as connection:
        return connection.execute("select * from listening_results").fetchall()


def ask(site: Site, benchmark: str = "mdar", **words: Any) -> dict[str, Any]:
    query = "&".join(f"{name}={value}" for name, value in words.items())
    response = site.get(f"{API}/{benchmark}?{query}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def answer(site: Site, asked: dict[str, Any], **fields: Any) -> httpx2.Response:
    """Answer a round with its first options, or with given ones."""
    first = {"choice": 0, "choices": [0], "boolean": True}
    answers = {one["id"]: first[one["answer_format"]] for one in asked["questions"]}
    body = {"n": asked["n"], "seed": asked["seed"], "answers": answers, "seconds": 400.0} | fields
    return site.post(f"{API}/{asked['benchmark']}/results", json=body)


def test_list_names_playable_benchmarks_and_their_readiness(site: Site) -> None:
    found = {(one["benchmark"], one["version"]): one for one in site.get(API).json()["benchmarks"]}
    assert {name for name, one in found.items() if one["ready"]} == {("mdar", "demo"), ("audio-motion-bench", "1.0")}
    assert found["mdar", "demo"]["lengths"] == [10, 20]
    assert not {name for name, _ in found} & {"audio-process-bench"}
    assert all(one["group"] is None for one in found.values())


def test_example_of_a_benchmark_without_listening_questions_is_played(site: Site) -> None:
    example = find_example((CRITICS,))
    assert example is not None
    (address,) = example.sounds
    sound = site.get(address)
    assert (sound.status_code, sound.headers["content-type"]) == (200, "audio/wav")
    problem_of(site.get(f"{API}/audio-process-bench?n=10"), 404)


def test_round_is_the_same_for_the_same_seed_and_cacheable(site: Site) -> None:
    first = site.get(f"{API}/mdar?n=10&seed=4")
    assert site.get(f"{API}/mdar?n=10&seed=4").content == first.content
    assert site.get(f"{API}/mdar?n=10&seed=5").content != first.content
    assert site.get(f"{API}/mdar?n=10&seed=4", if_none_match=first.headers["etag"]).status_code == 304


@pytest.mark.parametrize("benchmark", [MDAR, MOTION])
def test_round_does_not_depend_on_the_right_answers(site: Site, tmp_path: Path, benchmark: Any) -> None:
    """With every right answer changed, the same bytes are sent, so they reveal nothing about the answers."""
    truths = site.services.listening_tests.open_pack(benchmark).truths
    others: dict[str, Any] = {
        name: not truth if isinstance(truth, bool) else [2] if isinstance(truth, frozenset) else (truth + 1) % 4
        for name, truth in truths.items()
    }
    write_small_pack(benchmark, tmp_path / "packs", answers=others)
    path = f"{API}/{benchmark.id}?n=20&seed=9"
    with run_site(tmp_path) as other:
        assert other.get(path).content == site.get(path).content
        marked = [answer(one, ask(one, benchmark.id, n=20, seed=9)).json() for one in (other, site)]
    assert marked[0]["questions"] != marked[1]["questions"], "the answers do differ"


def test_clip_is_a_complete_wav_file_or_the_requested_range(site: Site) -> None:
    url = ask(site, n=10, seed=1)["questions"][0]["audio"][0]["url"]
    whole = site.get(url)
    assert (whole.status_code, whole.headers["content-type"]) == (200, "audio/wav")
    with wave.open(io.BytesIO(whole.content)) as sound:
        assert (sound.getnchannels(), sound.getnframes()) == (2, 400)
    size, etag = len(whole.content), whole.headers["etag"]
    for asked, begin, end in (("0-9", 0, 10), ("10-", 10, size), ("-7", size - 7, size), ("5-99999999", 5, size)):
        part = site.get(url, range=f"bytes={asked}")
        assert (part.status_code, part.content) == (206, whole.content[begin:end])
        assert part.headers["content-range"] == f"bytes {begin}-{end - 1}/{size}"
    assert problem_of(site.get(url, range=f"bytes={size}-"), 416)["detail"]
    for overlooked in ("bytes=0-1,4-5", "lines=1-2", "bytes=9-3", "bytes=-"):
        assert site.get(url, range=overlooked).content == whole.content
    assert site.get(url, range="bytes=0-9", if_range='"of another pack"').status_code == 200
    assert site.get(url, range="bytes=0-9", if_range=etag).status_code == 206
    assert site.get(url, if_none_match=etag).status_code == 304
    head = site.client.head(url)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", etag)


@pytest.mark.parametrize(
    "name",
    ["clip-nothere.wav", "clip.wav", "answers.jsonl", "..%2fanswers.jsonl", "%2e%2e%2f%2e%2e%2fsecret-key", "%00.wav"],
)
def test_unknown_clip_is_not_found(site: Site, name: str) -> None:
    problem_of(site.get(f"{API}/mdar/audio/{name}?version=demo"), 404)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothing?n=10&seed=1", 404),
        ("audio-process-bench", 404),
        ("mdar?version=1.0", 409),
        ("mdar?n=40", 400),
        ("mdar?n=10&seed=-1", 400),
        ("mdar?n=ten", 400),
        ("star-bench", 503),
    ],
)
def test_invalid_round_is_a_problem(site: Site, path: str, status: int) -> None:
    response = site.get(f"{API}/{path}")
    problem_of(response, status)
    assert (status == 503) == ("retry-after" in response.headers)


def test_result_has_right_answers_interval_tasks_humans_and_models(site: Site) -> None:
    asked = ask(site, "audio-motion-bench", n=20, seed=3)
    found = answer(site, asked).json()
    truths = site.services.listening_tests.open_pack(MOTION).truths
    n_right = sum(truths[one["id"]] == (True if one["answer_format"] == "boolean" else 0) for one in asked["questions"])
    score = found["score"]
    assert (score["right"], score["n"], score["value"]) == (n_right, 20, n_right / 20)
    assert score["low"] < score["value"] < score["high"]
    assert [(one["given"], one["right"]) for one in found["questions"]] == [
        (given := True if one["answer_format"] == "boolean" else 0, truths[one["id"]] == given)
        for one in asked["questions"]
    ]
    assert {one["id"]: one["n"] for one in found["tasks"]}.keys() == {"sct", "sdt", "tat"}
    assert score["human"]["value"] == 0.95
    assert [one["name"] for one in score["models"]] == ["Best"]
    assert score["figure"] == "overall|accuracy"
    assert found["kept"] is None
    assert found["group"] is None


@pytest.mark.parametrize(
    "fault",
    [
        {"answers": {}},
        {"answers": {"x": 1}},
        {"n": 11},
        {"seconds": -1.0},
        {"seconds": "many"},
        {"consent": 1},
        {"name": "Ada"},
        {"answers": {str(at): 0 for at in range(41)}},
    ],
)
def test_incomplete_result_is_refused_and_not_stored(site: Site, fault: dict[str, Any]) -> None:
    before = rows(site)
    problem_of(answer(site, ask(site, n=10, seed=1), **({"consent": True} | fault)), 400)
    assert rows(site) == before


def test_result_is_stored_only_with_consent_as_one_anonymous_row(site: Site) -> None:
    asked = ask(site, n=10, seed=2)
    before = rows(site)
    assert answer(site, asked).json()["kept"] is None
    assert rows(site) == before
    token = site.token("ada")
    sent = site.post(
        f"{API}/mdar/results",
        token,
        json={
            "n": 10,
            "seed": 2,
            "answers": {one["id"]: None if at < 2 else _first(one) for at, one in enumerate(asked["questions"])},
            "seconds": 321.4,
            "consent": True,
        },
        headers={"User-Agent": "A-very-rare-browser", "X-Forwarded-For": "203.0.113.7"},
    )
    kept = sent.json()["kept"]
    assert kept["reason"] is None
    assert sent.headers["cache-control"] == "no-store"
    (row,) = [one for one in rows(site) if one not in before]
    # Without digests: three of their random letters may spell a name.
    text = re.sub("[0-9a-f]{64}", "", json.dumps(row))
    for personal in ("ada", "127.0.0.1", "203.0.113.7", "rare", kept["id"], *(one["id"] for one in asked["questions"])):
        assert personal not in text
    withdrawn = site.client.delete(f"{API}/mdar/results/{kept['id']}")
    assert withdrawn.json() == {"withdrawn": True}
    assert rows(site) == before
    problem_of(site.client.delete(f"{API}/mdar/results/{kept['id']}"), 404)


def _first(question: dict[str, Any]) -> Any:
    return [0] if question["answer_format"] == "choices" else 0


def test_cross_site_result_is_refused(site: Site) -> None:
    response = site.post(f"{API}/mdar/results", json={}, headers={"Origin": "https://elsewhere.example"})
    problem_of(response, 403)


def test_group_is_public_once_a_maintainer_shows_it(site: Site) -> None:
    maintainer, admin = site.token("local"), "/api/v1/admin/listening"
    for seed in range(1, 7):
        assert answer(site, ask(site, n=10, seed=seed), consent=True).json()["kept"]["id"]

    def find(groups: list[dict[str, Any]]) -> dict[str, Any]:
        return next(one for one in groups if (one["benchmark"], one["version"]) == ("mdar", "demo"))

    seen = find(site.get(admin, maintainer).json()["groups"])
    assert (seen["shown"], seen["group"]["listeners"], seen["group"]["answers"]) == (False, 6, 60)
    # An interval needs ten listeners.
    assert (seen["group"]["low"], seen["group"]["high"]) == (None, None)
    assert 0 <= seen["group"]["value"] <= 1
    assert sum(task["answers"] for task in seen["group"]["tasks"]) == 60
    assert find(site.get(API).json()["benchmarks"])["group"] is None
    problem_of(site.post(f"{admin}/mdar/show", site.token("ada"), json={"reason": "Mine."}), 403)
    problem_of(site.post(f"{admin}/audio-process-bench/show", maintainer, json={"reason": "None."}), 404)
    assert site.post(f"{admin}/mdar/show", maintainer, json={"reason": "Six people."}).status_code == 200
    assert find(site.get(API).json()["benchmarks"])["group"] == seen["group"]
    assert answer(site, ask(site, n=10, seed=7)).json()["group"] == seen["group"]
    problem_of(site.post(f"{admin}/mdar/show", maintainer, json={"reason": "Again."}), 409)
    assert site.post(f"{admin}/mdar/hide", maintainer, json={"reason": "A doubt."}).status_code == 200
    assert find(site.get(API).json()["benchmarks"])["group"] is None
