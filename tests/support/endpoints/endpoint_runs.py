"""Endpoint runs against a test server, with pauses of milliseconds instead of seconds."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.types import TextPart
from submissions.endpoints.querying.engine import Means, query_all
from submissions.endpoints.querying.query_records import (
    EndpointConfig,
    ItemQuery,
    ItemResponse,
    Progress,
    describe_endpoint,
)
from submissions.endpoints.querying.query_records import QueryRunResult as Result
from submissions.endpoints.querying.retry_policy import RetryPolicy
from submissions.endpoints.transport.http_client import CallLimits
from tests.support.endpoints.answering import make_wav
from tests.support.endpoints.misbehaving import Behave, ScriptedServer, run_server

CANARY = "sk-canary-0123456789"
# Delays of seconds in production are milliseconds here.
RETRY_POLICY = RetryPolicy(
    first_seconds=0.01, longest_seconds=0.02, max_retry_after=0.05, first_rest_seconds=0.02, longest_rest_seconds=0.05
)
MEANS = Means(
    retry_policy=RETRY_POLICY,
    limits=CallLimits(max_seconds=300.0, connect_seconds=300.0, grace_seconds=300.0),
    report_seconds=0.01,
)
Writer = asyncio.StreamWriter


def make_endpoint(served: ScriptedServer, **fields: Any) -> EndpointConfig:
    return describe_endpoint(served.url, "m", CANARY, allows_loopback=True, **fields)


def make_questions(n: int) -> list[ItemQuery]:
    return [ItemQuery(f"q{number}", 0, (TextPart(f"text {number}"),)) for number in range(n)]


@dataclass
class Run:
    """Outcome of an endpoint run, with the stored responses."""

    kept: list[ItemResponse] = field(default_factory=list)
    reports: list[Progress] = field(default_factory=list)
    result: Result | None = None

    @property
    def texts(self) -> dict[str, str]:
        assert len({response.id for response in self.kept}) == len(self.kept), "one answer for each question"
        return {response.id: response.reply.text for response in self.kept}

    @property
    def code(self) -> str | None:
        assert self.result is not None
        return None if self.result.ending is None else self.result.ending.code


def run(
    endpoint: EndpointConfig,
    questions: Sequence[ItemQuery],
    load_clip: Callable[[str], bytes] = lambda _name: make_wav(),
    means: Means = MEANS,
) -> Run:
    done = Run()
    done.result = query_all(endpoint, questions, load_clip, done.kept.extend, done.reports.append, means)
    return done


def run_against(behave: Behave, n_questions: int = 40, **fields: Any) -> tuple[Run, ScriptedServer]:
    with run_server(behave) as served:
        done = run(make_endpoint(served, **fields), make_questions(n_questions))
    return done, served
