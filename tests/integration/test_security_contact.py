"""Security contact of a server: /.well-known/security.txt."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.pages.visitor import Visitor
from tests.support.servers.live_site import problem_of, run_site

ADDRESS = "/.well-known/security.txt"


def test_server_names_its_contact_until_it_expires(tmp_path: Path) -> None:
    with run_site(tmp_path, security_contact="mailto:security@lab.example") as site:
        answer = site.get(ADDRESS)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:security@lab.example"
    left = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
    assert timedelta(days=150) < left < timedelta(days=365)
    assert fields.keys() == {"Contact", "Expires", "Preferred-Languages"}


def test_server_with_an_address_of_its_own_names_that_too(tmp_path: Path) -> None:
    settings = {"security_contact": "https://lab.example/report", "public_url": "https://earshot.lab.example"}
    with run_site(tmp_path, **settings) as site:
        lines = site.get(ADDRESS).text.splitlines()
    assert "Canonical: https://earshot.lab.example/.well-known/security.txt" in lines


def test_without_a_contact_there_is_no_such_address(visitor: Visitor) -> None:
    problem_of(visitor.site.get(ADDRESS), 404)
