"""Question packs: prompts with clips as arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from evaluation.benchmarks import get_benchmark
from submissions.endpoints.querying.query_records import ItemQuery
from submissions.model_runs.adapters import AdapterPart, read_parts
from submissions.model_runs.pack_questions import PackInfo, RunPack


@dataclass(frozen=True, slots=True)
class PackItem:
    """One run of an item.

    Attributes:
        id: Item ID, which a prediction file repeats.
        run: Number of the run.
        task: Task of the item.
    """

    id: str
    run: int
    task: str
    _question: ItemQuery
    _pack: RunPack

    @property
    def parts(self) -> list[AdapterPart]:
        """Parts of the prompt in order, read from the pack.

        A text is `{"type": "text", "text": …}`. A clip is `{"type": "audio", "audio": …, "sampling_rate": …}` with
        float32 samples of shape (samples, channels), full scale ±1.
        """
        return list(read_parts(self._question, self._pack.load_clip))


class LoadedPack(Sequence[PackItem]):
    """Questions of a pack for one setting. Clips are read when they are used."""

    def __init__(self, path: Path, setting: str | None = None) -> None:
        """Open a pack.

        Args:
            path: The file.
            setting: Setting whose prompts are used; the benchmark's default by default.

        Raises:
            ModelRunError: The file is no question pack, contains no audio, or has no prompts for the setting.
        """
        self._pack = RunPack(path)
        benchmark = get_benchmark(self._pack.info.benchmark, self._pack.info.version)
        self.setting = setting or benchmark.settings[0]
        tasks = self._pack.tasks
        questions = self._pack.list_questions(self.setting, are_seeds=False)
        self._items = [PackItem(one.id, one.run, tasks[one.id], one, self._pack) for one in questions]

    @property
    def info(self) -> PackInfo:
        """What the pack says about itself: benchmark, version, split, edition."""
        return self._pack.info

    def __getitem__(self, index: int) -> PackItem:  # type: ignore[override]
        return self._items[index]

    def __iter__(self) -> Iterator[PackItem]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pack.__exit__(kind, error, trace)


def load_pack(path: str | Path, *, setting: str | None = None) -> LoadedPack:
    """Open a question pack that `earshot pack` or the page has downloaded.

    Args:
        path: The file.
        setting: Setting whose prompts are used; the benchmark's default by default.

    Raises:
        ModelRunError: The file is no question pack, contains no audio, or has no prompts for the setting.
    """
    return LoadedPack(Path(path), setting)
