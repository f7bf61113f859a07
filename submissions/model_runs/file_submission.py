"""Last step of a run: the server checks the file of test answers, and takes it."""

import argparse
import json
from pathlib import Path

from rich.console import Console

from submissions.cli.file_checks import show_check, watch_submission
from submissions.client import Client
from submissions.intake.identifiers import derive_idempotency_key
from submissions.model_runs.run_folder import Checkpoint, RunManifest, write_durably

_CHECKED = "checked"


def describe_file(manifest: RunManifest, *, allow_missing: bool) -> dict[str, str]:
    """Return the fields that are sent with a file."""
    return {
        "benchmark": manifest.benchmark,
        "version": manifest.version,
        "setting": manifest.setting,
        "allow_missing": str(allow_missing).lower(),
    }


def show_server_check(client: Client, file: Path, fields: dict[str, str], consoles: tuple[Console, Console]) -> None:
    """Have the server check a file, which is free and needs no account.

    Raises:
        ClientError: The file cannot be scored.
    """
    show_check(client.validate(file, fields), *consoles)


def submit_file(
    client: Client,
    file: Path,
    fields: dict[str, str],
    options: argparse.Namespace,
    practice: Path | None,
    consoles: tuple[Console, Console],
    checkpoint: Checkpoint,
) -> bool:
    """Check and submit a file, attach practice answers, and wait for the result; a repetition submits nothing new.

    Args:
        client: The client.
        file: The file.
        fields: Its fields.
        options: Options of the command.
        practice: File of practice answers, or None.
        consoles: For results, and for everything else.
        checkpoint: Called between the steps.

    Returns:
        Whether the submission did not fail.

    Raises:
        ClientError: The file is refused.
    """
    out, err = consoles
    model = client.find_hub_model(options.hub_id) if options.hub_id else {}
    name = options.display_name or (None if options.hub_id else options.model)
    said = {"name": name, "organisation": options.organisation}
    model |= {field: value for field, value in said.items() if value}
    more = {"model": json.dumps(model), "publish": str(options.publish).lower(), "close": str(options.close).lower()}
    key = derive_idempotency_key(file, fields | more)
    # After a submission that closed its edition, the same file would be refused: the check is not repeated.
    passed = file.with_name(_CHECKED)
    if not passed.is_file() or passed.read_text() != key:
        show_server_check(client, file, fields, consoles)
        write_durably(passed, key.encode())
    checkpoint("checked")
    submission = client.submit(file, fields | more, key)
    out.print(f"{submission['id']}  {submission['state']}", soft_wrap=True)
    checkpoint("submitted")
    if practice is not None:
        client.attach_practice(submission["id"], practice)
        checkpoint("practice-attached")
    return watch_submission(client, submission["id"], out, err)
