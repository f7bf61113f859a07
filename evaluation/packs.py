"""Question packs: everything that a participant needs in one zip, without the secrets of the test split."""

import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from evaluation.answer_keys import PRACTICE_SEED, AnswerKey, plain_answers
from evaluation.audio import AudioError
from evaluation.benchmarks import Benchmark, Content
from evaluation.errors import PackError
from evaluation.streams import stream
from evaluation.types import GUESSED_ERROR_RATE, OPTION_LETTERS, AudioPart, Item, PromptPart, Run

# A constant date, the first that zip supports: equal packs are byte-identical and keep their ETag.
_DATE = (1980, 1, 1, 0, 0, 0)

UNFINISHED_PREFIX = ".pack-"

_ONCE = (
    "These questions were rendered for you and are used once. Answer them with up to 20 models and submit one file for "
    "each. Then close the edition: all files are scored together, and you see every answer."
)

Progress = Callable[[int, int], None]


def pack_name(content: Content) -> str:
    """Return the file name of a pack; it changes with the content, so that a stale pack is never served."""
    settings = "".join(f"-{setting}" for setting in content.held_settings)
    return f"{content.benchmark}-{content.version}-{content.split}-{content.digest[:16]}{settings}.zip"


def write_pack(benchmark: Benchmark, key: AnswerKey, out: Path, progress: Progress | None = None) -> None:
    """Write the pack of a key's split to `out` atomically.

    Args:
        benchmark: Benchmark version to pack.
        key: Key with the seed; its answers are written to practice packs only.
        out: Target file; replaced if it exists.
        progress: Called with (finished clips, total clips).

    Raises:
        PackError: The target cannot be written, or a clip is not audio that can be packed.
    """
    try:
        with tempfile.NamedTemporaryFile(dir=out.parent, prefix=UNFINISHED_PREFIX, delete=False) as file:
            temporary = Path(file.name)
    except OSError as error:
        raise PackError(f"{out.parent} cannot be written ({error.strerror}). Choose another --out.") from None
    try:
        with zipfile.ZipFile(temporary, "w") as archive:
            _fill_archive(archive, benchmark, key, progress)
        temporary.chmod(0o644)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(out)
    except OSError as error:
        raise PackError(f"{out} cannot be written ({error.strerror}). Choose another --out.") from None
    finally:
        temporary.unlink(missing_ok=True)


def _fill_archive(archive: zipfile.ZipFile, benchmark: Benchmark, key: AnswerKey, progress: Progress | None) -> None:
    content = benchmark.content(key)
    _add(archive, "pack.json", _json_text(describe_pack(benchmark, content, key.edition)).encode())
    _add(archive, "README.md", _readme(benchmark, content, key.edition).encode())
    _add(archive, "questions.jsonl", _lines(question(run) for run in all_runs(benchmark, content)))
    _add(archive, "example.jsonl", _lines(example_predictions(content)))
    if key.split == "practice":
        answers = plain_answers(key.answers)
        _add(archive, "answers.jsonl", _lines({"id": id_, "answer": answers[id_]} for id_ in sorted(answers)))
    clips = content.clips if content.has_sounds else ()
    for n_done, clip in enumerate(clips, start=1):
        try:
            sound = benchmark.render_clip(key, clip)
        except AudioError as error:
            raise PackError(
                f"The clip {clip} of {benchmark.title} {benchmark.version} cannot be packed: {error}. Import it again."
            ) from None
        _add(archive, f"audio/{clip}.wav", sound, zipfile.ZIP_STORED)  # Audio hardly compresses.
        if progress is not None:
            progress(n_done, len(clips))


def all_runs(benchmark: Benchmark, content: Content) -> Iterator[Run]:
    """Yield every run of every item in every setting of a pack, in the order of the pack."""
    return (
        benchmark.run(item, number, setting)
        for setting in (*benchmark.packed_settings, *content.held_settings)
        for item in content.items
        if benchmark.includes_task(setting, item.part, item.task)
        for number in item.runs
    )


def question(run: Run) -> dict[str, object]:
    """Return one line of `questions.jsonl`."""
    return {
        "id": run.id,
        "run": run.run,
        "setting": run.setting,
        "task": run.task,
        "prompt": [_prompt_part(part) for part in run.prompt],
        "options": list(run.options),
        "answer_format": run.answer_format,
    }


def example_predictions(content: Content, seed: str = PRACTICE_SEED) -> Iterator[dict[str, object]]:
    """Yield a valid prediction for every run: guesses that do not depend on the key.

    Options, truth values and sets of options are equally likely; a step is flagged with probability 2/3, as by the
    random critic of AudioProcessBench; open answers are all the same.
    """
    rng = stream(seed, f"{content.benchmark}|guesses")
    for item in content.items:
        for number in item.runs:
            yield {"id": item.id, "run": number} | _guess_answer(item, rng)


def _guess_answer(item: Item, rng: np.random.Generator) -> dict[str, object]:
    if item.answer_format == "steps":
        return {"erroneous": [bool(flag) for flag in rng.random(item.n_steps) < GUESSED_ERROR_RATE]}
    return {"response": _guess_text(item, rng)}


def _guess_text(item: Item, rng: np.random.Generator) -> str:
    match item.answer_format:
        case "boolean":
            return ("False", "True")[int(rng.integers(1 << 30)) % 2]
        case "choice":
            return OPTION_LETTERS[int(rng.integers(1 << 30)) % len(item.options)]
        case "choices":
            option_set = int(rng.integers(1, 1 << len(item.options)))
            return ", ".join(OPTION_LETTERS[place] for place in range(len(item.options)) if option_set >> place & 1)
    return "Something can be heard."


def describe_pack(benchmark: Benchmark, content: Content, edition: str = "") -> dict[str, object]:
    """Return `pack.json`, with edition and design if the questions are an edition's."""
    of_edition = {"edition": edition, "design": benchmark.design_digest[:8]} if edition else {}
    return {
        "benchmark": benchmark.id,
        "title": benchmark.title,
        "version": benchmark.version,
        "split": content.split,
        "content_digest": content.digest,
        "settings": list(benchmark.settings),
        "items": len(content.items),
        "clips": len(content.clips),
        "sounds": content.has_sounds,
        "licence": benchmark.licence,
        "citation": benchmark.citation,
        **of_edition,
    }


def _readme(benchmark: Benchmark, content: Content, edition: str) -> str:
    title = f"edition {edition}" if edition else f"{content.split} split"
    once = f"\n{_ONCE}\n" if edition else ""
    answers = "are in `answers.jsonl`" if content.split == "practice" else "are hidden"
    arguments = f"--benchmark {benchmark.id} --version {benchmark.version}"
    return f"""# {benchmark.title} {benchmark.version}, {title}

{benchmark.summary}
{once}
* `questions.jsonl`: one line per run of an item. Send the parts of `prompt` to your model in order; `path` is a file in
  this pack. {explain_runs(benchmark, content.held_settings)}
* `example.jsonl`: a valid file of random answers. Use the same format: `{benchmark.example_line}`.
{_explain_sounds(content)}

Check your file (free) and submit it with Earshot's command line. ADDRESS is the server you got this pack from. A server
on the same machine needs neither `--url` nor `--token`.

    python -m submissions validate predictions.jsonl {arguments} --url ADDRESS
    python -m submissions submit predictions.jsonl {arguments} \\
        --model "My model" --wait --url ADDRESS --token esh_…

You can also submit on the page at ADDRESS, or with curl as shown at ADDRESS/api/v1/docs.

Licence: {benchmark.licence}. Content digest: {content.digest}.
The correct answers {answers}.
"""


def explain_runs(benchmark: Benchmark, held_settings: Sequence[str] = ()) -> str:
    """Describe which lines of a pack a prediction file must answer."""
    if benchmark.n_runs == 1:
        text = "Every item has one run."
    elif benchmark.runs_are_seeds:
        text = "Runs differ only in decoding seed. Run 0 alone is enough; with more you also get a standard deviation."
    else:
        text = "Runs vary the presentation (e.g. option order). All are required."
    if len(benchmark.parts) > 1:
        text += " You may omit whole parts; a part you include must be complete."
    if len(benchmark.packed_settings) + len(held_settings) > 1:
        text += " One file per setting. Choose the setting when you submit."
    return text


def _explain_sounds(content: Content) -> str:
    if content.has_sounds:
        return "* `audio/`: WAV files. Keep all channels; they are part of the question."
    return "* This pack contains no audio, because it is not installed here. Get it from the benchmark's authors."


def _prompt_part(part: PromptPart) -> dict[str, str]:
    if isinstance(part, AudioPart):
        return {"type": "audio", "path": f"audio/{part.clip}.wav"}
    return {"type": "text", "text": part.text}


def _lines(rows: Iterator[dict[str, object]]) -> bytes:
    return "".join(_json_text(row) + "\n" for row in rows).encode()


def _json_text(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, method: int = zipfile.ZIP_DEFLATED) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, method)


__all__ = [
    "UNFINISHED_PREFIX",
    "all_runs",
    "describe_pack",
    "example_predictions",
    "explain_runs",
    "pack_name",
    "question",
    "write_pack",
]
