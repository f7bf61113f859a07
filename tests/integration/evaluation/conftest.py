"""Fixtures of evaluation tests: sounds shared by several tests, each rendered once."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from evaluation.benchmarks import star_bench
from evaluation.benchmarks.star_bench import StarBench, demo_sounds

render_uncached = demo_sounds.render_demo_sound


@cache
def render_once(path: str) -> bytes:
    return render_uncached(StarBench("demo").scenes, path)


def render_from_memory(scenes: Mapping[str, Mapping[str, Any]], path: str) -> bytes:
    return render_once(path) if scenes == StarBench("demo").scenes else render_uncached(scenes, path)


@pytest.fixture(scope="module")
def demo_sounds_once() -> Iterator[None]:
    """Render each sound of STAR-Bench's demonstration set once, including recordings from which others are cut."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (demo_sounds, star_bench):
            patch.setattr(module, "render_demo_sound", render_from_memory)
        yield
