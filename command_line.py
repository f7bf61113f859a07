"""Shared parts of the command lines: exit codes, `-v`, and errors in one readable line."""

import argparse
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from typing import NoReturn, Protocol

DONE, FAILED, USAGE = 0, 1, 2
# fsspec's thread, which there is once files in remote storage were touched.
_REMOTE_FILES_THREAD = "fsspecIO"
_STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def end_process(code: int) -> NoReturn:
    """End this process with an exit code.

    After work with remote storage, Python is not shut down step by step: threads of obstore that then ask for the
    interpreter would abort the process, which ends in SIGABRT although all work is done. Signals to stop are ignored
    from here on, for a similar reason: while Python shuts down, another one would replace the exit code.
    """
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    sys.stdout.flush()
    sys.stderr.flush()
    if any(thread.name == _REMOTE_FILES_THREAD for thread in threading.enumerate()):
        os._exit(code)
    sys.exit(code)


def add_verbose(parser: argparse.ArgumentParser) -> None:
    """Let a command take `-v`, before its subcommands and after them."""
    # Without a default: a subcommand would otherwise set back what was said before it.
    parser.add_argument(
        "-v", "--verbose", action="store_true", default=argparse.SUPPRESS, help="show log messages and tracebacks"
    )


def add_program(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    text: str,
    start: Callable[[list[str]], int],
) -> None:
    """Add a command that is a program of its own, because its imports take long.

    Args:
        commands: Where to add it.
        name: Name of the command.
        text: Its help.
        start: Runs the program with its arguments, and returns its exit code.
    """
    # The program parses the options: none starts with this prefix.
    command = commands.add_parser(name, help=text, add_help=False, prefix_chars="\0")
    command.add_argument("rest", nargs="*")
    command.set_defaults(run=lambda options: start([*options.rest, *["-v"] * is_verbose(options)]), program=name)


def interrupt_on_termination() -> None:
    """Let SIGTERM end this process as Ctrl-C does, so that schedulers of clusters can end a run.

    Processes that a script starts in the background ignore Ctrl-C, and so would what it stands for.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    else:
        signal.signal(signal.SIGTERM, lambda _number, _frame: signal.raise_signal(signal.SIGINT))


def is_verbose(options: argparse.Namespace) -> bool:
    """Tell whether `-v` was given."""
    return bool(getattr(options, "verbose", False))


def show_error(error: Exception, *, verbose: bool) -> None:
    """Print an error to stderr, in one line; its traceback before it when that is asked for."""
    if verbose:
        traceback.print_exception(error)
    print(f"Error: {' '.join(_describe(error).split())}", file=sys.stderr)


class Show(Protocol):
    """Prints an error."""

    def __call__(self, error: Exception, *, verbose: bool) -> None:
        """Print it."""


def run_command(
    options: argparse.Namespace,
    *,
    failures: tuple[type[Exception], ...],
    misuses: tuple[type[Exception], ...],
    warnings: Iterable[str] = (),
    show: Show = show_error,
) -> int:
    """Run `options.run` and return its exit code.

    Args:
        options: What was given; `run` is the command's function.
        failures: Errors after which the work has failed, beside `OSError`. All others are bugs, and end in a traceback.
        misuses: Errors of wrong usage. They go before `failures`.
        warnings: Sentences to print first.
        show: Prints an error.
    """
    # A program that the command starts prints them itself.
    for line in () if hasattr(options, "program") else warnings:
        print(f"Warning: {line}", file=sys.stderr)
    run: Callable[[argparse.Namespace], int] = options.run
    failed: tuple[type[Exception], ...] = (*failures, OSError)
    try:
        return run(options)
    except misuses as error:
        show(error, verbose=is_verbose(options))
        return USAGE
    except failed as error:
        show(error, verbose=is_verbose(options))
        return FAILED
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return FAILED


def _describe(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror is not None:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{error.strerror}"
    return str(error) or type(error).__name__
