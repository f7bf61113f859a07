"""Card of a published dataset: front matter that the Hub reads, and how to load the questions and submit answers."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from evaluation.benchmarks import Benchmark
from evaluation.types import Split

README_FILE = "README.md"
# Marks a repository or folder that may be overwritten.
MANIFEST_FILE = "earshot.json"
MANIFEST_FORMAT = "earshot-dataset/1"

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, slots=True)
class PublishedSplit:
    """A split of a config: its files, and the identity of its questions."""

    split: Split
    files: tuple[str, ...]
    n_rows: int
    n_items: int
    content_digest: str
    signature: str


@dataclass(frozen=True, slots=True)
class DatasetConfig:
    """A benchmark version as a config of the dataset."""

    benchmark: Benchmark
    splits: tuple[PublishedSplit, ...]

    @property
    def name(self) -> str:
        """Name of the config, and of its folder below `data/`."""
        return name_config(self.benchmark)


def name_config(benchmark: Benchmark) -> str:
    """Return the name of a benchmark version's config."""
    return f"{benchmark.id}-{benchmark.version}"


def write_manifest(configs: Sequence[DatasetConfig]) -> str:
    """Return the identity of each config's questions, as JSON."""
    described = {
        config.name: {
            "benchmark": config.benchmark.id,
            "version": config.benchmark.version,
            "splits": {
                split.split: {
                    "rows": split.n_rows,
                    "items": split.n_items,
                    "content_digest": split.content_digest,
                    "signature": split.signature,
                    "files": list(split.files),
                }
                for split in config.splits
            },
        }
        for config in configs
    }
    return json.dumps({"format": MANIFEST_FORMAT, "configs": described}, indent=1, sort_keys=True) + "\n"


def write_card(configs: Sequence[DatasetConfig], location: str, site: str | None) -> str:
    """Return the dataset card.

    Args:
        configs: Configs to publish.
        location: Argument for `load_dataset`: the repository ID, or a folder.
        site: URL of the server that scores predictions; None without a public one.
    """
    front_matter = yaml.safe_dump(_describe(configs), sort_keys=False, allow_unicode=True)
    sections = "\n".join(_describe_config(config) for config in configs)
    return f"---\n{front_matter}---\n{_introduce(configs, location)}\n{sections}\n{_explain(configs, site)}"


def _describe(configs: Sequence[DatasetConfig]) -> dict[str, Any]:
    licences = _list_unique(str(config.benchmark.dataset_licence) for config in configs)
    n_rows = sum(split.n_rows for config in configs for split in config.splits)
    return {
        "pretty_name": "Earshot: " + ", ".join(_list_unique(config.benchmark.title for config in configs)),
        "license": licences[0] if len(licences) == 1 else licences,
        "language": _list_unique(config.benchmark.language for config in configs),
        "task_categories": ["question-answering", "multiple-choice", "audio-text-to-text"],
        "tags": ["audio", "audio-reasoning", "benchmark", "earshot"],
        "size_categories": [next((name for limit, name in _SIZES if n_rows < limit), "1M<n<10M")],
        "configs": [_describe_files(config) for config in configs],
    }


def _describe_files(config: DatasetConfig) -> dict[str, Any]:
    files = [{"split": split.split, "path": f"data/{config.name}/{split.split}-*.parquet"} for split in config.splits]
    return {"config_name": config.name, "data_files": files}


def _list_unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _introduce(configs: Sequence[DatasetConfig], location: str) -> str:
    first = configs[0]
    split = first.splits[-1].split
    return f"""
# Audio reasoning questions of Earshot

Questions about recordings, with the audio. The `practice` split includes answers. The answers of the `test` split are
hidden: an Earshot server scores your predictions.

```python
from datasets import load_dataset

questions = load_dataset("{location}", "{first.name}", split="{split}")
```
"""


def _describe_config(config: DatasetConfig) -> str:
    benchmark = config.benchmark
    splits = "\n".join(
        f"* `{split.split}`: {split.n_rows:,} rows, {split.n_items:,} items; content digest `{split.content_digest}`; "
        f"signature `{split.signature}`"
        for split in config.splits
    )
    settings = ", ".join(f"`{setting}`" for setting in benchmark.settings)
    return f"""## {config.name}

{benchmark.summary}

{benchmark.title}, version {benchmark.version}. Earshot generated the questions and recordings. Licence:
{benchmark.dataset_licence}. Leaderboard scores with the same `content` and `key` in their signature use these
questions.

{splits}
* a prediction: `{benchmark.example_line}`
* submit with `--benchmark {benchmark.id} --version {benchmark.version}`; settings: {settings}

```bibtex
{benchmark.citation}
```
"""


def _explain(configs: Sequence[DatasetConfig], site: str | None) -> str:
    address = site or "ADDRESS"
    benchmark = configs[0].benchmark
    arguments = f"--benchmark {benchmark.id} --version {benchmark.version} --url {address}"
    asks_whom = "" if site else "\n`ADDRESS` is the Earshot server that published this dataset.\n"
    return f"""## Columns

| column | content |
|---|---|
| `id`, `runs` | item, and the numbers of its runs with this wording |
| `setting`, `task` | evaluation setting; type of question |
| `prompt` | parts to send to the model, in order: `text`, or `audio` with the `path` of a clip |
| `audio` | the clips in `prompt`, in order, as WAV; keep all channels, they are part of the question |
| `options`, `answer_format` | option texts; `choice`, `choices`, `boolean`, `text` or `steps` |
| `answer` | `practice` only: the correct answer as JSON; option positions count from 0 in the order of run 0 |

## Submit

Write one JSON object per line: a prediction for every `id` and each of its `runs`. Submit one file per `setting`; pass
`--setting` unless it is the first of its config. Check the file (free) and submit it:

```sh
python -m submissions validate predictions.jsonl {arguments}
python -m submissions submit predictions.jsonl {arguments} --model "My model" --wait
```
{asks_whom}"""
