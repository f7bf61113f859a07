"""Endpoint probe: its findings for healthy and faulty endpoints."""

from evaluation.listeners import LISTENERS
from submissions.endpoints.querying.probing import probe
from submissions.endpoints.querying.query_records import EndpointConfig, describe_endpoint
from tests.support.endpoints.answering import EchoListener, run_endpoint
from tests.support.endpoints.endpoint_runs import CANARY, MEANS, Writer, make_endpoint
from tests.support.endpoints.misbehaving import ServedRequest, answer, make_completion, make_reply, run_server


def findings_of(endpoint: EndpointConfig) -> dict[str, bool | None]:
    return {finding.check: finding.is_ok for finding in probe(endpoint, MEANS).findings}


def test_probe_of_a_healthy_endpoint_passes_every_check() -> None:
    async def obey(asked: ServedRequest, writer: Writer) -> None:
        writer.write(make_completion(asked.question.rpartition(" ")[2]))

    with run_server(obey) as served:
        found = probe(make_endpoint(served), MEANS)
    assert found.is_ready
    assert found.repeats
    assert [finding.check for finding in found.findings] == [
        "reachable",
        "authorised",
        "answers",
        "takes audio",
        "takes two",
        "takes stereo",
    ]
    assert all(finding.is_ok for finding in found.findings)
    parts = [[part["type"] for part in asked.json["messages"][0]["content"]] for asked in served.asked]
    assert parts == [["text"], ["text", "input_audio"], ["text", "input_audio", "input_audio"], ["text", "input_audio"]]


def test_probe_of_a_listener_detects_audio_input() -> None:
    with run_endpoint(list(LISTENERS.values())) as url:
        endpoint = describe_endpoint(f"{url}/v1", "earshot-binaural", None, allows_loopback=True)
        assert probe(endpoint, MEANS).is_ready


def test_probe_of_a_text_only_model_reports_missing_audio_input() -> None:
    async def read_only(asked: ServedRequest, writer: Writer) -> None:
        n_sounds = asked.body.count(b"input_audio") // 2
        writer.write(make_reply(400, b'{"detail": "text only"}') if n_sounds else make_completion("yes"))

    with run_server(read_only) as served:
        found = probe(make_endpoint(served), MEANS)
    assert not found.is_ready
    assert [finding.is_ok for finding in found.findings] == [True, True, True, False, False, False]
    assert "Response: text only" in found.findings[3].detail


def test_probe_of_a_mono_model_reports_missing_stereo() -> None:
    async def hear_one(asked: ServedRequest, writer: Writer) -> None:
        if asked.body.count(b'"input_audio":') > 1:
            writer.write(make_completion(None, choices=[{"message": {"refusal": "One at a time."}}]))
        else:
            writer.write(make_completion("a tone"))

    with run_server(hear_one) as served:
        found = probe(make_endpoint(served), MEANS)
    assert found.is_ready
    assert [finding.check for finding in found.findings if not finding.is_ok] == ["takes two"]
    assert not found.repeats


def test_probe_with_a_wrong_key_is_reachable_and_not_authorised() -> None:
    with run_endpoint([EchoListener()], "another-key-entirely") as url:
        found = findings_of(describe_endpoint(f"{url}/v1", "echo", CANARY, allows_loopback=True))
    assert found == {
        "reachable": True,
        "authorised": False,
        "answers": None,
        "takes audio": None,
        "takes two": None,
        "takes stereo": None,
    }


def test_probe_of_an_unreachable_endpoint_reports_it() -> None:
    with run_server(answer) as served:
        pass
    found = findings_of(make_endpoint(served))
    assert found.pop("reachable") is False
    assert set(found.values()) == {None}
