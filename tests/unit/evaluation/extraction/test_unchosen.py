"""The look at single words that decides whether an English text may have a claim to rewrite."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.extraction.claims import denials, reported, unchosen
from evaluation.extraction.claims.unchosen import may_claim

REWRITTEN = [
    *((hints, pattern) for hints, pattern, _ in unchosen._ENGLISH),
    ((), reported._JUDGED),
    ((), denials._DENIED),
]
ENGLISH_AND_TEXTS = st.characters(max_codepoint=0x7E, include_characters="\ue000\ue001")


@pytest.mark.parametrize(("hints", "pattern"), REWRITTEN, ids=range(len(REWRITTEN)))
def test_may_claim_whatever_a_pattern_matches_passes(
    hints: tuple[str, ...], pattern: re.Pattern[str], soak: bool
) -> None:
    @settings(max_examples=40 if soak else 10, deadline=None)
    @given(st.from_regex(pattern, alphabet=ENGLISH_AND_TEXTS))
    def check(text: str) -> None:
        assert may_claim(text) or (hints and not any(hint in text for hint in hints))

    check()
