"""Answer keys: the one thing that only an evaluator may open.

A key is a JSON file `<folder>/<benchmark>/<version>/<split>.json`, mode 0600. It holds the seed from which ids, option
orders and sounds of that split were made, and the right answer of every item. For the practice split both are public.
"""

import hashlib
import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evaluation.errors import AnswerKeyError
from evaluation.types import Split

PRACTICE_SEED = "earshot-practice-1"

AnswerValue = bool | int


@dataclass(frozen=True)
class AnswerKey:
    """The right answers of one split of one benchmark version.

    Attributes:
        benchmark: Benchmark id.
        version: Benchmark version.
        split: `test` or `practice`.
        seed: Secret for `test`; public for `practice`.
        answers: item id → position of the right option (run 0), or the truth of a statement.
    """

    benchmark: str
    version: str
    split: Split
    seed: str
    answers: Mapping[str, AnswerValue]

    @cached_property
    def digest(self) -> str:
        """HMAC-SHA-256 of the answers under the seed; its first eight digits stand in every signature.

        Without the seed in it, whoever knew all answers but a few could try those until the digest agreed.
        """
        return hmac.new(self.seed.encode(), _canonical(dict(self.answers)), hashlib.sha256).hexdigest()

    def to_json(self) -> bytes:
        """Return the file form."""
        return _canonical(
            {
                "format": "earshot-answer-key/1",
                "benchmark": self.benchmark,
                "version": self.version,
                "split": self.split,
                "seed": self.seed,
                "digest": self.digest,
                "answers": dict(self.answers),
            }
        )


def new_seed() -> str:
    """Return a fresh secret seed of 256 bits."""
    return secrets.token_hex(32)


def key_path(folder: Path, benchmark: str, version: str, split: Split) -> Path:
    """Return where a key lies."""
    return folder / benchmark / version / f"{split}.json"


def find_key(folder: Path, benchmark: str, version: str, split: Split) -> AnswerKey | None:
    """Read a key, or return None when there is none.

    Raises:
        AnswerKeyError: The file is damaged or is of another benchmark, version or split.
    """
    path = key_path(folder, benchmark, version, split)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    return _parse(data, path, (benchmark, version, split))


def save_key(folder: Path, key: AnswerKey) -> AnswerKey:
    """Write a key that does not exist yet, durably, and return the one that is there afterwards.

    Two processes that start together may both have made a key; whoever links first wins and the other takes his.
    """
    path = key_path(folder, key.benchmark, key.version, key.split)
    for private in (folder, path.parent.parent, path.parent):
        private.mkdir(parents=True, exist_ok=True)
        private.chmod(0o700)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(key.to_json())
        file.flush()
        os.fsync(file.fileno())
    temporary = Path(file.name)
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    _sync_folder(path.parent)
    found = find_key(folder, key.benchmark, key.version, key.split)
    if found is None:
        raise AnswerKeyError(f"{path} disappeared while it was being written. Is the folder shared with a cleaner?")
    return found


def _parse(data: bytes, path: Path, identity: tuple[str, str, str]) -> AnswerKey:
    try:
        fields = json.loads(data)
        texts = [str(fields[name]) for name in ("benchmark", "version", "split")]
        answers = {str(item_id): _check_answer(answer) for item_id, answer in fields["answers"].items()}
        key = AnswerKey(texts[0], texts[1], "practice" if texts[2] == "practice" else "test", fields["seed"], answers)
        is_whole = key.digest == fields["digest"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AnswerKeyError(
            f"{path} is not an answer key ({type(error).__name__}). Restore it from a backup."
        ) from None
    if (key.benchmark, key.version, key.split) != identity:
        raise AnswerKeyError(f"{path} is the key of {key.benchmark} {key.version} {key.split}, not of {identity}.")
    if not is_whole:
        raise AnswerKeyError(f"{path} was altered: its answers do not match its digest. Restore it from a backup.")
    return key


def _check_answer(answer: object) -> AnswerValue:
    if not isinstance(answer, int):
        raise TypeError("an answer is a position or a truth value")
    return answer


def _sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk; a file's own fsync does not."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
