"""Options of every run, as published in the question pack of the test split."""

import logging
import zipfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from zlib import error as DeflateError  # noqa: N812 - the library's name says nothing

import msgspec

from evaluation.predictions import Options

_LOG = logging.getLogger(__name__)
_UNUSABLE = (OSError, KeyError, EOFError, zipfile.BadZipFile, DeflateError, msgspec.MsgspecError)


class _Question(msgspec.Struct, frozen=True, gc=False):
    """The fields used of a line of `questions.jsonl`."""

    id: str
    run: int
    setting: str
    options: tuple[str, ...]


_QUESTIONS = msgspec.json.Decoder(_Question)


class PackOptions:
    """Reads options from question packs, with a cache of the packs used last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: Callable[[Path, str, tuple[int, int, int]], Options] = lru_cache(maxsize=8)(_read_options)

    def find_options(self, name: str, setting: str) -> Options | None:
        """Return (item id, run) → options, or None if the pack is missing or unreadable.

        Args:
            name: File name of a pack. A manipulated database must not name another folder.
            setting: A setting of all items; a run has the same options under all settings of a pack.
        """
        path = self._folder / Path(name).name
        try:
            stat = path.stat()
            # A replaced pack is another entry of the cache.
            return self._read(path, setting, (stat.st_ino, stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            return None
        except _UNUSABLE:
            _LOG.exception("cannot read %s; delete it, and the evaluator builds it again", path.name)
            return None


def _read_options(path: Path, setting: str, _stat: tuple[int, int, int]) -> Options:
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    with zipfile.ZipFile(path) as archive, archive.open("questions.jsonl") as lines:
        for line in lines:
            question = _QUESTIONS.decode(line)
            if question.setting == setting and question.options:
                # Equal options are one object: the parser caches by them.
                found[question.id, question.run] = same.setdefault(question.options, question.options)
    return found
