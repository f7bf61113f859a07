"""Rejection by a maintainer: of held answers, or of an endpoint that awaits approval."""

from db.records import UserRecord
from submissions.endpoints.endpoint_service import Endpoints
from submissions.operations.maintenance import Maintenance


def reject_submission(
    maintenance: Maintenance, endpoints: Endpoints, submission_id: str, actor: UserRecord, reason: str
) -> None:
    """End a submission that waits for a maintainer, with the reason.

    Raises:
        NotAllowedError, NotFoundError, BadRequestError, StateError: It cannot be rejected.
    """
    reject = maintenance.reject if maintenance.is_held(submission_id, actor) else endpoints.reject
    reject(submission_id, actor, reason)
