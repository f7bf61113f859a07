"""A browser page that records script errors and requests that leave the origin."""

from dataclasses import dataclass, field

from playwright.sync_api import Page


@dataclass
class Watched:
    """A page and what went wrong in it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
