"""Sealed bytes: readable only with the same seed and purpose, indistinguishable from noise otherwise."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.keys.sealing import OVERHEAD_BYTES, SealError, derive_secret, is_current, seal, unseal


@given(st.binary(max_size=200), st.text(max_size=20), st.text(max_size=20))
def test_sealed_bytes_are_read_with_the_same_seed_and_purpose(plain: bytes, seed: str, purpose: str) -> None:
    sealed = seal(seed, purpose, plain)
    assert len(sealed) == len(plain) + OVERHEAD_BYTES
    assert is_current(sealed)
    assert unseal(seed, purpose, sealed) == plain


@pytest.mark.parametrize(("seed", "purpose"), [("other", "outcomes|1"), ("seed", "outcomes|2"), ("", "outcomes|1")])
def test_bytes_of_another_seed_or_purpose_are_refused(seed: str, purpose: str) -> None:
    with pytest.raises(SealError, match=re.escape(f"`{purpose}` were encrypted under another answer key")):
        unseal(seed, purpose, seal("seed", "outcomes|1", b"secret"))


def test_bytes_altered_at_any_position_are_refused(subtests: pytest.Subtests) -> None:
    for at in range(OVERHEAD_BYTES + 6):
        with subtests.test(at=at):
            sealed = bytearray(seal("seed", "p", b"secret"))
            sealed[at] ^= 1
            with pytest.raises(SealError):
                unseal("seed", "p", bytes(sealed))


@pytest.mark.parametrize("length", [0, 1, 4, 15, 16, 31])
def test_truncated_bytes_are_refused(length: int) -> None:
    with pytest.raises(SealError):
        unseal("seed", "p", seal("seed", "p", b"secret")[:length])


# "secret" sealed for `outcomes|1` under `seed` by the release before this format.
FIRST_FORMAT = bytes.fromhex(
    "a5ad102c9a7a0d22314d2dc2dcaa748ead33bfef6c08cf20243342ff0b2512c1cfd0260f6798a3b6d204ef71d391e2a3e3662f4575aa"
)


def test_bytes_of_the_first_format_are_read_and_checked_like_others() -> None:
    assert not is_current(FIRST_FORMAT)
    assert unseal("seed", "outcomes|1", FIRST_FORMAT) == b"secret"
    for seed, purpose, sealed in (
        ("other", "outcomes|1", FIRST_FORMAT),
        ("seed", "outcomes|2", FIRST_FORMAT),
        ("seed", "outcomes|1", FIRST_FORMAT[:-1]),
        ("seed", "outcomes|1", FIRST_FORMAT[:20] + b"x" + FIRST_FORMAT[21:]),
    ):
        with pytest.raises(SealError):
            unseal(seed, purpose, sealed)


def test_bytes_sealed_twice_share_no_keystream() -> None:
    first, second = (seal("seed", "p", bytes(1_000)) for _ in range(2))
    agreeing = sum(a == b for a, b in zip(first[16:-16], second[16:-16], strict=True))
    assert agreeing < 30, "4 of 1,000 agree by chance"


def test_secret_is_unique_for_each_seed_and_purpose() -> None:
    assert len({derive_secret(seed, purpose) for seed in ("a", "b") for purpose in ("x", "y")}) == 4
    assert derive_secret("a", "x") == derive_secret("a", "x")
