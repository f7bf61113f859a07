"""What the server says about a file: its check, its problems, and the result of its submission."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from submissions.cli.problem_tables import build_table_of_problems, build_table_of_unreadable
from submissions.cli.status_lines import describe_state, show_status
from submissions.client import Client, ClientError, Json
from submissions.intake import validation_texts as texts

_ENDED_WELL = ("scored", "unreleased", "awaiting-close")
_COMPLETE = ("scored", "unreleased")


def show_check(verdict: Json, out: Console, err: Console) -> None:
    """Print the result of a check.

    Raises:
        ClientError: The file cannot be scored; the error has its problems.
    """
    if not verdict["ok"]:
        total = sum(verdict.get("totals", {}).values()) or len(verdict["problems"])
        raise ClientError(texts.describe_rejected(len(verdict["problems"]), total), verdict["problems"], total)
    n_answers, parsed = verdict["predictions"], verdict.get("parsed")
    out.print(texts.describe_valid(n_answers, verdict["expected"], verdict["missing"], parsed), soft_wrap=True)
    if verdict.get("unparsed_reason"):
        out.print(Text(str(verdict["unparsed_reason"])), soft_wrap=True)
    unreadable = verdict.get("unreadable")
    if not unreadable:
        return
    # Warnings do not belong in the output for programs.
    is_warning = texts.is_warned(unreadable, n_answers)
    console = err if is_warning else out
    label = Text("Warning: " if is_warning else "", style="yellow")
    console.print(
        label + Text(texts.describe_unreadable(unreadable, n_answers, verdict["unreadable_reasons"])), soft_wrap=True
    )
    console.print(build_table_of_unreadable(verdict["unreadable_examples"]))


def show_problems(error: Exception, console: Console) -> None:
    """Print the problems of a file, unless the sentence of the error already contains the only one."""
    if not isinstance(error, ClientError) or not error.problems:
        return
    first = error.problems[0]
    is_said = str(first.get("message")) in str(error) and not (first.get("line") or first.get("id"))
    if len(error.problems) > 1 or not is_said:
        console.print(build_table_of_problems(error.problems))


def watch_submission(client: Client, submission_id: str, out: Console, err: Console) -> bool:
    """Wait until a submission has ended or waits for someone; print its status, and return whether it did not fail."""
    with make_share_progress(err) as progress:
        task = progress.add_task("waiting", total=1.0)

        def show(status: Json) -> None:
            share = 1.0 if status["state"] in _COMPLETE else status.get("progress") or 0.0
            progress.update(task, description=describe_state(status), completed=share)

        status = client.wait(submission_id, show)
    show_status(status, out, err)
    return status["state"] in _ENDED_WELL


def make_share_progress(console: Console) -> Progress:
    """Return a progress bar for something that reports a share."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    # In a file it would only write empty lines.
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
