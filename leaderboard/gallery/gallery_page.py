"""The HTML of a gallery: filters, then a page of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from evaluation.answered_items import OUTCOMES, AnsweredItem, AnsweredRun
from evaluation.types import OPTION_LETTERS
from leaderboard.assets import STATIC_PATH
from leaderboard.gallery.gallery_address import find_gallery_address
from leaderboard.http.content_policies import write_gallery_policy
from leaderboard.rendering.own_pages import make_style
from leaderboard.rendering.templating import Markup, render_template
from submissions.editions.disclosed_items import DisclosedEdition, ItemFilter

ITEMS_PER_PAGE = 20
_STYLE = make_style(Path(__file__).with_name("style.css"))
GALLERY_POLICY = write_gallery_policy(_STYLE)
_EXPORTS = {"csv": "CSV", "parquet": "Parquet"}
_OUTCOME_WORDS = {
    "correct": "Correct",
    "wrong": "Wrong",
    "unreadable": "Not parsed",
    "missing": "Missing",
}


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """Which items of a gallery are shown.

    Attributes:
        wanted: Filter.
        first: Number of the first item, from 0, among those that the filter admits.
    """

    wanted: ItemFilter
    first: int = 0


class GallerySound(NamedTuple):
    """A clip of an item, as the template takes it."""

    name: str
    address: str
    seconds: float


class GalleryItem(NamedTuple):
    """An item, as the template takes it."""

    number: int
    answered: AnsweredItem
    options: Sequence[tuple[str, str]]
    runs: Sequence[tuple[AnsweredRun, str, str, str]]
    sounds: Sequence[GallerySound]


class FilterChoice(NamedTuple):
    """An entry of a filter."""

    value: str
    text: str
    is_chosen: bool


def list_clips(found: DisclosedEdition, page: GalleryPage) -> set[str]:
    """Return the clips of a page."""
    admitted, first = _find_admitted(found, page)
    return {clip for one in admitted[first : first + ITEMS_PER_PAGE] for clip in one.item.clips}


def _find_admitted(found: DisclosedEdition, page: GalleryPage) -> tuple[list[AnsweredItem], int]:
    """Return the items that a filter admits, and the number of the first one on a page."""
    admitted = [one for one in found.items if page.wanted.admits(one)]
    return admitted, min(page.first, max(0, len(admitted) - 1)) // ITEMS_PER_PAGE * ITEMS_PER_PAGE


def render_gallery(
    found: DisclosedEdition, page: GalleryPage, seconds: Mapping[str, float], sounds_note: str
) -> Markup:
    """Return a page of a gallery.

    Args:
        found: The closed edition.
        page: Which of its items.
        seconds: Clip → duration, for the clips of the page that can be played.
        sounds_note: Why none can be played; empty if they can.
    """
    admitted, first = _find_admitted(found, page)
    shown = admitted[first : first + ITEMS_PER_PAGE]
    address = find_gallery_address(found.edition.id)
    query = _list_query(found, page.wanted)
    more = [first - ITEMS_PER_PAGE, first + ITEMS_PER_PAGE]
    links = [f"{address}?{urlencode({**query, 'first': at})}" if 0 <= at < len(admitted) else None for at in more]
    return render_template(
        "gallery/gallery.html",
        style=_STYLE,
        script=f"{STATIC_PATH}/edition-gallery.js",
        title=f"{found.benchmark.title} {found.benchmark.version}",
        edition=found.edition,
        is_own=found.is_own,
        model=found.submission.model.name,
        submission=found.submission.id,
        total=len(admitted),
        n_items=len(found.items),
        first=first,
        last=first + len(shown),
        items=[_describe_item(number, one, found, seconds) for number, one in enumerate(shown, start=first + 1)],
        filters=_list_filters(found, page.wanted),
        previous=links[0],
        next=links[1],
        exports={
            title: f"/api/v1/editions/{found.edition.id}/items?{urlencode({**query, 'format': name})}"
            for name, title in _EXPORTS.items()
        },
        sounds_note=sounds_note,
        outcome_words=_OUTCOME_WORDS,
    )


def _list_query(found: DisclosedEdition, wanted: ItemFilter) -> dict[str, str]:
    given = {"task": wanted.task, "outcome": wanted.outcome, "reason": wanted.reason}
    return {"submission": found.submission.id} | {name: value for name, value in given.items() if value}


def _list_filters(found: DisclosedEdition, wanted: ItemFilter) -> list[tuple[str, str, list[FilterChoice]]]:
    """Return (name, label, entries) of each filter."""
    outcomes, reasons = found.count_outcomes(), found.count_reasons()
    models = [(one.id, one.model.name) for one in found.others]
    outcome_texts = [(one, f"{_OUTCOME_WORDS[one]} ({outcomes.get(one, 0):,})") for one in OUTCOMES]
    reason_texts = [(one, f"{one} ({number:,})") for one, number in sorted(reasons.items())]
    return [
        ("submission", "Model", _list_choices(models, found.submission.id, None)),
        ("outcome", "Outcome", _list_choices(outcome_texts, wanted.outcome, "All outcomes")),
        ("task", "Task", _list_choices([(task, task) for task in _list_task_groups(found)], wanted.task, "All tasks")),
        ("reason", "Reason", _list_choices(reason_texts, wanted.reason, "All reasons")),
    ]


def _list_task_groups(found: DisclosedEdition) -> list[str]:
    """Return the tasks and their beginnings, each before its parts."""
    groups = set()
    for task in found.list_tasks():
        pieces = task.split("/")
        groups |= {"/".join(pieces[:depth]) for depth in range(1, len(pieces) + 1)}
    return sorted(groups)


def _list_choices(entries: Sequence[tuple[str, str]], chosen: str | None, everything: str | None) -> list[FilterChoice]:
    choices = [FilterChoice(value, text, value == chosen) for value, text in entries]
    return choices if everything is None else [FilterChoice("", everything, chosen is None), *choices]


def _describe_item(
    number: int, one: AnsweredItem, found: DisclosedEdition, seconds: Mapping[str, float]
) -> GalleryItem:
    item, base = one.item, f"/api/v1/editions/{found.edition.id}/audio"
    names = [f"Clip {place}" if len(item.clips) > 1 else "Clip" for place in range(1, len(item.clips) + 1)]
    sounds = [
        GallerySound(name, f"{base}/{clip}.wav", seconds[clip])
        for name, clip in zip(names, item.clips, strict=True)
        if clip in seconds
    ]
    options = list(zip(OPTION_LETTERS, one.runs[0].options, strict=False)) if one.runs else []
    runs = [(run, _spell_out(run.right, run), _spell_out(run.parsed, run), run.response or "") for run in one.runs]
    return GalleryItem(number, one, options, runs, sounds)


def _spell_out(answer: str | None, run: AnsweredRun) -> str:
    """Return an answer with the text of its option, if it is a letter."""
    if answer is None:
        return "–"
    if run.options and len(answer) == 1 and answer in OPTION_LETTERS:
        return f"{answer}. {run.options[OPTION_LETTERS.index(answer)]}"
    return answer
