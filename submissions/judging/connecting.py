"""Connection to the configured judge. It takes seconds to import."""

from contextlib import AbstractAsyncContextManager

from evaluation.judge.judge_client import ClientOptions, JudgeClient
from submissions.judging.entry import Connect, Connection
from submissions.judging.memory import DatabaseAllowance


def connect_to(options: ClientOptions) -> Connect:
    """Return what connects to a judge's server."""

    def connect(allowance: DatabaseAllowance) -> AbstractAsyncContextManager[Connection]:
        return JudgeClient(options, allowance)

    return connect
