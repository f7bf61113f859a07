"""Pagination cursors of growing lists: the position where a page ended, as text for a URL.

A cursor contains only the last row's own values. It is not an offset, so rows added or removed in between neither
repeat a row nor skip one, and it stays valid as long as its list exists.
"""

import base64
import binascii
from datetime import UTC, datetime
from typing import Annotated, Any

import orjson
from fastapi import Query

from db.repositories.submissions import MomentPlace, QueuePosition
from submissions.errors import BadRequestError

MAX_CURSOR_CHARACTERS = 1_000
_MAX_IN_LINE = 2**31
Cursor = Annotated[
    str | None, Query(description="`next_cursor` of the previous page", max_length=MAX_CURSOR_CHARACTERS)
]


def encode_place(value: object) -> str:
    """Encode JSON values as a cursor."""
    return base64.urlsafe_b64encode(orjson.dumps(value)).decode().rstrip("=")


def decode_offset(of_list: str, cursor: str | None) -> int:
    """Decode the cursor of a list that never changes: the number of entries before the page.

    Raises:
        BadRequestError: The cursor does not belong to this list.
    """
    if cursor is None:
        return 0
    try:
        found, offset = _decode(cursor)
    except (ValueError, TypeError, binascii.Error):
        raise _refused() from None
    if found != of_list or type(offset) is not int or not 0 <= offset <= _MAX_IN_LINE:
        raise _refused()
    return offset


def encode_moment(of_list: str, at: datetime, submission_id: str) -> str:
    """Return the position of a submission in a chronological list."""
    return encode_place([of_list, at, submission_id])


def decode_moment(of_list: str, cursor: str | None) -> MomentPlace | None:
    """Decode the cursor of a chronological list; None if there is none.

    Raises:
        BadRequestError: The cursor does not belong to this list.
    """
    if cursor is None:
        return None
    try:
        found, at, submission_id = _decode(cursor)
        moment = datetime.fromisoformat(at).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise _refused() from None
    is_plain = isinstance(submission_id, str) and submission_id.isprintable()
    if found != of_list or not is_plain:
        raise _refused()
    return MomentPlace(moment, submission_id)


def decode_queue_place(cursor: str | None) -> QueuePosition | None:
    """Decode the cursor of the queue; None if there is none.

    Raises:
        BadRequestError: The cursor does not belong to the queue.
    """
    if cursor is None:
        return None
    try:
        submission_id, number = _decode(cursor)
    except (ValueError, TypeError, binascii.Error):
        raise _refused() from None
    is_number = isinstance(number, int) and not isinstance(number, bool) and 0 < number < _MAX_IN_LINE
    if not is_number or not isinstance(submission_id, str) or not submission_id.isprintable():
        raise _refused()
    return QueuePosition(submission_id, number)


def _decode(cursor: str) -> Any:
    return orjson.loads(base64.urlsafe_b64decode(cursor + "=" * 3))


def _refused() -> BadRequestError:
    return BadRequestError("cursor", "Invalid cursor for this list. Send next_cursor of the previous page.")
