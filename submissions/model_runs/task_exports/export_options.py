"""Options of `export-task`, and the combinations that make no sense."""

import argparse
from pathlib import Path

from submissions.cli.server_access import add_person_option, add_server_options
from submissions.model_runs.run_options import (
    add_question_options,
    list_pack_contradictions,
    name_folder,
    refuse_contradictions,
)

INSPECT, LMMS_EVAL = "inspect", "lmms-eval"
TOOLS = (INSPECT, LMMS_EVAL)
_DEFAULT_OUT = Path("earshot-tasks")


def add_export_options(parser: argparse.ArgumentParser) -> None:
    """Add all options."""
    parser.add_argument("--for", dest="tool", choices=TOOLS, required=True, help="tool that runs the task")
    text = f"folder of the task (default: {_DEFAULT_OUT}/BENCHMARK-SPLIT-TOOL)"
    parser.add_argument("--out", metavar="FOLDER", type=Path, help=text)
    questions = parser.add_argument_group("questions")
    add_question_options(questions, ("practice", "test"), "practice, or test with --edition")
    server = parser.add_argument_group("server")
    add_server_options(server)
    add_person_option(server)


def check_export_options(options: argparse.Namespace) -> None:
    """Fill in the split and the folder, and refuse combinations that make no sense.

    Raises:
        UsageError: Two options contradict each other.
    """
    if options.split is None:
        options.split = "test" if options.edition else "practice"
    if options.out is None:
        setting = f"-{options.setting}" if options.setting else ""
        options.out = _DEFAULT_OUT / name_folder(f"{options.benchmark}-{options.split}{setting}-{options.tool}")
    refuse_contradictions(list_pack_contradictions(options))
