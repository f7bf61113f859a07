"""Templates of exported tasks: code and instructions, in files of the folder `templates`.

Only names that Earshot itself defines are put into code. What a pack says is data, in `questions.jsonl`.
"""

import re
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from submissions.model_runs.pack_choice import PackQuestions
from submissions.model_runs.pack_questions import PackInfo
from submissions.model_runs.task_exports.export_options import INSPECT, LMMS_EVAL

README = "README.md"
"""Instructions, which are no part of what a tool runs."""
_FOLDER = Path(__file__).parent / "templates"
_FILES = {
    INSPECT: ("inspect", (README, "earshot_task.py")),
    LMMS_EVAL: ("lmms_eval", (README, "utils.py", "task.yaml")),
}
_NO_LETTER = re.compile(r"[^a-z0-9]+")


def render_task(tool: str, info: PackInfo, questions: PackQuestions, n_questions: int) -> dict[str, bytes]:
    """Return the files of a task by name.

    Args:
        tool: The tool.
        info: What the pack says about itself.
        questions: Its questions.
        n_questions: Number of questions in the task.
    """
    benchmark = questions.benchmark
    is_default = questions.setting == benchmark.settings[0]
    name = name_task(benchmark.id, info.split, "" if is_default else questions.setting)
    folder, files = _FILES[tool]
    values = {
        "name": name,
        "title": f"{benchmark.title} {benchmark.version}",
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "setting": questions.setting,
        "is_default": is_default,
        "split": "practice" if info.split == "practice" else "test",
        "edition": info.edition,
        "n_questions": n_questions,
        "n_items": len({question.id for question in questions.chosen}),
        "are_seeds": benchmark.runs_are_seeds,
        "licence": benchmark.licence,
    }
    environment = _get_environment()
    return {
        f"{name}.yaml" if file == "task.yaml" else file: environment.get_template(f"{folder}/{file}.jinja")
        .render(values)
        .encode()
        for file in files
    }


def name_task(benchmark: str, split: str, setting: str) -> str:
    """Return the name of a task, which is also the name of a function.

    >>> name_task("audio-motion-bench", "test", ""), name_task("star-bench", "practice", "channel-wise")
    ('earshot_audio_motion_bench_test', 'earshot_star_bench_practice_channel_wise')
    """
    return _NO_LETTER.sub("_", f"earshot_{benchmark}_{split}_{setting}".lower()).strip("_")


@lru_cache(maxsize=1)
def _get_environment() -> Environment:
    # The files are code and Markdown, not HTML: there is nothing to escape.
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
