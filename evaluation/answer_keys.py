"""Answer keys, which only evaluators may open.

A key is a JSON file `<folder>/<benchmark>/<version>/<split>.json` with mode 0600. It contains the seed that determines
IDs, option orders and audio of the split, and the right answer of every item. Both are public for the practice split.
For imported questions, the key also contains the organiser's questions; their audio files are in the folder `audio`
next to it.
"""

import errno
import hashlib
import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from evaluation.errors import AnswerKeyError
from evaluation.streams import find_edition
from evaluation.types import Split

PRACTICE_SEED = "earshot-practice-1"

AUDIO_FOLDER = "audio"
# Errors of volumes that do not support hard links.
_LINKLESS = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.ENOSYS})


@dataclass(frozen=True, slots=True)
class TraceLabels:
    """Labels of a reasoning trace.

    Attributes:
        erroneous: Whether each step is erroneous.
        error_types: Error type of each step; None for steps without an error, or without a type in the annotation.
        answer: Right answer to the trace's question.
    """

    erroneous: tuple[bool, ...]
    error_types: tuple[str | None, ...]
    answer: str


# An option position (run 0), a truth value, several positions, a reference answer, or the labels of a trace.
AnswerValue = bool | int | str | tuple[int, ...] | TraceLabels


@dataclass(frozen=True)
class AnswerKey:
    """The right answers of one split of one benchmark version.

    Attributes:
        benchmark: Benchmark ID.
        version: Benchmark version.
        split: `test` or `practice`.
        seed: Seed; secret for `test`, public for `practice`.
        answers: Item ID → right answer.
        questions: Public part of an organiser's questions, in the benchmark's own format; empty if the benchmark
            generates its questions from the seed.
        descriptions: Item ID → description of the audio, for the judge of open answers only, because it reveals the
            answer. Empty if the organiser's files have none.
        clips: Name of an organiser's clip → SHA-256 of its file; empty without imported audio.
        audio_dir: Folder of these files.
    """

    benchmark: str
    version: str
    split: Split
    seed: str
    answers: Mapping[str, AnswerValue]
    questions: tuple[Mapping[str, Any], ...] = ()
    clips: Mapping[str, str] = field(default_factory=dict)
    audio_dir: Path | None = field(default=None, compare=False)
    descriptions: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.benchmark, self.version, self.split, self.digest, self.content_digest))

    @property
    def edition(self) -> str:
        """ID of the edition that this key belongs to; empty if it is not an edition's."""
        return find_edition(self.seed)

    @property
    def is_secret(self) -> bool:
        """Whether scores may say nothing about single answers. An edition is scored once, after it was closed."""
        return self.split == "test" and not self.edition

    @cached_property
    def content_digest(self) -> str:
        """SHA-256 of an organiser's questions and audio."""
        return hashlib.sha256(_canonical([list(self.questions), dict(self.clips)])).hexdigest()

    @cached_property
    def digest(self) -> str:
        """HMAC-SHA-256 of answers and descriptions under the seed. Every signature has its first eight digits.

        Without the seed, anyone who knew almost all answers could try the rest until the digest matched.
        """
        secret: object = plain_answers(self.answers)
        if self.descriptions:
            secret = [secret, dict(self.descriptions)]
        return hmac.new(self.seed.encode(), _canonical(secret), hashlib.sha256).hexdigest()

    def to_json(self) -> bytes:
        """Return the JSON format of the file."""
        fields: dict[str, object] = {
            "format": "earshot-answer-key/1",
            "benchmark": self.benchmark,
            "version": self.version,
            "split": self.split,
            "seed": self.seed,
            "digest": self.digest,
            "answers": plain_answers(self.answers),
        }
        if self.descriptions:
            fields["descriptions"] = dict(self.descriptions)
        if self.questions:
            fields |= {
                "content_digest": self.content_digest,
                "questions": list(self.questions),
                "clips": dict(self.clips),
            }
        return _canonical(fields)


def new_seed() -> str:
    """Return a new secret seed of 256 bits."""
    return secrets.token_hex(32)


def key_path(folder: Path, benchmark: str, version: str, split: Split) -> Path:
    """Return the path of a key."""
    return folder / benchmark / version / f"{split}.json"


def find_key(folder: Path, benchmark: str, version: str, split: Split) -> AnswerKey | None:
    """Read a key, or return None if it does not exist.

    Raises:
        AnswerKeyError: The file is damaged or belongs to another benchmark, version or split.
    """
    path = key_path(folder, benchmark, version, split)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    return parse_key(data, path, (benchmark, version, split))


def save_key(folder: Path, key: AnswerKey) -> AnswerKey:
    """Write a new key durably, and return the stored key.

    If two processes start together and both create a key, the first one to link wins, and the other one uses that key.
    """
    path = key_path(folder, key.benchmark, key.version, key.split)
    temporary = _write_temporary_key(folder, path, key)
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno not in _LINKLESS:
            raise
        _create_file(path, key.to_json())
    finally:
        temporary.unlink()
    return _read_back(folder, path, key)


def replace_key(folder: Path, key: AnswerKey, earlier: AnswerKey) -> AnswerKey:
    """Replace a key. The earlier one is kept next to it under its digest."""
    path = key_path(folder, key.benchmark, key.version, key.split)
    aside = path.with_name(f"{key.split}.{earlier.digest[:8]}.json")
    aside.unlink(missing_ok=True)
    try:
        aside.hardlink_to(path)  # A hard link to the same file: as private and as durable as before.
    except OSError as error:
        if error.errno not in _LINKLESS:
            raise
        _create_file(aside, path.read_bytes())
    sync_folder(path.parent)
    _write_temporary_key(folder, path, key).replace(path)
    return _read_back(folder, path, key)


def _create_file(path: Path, data: bytes) -> None:
    """Create a file on a volume without hard links; do nothing if it exists."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _write_temporary_key(folder: Path, path: Path, key: AnswerKey) -> Path:
    """Write a key to a private temporary file in its folder."""
    for private in (folder, path.parent.parent, path.parent):
        private.mkdir(parents=True, exist_ok=True)
        private.chmod(0o700)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(key.to_json())
        file.flush()
        os.fsync(file.fileno())
    return Path(file.name)


def _read_back(folder: Path, path: Path, key: AnswerKey) -> AnswerKey:
    sync_folder(path.parent)
    stored = find_key(folder, key.benchmark, key.version, key.split)
    if stored is None:
        raise AnswerKeyError(
            f"{path} disappeared during writing. Check whether another program deletes files in this folder."
        )
    return stored


def parse_key(data: bytes, path: Path, identity: tuple[str, str, str]) -> AnswerKey:
    """Parse a key file.

    Raises:
        AnswerKeyError: The file is damaged or belongs to another benchmark, version or split.
    """
    try:
        fields = json.loads(data)
        texts = [str(fields[name]) for name in ("benchmark", "version", "split")]
        key = AnswerKey(
            texts[0],
            texts[1],
            "practice" if texts[2] == "practice" else "test",
            fields["seed"],
            {str(item_id): _parse_answer(answer) for item_id, answer in fields["answers"].items()},
            tuple(dict(question) for question in fields.get("questions", ())),
            {str(clip): str(digest) for clip, digest in fields.get("clips", {}).items()},
            path.parent / AUDIO_FOLDER,
            {str(item_id): str(text) for item_id, text in fields.get("descriptions", {}).items()},
        )
        is_whole = key.digest == fields["digest"]
        is_whole &= not key.questions or key.content_digest == fields["content_digest"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AnswerKeyError(
            f"{path} is not an answer key ({type(error).__name__}). Restore it from a backup."
        ) from None
    if (key.benchmark, key.version, key.split) != identity:
        raise AnswerKeyError(
            f"{path} is the key of {key.benchmark} {key.version} {key.split}, not of "
            f"{' '.join(identity)}. Move it to its own folder."
        )
    if not is_whole:
        raise AnswerKeyError(
            f"{path} is damaged: its answers or questions do not match their digests. Restore it from a backup."
        )
    return key


def plain_answers(answers: Mapping[str, AnswerValue]) -> dict[str, object]:
    """Return answers as JSON values."""
    return {
        item_id: _write_labels(answer) if isinstance(answer, TraceLabels) else answer
        for item_id, answer in answers.items()
    }


def _write_labels(labels: TraceLabels) -> dict[str, object]:
    # Not `asdict`, which copies every value of every step: a start reads thousands of traces, several times.
    return {"erroneous": labels.erroneous, "error_types": labels.error_types, "answer": labels.answer}


def _parse_answer(answer: object) -> AnswerValue:
    if isinstance(answer, int | str):
        return answer
    if isinstance(answer, list) and all(type(position) is int for position in answer):
        return tuple(answer)
    if isinstance(answer, dict):
        labels = TraceLabels(tuple(answer["erroneous"]), tuple(answer["error_types"]), answer["answer"])
        if len(labels.erroneous) == len(labels.error_types):
            return labels
    raise TypeError("an answer is a position, a truth value, positions, a text, or the labels of a trace")


def sync_folder(folder: Path) -> None:
    """Sync a folder to the disk, so that its file names are durable; `fsync` of a file does not do that."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
