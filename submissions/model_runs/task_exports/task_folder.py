"""Folder of an exported task: it says which pack it is from, and is only written over by an export of the same pack."""

from pathlib import Path

import msgspec

from submissions.model_runs.pack_sources import PACK
from submissions.model_runs.run_errors import ModelRunError

MANIFEST = "export.json"
_MAY_DIFFER = frozenset({"n_questions", "task_digest"})


class ExportManifest(msgspec.Struct, frozen=True):
    """What a task is made of.

    Attributes:
        tool: Tool that runs it.
        benchmark: Benchmark ID.
        version: Benchmark version.
        setting: Setting.
        split: `test` or `practice`.
        edition: Edition; empty for questions that everybody gets.
        content_digest: Digest of questions and sounds.
        n_questions: Number of questions, one for each run.
        task_digest: Digest of questions and code.
    """

    tool: str
    benchmark: str
    version: str
    setting: str
    split: str
    edition: str
    content_digest: str
    n_questions: int
    task_digest: str


class TaskFolder:
    """A folder that is empty, or holds an export.

    Attributes:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        """Create the folder if it is missing.

        Raises:
            ModelRunError: It holds something else, or cannot be used.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            others = [entry.name for entry in path.iterdir() if not entry.name.lstrip(".").startswith(PACK)]
            self._manifest = self._read_manifest() if MANIFEST in others else None
        except OSError as error:
            raise self._explain(error) from None
        if others and self._manifest is None:
            raise ModelRunError(f"{path} is not empty, and is no exported task. Choose another --out.")

    def begin(self, manifest: ExportManifest) -> None:
        """Write the manifest, unless the folder belongs to another pack.

        Raises:
            ModelRunError: It does, or cannot be written.
        """
        for name in manifest.__struct_fields__ if self._manifest is not None else ():
            before, now = getattr(self._manifest, name), getattr(manifest, name)
            if name not in _MAY_DIFFER and before != now:
                raise ModelRunError(
                    f"{self.path} has a task with the {name.replace('_', ' ')} `{before or 'none'}`, not "
                    f"`{now or 'none'}`. Choose another --out, or delete the folder."
                )
        self.write_file(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")

    def write_file(self, name: str, data: bytes) -> None:
        """Replace a file by its path in the folder.

        Raises:
            ModelRunError: It cannot be written.
        """
        target = self.path / name
        temporary = target.with_name(f"{target.name}.new")
        try:
            target.parent.mkdir(exist_ok=True)
            temporary.write_bytes(data)
            temporary.replace(target)
        except OSError as error:
            raise self._explain(error) from None

    def _read_manifest(self) -> ExportManifest | None:
        try:
            return msgspec.json.decode((self.path / MANIFEST).read_bytes(), type=ExportManifest)
        except msgspec.MsgspecError:
            return None

    def _explain(self, error: OSError) -> ModelRunError:
        return ModelRunError(f"{self.path} cannot be used ({error.strerror}). Choose another --out.")
