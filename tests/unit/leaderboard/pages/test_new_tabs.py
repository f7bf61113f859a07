"""Links that open a new tab: none of them gives the other page a handle on ours."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import settings

ROOT = Path(settings.__file__).parent.parent
FILES = sorted(
    {*(ROOT / "leaderboard").rglob("*.html"), *(ROOT / "leaderboard").rglob("*.py"), *ROOT.glob("assets/*.js")}
)
TAG = re.compile(r"<(?:a|form|area|base)\b(?:[^>{]|{{.*?}}|{%.*?%})*>", re.DOTALL)
# A script sets both in one call or in consecutive statements.
NEAR = 120


def list_openers(name: str, text: str) -> Iterator[str]:
    """Yield places that open a tab without `noopener`, or a stranger's link, marked `ugc`, without `noreferrer`."""
    tags = [found[0] for found in TAG.finditer(text)]
    for tag in tags:
        rel = re.search(r'rel="([^"]*)"', tag)
        words = rel[1].split() if rel else []
        if "_blank" in tag and "noopener" not in words:
            yield f"{name}: {tag}"
        if "ugc" in words and not {"noopener", "noreferrer"} <= set(words):
            yield f"{name}: {tag}"
    without_tags = TAG.sub("", text)
    for found in re.finditer("_blank", without_tags):
        if "noopener" not in without_tags[found.end() : found.end() + NEAR]:
            yield f"{name}: {without_tags[found.start() - 40 : found.end() + 40]}"


def test_no_link_to_a_new_tab_passes_an_opener() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in FILES}
    assert sum(text.count("_blank") for text in texts.values()) > 12, "the search finds links"
    assert [place for name, text in texts.items() for place in list_openers(name, text)] == []


@pytest.mark.parametrize(
    ("text", "n_places"),
    [
        ('<a href="{{ url }}" target="_blank" rel="noopener">', 0),
        ('<a href="{{ url }}" target="_blank">', 1),
        ('<a href="{{ \'>\' }}" target="_blank" rel="nofollow">', 1),
        ('<a href="/x">', 0),
        ('<a href="{{ url }}" target="_blank" rel="noopener ugc">', 1),
        ('<a href="{{ url }}" rel="nofollow ugc noreferrer">', 1),
        ('<a href="{{ url }}" target="_blank" rel="ugc noopener noreferrer">', 0),
        ('<form target="_blank">', 1),
        ('make("a", { href, target: "_blank", rel: "noopener" })', 0),
        ('make("a", { href, target: "_blank" })', 1),
        ('link.target = "_blank";\n  link.relList.add("noopener");', 0),
        ('window.open(link.href, "_blank");', 1),
    ],
)
def test_the_search_finds_openers(text: str, n_places: int) -> None:
    assert len(list(list_openers("page.html", text))) == n_places
