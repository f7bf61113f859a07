"""Evaluator with a judge, in a module of its own: the judge's client takes too long to import for all others."""

import sys

from evaluation.judge.judge_client import ClientOptions
from settings import EvaluatorSettings
from submissions.judging import Connect
from submissions.judging.connecting import connect_to
from submissions.worker import main


def _connect_with(settings: EvaluatorSettings) -> Connect:
    key = settings.judge_api_key
    options = ClientOptions(
        base_url=settings.judge_base_url or "",
        model=settings.judge_model or "",
        api_key=key.get_secret_value() if key else None,
        concurrency=settings.judge_concurrency,
    )
    return connect_to(options)


if __name__ == "__main__":
    sys.exit(main(connect_with=_connect_with))
