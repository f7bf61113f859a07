"""Dataset repository on the Hub as a release target: one commit with the changed files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx2
from huggingface_hub import CommitOperationAdd, CommitOperationCopy, CommitOperationDelete, HfApi
from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]

from evaluation.publishing.errors import PublishError
from evaluation.publishing.targets import Changes, StoredFile

_DATASET = "dataset"
_COMMIT_MESSAGE = "Publish question packs"


class HubTarget:
    """A dataset repository, created by the first publication."""

    def __init__(
        self, repo_id: str, endpoint: str, token: str | None, *, is_private: bool, shows_progress: bool = False
    ) -> None:
        """Create the target.

        Args:
            repo_id: `owner/name`.
            endpoint: URL of the Hub.
            token: Token with write access; None allows only reading public data.
            is_private: Visibility of a new repository; existing ones keep theirs.
            shows_progress: Whether uploads show a progress bar on stderr.
        """
        if not shows_progress:
            disable_progress_bars()
        self._repo_id = repo_id
        self._is_private = is_private
        # Never the token of a user who happens to be signed in on this machine.
        self._api = HfApi(endpoint=endpoint, token=token or False)
        self._head: str | None = None

    def list_files(self) -> Mapping[str, StoredFile]:
        """Return the files of the latest commit; hidden ones, such as `.gitattributes`, belong to the Hub.

        Raises:
            PublishError: The Hub rejects the request or does not respond.
        """
        with self._explaining():
            try:
                self._head = self._api.dataset_info(self._repo_id).sha
                tree = list(
                    self._api.list_repo_tree(
                        self._repo_id, repo_type=_DATASET, recursive=True, revision=self._head or "main"
                    )
                )
            except GatedRepoError:
                raise
            except RepositoryNotFoundError:
                return {}
        files = [entry for entry in tree if isinstance(entry, RepoFile) and not entry.path.startswith(".")]
        return {file.path: _describe_stored(file) for file in files}

    def apply(self, release: Path, changes: Changes) -> str:
        """Commit the changes on top of the commit that they were compared with.

        Raises:
            PublishError: The Hub rejects the request or does not respond. Nothing was published.
        """
        operations: list[CommitOperationAdd | CommitOperationCopy | CommitOperationDelete] = [
            *(CommitOperationAdd(name, str(release / name)) for name in changes.written),
            *(CommitOperationDelete(name) for name in changes.removed),
        ]
        with self._explaining():
            if self._head is None:
                self._api.create_repo(self._repo_id, repo_type=_DATASET, private=self._is_private, exist_ok=True)
            commit = self._api.create_commit(
                self._repo_id,
                operations,
                commit_message=_COMMIT_MESSAGE,
                repo_type=_DATASET,
                parent_commit=self._head,
            )
            return f"Published as {commit.commit_url}."

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Convert errors of the Hub and its client to a message without any content of the request or its token."""
        try:
            yield
        except HfHubHTTPError as error:
            raise PublishError(_explain_refusal(error, self._repo_id)) from None
        except (httpx2.HTTPError, OSError):
            raise PublishError("The Hub is unreachable, so nothing was published. Try again later.") from None
        except RuntimeError:  # The client's error for any failed upload.
            raise PublishError("An upload to the Hub failed, so nothing was published. Try again later.") from None
        except (ValueError, KeyError, TypeError):
            raise PublishError(
                f"The Hub sent an invalid response. Check the repository {self._repo_id} to see if it was published."
            ) from None


def _describe_stored(file: RepoFile) -> StoredFile:
    if file.lfs is not None:
        return StoredFile(file.size, sha256=file.lfs.sha256)
    return StoredFile(file.size, git_blob=file.blob_id)


def _explain_refusal(error: HfHubHTTPError, repo_id: str) -> str:
    status = error.response.status_code
    if isinstance(error, GatedRepoError):
        return f"The dataset {repo_id} is gated for the token in EARSHOT_KEYS_TOKEN. Request access on the Hub."
    if status == 401 and not isinstance(error, RepositoryNotFoundError):
        return "The Hub rejected the token in EARSHOT_KEYS_TOKEN. Set it to a valid token."
    if status in (401, 403, 404):
        return (
            f"The token in EARSHOT_KEYS_TOKEN cannot write to the dataset {repo_id}, or its owner does not exist. "
            "Check the name, and use a token with write access."
        )
    if status in (409, 412):
        return f"The dataset {repo_id} changed during publishing, so nothing was published. Run the command again."
    if status == 429:
        return "The Hub's rate limit was reached, so nothing was published. Try again in a few minutes."
    return f"The Hub failed (HTTP {status}), so nothing was published. Try again later."
