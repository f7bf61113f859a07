"""Functions of the package against servers that do not answer like Earshot, or not yet."""

import pytest

import earshot
from submissions.client import Client, ClientError, Json

WAITING: Json = {"state": "waiting", "detail": "Try again."}
COMPARED: Json = {"a": {}, "b": {}, "paired": True, "reason": None, "slices": []}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Json]:
    """Answers of the server in turn, the last one for ever."""
    turns: list[Json] = []
    monkeypatch.setattr(Client, "call", lambda *_args, **_more: turns.pop(0) if len(turns) > 1 else turns[0])
    monkeypatch.setattr(Client, "pause_after", lambda *_args: None)
    return turns


@pytest.mark.parametrize("answer", [{}, {"answer": []}, {"benchmark": "mdar"}])
def test_other_servers_are_named_at_once(answers: list[Json], answer: Json) -> None:
    answers.append(answer)
    for read in (
        lambda: earshot.board("mdar", url="http://127.0.0.1:9"),
        lambda: earshot.compare("a", "b", benchmark="mdar", url="http://127.0.0.1:9"),
    ):
        with pytest.raises(ClientError, match="did not answer like an Earshot server"):
            read()


def test_comparison_is_waited_for_but_not_for_ever(answers: list[Json]) -> None:
    answers += [WAITING, WAITING, COMPARED]
    assert earshot.compare("a", "b", benchmark="mdar", url="http://127.0.0.1:9").paired
    answers[:] = [WAITING]
    with pytest.raises(ClientError, match="Try again later"):
        earshot.compare("a", "b", benchmark="mdar", url="http://127.0.0.1:9")
