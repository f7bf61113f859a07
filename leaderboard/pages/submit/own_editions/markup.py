"""Markup of a user's editions. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from evaluation.benchmarks import Benchmark
from leaderboard.gallery.gallery_address import find_gallery_address
from leaderboard.pages.submit.ways.command_texts import write_command
from leaderboard.rendering.formatting import write_count
from leaderboard.rendering.templating import Markup, render_macro, render_template
from submissions.editions.edition_limits import MAX_SUBMISSIONS, OPEN_FOR, EditionQuota, require_edition_left
from submissions.editions.edition_service import EditionStatus
from submissions.errors import LimitError

_TEMPLATE = "pages/submit/own_editions/editions.html"
_INTRODUCTION = "pages/submit/own_editions/introduction.html"
_NOTICE = "pages/submit/own_editions/notice.html"
_MAX_SHOWN = 10
_UNUSED = frozenset({"queued", "making", "open"})


class EditionRow(NamedTuple):
    """An edition, as its template takes it.

    Attributes:
        status: The edition.
        state: Its state.
        words: Files and dates, and the place of its pack in the queue.
        share: Progress of its pack in percent; None without a progress bar.
        command: Command that downloads its pack; empty if it cannot be answered now.
        confirmation: Question before it is closed; empty if it cannot be closed.
        can_render: Whether its pack has to be requested again.
        gallery: Address of its answers; empty before it is closed.
    """

    status: EditionStatus
    state: str
    words: str
    share: int | None
    command: str
    confirmation: str
    can_render: bool
    gallery: str


def render_notice_place() -> Markup:
    """Return the place where a script shows why an action failed."""
    return render_macro(_NOTICE, "notice_place")


def render_introduction() -> Markup:
    """Return what editions are, for visitors, who can request one once they have signed in."""
    return render_template(_INTRODUCTION, is_visitor=True, max_files=MAX_SUBMISSIONS, days=OPEN_FOR.days)


def render_editions(
    benchmark: Benchmark, statuses: Sequence[EditionStatus], quota: EditionQuota, server: str, now: datetime
) -> Markup:
    """Return what editions are, how many a user may still request, and theirs.

    Args:
        benchmark: Benchmark version.
        statuses: The user's editions of it, newest first.
        quota: What the user may still request.
        server: Public address of this server; empty if it has none.
        now: Current time.
    """
    return render_template(
        _TEMPLATE,
        is_visitor=False,
        benchmark=benchmark,
        rows=[_make_row(one, server) for one in statuses[:_MAX_SHOWN]],
        has_older=len(statuses) > _MAX_SHOWN,
        max_files=MAX_SUBMISSIONS,
        days=OPEN_FOR.days,
        limits="" if quota.left is None else quota.describe(),
        obstacle=_find_obstacle(benchmark, statuses, quota, now),
    )


def is_rendering(statuses: Sequence[EditionStatus]) -> bool:
    """Tell whether the pack of any edition is queued or being rendered."""
    return any(one.edition.is_pack_wanted for one in statuses)


def _find_obstacle(benchmark: Benchmark, statuses: Sequence[EditionStatus], quota: EditionQuota, now: datetime) -> str:
    """Return why no further edition can be requested; empty if one can."""
    unused = [one.edition.id for one in statuses if one.state in _UNUSED]
    try:
        require_edition_left(quota, f"{benchmark.title} {benchmark.version}", unused, now)
    except LimitError as error:
        return str(error)
    return ""


def _make_row(status: EditionStatus, server: str) -> EditionRow:
    edition = status.edition
    has_answers = status.state == "closed" and status.n_files > 0
    is_open = status.state == "open"
    pack = (("benchmark", edition.benchmark), ("edition", edition.id), ("out", "pack.zip"))
    return EditionRow(
        status=status,
        state="rendering" if status.state == "making" else status.state,
        words=" ".join(text for text in (_summarise(status), _describe_wait(status)) if text),
        share=round(100 * edition.progress) if edition.is_rendering else None,
        command=write_command("pack", pack, server) if is_open else "",
        confirmation=_ask_before_closing(status) if is_open and status.n_files else "",
        can_render=status.state != "expired" and not edition.is_pack_wanted and not status.has_pack,
        gallery=find_gallery_address(edition.id) if has_answers else "",
    )


def _summarise(status: EditionStatus) -> str:
    edition = status.edition
    files = write_count(status.n_files, "file")
    match status.state:
        case "open":
            held = f"{status.n_files} of {MAX_SUBMISSIONS} files" if status.n_files else "No files yet"
            return f"{held}. Open until {_write_day(edition.expires_at)}."
        case "closed" if edition.opened_at is None:
            return "Answered by an endpoint."
        case "closed":
            return f"{files}. Closed on {_write_day(edition.closed_at)}."
        case "expired":
            return f"Expired on {_write_day(edition.closed_at)} without a file."
    return ""


def _describe_wait(status: EditionStatus) -> str:
    edition = status.edition
    if edition.is_rendering:
        return "" if status.state == "making" else "The pack is being rendered."
    explained = f"{edition.explanation} " if edition.explanation else ""
    if status.n_before is None:
        return explained.rstrip()
    if not status.n_before:
        return f"{explained}The pack is rendered next."
    verb = "is" if status.n_before == 1 else "are"
    return f"{explained}{write_count(status.n_before, 'pack')} {verb} rendered before yours."


def _ask_before_closing(status: EditionStatus) -> str:
    files = "Its file is scored" if status.n_files == 1 else f"All {status.n_files} files are scored"
    return (
        f"Score and close {status.edition.id}? {files}, and you see every score. "
        "The edition accepts no more files. You cannot undo this."
    )


def _write_day(at: datetime | None) -> str:
    return "–" if at is None else f"{at.day} {at:%B %Y}"
