"""Information about AudioMotionBench's key that an adaptive attacker gains from an owner's view (decision 004)."""

from itertools import pairwise

import numpy as np
import pytest

from bench import hidden_key_attack
from bench.hidden_key_attack import (
    BENCHMARK,
    CELLS,
    FILES_A_DAY,
    N_BITS,
    N_PAIRS,
    Attack,
    link_items,
    main,
    measure,
    show_owner,
)

KEY = BENCHMARK.make_key("test", "attacked in a test")


def list_truth(attack: Attack, cell: tuple[str, str]) -> list[int]:
    """Return the bits of a cell: whether the first clip of a pair has the first of its two paths."""
    bits = []
    for pair in attack.pairs[cell]:
        first = pair.clips[0]
        bits.append(int(bool(KEY.answers[first.statements[pair.paths[0]].id])))
    return bits


@pytest.fixture(scope="module")
def attack() -> Attack:
    """An attacker after the files of one day."""
    attack = Attack(BENCHMARK.content(KEY).items, 1)
    for _ in range(FILES_A_DAY):
        attack.send(KEY)
    return attack


def test_linking_leaves_one_bit_per_pair_of_clips() -> None:
    pairs = link_items(BENCHMARK.content(KEY).items)
    assert {cell: len(found) for cell, found in pairs.items()} == dict.fromkeys(CELLS, N_PAIRS)
    assert N_BITS == 336
    for found in pairs.values():
        assert all(set(pair.clips[0].statements) == set(pair.clips[1].statements) == set(pair.paths) for pair in found)


def test_attack_never_rules_out_the_true_key(attack: Attack) -> None:
    for cell in CELLS:
        keys = attack.known[cell].list_keys()
        assert (keys == np.array(list_truth(attack, cell))).all(axis=1).any(), cell


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_one_day_leaves_part_of_the_key_unknown_and_two_days_reveal_all(seed: int) -> None:
    """The rule slows an attacker down but does not stop them: decision 004."""
    unknown, scores = zip(*measure(seed, FILES_A_DAY + 1), strict=True)
    assert 180 < unknown[0] < 240
    assert 3 < unknown[1] < 40
    assert unknown[2] == 0
    assert all(before > after for before, after in pairwise(unknown))
    assert scores[1] < 0.9
    assert scores[2] == 1


def test_owner_of_a_crafted_file_sees_what_the_rule_allows(attack: Attack) -> None:
    shown = show_owner(KEY, attack.list_best())
    assert len(shown) > 40
    assert all(one.value == round(one.value or 0.0, 3) and (one.n or 0) >= 100 for one in shown.values())


def test_command_prints_the_number_of_unknown_bits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["hidden_key_attack", "--days", "1", "--keys", "2"])
    # The test above runs the attack itself.
    monkeypatch.setattr(hidden_key_attack, "measure", lambda seed, n: [(200.0 + seed, 0.5)] * n)
    main()
    *lines, mean = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        f"key {seed}: 336 bits unknown at first; after each file" for seed in range(2)
    ]
    assert lines[1].endswith(": " + ", ".join(["201.0 (50.0%)"] * FILES_A_DAY))
    assert mean == "mean: " + ", ".join(["200.5 (50.0%)"] * FILES_A_DAY)
