"""A model run: gets the questions, asks what is not answered yet, scores practice answers, submits test answers."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from rich.console import Console

from submissions.endpoints.querying.engine import Means, query_all
from submissions.endpoints.querying.query_records import QUERY_VERSION, EndpointConfig, ItemQuery, QueryRunResult
from submissions.model_runs.adapters import Adapter, query_adapter, read_parts
from submissions.model_runs.endpoint_checks import PARTS, check_endpoint, mix_to_mono, write_as_options
from submissions.model_runs.file_submission import describe_file, show_server_check, submit_file
from submissions.model_runs.pack_choice import PackQuestions, choose_questions, get_pack
from submissions.model_runs.pack_questions import PackInfo, RunPack, choose_trial
from submissions.model_runs.pack_sources import PACK, Open, PackSources, list_named_versions
from submissions.model_runs.progress_display import ProgressDisplay, describe_progress
from submissions.model_runs.request_previews import preview_parts, preview_request
from submissions.model_runs.run_errors import ModelRunError
from submissions.model_runs.run_folder import Checkpoint, RunFolder, RunManifest, open_folder
from submissions.model_runs.run_options import name_folder
from submissions.model_runs.score_tables import (
    build_slice_table,
    build_trial_table,
    describe_report,
    score_practice,
)


@dataclass(frozen=True, slots=True)
class RunTools:
    """What a run works with.

    Attributes:
        model: The endpoint or adapter.
        sources: Where packs come from.
        open_client: Connects to the server without an account.
        sign_in: Connects to the server as the user.
        out: For results.
        err: For everything else.
        means: Configuration of querying.
        checkpoint: Called between the steps.
    """

    model: EndpointConfig | Adapter
    sources: PackSources
    open_client: Open
    sign_in: Open
    out: Console
    err: Console
    means: Means
    checkpoint: Checkpoint


class ModelRun:
    """Runs the command with its checked options."""

    def __init__(self, options: argparse.Namespace, tools: RunTools) -> None:
        self._options = options
        self._tools = tools

    def answer_splits(self) -> bool:
        """Answer the splits; return whether everything went well.

        Raises:
            ModelRunError, ClientError: A step failed; the same command continues.
        """
        options, practice = self._options, None
        list_named_versions(*self._named)  # before a folder is created for a mistyped name
        is_well = True
        for split in ("practice", "test") if options.split == "both" else (options.split,):
            with open_folder(self._name_folder(split), self._tools.checkpoint) as folder:
                questions, manifest = self._answer(folder, split)
                if split == "practice":
                    practice = folder.predictions
                    self._show_scores(practice, questions, manifest)
                else:
                    is_well = self._finish_test(folder.predictions, manifest, practice)
        return is_well

    def preview(self) -> None:
        """Print the first request of the run; it requests no edition."""
        split = "practice" if self._options.split == "both" else self._options.split
        folder = self._name_folder(split)
        is_given = self._options.pack is not None or (folder / PACK).is_file()
        may_request = any(benchmark.has_editions for benchmark in list_named_versions(*self._named))
        if split == "test" and not is_given and may_request:
            split = "practice"
            self._tools.err.print("A preview requests no edition, so it shows a practice question.", soft_wrap=True)
        with RunPack(self._get_pack(split, folder)) as pack:
            question = self._list_questions(pack, split).chosen[0]
            model = self._tools.model
            if isinstance(model, Adapter):
                text = preview_parts(model.name, read_parts(question, pack.load_clip))
            else:
                load_clip = mix_to_mono(pack.load_clip) if self._options.mono else pack.load_clip
                text = preview_request(model, question, load_clip, self._options.api_key_env)
        self._tools.out.print(text, markup=False, soft_wrap=True)

    @property
    def _named(self) -> tuple[str, str | None]:
        return self._options.benchmark, self._options.version

    def _name_folder(self, split: str) -> Path:
        setting = self._options.setting
        out: Path = self._options.out
        return out / (split if setting is None else name_folder(f"{split}-{setting}"))

    def _answer(self, folder: RunFolder, split: str) -> tuple[PackQuestions, RunManifest]:
        """Ask every question of a split that has no response yet."""
        path = self._get_pack(split, folder.path)
        self._tools.checkpoint("pack-ready")
        with RunPack(path) as pack:
            questions = self._list_questions(pack, split)
            manifest = folder.begin(self._describe(pack.info, questions.setting))
            self._tools.checkpoint("manifest-written")
            answered = folder.read_answered({(question.id, question.run) for question in questions.every})
            left = [question for question in questions.chosen if (question.id, question.run) not in answered]
            n_before = len(questions.chosen) - len(left)
            if n_before:
                self._tools.err.print(f"{n_before:,} of {len(questions.chosen):,} questions are answered already.")
            if left:
                self._ask(pack, questions, left, folder, manifest)
        self._tools.err.print(f"Responses: {folder.predictions}", soft_wrap=True)
        self._report_empty(folder)
        return questions, manifest

    def _report_empty(self, folder: RunFolder) -> None:
        """Say how many responses are empty; raise an error if all are."""
        if not folder.n_empty:
            return
        message = (
            f"{folder.n_empty:,} of {folder.n_answered:,} responses are empty: their messages have no text as content. "
            "Reasoning that reaches the length limit, or a server that returns it only apart, is a usual cause. They "
            f"are not asked again: after a change of the model, delete their lines in {folder.predictions}."
        )
        if folder.n_empty == folder.n_answered:
            raise ModelRunError(message)
        self._tools.err.print(message, soft_wrap=True)

    def _get_pack(self, split: str, folder: Path) -> Path:
        return get_pack(self._options, self._tools.sources, split, folder)

    def _list_questions(self, pack: RunPack, split: str) -> PackQuestions:
        questions, limit = choose_questions(pack, self._options, split), self._options.limit
        if limit is None:
            return questions
        return replace(questions, chosen=choose_trial(questions.chosen, pack.tasks, limit))

    def _describe(self, info: PackInfo, setting: str) -> RunManifest:
        options, model = self._options, self._tools.model
        is_adapter = isinstance(model, Adapter)
        mono = ".mono" if options.mono else ""
        return RunManifest(
            benchmark=info.benchmark,
            version=info.version,
            setting=setting,
            split=info.split,
            edition=info.edition,
            content_digest=info.content_digest,
            model=options.model,
            adapter=model.name if isinstance(model, Adapter) else "",
            form="arrays" if is_adapter else f"{QUERY_VERSION}.temperature-0.{options.audio_form}{mono}",
        )

    def _ask(
        self,
        pack: RunPack,
        questions: PackQuestions,
        left: Sequence[ItemQuery],
        folder: RunFolder,
        manifest: RunManifest,
    ) -> None:
        tools, model, n_chosen = self._tools, self._tools.model, len(questions.chosen)
        n_before = n_chosen - len(left)
        load_clip = mix_to_mono(pack.load_clip) if self._options.mono else pack.load_clip
        if isinstance(model, EndpointConfig):
            model = self._check_model(model, pack, questions.every, folder, manifest)
        try:
            with ProgressDisplay(tools.err, n_before, n_chosen) as display:
                if isinstance(model, Adapter):
                    result = query_adapter(model, left, load_clip, folder.append_responses, display.show)
                else:
                    result = query_all(model, left, load_clip, folder.append_responses, display.show, tools.means)
        except (KeyboardInterrupt, ModelRunError):
            tools.err.print(
                f"Stopped. {folder.n_answered:,} responses are in {folder.predictions}. Run the same command again to "
                "continue.",
                soft_wrap=True,
            )
            raise
        tools.checkpoint("answered")
        tools.err.print(describe_progress(result.progress, n_before, n_chosen), soft_wrap=True)
        self._require_responses(result, len(left))

    def _check_model(
        self,
        endpoint: EndpointConfig,
        pack: RunPack,
        questions: Sequence[ItemQuery],
        folder: RunFolder,
        manifest: RunManifest,
    ) -> EndpointConfig:
        """Check what a model accepts, once for a folder; all its questions are sent in the same form."""
        clips = manifest.clips
        if not clips:
            clips, notes = check_endpoint(
                endpoint, questions, pack.count_stereo, self._tools.means, is_mono=self._options.mono
            )
            self._tools.checkpoint("model-checked")
            folder.replace_manifest(msgspec.structs.replace(manifest, clips=clips))
            self._tools.checkpoint("check-stored")
            for note in notes:
                self._tools.err.print(note, soft_wrap=True)
        return replace(endpoint, multi_audio=clips == PARTS)

    def _require_responses(self, result: QueryRunResult, n_left: int) -> None:
        """Raise an error if questions are unanswered, unless a few may be."""
        progress = result.progress
        if progress.n_truncated:
            self._tools.err.print(
                f"{progress.n_truncated:,} responses were cut off at the model's length limit. Raise it if answers are "
                "missing from them.",
                soft_wrap=True,
            )
        is_tried = progress.n_done + progress.n_abandoned == n_left
        if result.ending is None or (self._options.allow_missing and is_tried):
            return
        missing = "" if not is_tried else ", or pass --allow-missing to score unanswered questions as wrong"
        raise ModelRunError(
            f"{write_as_options(result.ending.reason)} Run the same command again to ask the rest{missing}."
        )

    def _show_scores(self, file: Path, questions: PackQuestions, manifest: RunManifest) -> None:
        is_trial, benchmark, tools = self._options.limit is not None, questions.benchmark, self._tools
        allow_missing = is_trial or self._options.allow_missing
        report = score_practice(file, benchmark, manifest.setting, allow_missing=allow_missing)
        tools.checkpoint("scored")
        if is_trial:
            asked = {(question.id, question.run) for question in questions.chosen}
            tools.out.print(build_trial_table(report, benchmark, asked))
            tools.err.print("This was a trial. Run the command without --limit to ask all questions.", soft_wrap=True)
            return
        tools.out.print(build_slice_table(report, benchmark, manifest.setting))
        tools.out.print(describe_report(report), soft_wrap=True)

    def _finish_test(self, file: Path, manifest: RunManifest, practice: Path | None) -> bool:
        """Have the server check the file, and submit it if that is wanted."""
        tools, options = self._tools, self._options
        fields = describe_file(manifest, allow_missing=options.allow_missing)
        if options.submit:
            with tools.sign_in() as client:
                return submit_file(client, file, fields, options, practice, (tools.out, tools.err), tools.checkpoint)
        with tools.open_client() as client:
            show_server_check(client, file, fields, (tools.out, tools.err))
        tools.err.print("Run the same command with --submit to submit it.", soft_wrap=True)
        return True
