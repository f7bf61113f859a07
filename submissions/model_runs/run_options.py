"""Options of `run`, and the combinations that make no sense."""

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

from submissions.cli.server_access import add_person_option, add_server_options
from submissions.client import UsageError
from submissions.endpoints.querying.query_records import AudioForm

SPLITS = ("practice", "test", "both")
_DEFAULT_OUT = Path("earshot-runs")
_NO_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_ONLY_SUBMITTED = ("publish", "display_name", "hub_id", "organisation")

Contradiction = tuple[bool, str]
"""Whether options contradict each other, and the message if they do."""


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add all options."""
    _add_questions(parser.add_argument_group("questions"))
    _add_model(parser.add_argument_group("model"))
    _add_output(parser.add_argument_group("output"))
    server = parser.add_argument_group("server")
    add_server_options(server)
    add_person_option(server)


def add_question_options(group: "argparse._ArgumentGroup", splits: Sequence[str], default_split: str) -> None:
    """Add the options that choose questions.

    Args:
        group: Where to add them.
        splits: Choices of the split.
        default_split: The default split, in words.
    """
    group.add_argument("--benchmark", metavar="B", required=True)
    group.add_argument("--version", metavar="V", help="benchmark version; default: the first with these questions")
    group.add_argument("--setting", metavar="S", help="setting; default: the benchmark's default setting")
    group.add_argument("--split", choices=splits, help=f"questions to ask; default: {default_split}")
    group.add_argument("--edition", metavar="ID", help="edition to answer; default: an unused one, or a new one")
    group.add_argument("--pack", metavar="PACK.zip", type=Path, help="pack that you have already")
    text = "number of runs per item, where runs repeat a question with another seed; default: all"
    group.add_argument("--runs", metavar="N", type=_count, help=text)


def _add_questions(group: "argparse._ArgumentGroup") -> None:
    add_question_options(group, SPLITS, "practice, or test with --submit or --edition")
    text = "trial: ask only N practice questions, spread over the tasks; a trial is never submitted"
    group.add_argument("--limit", metavar="N", type=_count, help=text)


def _add_model(group: "argparse._ArgumentGroup") -> None:
    place = group.add_mutually_exclusive_group(required=True)
    text = "OpenAI-compatible API, without /chat/completions; http and private addresses are fine"
    place.add_argument("--base-url", metavar="URL", help=text)
    text = "function that answers a prompt in this process"
    place.add_argument("--adapter", metavar="MODULE:FUNCTION", help=text)
    group.add_argument("--model", metavar="NAME", required=True, help="model ID sent to the API, or the model's name")
    group.add_argument("--api-key-env", metavar="VARIABLE", help="environment variable with the API key")
    text = "how clips are sent (default: input_audio; data-url for servers that expect a URL)"
    group.add_argument("--audio-form", choices=get_args(AudioForm), default="input_audio", help=text)
    group.add_argument("--mono", action="store_true", help="send the mean of the channels, for models without stereo")
    text = "most calls at a time; fewer are sent while the API limits them (default: 8)"
    group.add_argument("--concurrency", metavar="N", type=_count, default=8, help=text)
    text = "longest time for a response (default: 600)"
    group.add_argument("--timeout", metavar="SECONDS", type=_count, default=600, help=text)


def _add_output(group: "argparse._ArgumentGroup") -> None:
    text = f"folder of the run; the same one continues it (default: {_DEFAULT_OUT}/BENCHMARK/MODEL)"
    group.add_argument("--out", metavar="FOLDER", type=Path, help=text)
    group.add_argument("--dry-run", action="store_true", help="print the first request, and ask nothing")
    group.add_argument("--submit", action="store_true", help="submit the test answers when they are complete")
    group.add_argument("--allow-missing", action="store_true", help="score missing answers as wrong")
    group.add_argument("--display-name", metavar="NAME", help="model name on the board; default: that of --model")
    group.add_argument("--hub-id", metavar="ORG/NAME", help="describe the model by its Hub repository")
    group.add_argument("--organisation", metavar="NAME", help="organisation that made the model")
    group.add_argument("--publish", action="store_true", help="publish the result when it is scored")
    text = "close the edition after submitting (default); --no-close if more models will answer it"
    group.add_argument("--close", action=argparse.BooleanOptionalAction, default=True, help=text)


def check_options(options: argparse.Namespace) -> None:
    """Fill in the split and the folder, and refuse combinations that make no sense.

    Raises:
        UsageError: Two options contradict each other, or one is missing.
    """
    if options.split is None:
        options.split = "test" if options.submit or options.edition else "practice"
    if options.out is None:
        options.out = _DEFAULT_OUT / name_folder(options.benchmark) / name_folder(options.model)
    refuse_contradictions(_list_contradictions(options))


def refuse_contradictions(contradictions: Iterable[Contradiction]) -> None:
    """Raise an error for the first contradiction that holds.

    Raises:
        UsageError: One holds.
    """
    for is_wrong, message in contradictions:
        if is_wrong:
            raise UsageError(message)


def list_pack_contradictions(options: argparse.Namespace) -> tuple[Contradiction, ...]:
    """Return contradictions between the options of a pack."""
    is_practice = options.split == "practice"
    return (
        (is_practice and options.edition is not None, "--edition has test questions. Leave out --split practice."),
        (bool(options.pack and options.edition), "--pack and --edition exclude each other. Pass one of them."),
    )


def name_folder(name: str) -> str:
    """Return a name as the name of a folder.

    >>> name_folder("Qwen/Qwen2.5-Omni 7B"), name_folder("..")
    ('Qwen-Qwen2.5-Omni-7B', 'unnamed')
    """
    return _NO_NAME.sub("-", name).strip(".-")[:100] or "unnamed"


def _list_contradictions(options: argparse.Namespace) -> tuple[Contradiction, ...]:
    is_practice, is_trial = options.split == "practice", options.limit is not None
    idle = next((name for name in _ONLY_SUBMITTED if getattr(options, name) and not options.submit), "")
    return (
        (
            is_trial and options.submit,
            "--limit is a trial, which is never submitted. Leave out --limit to ask all questions, or --submit.",
        ),
        (
            is_trial and not is_practice,
            "--limit asks practice questions only. Leave it out, or pass --split practice.",
        ),
        (
            is_practice and options.submit,
            "Practice answers are attached to a submission of test answers. Pass --split both, or attach the file to "
            "an earlier submission with `python -m submissions practice ID FILE`.",
        ),
        *list_pack_contradictions(options),
        (options.split == "both" and options.pack is not None, "--pack has one split. Pass --split practice or test."),
        (bool(options.adapter and options.api_key_env), "--api-key-env belongs to --base-url, not to --adapter."),
        (bool(options.adapter and options.mono), "--mono belongs to --base-url. Mix the channels in your adapter."),
        (bool(idle), f"--{idle.replace('_', '-')} requires --submit. Add it."),
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) == int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)
