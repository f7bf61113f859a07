"""Checks of a request besides its file: names of combined systems, and files that were sent before."""

from db.records import NewSubmission
from db.repositories import submissions
from db.session import Transaction
from evaluation.benchmarks import Benchmark
from submissions.errors import AlreadySubmittedError, BadRequestError

_NO_LONGER_WANTED = ("failed", "withdrawn")


def check_joined_name(benchmark: Benchmark, setting: str, name: str) -> None:
    """Refuse a name that does not state the component models, in settings for combined systems.

    Raises:
        BadRequestError: The name states fewer than two models.
    """
    joined = benchmark.joined_settings.get(setting)
    parts = [part for part in name.split(joined) if part.strip()] if joined else []
    if joined and len(parts) < 2:
        raise BadRequestError(
            "model",
            f"For `{setting}`, name every model of the pipeline, the audio model first: `Captioner{joined}Text model`.",
        )


def refuse_same_file(transaction: Transaction, new: NewSubmission, title: str) -> None:
    """Refuse a file that was submitted before, naming that submission: nobody should wait for the same scores twice.

    Raises:
        AlreadySubmittedError: It was submitted for the same board and model.
    """
    earlier = submissions.find_same(transaction, new, _NO_LONGER_WANTED)
    if earlier is not None:
        remedy = "To submit the file again, withdraw that submission first."
        if earlier.state == "awaiting-close":
            remedy = f"To have it scored, close edition {earlier.edition}."
        raise AlreadySubmittedError(
            earlier.id,
            f"You already submitted this file for {title} {new.version}, setting {new.setting}, model "
            f"{earlier.model.name}: see {earlier.id} ({earlier.state}). Nothing was added. {remedy}",
        )
