"""Pull requests that propose a result to a model card, opened on the submitter's machine with the submitter's token."""

import httpx2
import huggingface_hub
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

from submissions.client import ClientError, UsageError
from submissions.hub.repo_ids import is_repo_id

_FORBIDDEN = (401, 403)


def check_repository(repo_id: str) -> str:
    """Validate and return the id of a model repository.

    Raises:
        UsageError: The id is invalid.
    """
    if not is_repo_id(repo_id):
        raise UsageError("Pass the model repository as --repo org/model-name.")
    return repo_id


def open_pull_request(endpoint: str, token: str, repo_id: str, path: str, content: str, title: str) -> str:
    """Propose a file to a model repository and return the address of the pull request.

    Raises:
        ClientError: The Hub refuses or does not answer. The message never contains the token.
    """
    api = huggingface_hub.HfApi(endpoint=endpoint, token=token)
    operation = huggingface_hub.CommitOperationAdd(path_in_repo=path, path_or_fileobj=content.encode())
    try:
        commit = api.create_commit(repo_id, [operation], commit_message=title, create_pr=True)
    except HfHubHTTPError as error:
        raise ClientError(_explain(error, repo_id)) from None
    except (httpx2.HTTPError, OSError):
        raise ClientError("The Hub does not respond. No pull request was opened. Try again later.") from None
    except (KeyError, TypeError, ValueError):
        raise ClientError(
            "The Hub sent an invalid response. Check whether the repository has a new pull request."
        ) from None
    if not commit.pr_url:
        raise ClientError("The repository already has this result. No pull request was opened.")
    return str(commit.pr_url)


def _explain(error: HfHubHTTPError, repo_id: str) -> str:
    status = error.response.status_code
    if isinstance(error, RepositoryNotFoundError) or status == 404:
        return f"The Hub has no model repository {repo_id} that this token can access. Check the name and the token."
    if status in _FORBIDDEN:
        return "The Hub rejected the token. Use a token that may open pull requests (write access to discussions)."
    if status == 429:
        return "The Hub limits requests. No pull request was opened. Try again in a few minutes."
    return f"The Hub failed ({status}). No pull request was opened. Try again later."
