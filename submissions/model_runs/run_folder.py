"""Folder of a model run: the manifest, and the responses, each stored durably before another question is asked.

The manifest says which questions were asked, which model, and how. Nothing else is added to the same responses.
"""

import fcntl
import json
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from evaluation.answer_keys import sync_folder
from evaluation.predictions.row_faults import MAX_RESPONSE_CHARACTERS
from submissions.endpoints.querying.query_records import ItemResponse
from submissions.model_runs.run_errors import ModelRunError

PREDICTIONS = "predictions.jsonl"
_MANIFEST, _LOCK = "manifest.json", ".lock"

Checkpoint = Callable[[str], None]
RunId = tuple[str, int]


class RunManifest(msgspec.Struct, frozen=True):
    """What all responses in a folder have in common.

    Attributes:
        benchmark: Benchmark ID.
        version: Benchmark version.
        setting: Setting.
        split: `test` or `practice`.
        edition: Edition; empty for questions that everybody gets.
        content_digest: Digest of questions and sounds.
        model: Model ID sent to the API, or the name of an adapter's model.
        adapter: `module:function`; empty for an API.
        form: Form of the requests, apart from what the check decides.
        clips: How several clips are sent, as the check decided; empty before it.
    """

    benchmark: str
    version: str
    setting: str
    split: str
    edition: str
    content_digest: str
    model: str
    adapter: str
    form: str
    clips: str = ""


_NAMES = {"content_digest": "questions with the digest", "form": "requests of the form"}


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    run: int
    response: str


class RunFolder:
    """The locked folder of a run.

    Attributes:
        path: The folder.
        manifest: What its responses have in common; None before `begin`.
        n_answered: Number of stored responses, after `read_answered`.
        n_empty: Number of stored responses without text.
    """

    def __init__(self, path: Path, checkpoint: Checkpoint = lambda _label: None) -> None:
        """Read the manifest if there is one; use `open_folder`, which locks the folder."""
        self.path = path
        self._checkpoint = checkpoint
        self._file: BinaryIO | None = None
        self.n_answered = self.n_empty = 0
        self.manifest = self._read_manifest()

    @property
    def predictions(self) -> Path:
        """The file of responses, ready to be submitted."""
        return self.path / PREDICTIONS

    def begin(self, manifest: RunManifest) -> RunManifest:
        """Write the manifest, or compare it with the one that is there; return the one that holds.

        Raises:
            ModelRunError: The folder belongs to another run.
        """
        if self.manifest is None:
            if self.predictions.exists():
                raise ModelRunError(f"{self.predictions} is not from this command. Choose another --out.")
            return self.replace_manifest(manifest)
        for name in manifest.__struct_fields__:
            before, now = getattr(self.manifest, name), getattr(manifest, name)
            if name != "clips" and before != now:
                raise ModelRunError(
                    f"{self.path} holds responses for {_NAMES.get(name, name)} `{before or 'none'}`, not "
                    f"`{now or 'none'}`. Choose another --out, or delete the folder."
                )
        return self.manifest

    def replace_manifest(self, manifest: RunManifest) -> RunManifest:
        """Write the manifest durably."""
        write_durably(self.path / _MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
        self.manifest = manifest
        return manifest

    def read_answered(self, known: Collection[RunId]) -> set[RunId]:
        """Return the runs with a response, after removing what a killed command left half written.

        Raises:
            ModelRunError: A line is damaged, or answers no question of this run.
        """
        answered: set[RunId] = set()
        if not self.predictions.exists():
            return answered
        with self.predictions.open("r+b") as file:
            end = 0
            for number, line in enumerate(file, start=1):
                decoded = _read_line(line)
                if decoded is None and not file.read(1):
                    break
                run = None if decoded is None else (decoded.id, decoded.run)
                if decoded is None or run is None or run not in known or run in answered:
                    raise ModelRunError(
                        f"Line {number} of {self.predictions} is damaged, or answers no open question of this run. "
                        "Delete the line, and run the command again."
                    )
                answered.add(run)
                self.n_empty += not decoded.response.strip()
                end += len(line)
            file.truncate(end)
            os.fsync(file.fileno())
        self.n_answered = len(answered)
        return answered

    def append_responses(self, responses: Sequence[ItemResponse]) -> None:
        """Append responses, and return when they are on the disk.

        Raises:
            ModelRunError: They cannot be written.
        """
        self._checkpoint("responses-received")
        try:
            if self._file is None:
                self._file = self.predictions.open("ab")
                sync_folder(self.path)
            self._file.write(b"".join(map(_to_line, responses)))
            self._file.flush()
            self._checkpoint("responses-written")
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _explain_write(self.predictions, error) from None
        self.n_answered += len(responses)
        self.n_empty += sum(not response.reply.text.strip() for response in responses)
        self._checkpoint("responses-synced")

    def close(self) -> None:
        """Close the file of responses."""
        if self._file is not None:
            # Closing tries again to write what could not be written, which is already reported.
            with suppress(OSError):
                self._file.close()

    def _read_manifest(self) -> RunManifest | None:
        try:
            return msgspec.json.decode((self.path / _MANIFEST).read_bytes(), type=RunManifest)
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as error:
            raise ModelRunError(
                f"{self.path / _MANIFEST} is damaged ({error}). Choose another --out, or delete the folder."
            ) from None


@contextmanager
def open_folder(path: Path, checkpoint: Checkpoint = lambda _label: None) -> Iterator[RunFolder]:
    """Create a folder if it is missing, and lock it for this process.

    Raises:
        ModelRunError: The folder cannot be used, or another command uses it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / _LOCK).open("wb")
    except OSError as error:
        raise ModelRunError(f"{path} cannot be used ({error.strerror}). Choose another --out.") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ModelRunError(
                f"Another command is writing to {path}. Wait for it, or choose another --out."
            ) from None
        folder = RunFolder(path, checkpoint)
        try:
            yield folder
        finally:
            folder.close()


def write_durably(path: Path, data: bytes) -> None:
    """Replace a file, so that it is whole after a kill or power failure.

    Raises:
        ModelRunError: It cannot be written.
    """
    temporary = path.with_name(f"{path.name}.new")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise _explain_write(path, error) from None


def _explain_write(path: Path, error: OSError) -> ModelRunError:
    return ModelRunError(
        f"{path} cannot be written ({error.strerror}). Free disk space or allow writing, and run the command again."
    )


def _read_line(line: bytes) -> _Line | None:
    """Return the fields of a line; None if it is damaged."""
    if not line.endswith(b"\n"):
        return None
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _to_line(response: ItemResponse) -> bytes:
    # The end is kept, which contains the answer, as the server does with endpoints.
    text = response.reply.text[-MAX_RESPONSE_CHARACTERS:]
    fields = {"id": response.id, "run": response.run, "response": text}
    return json.dumps(fields, ensure_ascii=False).encode(errors="replace") + b"\n"
