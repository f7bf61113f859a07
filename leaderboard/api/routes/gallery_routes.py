"""Gallery of a closed edition as a page."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse

from evaluation.answered_items import OUTCOMES
from leaderboard.api.auth import OptionalUser, ServicesOfApp
from leaderboard.gallery.gallery_address import GALLERY_PATH
from leaderboard.gallery.gallery_page import GALLERY_POLICY, GalleryPage, list_clips, render_gallery
from leaderboard.http.content_policies import POLICY_HEADER
from submissions.editions.disclosed_items import ItemFilter
from submissions.errors import BadRequestError, NotReadyError, RenderingLimitError

router = APIRouter(prefix=GALLERY_PATH.rstrip("/"), include_in_schema=False)
_MAX_FIRST = 1_000_000
_RENDERING = "The sounds are being rendered again. Reload the page in a few seconds."


@router.get("/{edition_id}")
def show_gallery(
    edition_id: str,
    services: ServicesOfApp,
    current_user: OptionalUser,
    submission: Annotated[str | None, Query(max_length=40)] = None,
    task: Annotated[str | None, Query(max_length=200)] = None,
    outcome: Annotated[str | None, Query(max_length=20)] = None,
    reason: Annotated[str | None, Query(max_length=60)] = None,
    first: Annotated[int, Query(ge=0, le=_MAX_FIRST)] = 0,
) -> HTMLResponse:
    """Return a page of items with their answers, for the owner. A form sends empty words for what is not chosen."""
    if outcome and outcome not in OUTCOMES:
        raise BadRequestError("outcome", f"Outcome must be one of {', '.join(OUTCOMES)}.")
    found = services.disclosed_items.read_edition(edition_id, current_user, submission or None)
    page = GalleryPage(ItemFilter(task or None, outcome or None, reason or None), first)
    seconds: Mapping[str, float] = {}
    sounds_note = ""
    try:
        seconds = services.editions.measure_clips(edition_id, current_user, list_clips(found, page))
    except RenderingLimitError as error:
        sounds_note = str(error)
    except NotReadyError:
        sounds_note = _RENDERING
    headers = {"Cache-Control": "private, no-store", POLICY_HEADER: GALLERY_POLICY}
    return HTMLResponse(render_gallery(found, page, seconds, sounds_note), headers=headers)
