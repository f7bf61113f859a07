"""Check of a file with public data only: no answer key has to exist, and none is opened."""

import io
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from leaderboard.services import build_services
from settings import Settings
from tests.support.samples.question_packs import write_question_pack
from tests.support.servers.installation import BENCHMARK, Installation
from tests.support.servers.shared_splits import LAST_DAY


def block_keys(keys_dir: Path) -> None:
    """Replace the folder by a file, so that opening a key in it fails."""
    keys_dir.write_text("")


@pytest.mark.parametrize("leave", [lambda _: None, block_keys], ids=["absent", "unusable"])
def test_check_parses_answers_without_any_key(leave: Callable[[Path], None], place: Installation) -> None:
    key = place.key
    settings = Settings(data_dir=place.folder, shared_splits_until=LAST_DAY)
    write_question_pack(BENCHMARK, key, settings.packs_dir)
    place.keys_dir.rename(place.folder / "elsewhere")
    leave(place.keys_dir)
    rows = [
        {"id": item.id, "run": run, "response": "True" if item.answer_format == "boolean" else "A"}
        for item in BENCHMARK.content(key).items
        for run in item.runs
    ]
    for row in rows[:67]:
        row["response"] = "I cannot tell."
    file = io.BytesIO("\n".join(map(json.dumps, rows)).encode())
    services = build_services(settings)
    with closing(services.database):
        verdict = services.submissions.validate(BENCHMARK, "default", file, None, allow_missing=False)
    assert verdict.ok, verdict.problems
    assert verdict.parsing is not None
    assert (verdict.predictions, verdict.parsing.parsed, verdict.parsing.unreadable) == (6_048, 5_981, 67)
    assert not place.keys_dir.is_dir()
