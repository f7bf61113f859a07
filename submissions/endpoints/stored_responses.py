"""Responses of endpoints as stored, as predictions."""

from collections.abc import Iterator

from db.repositories import endpoints
from db.session import Database
from evaluation.types import Prediction


def read_responses(database: Database, submission_id: str) -> Iterator[Prediction]:
    """Yield an endpoint's responses as predictions."""
    with database.read() as transaction:
        for item, run, text in endpoints.iter_responses(transaction, submission_id):
            yield Prediction(item, run, text)
