"""Ending what waits for a maintainer: answers that are held, or an endpoint that awaits approval."""

from db.records import UserRecord
from submissions.endpoints.endpoint_service import Endpoints
from submissions.operations.maintenance import Maintenance


def reject_submission(
    maintenance: Maintenance, endpoints: Endpoints, submission_id: str, actor: UserRecord, reason: str
) -> None:
    """End a submission that waits for a maintainer, with his reason.

    Raises:
        NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be done.
    """
    reject = maintenance.reject if maintenance.is_held(submission_id, actor) else endpoints.reject
    reject(submission_id, actor, reason)
