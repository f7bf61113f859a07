"""`python -m submissions propose`: show a result, ask for consent, and propose it to a model card."""

import argparse
import getpass
import sys
from pathlib import Path

from rich.console import Console

from submissions.client import Client, ClientError, UsageError
from submissions.hub.eval_results import build_entry, name_file, write_yaml
from submissions.hub.proposals import check_repository, open_pull_request

_OUT = Console(highlight=False, markup=False)


def add_propose_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument("--submission", metavar="ID", required=True, help="a scored, published submission")
    command.add_argument("--repo", metavar="ORG/NAME", required=True, help="model repository on the Hub")
    command.add_argument("--dataset", metavar="ORG/NAME", help="dataset repository of the benchmark on the Hub")
    command.add_argument("--yes", action="store_true", help="open the pull request without confirmation")


def propose(client: Client, options: argparse.Namespace, origin: str, endpoint: str, token: str | None) -> None:
    """Show the result in the repository's format, ask for consent, and open the pull request.

    Args:
        client: Client of the Earshot server, which never sees the Hub token.
        options: Options of the command line.
        origin: Address of the Earshot server.
        endpoint: Address of the Hub.
        token: The submitter's own Hub token; the command asks for it if it is None.

    Raises:
        ClientError: The result cannot be proposed, or the Hub refuses.
    """
    repo_id = check_repository(options.repo)
    if options.dataset is not None:
        check_repository(options.dataset)
    status = client.status(options.submission)
    benchmark = client.describe_benchmark(str(status.get("benchmark")), str(status.get("version")))
    headline = str(benchmark["headline"])
    entry = build_entry(status, headline, origin, options.dataset)
    path, content = name_file(status), write_yaml(entry)
    _OUT.print(f"Pull request to {repo_id}, file {path}:\n\n{content}", soft_wrap=True)
    if not options.yes and not _ask_consent():
        _OUT.print("No pull request was opened.")
        return
    secret = token or _ask_token()
    link = open_pull_request(endpoint, secret, repo_id, path, content, f"Add the Earshot result ({Path(path).stem})")
    _OUT.print(link, soft_wrap=True)
    try:
        client.set_pull_request(options.submission, link)
    except ClientError as error:
        _OUT.print(f"The pull request is open, but Earshot does not link to it: {error}", soft_wrap=True)


def _ask_consent() -> bool:
    if not sys.stdin.isatty():
        raise UsageError("Cannot ask for confirmation without a terminal. Pass --yes to open the pull request.")
    return input("Open this pull request? [y/N] ").strip().lower() in ("y", "yes")


def _ask_token() -> str:
    if not sys.stdin.isatty():
        raise UsageError("Cannot ask for a token without a terminal. Set HF_TOKEN to your own Hub token.")
    return getpass.getpass("Your Hub token: ").strip()
