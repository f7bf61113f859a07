"""Memos of the parsers: each result is computed once, and a full memo starts again empty."""

import pytest

from evaluation.extraction.memo import Memo


def test_memo_computes_each_result_once_and_never_holds_more_than_its_size() -> None:
    computed: list[str] = []

    def measure(text: str) -> int:
        computed.append(text)
        return len(text)

    lengths = Memo(measure, maxsize=2)
    assert [lengths[text] for text in ("a", "bc", "a", "bc")] == [1, 2, 1, 2]
    assert computed == ["a", "bc"]
    assert lengths["def"] == 3
    assert dict(lengths) == {"def": 3}
    assert [lengths["a"], computed] == [1, ["a", "bc", "def", "a"]]


def test_memo_keeps_nothing_of_a_call_that_fails() -> None:
    def fail(text: str) -> int:
        raise ValueError(text)

    memo = Memo(fail, maxsize=2)
    with pytest.raises(ValueError, match="a"):
        memo["a"]
    assert not memo
