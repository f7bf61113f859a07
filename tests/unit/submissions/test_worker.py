"""Evaluator process: a failed step does not end it, and its claims are released."""

import logging

import pytest

from settings import EvaluatorSettings
from submissions.scoring.evaluator import Evaluator
from submissions.worker import Worker
from tests.support.servers.installation import Installation, answers


def test_failed_turn_releases_its_submission_before_the_next_turn(
    place: Installation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    record = place.submit(answers(place.key))
    worker = Worker(EvaluatorSettings(data_dir=place.folder), make_packs=False)

    def fail(*_: object) -> None:
        raise ConnectionError("the database went away after the claim")

    with monkeypatch.context() as patch:
        patch.setattr(Evaluator, "_attempt", fail)
        assert not worker._round_robin()
    assert place.status(record).submission.state == "running"
    assert "an evaluator task failed" in caplog.text
    while worker._round_robin():
        pass
    status = place.status(record)
    assert (status.submission.state, status.submission.attempts) == ("scored", 2)
    worker._database.close()
