"""Security contact: `/.well-known/security.txt`, by RFC 9116, for those who found a vulnerability of this server."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse

from settings import Settings

CONTACT_PATH = "/.well-known/security.txt"
# The RFC advises less than a year, after which a reader must ask again.
_VALID_DAYS = 180


def add_security_contact(site: FastAPI, settings: Settings) -> None:
    """Serve the operator's contact; without one there is no such address."""

    @site.get(CONTACT_PATH)
    async def send_contact() -> PlainTextResponse:
        if settings.security_contact is None:
            raise HTTPException(404)
        lines = "\n".join(_list_lines(settings.security_contact, settings.public_url, datetime.now(UTC)))
        return PlainTextResponse(f"{lines}\n", headers={"Cache-Control": "no-cache"})


def _list_lines(contact: str, public_url: str | None, now: datetime) -> Iterator[str]:
    yield f"Contact: {contact}"
    # The same text all day.
    expiry = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=_VALID_DAYS)
    yield f"Expires: {expiry:%Y-%m-%dT%H:%M:%SZ}"
    yield "Preferred-Languages: en"
    if public_url:
        yield f"Canonical: {public_url.rstrip('/')}{CONTACT_PATH}"
