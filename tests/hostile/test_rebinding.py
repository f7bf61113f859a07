"""DNS rebinding: a name that changes its addresses between lookups never leads to a connection to a forbidden one."""

import asyncio
import itertools
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

import pytest

from submissions.endpoints.querying.engine import query_all
from submissions.endpoints.querying.query_records import describe_endpoint
from submissions.endpoints.transport.allowed_addresses import parse_base_url
from submissions.endpoints.transport.http_client import Transport, make_trust
from tests.support.endpoints.answering import make_wav
from tests.support.endpoints.endpoint_installation import QUERYING, EndpointInstallation
from tests.support.endpoints.endpoint_runs import CANARY, MEANS, Run, make_questions
from tests.support.endpoints.rebinding_names import NAME, PUBLIC, RebindingNames, Zone, refuse_connections

OTHER_PUBLIC = ("1.1.1.1", "2606:4700::1111")
FORBIDDEN = (
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1"),  # noqa: S104
    *("169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%lo", "fc00::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", "2002:7f00:1::1", "2002:a9fe:a9fe::1"),
    *("2001::7f00:1", "2001:4860::5efe:7f00:1", "2001:4860::200:5efe:a9fe:a9fe", "localhost", "127.1", "0x7f000001"),
)


def rebind_once(address: str) -> Zone:
    return {NAME: [[PUBLIC], [address]]}


def alternate(address: str) -> Zone:
    return {NAME: [[PUBLIC], [address], [PUBLIC], [address], [PUBLIC]]}


def rebind_late(address: str) -> Zone:
    return {NAME: [[PUBLIC], [OTHER_PUBLIC[0]], [PUBLIC], [address]]}


def mix_first(address: str) -> Zone:
    return {NAME: [[address, PUBLIC]]}


def mix_last(address: str) -> Zone:
    return {NAME: [[PUBLIC, *OTHER_PUBLIC, address]]}


def mix_later(address: str) -> Zone:
    return {NAME: [[PUBLIC], [PUBLIC, address], [*OTHER_PUBLIC, address]]}


def alias(address: str) -> Zone:
    return {NAME: [["a.example.net"]], "a.example.net": [["b.example.net"]], "b.example.net": [[PUBLIC], [address]]}


def rebind_alias(address: str) -> Zone:
    return {NAME: [[PUBLIC], ["inside.example.net"]], "inside.example.net": [[address]]}


def flood(address: str) -> Zone:
    """Hide the address behind as many as are read."""
    return {NAME: [[PUBLIC], [*(f"8.8.{number}.8" for number in range(32)), address]]}


PATTERNS: tuple[Callable[[str], Zone], ...] = (
    rebind_once,
    alternate,
    rebind_late,
    mix_first,
    mix_last,
    mix_later,
    alias,
    rebind_alias,
    flood,
)


def test_rebinding_name_never_leads_to_a_forbidden_address(subtests: pytest.Subtests) -> None:
    for address, pattern in itertools.product(FORBIDDEN, PATTERNS):
        with subtests.test(address=address, pattern=pattern.__name__):
            names = RebindingNames(pattern(address))
            run, attempts = query_refused(names)
            assert run.result is not None
            assert run.result.ending is not None
            assert run.result.ending.code == "endpoint-address", run.result.ending.reason
            assert "non-public address" in run.result.ending.reason
            assert address not in run.result.ending.reason
            check_public(attempts)
            assert (len(attempts) > 0) == (pattern not in (mix_first, mix_last)), "the first answer was public"


def query_refused(names: RebindingNames) -> tuple[Run, list[str]]:
    """Send questions to a name whose every connection fails, so that it is resolved again and again."""
    done = Run()
    # The names are public as in production: nothing is allowed on loopback.
    endpoint = describe_endpoint(f"https://{NAME}/v1", "m", CANARY, allows_loopback=False, concurrency=4)
    means = replace(MEANS, resolve=names, trust=make_trust(loads=False))
    with refuse_connections() as attempts:
        done.result = query_all(
            endpoint, make_questions(20), lambda _name: make_wav(), done.kept.extend, done.reports.append, means
        )
    assert done.kept == []
    return done, [str(address[0]) for address in attempts]


def check_public(attempts: list[str]) -> None:
    # By the standard library, not by the product's own table.
    assert [address for address in attempts if not ip_address(address).is_global] == []


def test_evaluation_of_a_rebinding_name_ends_with_a_reason(ranked: Path, tmp_path: Path) -> None:
    names = RebindingNames(rebind_once("169.254.169.254"))
    asking = EndpointInstallation(shutil.copytree(ranked, tmp_path, dirs_exist_ok=True))
    with closing(asking.place.database):
        asking.endpoint_runner._means = replace(QUERYING, resolve=names, trust=make_trust(loads=False))
        with refuse_connections() as attempts:
            status = asking.ask(f"https://{NAME}/v1")
    found = status.submission
    assert (found.state, found.reason_code) == ("failed", "endpoint-not-ready")
    assert found.reason is not None
    assert "non-public address" in found.reason
    check_public([str(one[0]) for one in attempts])
    assert names.n_lookups[NAME] == 2


def test_record_shows_connections_of_this_process() -> None:
    async def call() -> None:
        target = parse_base_url("http://127.0.0.1:9/v1", allows_loopback=True)
        async with Transport(target) as transport:
            await transport.post("", [b"{}"])

    with refuse_connections() as attempts, pytest.raises(Exception, match="failed"):
        asyncio.run(call())
    assert ("127.0.0.1", 9) in attempts
    with pytest.raises(AssertionError):
        check_public(["127.0.0.1"])
