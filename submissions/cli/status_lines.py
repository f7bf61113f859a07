"""Lines about the status of a submission."""

from rich.console import Console
from rich.text import Text

from submissions.cli.practice_commands import describe_practice
from submissions.cli.reevaluation_tables import write_percentage
from submissions.client import Json


def describe_state(status: Json) -> str:
    """Return the state of a submission, with its outlook if there is one."""
    outlook = status.get("outlook")
    return f"{status['state']}. {outlook}" if outlook else str(status["state"])


def show_status(status: Json, out: Console, err: Console) -> None:
    """Print state, scores, practice answers and signature of a submission; why it failed goes to `err`."""
    out.print(f"{status['id']}  {describe_state(status)}", soft_wrap=True)
    if status.get("reason") and str(status["reason"]) not in str(status.get("outlook")):
        err.print(Text(str(status["reason"])), soft_wrap=True)
    scores = status.get("scores") or {}
    for name, score in scores.items():
        if name.count("/") == 0 and score["value"] is not None:
            out.print(f"  {name.replace('|', ' '):<28} {write_percentage(score['value']):>6} %{_deviation(score)}")
    if status.get("practice"):
        out.print(Text("  ") + describe_practice(status["practice"]), soft_wrap=True)
    if status.get("signature"):
        out.print(f"  {status['signature']}", soft_wrap=True)


def _deviation(score: Json) -> str:
    return f" ± {write_percentage(score['std'])}" if score.get("std") is not None else ""
