"""Settings of the edge: trusted proxies, sites that may embed the page, and whom to tell of a vulnerability."""

import os
import re
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, NoDecode

_FRAME_SOURCE = re.compile(r"\*|'self'|'none'|https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")
_CONTACT = re.compile(r"mailto:[!-~]+@[a-z0-9.-]+|https://[a-z0-9][a-z0-9.-]*(:[0-9]{1,5})?(/[!-~]*)?", re.IGNORECASE)
_HUB = "https://huggingface.co"
_EVERY_ADDRESS = ("0.0.0.0/0", "::/0")


def on_space() -> bool:
    """Return whether this is a Hugging Face Space."""
    return "SPACE_ID" in os.environ


def _check_frame_ancestors(values: tuple[str, ...]) -> tuple[str, ...]:
    sources = tuple(f"'{value}'" if value in ("self", "none") else value.lower() for value in values)
    is_contradiction = "'none'" in sources and len(sources) > 1
    if not sources or is_contradiction or not all(_FRAME_SOURCE.fullmatch(source) for source in sources):
        raise ValueError("Enter self, none, * or origins such as https://blog.example")
    return sources


def _check_contact(value: str | None) -> str | None:
    if value is not None and not _CONTACT.fullmatch(value):
        raise ValueError("Enter an address such as mailto:security@lab.example or https://lab.example/report")
    return value


class EdgeSettings(BaseSettings):
    """Trusted proxies of the web process, sites that may embed its pages, and its security contact."""

    # Peers whose X-Forwarded-* headers are trusted. Only the Hub's proxy can reach a Space's container.
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, Field(validate_default=True)] = Field(
        default_factory=lambda: _EVERY_ADDRESS if on_space() else ("127.0.0.0/8", "::1")  # type: ignore[arg-type]
    )
    # Sites that may embed the page, in the format of the `frame-ancestors` directive.
    frame_ancestors: Annotated[tuple[str, ...], NoDecode, AfterValidator(_check_frame_ancestors)] = Field(
        default_factory=lambda: ("'self'", _HUB) if on_space() else ("'self'",)
    )
    # Whom `/.well-known/security.txt` names.
    security_contact: Annotated[str | None, AfterValidator(_check_contact)] = None


def split_lists(values: dict[str, object]) -> None:
    """Split lists that the environment has as text: proxies at commas, sites at spaces and commas."""
    for name in ("trusted_proxies", "frame_ancestors"):
        text = values.get(name)
        if isinstance(text, str):
            words = text.replace(" ", ",") if name == "frame_ancestors" else text
            values[name] = tuple(word.strip() for word in words.split(",") if word.strip())
    if values.get("trusted_proxies") == ("*",):
        values["trusted_proxies"] = _EVERY_ADDRESS
