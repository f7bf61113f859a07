"""Layout of the Published rows section of the Admin tab."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.pages.admin.row_editor.markup import render_downloads
from leaderboard.pages.inputs.page_events import make_file_input, take_as_sent
from leaderboard.pages.shared.notes import render_heading
from submissions.published_rows.row_checks import SOURCES

SOURCE_OF_FILE = "from the file"


@dataclass(frozen=True, slots=True)
class RowsPart:
    """Components of the section.

    Attributes:
        file: File of rows, CSV or JSON.
        source: Default source of scores.
        date: Default date of the paper.
        preview: Button that previews the file.
        reason: Reason for applying the file.
        apply: Button that applies the last preview.
        result: Planned or applied changes, or problems of the file.
        digest: Digest of the last preview, hidden.
        listed: Rows that maintainers added, corrected or removed.
        chosen: Changed row to undo.
        row_id: Row to remove.
        row_reason: Reason for undoing or removing a row.
        undo: Button that undoes the last change of the selected row.
        remove: Button that removes the row with this id.
        notice: Result for a single row.
    """

    file: Any
    source: Any
    date: Any
    preview: Any
    reason: Any
    apply: Any
    result: Any
    digest: Any
    listed: Any
    chosen: Any
    row_id: Any
    row_reason: Any
    undo: Any
    remove: Any
    notice: Any


def build_rows_part() -> RowsPart:
    """Build the section."""
    gr.HTML(render_heading("Published rows"), apply_default_css=False)
    gr.HTML(render_downloads(), elem_id="admin-rows-help", apply_default_css=False)
    file = make_file_input(
        label="Rows (CSV or JSON)", height=140, interactive=True, elem_id="admin-rows-file", buttons=[]
    )
    with gr.Row():
        choices = [SOURCE_OF_FILE, *SOURCES]
        source = gr.Dropdown(
            choices,
            value=SOURCE_OF_FILE,
            label="Source, if the file has none",
            elem_id="admin-rows-source",
            min_width=160,
        )
        date = gr.Textbox(
            label="Paper date, if the file has none", max_length=10, elem_id="admin-rows-date", min_width=200
        )
        reason = _reason("rows")
    with gr.Row():
        preview = gr.Button("Preview changes", elem_id="admin-rows-preview", min_width=120)
        apply = gr.Button("Apply", elem_id="admin-rows-apply", min_width=120)
    result = gr.HTML("", elem_id="admin-rows-result", apply_default_css=False)
    digest = gr.Textbox(visible=False, max_length=64)
    sent = (file, source, date, preview, reason, apply, result, digest)
    return RowsPart(*sent, *_build_changed())


def _build_changed() -> tuple[Any, ...]:
    gr.HTML(render_heading("Changed rows", 4), apply_default_css=False)
    listed = gr.HTML("", elem_id="admin-rows-changed", apply_default_css=False)
    with gr.Row():
        chosen = take_as_sent(
            gr.Dropdown([], value=None, label="Changed row", elem_id="admin-rows-chosen", scale=2, min_width=300)
        )
        row_id = gr.Textbox(label="ID of a row to remove", max_length=40, elem_id="admin-rows-id", min_width=200)
        reason = _reason("row")
    with gr.Row():
        undo = gr.Button("Undo", elem_id="admin-rows-undo", min_width=120)
        remove = gr.Button("Remove row", elem_id="admin-rows-remove", min_width=120)
    notice = gr.HTML("", elem_id="admin-rows-notice", apply_default_css=False)
    return listed, chosen, row_id, reason, undo, remove, notice


def _reason(name: str) -> Any:
    return gr.Textbox(
        label="Reason (shown in the history)",
        max_length=500,
        elem_id=f"admin-{name}-reason",
        scale=2,
        min_width=300,
    )
