"""Launcher of Earshot: the web process, the evaluator, which alone may know the answer keys, and litestream.

This process serves nothing. Where the database has a replica, it takes the lease and restores the database first. It
opens the port that the web process answers on, hands each process the environment that it may have, and restarts what
ends or hangs.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from command_line import add_verbose, end_process, is_verbose
from settings import EvaluatorSettings, Settings, SettingsError, load_evaluator_settings, on_space
from settings.environments import evaluator_environment, list_odd_variables, web_environment
from submissions.cli.worker_options import add_worker_options, find_worker_module, list_worker_options
from submissions.errors import SubmissionError
from submissions.operations.data_folder import finish_restore, lock_server, require_disk, share_folder
from submissions.operations.hardening import forbid_inspection
from submissions.operations.heartbeat_pipe import PIPE_OPTION, open_heartbeat_pipe
from submissions.operations.private_files import keep_files_private, repair_modes
from submissions.operations.replication.errors import ReplicaAwayError, ReplicaError
from submissions.operations.replication.startup import ReplicaPlan, Replicator, hold_replica
from submissions.operations.supervisor import (
    EvaluatorProcess,
    KeptProcess,
    Program,
    WebProcess,
    keep_running,
    open_port,
)

_LOG = logging.getLogger("earshot")
_FAILED, _USAGE = 1, 2


def main() -> int:
    """Run until a signal comes, or until the web process cannot be started; return the exit code."""
    parser = argparse.ArgumentParser(prog="python app.py", description="Serve Earshot.")
    parser.add_argument("--no-evaluator", action="store_true", help="serve the web app only; evaluators run elsewhere")
    add_worker_options(parser)
    add_verbose(parser)
    options = parser.parse_args()
    forbid_inspection()
    keep_files_private()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        settings = load_evaluator_settings()
        settings.require_fit_for_production()
        settings.make_data_dir()
    except SettingsError as error:
        return _refuse(str(error), _USAGE)
    with ExitStack() as held:
        try:
            if on_space():
                require_disk(settings.data_dir)
            finish_restore(settings.data_dir)
            held.enter_context(share_folder(settings.data_dir))
            held.enter_context(lock_server(settings.data_dir))
            plan = _plan_replica(settings)
            replicators = [] if plan is None else [held.enter_context(hold_replica(plan))]
        except (SubmissionError, OSError, ReplicaError, ReplicaAwayError) as error:
            return _refuse(str(error), _FAILED)
        evaluator = [find_worker_module(has_judge=settings.has_judge), *list_worker_options(options)]
        more = ["-v"] * is_verbose(options)
        return _serve(settings, None if options.no_evaluator else [*evaluator, *more], replicators, more)


def _plan_replica(settings: Settings) -> ReplicaPlan | None:
    if settings.replica_url is None:
        return None
    return ReplicaPlan(
        settings.replica_url,
        settings.data_dir.absolute(),
        settings.database_path,
        settings.replica_lease_seconds,
        os.environ,
    )


def _serve(
    settings: EvaluatorSettings,
    evaluator: Sequence[str] | None,
    replicators: Sequence[Replicator],
    web_options: Sequence[str],
) -> int:
    try:
        listening = open_port(settings.host, settings.port)
    except OSError as error:
        where = f"Port {settings.port} of {settings.host} cannot be opened ({error.strerror})."
        return _refuse(
            f"{where} Stop the program that uses it, or set EARSHOT_HOST and EARSHOT_PORT to other values.", _FAILED
        )
    for line in (*list_odd_variables(), repair_modes(_list_private_places(settings), settings.answer_keys_dir)):
        if line is not None:
            _LOG.warning("%s", line)
    _LOG.info("Earshot is starting. The page will be ready in about 10 seconds.")
    descriptor = listening.fileno()
    arguments = ("leaderboard", "--listening-socket", str(descriptor), *web_options)
    web = Program("The web process", arguments, web_environment(), (descriptor,))
    processes: list[KeptProcess] = [WebProcess(web, listening)]
    with listening, open_heartbeat_pipe() as pipe:
        if evaluator is not None:
            command = (*evaluator, PIPE_OPTION, str(pipe.to_write))
            program = Program("The evaluator", command, evaluator_environment(), (pipe.to_write,))
            processes.append(EvaluatorProcess(program, pipe.to_read))
        return keep_running(processes, replicators)


def _list_private_places(settings: EvaluatorSettings) -> list[Path]:
    places = [settings.data_dir]
    if not settings.uses_server:
        places.append(settings.database_path)
    if "://" not in settings.artifacts_url:
        places.append(Path(settings.artifacts_url))
    return places


def _refuse(message: str, code: int) -> int:
    print(f"Error: {message}", file=sys.stderr)  # noqa: T201 - the command line's own error
    return code


if __name__ == "__main__":
    end_process(main())
