"""Sealed bytes: read back with the same seed and purpose, refused with any other, and noise to everybody else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.sealing import SealError, derive_secret, seal, unseal


@given(st.binary(max_size=200), st.text(max_size=20), st.text(max_size=20))
def test_bytes_sealed_are_read_back_with_the_same_seed_and_purpose(plain: bytes, seed: str, purpose: str) -> None:
    sealed = seal(seed, purpose, plain)
    assert len(sealed) == len(plain) + 48
    assert unseal(seed, purpose, sealed) == plain


@pytest.mark.parametrize(("seed", "purpose"), [("other", "outcomes|1"), ("seed", "outcomes|2"), ("", "outcomes|1")])
def test_bytes_of_another_seed_or_purpose_are_refused(seed: str, purpose: str) -> None:
    with pytest.raises(SealError, match=re.escape(f"`{purpose}` were sealed under another answer key")):
        unseal(seed, purpose, seal("seed", "outcomes|1", b"secret"))


def test_bytes_altered_anywhere_are_refused(subtests: pytest.Subtests) -> None:
    for at in range(48 + 6):
        with subtests.test(at=at):
            sealed = bytearray(seal("seed", "p", b"secret"))
            sealed[at] ^= 1
            with pytest.raises(SealError):
                unseal("seed", "p", bytes(sealed))


@pytest.mark.parametrize("length", [0, 1, 16, 31, 32, 47])
def test_bytes_cut_short_are_refused(length: int) -> None:
    with pytest.raises(SealError):
        unseal("seed", "p", seal("seed", "p", b"secret")[:length])


def test_bytes_sealed_twice_share_no_keystream() -> None:
    one, other = (seal("seed", "p", bytes(1_000)) for _ in range(2))
    agreeing = sum(a == b for a, b in zip(one[16:-32], other[16:-32], strict=True))
    assert agreeing < 30, "4 of 1,000 agree by chance"


def test_secret_of_a_purpose_is_that_of_no_other() -> None:
    assert len({derive_secret(seed, purpose) for seed in ("a", "b") for purpose in ("x", "y")}) == 4
    assert derive_secret("a", "x") == derive_secret("a", "x")
