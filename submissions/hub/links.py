"""Links to pull requests that propose results: validated, and stored with the submission by its owner."""

import re
from datetime import UTC, datetime

from db.records import UserRecord
from db.repositories import audit, submissions
from db.session import Database
from submissions.errors import BadRequestError, NotAllowedError, StateError
from submissions.hub.repo_ids import is_repo_id
from submissions.service import SubmissionService

_MAX_CHARACTERS = 400
_PATH = re.compile(r"/(?P<repo>[^/]+/[^/]+)/discussions/[1-9][0-9]{0,8}")


class PullRequestLinks:
    """Stores the pull request of a submission. Only the owner of a published score may do so."""

    def __init__(self, database: Database, service: SubmissionService, endpoint: str) -> None:
        """Take the submission service and the address of the Hub, to which all links lead."""
        self._database = database
        self._service = service
        self._endpoint = endpoint.rstrip("/")

    def set(self, submission_id: str, actor: UserRecord, link: str) -> None:
        """Store the link, replacing an earlier one.

        Raises:
            NotFoundError, NotAllowedError, StateError, BadRequestError: The link cannot be stored.
        """
        submission = self._service.get_visible(submission_id, actor)
        if submission.owner.id != actor.id:
            raise NotAllowedError("Only the owner of a submission can set its pull request.")
        if submission.visibility != "public" or not submission.has_scores:
            raise StateError("Only scored, published submissions have a pull request. Publish the submission first.")
        self._check(link)
        with self._database.write() as transaction:
            submissions.set_hub_pull_request(transaction, submission.id, link)
            about = {"model": submission.model.name, "link": link}
            audit.append(transaction, actor.name, "set-pull-request", submission.id, about, datetime.now(UTC))

    def _check(self, link: str) -> None:
        match = _PATH.fullmatch(link.removeprefix(self._endpoint)) if link.startswith(self._endpoint) else None
        if match is None or not is_repo_id(match["repo"]) or len(link) > _MAX_CHARACTERS:
            raise BadRequestError(
                "url", f"Pass the pull request's URL, such as {self._endpoint}/org/model-name/discussions/1."
            )
