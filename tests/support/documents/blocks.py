"""Code blocks and commands in the project's Markdown pages."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import settings

ROOT = Path(settings.__file__).parent.parent
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`((?:make|npm|curl|python|\.venv/bin/python) [^`]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced code block: language, text, and page with the line number of its first line."""

    language: str
    text: str
    place: str


@dataclass(frozen=True)
class Command:
    """A command in a page, possibly with continuation lines."""

    text: str
    place: str

    @property
    def words(self) -> str:
        """The command without quotes, comments and line breaks."""
        return " ".join(shlex.split(self.text.replace("\\\n", " "), comments=True))


def read_blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2], f"{page.name}:{text.count(chr(10), 0, found.start(2)) + 1}")
        for found in _FENCE.finditer(text)
    ]


def read_commands(page: Path) -> Iterator[Command]:
    """Yield the commands of a page, from its shell blocks and from inline code."""
    for block in read_blocks(page):
        if block.language == "sh":
            yield from (Command(text, block.place) for text in _split(block.text))
    prose = _FENCE.sub("", page.read_text(encoding="utf-8"))
    # # Inline code names the interpreter without its folder.
    inline = (re.sub(r"^python ", ".venv/bin/python ", found[1]) for found in _INLINE.finditer(prose))
    yield from (Command(text, page.name) for text in inline)


def _split(script: str) -> Iterator[str]:
    text = ""
    for line in script.splitlines():
        text += f"{line}\n"
        if text.strip() and not text.endswith(("\\\n", "|\n")) and _is_whole(text):
            yield text.strip()
            text = ""
    assert not text.strip(), f"a command that does not end: {text}"


def _is_whole(text: str) -> bool:
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return True
