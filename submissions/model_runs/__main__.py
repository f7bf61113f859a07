"""`python -m submissions run`: ask your own model the questions of a benchmark, score or submit its answers."""

import argparse
import logging
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from command_line import DONE, FAILED, add_verbose, interrupt_on_termination, is_verbose, run_command, show_error
from evaluation.errors import EvaluationError, SettingError, UnknownBenchmarkError
from evaluation.predictions import PredictionFileError
from settings import SettingsError, load_settings
from settings.environments import find_api_key, find_client_token, list_odd_variables
from submissions.cli.file_checks import show_problems
from submissions.cli.server_access import ServerAccess
from submissions.client import Client, ClientError, UsageError
from submissions.endpoints.querying.engine import ROUTE, Means
from submissions.endpoints.querying.query_records import EndpointConfig, describe_own_endpoint
from submissions.endpoints.transport.pinning import resolve_own_name
from submissions.errors import BadRequestError
from submissions.model_runs.adapters import Adapter, load_adapter
from submissions.model_runs.endpoint_checks import write_as_options
from submissions.model_runs.model_run import ModelRun, RunTools
from submissions.model_runs.pack_sources import PackSources
from submissions.model_runs.run_errors import ModelRunError
from submissions.model_runs.run_folder import Checkpoint
from submissions.model_runs.run_options import add_run_options, check_options


def main(
    arguments: Sequence[str] | None = None,
    means: Means | None = None,
    checkpoint: Checkpoint = lambda _label: None,
    cache: Path | None = None,
) -> int:
    """Run the command and return its exit code: 0 done, 1 failed, 2 wrong usage.

    Args:
        arguments: Arguments; those of the process by default.
        means: Configuration of querying.
        checkpoint: Called between the steps.
        cache: Folder of practice packs.
    """
    parser = argparse.ArgumentParser(prog="python -m submissions run", description=__doc__, allow_abbrev=False)
    add_verbose(parser)
    add_run_options(parser)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO if is_verbose(options) else logging.WARNING, format="%(message)s")
    options.run = lambda options: _run_model(options, means, checkpoint, cache)
    return run_command(
        options,
        misuses=(SettingsError, UsageError, UnknownBenchmarkError, SettingError),
        failures=(ClientError, ModelRunError, EvaluationError),
        warnings=list_odd_variables(),
        show=_show_error,
    )


def _run_model(options: argparse.Namespace, means: Means | None, checkpoint: Checkpoint, cache: Path | None) -> int:
    check_options(options)
    out, err = Console(highlight=False), Console(stderr=True, highlight=False)
    access = ServerAccess(find_client_token, _find_local)

    def open_client() -> closing[Client]:
        return closing(Client(access.find_url(options)))

    means = means or Means(resolve=resolve_own_name)
    packs = cache or Path.home() / ".cache" / "earshot" / "packs"
    run = ModelRun(
        options,
        RunTools(
            model=_find_model(options),
            sources=PackSources(open_client, lambda: access.connect(options), packs, err),
            open_client=open_client,
            sign_in=lambda: access.connect(options),
            out=out,
            err=err,
            means=replace(means, limits=replace(means.limits, max_seconds=float(options.timeout))),
            checkpoint=checkpoint,
        ),
    )
    if options.dry_run:
        run.preview()
        return DONE
    return DONE if run.answer_splits() else FAILED


def _find_model(options: argparse.Namespace) -> EndpointConfig | Adapter:
    """Return the model of the command.

    Raises:
        UsageError: An option is invalid.
        ModelRunError: The adapter cannot be imported.
    """
    if options.adapter is not None:
        return load_adapter(options.adapter)
    key = None
    if options.api_key_env is not None:
        key = find_api_key(options.api_key_env)
        if key is None:
            # The name is not repeated: the user may have passed the key itself.
            raise UsageError(
                "--api-key-env names an environment variable that is not set, or is empty. Set it to the API key, and "
                "pass its name, such as OPENAI_API_KEY."
            )
    if options.base_url.rstrip("/").endswith(ROUTE):
        raise UsageError(f"--base-url ends in {ROUTE}, which is added to it. Leave that out.")
    try:
        return describe_own_endpoint(
            options.base_url, options.model, key, concurrency=options.concurrency, audio_form=options.audio_form
        )
    except BadRequestError as error:
        key_name = f"The API key in {options.api_key_env}" if error.field == "api_key" else "--api-key-env"
        message = write_as_options(str(error)).replace("send the key as `api_key`", "pass the key with `api_key`")
        message = message.replace("`api_key`", key_name)
        raise UsageError(message) from None


def _find_local() -> tuple[str, int]:
    settings = load_settings()
    return settings.host, settings.port


def _show_error(error: Exception, *, verbose: bool) -> None:
    if not isinstance(error, PredictionFileError):
        show_error(error, verbose=verbose)
        show_problems(error, Console(stderr=True, highlight=False))
        return
    for problem in error.problems:
        show_error(ModelRunError(problem.message), verbose=False)


if __name__ == "__main__":
    interrupt_on_termination()
    sys.exit(main())
