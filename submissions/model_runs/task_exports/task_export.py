"""Export of a pack as a task: chooses the questions, and writes prompts, clips, code and instructions to a folder."""

import argparse
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from evaluation.streams import is_edition_id
from evaluation.types import ITEM_ID, AudioPart, PromptPart
from submissions.endpoints.querying.query_records import ItemQuery
from submissions.model_runs.pack_choice import PackQuestions, choose_questions, get_pack
from submissions.model_runs.pack_questions import PackInfo, RunPack
from submissions.model_runs.pack_sources import PackSources
from submissions.model_runs.run_errors import ModelRunError
from submissions.model_runs.task_exports.export_options import LMMS_EVAL
from submissions.model_runs.task_exports.task_folder import ExportManifest, TaskFolder
from submissions.model_runs.task_exports.task_templates import README, render_task

_QUESTIONS = "questions.jsonl"
# Names of clips become names of files: a pack is a stranger's file.
_CLIP = re.compile(r"[A-Za-z0-9][A-Za-z0-9@._-]{0,199}")


def export_task(options: argparse.Namespace, sources: PackSources) -> ExportManifest:
    """Write the task folder of a command, or write it again; return what it says about itself.

    Raises:
        ModelRunError, ClientError: The questions cannot be got, or the folder cannot be used.
    """
    folder = TaskFolder(options.out)
    with RunPack(get_pack(options, sources, options.split, folder.path)) as pack:
        questions = choose_questions(pack, options, options.split)
        chosen = _choose_runs(options, questions)
        clips = sorted({clip for question in chosen for clip in question.clips})
        _check_names(pack.info, chosen, clips)
        files = _make_files(options.tool, pack.info, questions, chosen)
        manifest = _describe_export(options.tool, pack.info, questions.setting, chosen, files)
        folder.begin(manifest)
        for clip in clips:
            folder.write_file(_name_clip(clip), pack.load_clip(clip))
        for name, data in files.items():
            folder.write_file(name, data)
    return manifest


def _choose_runs(options: argparse.Namespace, questions: PackQuestions) -> list[ItemQuery]:
    """Return the runs that a tool can ask.

    Raises:
        ModelRunError: It cannot ask the wanted runs.
    """
    if options.tool != LMMS_EVAL or not questions.benchmark.runs_are_seeds:
        return questions.chosen
    if options.runs not in (None, 1):
        raise ModelRunError(
            f"Runs of {questions.benchmark.title} differ in their seed, and lmms-eval sends all questions with one "
            "seed. Pass --runs 1, or --for inspect."
        )
    return [question for question in questions.chosen if question.run == 0]


def _check_names(info: PackInfo, questions: Sequence[ItemQuery], clips: Sequence[str]) -> None:
    odd = [question.id for question in questions if not ITEM_ID.fullmatch(question.id)]
    odd += [clip for clip in clips if not _CLIP.fullmatch(clip)]
    odd += [info.edition] if info.edition and not is_edition_id(info.edition) else []
    if odd:
        raise ModelRunError(f"The pack has a name that cannot be exported: {odd[0][:100]!r}. Get the pack again.")


def _make_files(
    tool: str, info: PackInfo, questions: PackQuestions, chosen: Sequence[ItemQuery]
) -> Mapping[str, bytes]:
    """Return all files but the clips, those that start the task last: a folder without them is unfinished."""
    lines = b"".join(msgspec.json.encode(line) + b"\n" for line in _list_lines(chosen))
    return {_QUESTIONS: lines, **render_task(tool, info, questions, n_questions=len(chosen))}


def _list_lines(questions: Sequence[ItemQuery]) -> Iterator[dict[str, object]]:
    for question in questions:
        yield {
            "id": f"{question.id}#{question.run}",
            "seed": question.seed,
            "prompt": [_write_part(part) for part in question.prompt],
        }


def _write_part(part: PromptPart) -> dict[str, str]:
    if isinstance(part, AudioPart):
        return {"type": "audio", "path": _name_clip(part.clip)}
    return {"type": "text", "text": part.text}


def _name_clip(clip: str) -> str:
    return f"audio/{clip}.wav"


def _describe_export(
    tool: str, info: PackInfo, setting: str, chosen: Sequence[ItemQuery], files: Mapping[str, bytes]
) -> ExportManifest:
    digest = hashlib.sha256()
    for name in sorted(files.keys() - {README}):
        digest.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(files[name]).digest())
    return ExportManifest(
        tool=tool,
        benchmark=info.benchmark,
        version=info.version,
        setting=setting,
        split=info.split,
        edition=info.edition,
        content_digest=info.content_digest,
        n_questions=len(chosen),
        task_digest=digest.hexdigest(),
    )
