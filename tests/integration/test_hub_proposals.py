"""`propose`: a result becomes a pull request on a double of the Hub, with the submitter's token."""

from collections.abc import Iterator

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries

from submissions.__main__ import main
from tests.support.hub.double import READER, WRITER, HubDouble, Reply
from tests.support.servers.live_site import Site, add_row, rank, run_site

REPO = "lab/listener-7b"
PATH = ".eval_results/earshot-audio-motion-bench.yaml"


@pytest.fixture(scope="module")
def site(running_hub: HubDouble, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with run_site(tmp_path_factory.mktemp("propose"), HF_ENDPOINT=running_hub.url) as running:
        yield running


@pytest.fixture(autouse=True)
def _points_at_the_double(hub: HubDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", WRITER)


def propose(site: Site, submission: str, *more: str, repo: str = REPO) -> int:
    server = ["--url", f"http://127.0.0.1:{site.port}", "--token", site.token("ada")]
    return main(["propose", "--submission", submission, "--repo", repo, *server, *more])


def test_proposal_is_a_pull_request_with_the_headline_score(
    site: Site, hub: HubDouble, capsys: pytest.CaptureFixture[str]
) -> None:
    submission = add_row(site.services, "Listener", 0.42657)
    rank(site.services)
    assert propose(site, submission, "--yes") == 0
    printed = capsys.readouterr().out
    assert f"{hub.url}/{REPO}/discussions/1" in printed
    (files,) = hub.commits
    assert list(files) == [PATH]
    assert files[PATH].decode() in printed, "what is sent was shown"
    (entry,) = parse_eval_result_entries(yaml.safe_load(files[PATH]))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("earshot/audio-motion-bench", "overall.accuracy", 42.66)
    assert entry.source_url == f"http://127.0.0.1:{site.port}/api/v1/submissions/{submission}"
    commit = next(request for request in hub.received if "/commit/" in request.path)
    assert commit.query["create_pr"] == ["1"]
    assert commit.headers["authorization"] == f"Bearer {WRITER}"
    assert WRITER not in printed
    link = f"{hub.url}/{REPO}/discussions/1"
    status = site.get(f"/api/v1/submissions/{submission}").json()
    assert status["hub_pull_request"] == link
    (row,) = site.get(f"/api/v1/models/{status['model']['id']}").json()["rows"]
    assert row["hub_pull_request"] == link


def test_pull_request_is_recorded_by_the_owner_of_a_public_score_and_links_to_the_hub(
    site: Site, hub: HubDouble, subtests: pytest.Subtests
) -> None:
    public = add_row(site.services, "Linked", 0.5)
    private = add_row(site.services, "Not linked", 0.5, visibility="private")
    good = f"{hub.url}/{REPO}/discussions/2"
    for submission, person, link, status in (
        (public, "ada", good, 200),
        (public, "mallory", good, 403),
        (private, "ada", good, 409),
        (private, "mallory", good, 404),
        (public, "ada", "https://evil.example/lab/x/discussions/1", 400),
        (public, "ada", f"{hub.url}.evil.example/lab/x/discussions/1", 400),
        (public, "ada", f"{hub.url}/lab/x/discussions/1?next=evil", 400),
        (public, "ada", "javascript:alert(1)", 400),
    ):
        with subtests.test(person=person, link=link):
            address = f"/api/v1/submissions/{submission}/hub-pull-request"
            response = site.post(address, site.token(person), json={"url": link})
            assert response.status_code == status, response.text
    stored = site.get(f"/api/v1/submissions/{public}").json()
    assert stored["hub_pull_request"] == good


def test_proposal_without_consent_sends_nothing(
    site: Site, hub: HubDouble, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    public = add_row(site.services, "Asked", 0.5)
    private = add_row(site.services, "Private", 0.5, visibility="private")
    unscored = add_row(site.services, "Without", None)
    for title, submission, more, repo, words in (
        ("no terminal", public, (), REPO, "--yes"),
        ("a private row", private, ("--yes",), REPO, "published"),
        ("no headline score", unscored, ("--yes",), REPO, "no headline score"),
        ("no repository", public, ("--yes",), "nobody", "org/model-name"),
        ("no dataset", public, ("--yes", "--dataset", "x"), REPO, "org/model-name"),
        ("no submission", "s-none", ("--yes",), REPO, ""),
    ):
        with subtests.test(title=title):
            assert propose(site, submission, *more, repo=repo) in (1, 2)
            assert words in capsys.readouterr().err
    assert hub.received == []


def test_refused_proposal_explains_why_and_hides_the_token(
    site: Site,
    hub: HubDouble,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    subtests: pytest.Subtests,
) -> None:
    submission = add_row(site.services, "Refused", 0.5)
    cases = (
        ("a token that may not", READER, None, "rejected the token"),
        ("a wrong token", "hf_wrong", None, "token"),
        ("429", WRITER, Reply(429, {}), "limits requests"),
        ("404", WRITER, Reply(404, {"error": "no"}, (("X-Error-Code", "RepoNotFound"),)), "no model repository"),
        ("400", WRITER, Reply(400, {"error": "bad"}), "failed (400)"),
        ("no JSON", WRITER, Reply(200, b"<html>"), "invalid response"),
    )
    for title, token, reply, words in cases:
        with subtests.test(title=title):
            hub.commit_reply = reply
            monkeypatch.setenv("HF_TOKEN", token)
            assert propose(site, submission, "--yes") == 1
            captured = capsys.readouterr()
            assert words in captured.err
            assert token not in captured.out + captured.err
