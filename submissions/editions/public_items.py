"""Public items of an edition: what the web process needs to check a file, as an evaluator stores it in the database."""

import zlib
from typing import cast

import msgspec

from evaluation.benchmarks import Benchmark, Content
from evaluation.predictions import Catalogue, CatalogueItem, Options
from evaluation.types import AnswerFormat

_FORMAT = 1
# An edition of AudioMotionBench takes 1 MB. More can only be damage.
_MAX_BYTES = 50_000_000


class _PublicItem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One item; `shown` is the place of each run's options in the list of all options."""

    id: str
    part: str
    task: str
    answer_format: str
    runs: tuple[int, ...]
    n_steps: int | None
    shown: tuple[int, ...]


class _PublicItems(msgspec.Struct, frozen=True, gc=False):
    """All items, with every list of options once."""

    format: int
    options: tuple[tuple[str, ...], ...]
    items: tuple[_PublicItem, ...]


class PublicItemsError(Exception):
    """Stored items of an edition are damaged."""


def encode_items(benchmark: Benchmark, content: Content) -> bytes:
    """Return the items of an edition, without its answers, compressed."""
    places: dict[tuple[str, ...], int] = {}
    items = []
    for item in content.items:
        shown: tuple[int, ...] = ()
        if item.options:
            runs = (benchmark.run(item, number, benchmark.packed_settings[0]) for number in item.runs)
            shown = tuple(places.setdefault(run.options, len(places)) for run in runs)
        items.append(
            _PublicItem(item.id, item.part, item.task, item.answer_format, tuple(item.runs), item.n_steps, shown)
        )
    return zlib.compress(msgspec.json.encode(_PublicItems(_FORMAT, tuple(places), tuple(items))))


def decode_items(data: bytes, title: str, *, runs_are_seeds: bool) -> tuple[Catalogue, Options]:
    """Return the catalogue of stored items, and the options of every run that has some.

    Args:
        data: The stored items.
        title: Name of the questions, for messages.
        runs_are_seeds: See `Benchmark`.

    Raises:
        PublicItemsError: The data are damaged.
    """
    try:
        text = zlib.decompressobj().decompress(data, _MAX_BYTES)
        stored = msgspec.json.decode(text, type=_PublicItems)
        options = {
            (item.id, run): stored.options[place]
            for item in stored.items
            for run, place in zip(item.runs, item.shown, strict=bool(item.shown))
        }
    except (zlib.error, msgspec.MsgspecError, IndexError, ValueError) as error:
        raise PublicItemsError(f"The stored items of {title} are damaged ({type(error).__name__}).") from None
    items = {
        item.id: CatalogueItem(item.part, cast("AnswerFormat", item.answer_format), item.runs, item.n_steps, item.task)
        for item in stored.items
    }
    return Catalogue(title, items, runs_are_seeds), options
