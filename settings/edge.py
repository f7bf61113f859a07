"""Settings of the edge: proxies that are trusted, and sites that may show the page in a frame."""

import os
import re
from ipaddress import IPv4Network, IPv6Network
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, NoDecode

_FRAME_SOURCE = re.compile(r"\*|'self'|'none'|https?://(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?")
_HUB = "https://huggingface.co"
_EVERY_ADDRESS = ("0.0.0.0/0", "::/0")


def on_space() -> bool:
    """Tell whether this is a Hugging Face Space."""
    return "SPACE_ID" in os.environ


def _check_frame_ancestors(words: tuple[str, ...]) -> tuple[str, ...]:
    sources = tuple(f"'{word}'" if word in ("self", "none") else word.lower() for word in words)
    is_contradiction = "'none'" in sources and len(sources) > 1
    if not sources or is_contradiction or not all(_FRAME_SOURCE.fullmatch(source) for source in sources):
        raise ValueError("Enter self, none, * or origins such as https://blog.example")
    return sources


class EdgeSettings(BaseSettings):
    """What the web process believes of proxies, and who may show its pages in a frame."""

    # Peers whose X-Forwarded-* headers count. Nothing but the Hub's proxy reaches a Space's container.
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, Field(validate_default=True)] = Field(
        default_factory=lambda: _EVERY_ADDRESS if on_space() else ("127.0.0.0/8", "::1")  # type: ignore[arg-type]
    )
    # Sites that may show the page in a frame, as the policy's `frame-ancestors` has them.
    frame_ancestors: Annotated[tuple[str, ...], NoDecode, AfterValidator(_check_frame_ancestors)] = Field(
        default_factory=lambda: ("'self'", _HUB) if on_space() else ("'self'",)
    )


def split_lists(values: dict[str, object]) -> None:
    """Split what the environment has as one text: proxies at commas, sites at blanks and commas."""
    for name in ("trusted_proxies", "frame_ancestors"):
        text = values.get(name)
        if isinstance(text, str):
            words = text.replace(" ", ",") if name == "frame_ancestors" else text
            values[name] = tuple(word.strip() for word in words.split(",") if word.strip())
    if values.get("trusted_proxies") == ("*",):
        values["trusted_proxies"] = _EVERY_ADDRESS
