"""Choice of a pack and its questions by the options of a command, and the check that they belong together."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from evaluation.benchmarks import Benchmark, get_benchmark
from submissions.endpoints.querying.query_records import ItemQuery
from submissions.model_runs.pack_questions import RunPack
from submissions.model_runs.pack_sources import PackSources, choose_practice_version, list_named_versions
from submissions.model_runs.run_errors import ModelRunError


@dataclass(frozen=True, slots=True)
class PackQuestions:
    """Questions of a setting: all of them, and those of the wanted runs."""

    benchmark: Benchmark
    setting: str
    every: list[ItemQuery]
    chosen: list[ItemQuery]


def get_pack(options: argparse.Namespace, sources: PackSources, split: str, folder: Path) -> Path:
    """Return the pack of a split.

    Args:
        options: Options of the questions.
        sources: Where packs come from.
        split: The split.
        folder: Where a pack of test questions is stored.

    Raises:
        ClientError: It cannot be requested, rendered or downloaded.
        ModelRunError: There is none.
    """
    if options.pack is not None:
        return Path(options.pack)
    if split == "practice":
        return sources.get_practice_pack(choose_practice_version(options.benchmark, options.version))
    list_named_versions(options.benchmark, options.version)  # before a server is asked, which takes longer
    return sources.get_test_pack(options.benchmark, options.version, options.edition, folder)


def choose_questions(pack: RunPack, options: argparse.Namespace, split: str) -> PackQuestions:
    """Return the questions of a pack that a command asks.

    Raises:
        ModelRunError: The pack has other questions.
        SettingError: The benchmark has no such setting.
    """
    info = pack.info
    edition = options.edition if options.edition and split == "test" else info.edition
    wanted = (options.benchmark, options.version or info.version, split, edition)
    if wanted != (info.benchmark, info.version, info.split, info.edition):
        raise ModelRunError(
            f"The pack has {info.name}, which this command does not ask. Pass another --pack or --out, or the "
            "options of these questions."
        )
    benchmark = get_benchmark(info.benchmark, info.version)
    # Answers are scored with the key of this Earshot: they must belong to these questions.
    if split == "practice" and info.content_digest != benchmark.content(benchmark.make_key("practice")).digest:
        raise ModelRunError(
            f"The practice questions of this pack are not those of this Earshot ({benchmark.title} "
            f"{benchmark.version}), so it cannot score them. Update Earshot, or delete the pack."
        )
    setting = options.setting or benchmark.settings[0]
    benchmark.check_setting(setting)
    every = pack.list_questions(setting, are_seeds=benchmark.runs_are_seeds)
    if options.runs is None:
        return PackQuestions(benchmark, setting, every, every)
    if not benchmark.runs_are_seeds:
        raise ModelRunError(f"All runs of {benchmark.title} must be answered. Leave out --runs.")
    chosen = [question for question in every if question.run < options.runs]
    return PackQuestions(benchmark, setting, every, chosen)
