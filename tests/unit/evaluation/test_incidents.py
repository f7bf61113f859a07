"""Incidents: one reference and one entry in the log for one error."""

import logging
import re

import pytest

from evaluation.incidents import log_incident


def test_incident_is_logged_with_its_reference_and_the_error(caplog: pytest.LogCaptureFixture) -> None:
    reference = log_incident("comparison 5 failed", KeyError("cause"))
    assert re.fullmatch("[0-9a-f]{8}", reference)
    assert caplog.records[0].getMessage() == f"incident {reference}: comparison 5 failed"
    assert caplog.records[0].levelno == logging.ERROR
    assert "KeyError: 'cause'" in caplog.text


def test_error_logged_twice_has_one_incident(caplog: pytest.LogCaptureFixture) -> None:
    error = ValueError("seen twice")
    assert log_incident("GET / failed", error) == log_incident("an event of the page failed", error)
    assert len(caplog.records) == 1


def test_incidents_without_an_error_have_different_references(caplog: pytest.LogCaptureFixture) -> None:
    references = {log_incident("sign-in failed: 100 % of it", level=logging.WARNING) for _ in range(2)}
    assert len(references) == 2
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    assert "Traceback" not in caplog.text


def test_message_is_one_line_of_printable_characters(caplog: pytest.LogCaptureFixture) -> None:
    reference = log_incident("GET /a\nERROR forged\x1b[31m\u2028end of 'é' 中 failed")
    expected = r"GET /a\nERROR forged\x1b[31m\u2028end of 'é' 中 failed"
    assert caplog.records[0].getMessage() == f"incident {reference}: {expected}"
