"""Signatures: one line that changes whenever a score may have changed."""

from dataclasses import fields, replace
from string import ascii_letters, digits
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import get_benchmark
from evaluation.extraction import READER_VERSION
from evaluation.signature import CODE_VERSION, Signature, SignatureError, list_signature_changes, parse_signature

SIGNATURE = Signature("amb", "1.0", "0a", "1b", "default", 3, "wrong", "1", "2", "0.1.0")
TEXT = "amb:1.0|content:0a|key:1b|setting:default|runs:3|missing:wrong|reader:1|metric:2|code:0.1.0"
FIELDS = [field.name for field in fields(Signature)]
WORDS = st.text(f"{ascii_letters}{digits}._+-", min_size=1, max_size=12)
SIGNATURES = st.builds(
    Signature,
    **{name: st.integers(0, 1000) if name == "runs" else WORDS for name in FIELDS},
)


def other_value(name: str) -> Any:
    return 4 if name == "runs" else f"{getattr(SIGNATURE, name)}x"


def test_signature_has_the_known_text() -> None:
    assert str(SIGNATURE) == TEXT
    assert parse_signature(TEXT) == SIGNATURE


@given(SIGNATURES)
def test_signature_parsed_from_its_text_is_equal(signature: Signature) -> None:
    assert parse_signature(str(signature)) == signature
    assert "\n" not in str(signature)


@given(SIGNATURES, SIGNATURES)
def test_signatures_are_equal_if_and_only_if_their_texts_are(first: Signature, second: Signature) -> None:
    assert (first == second) == (str(first) == str(second))


def test_signature_with_a_changed_field_has_another_text(subtests: pytest.Subtests) -> None:
    for name in FIELDS:
        with subtests.test(name=name):
            assert str(replace(SIGNATURE, **{name: other_value(name)})) != TEXT


def test_ranking_ignores_only_fields_that_may_differ_within_it(subtests: pytest.Subtests) -> None:
    for name in FIELDS:
        with subtests.test(name=name):
            other = replace(SIGNATURE, **{name: other_value(name)})
            assert (other.ranking == SIGNATURE.ranking) == (name in ("runs", "code_version", "judging", "asking"))


def test_ranking_of_a_signature_has_the_known_text() -> None:
    assert SIGNATURE.ranking == "amb:1.0|content:0a|key:1b|setting:default|missing:wrong|reader:1|metric:2"


def test_signature_of_judged_and_endpoint_scores_ends_with_their_fields() -> None:
    full = replace(SIGNATURE, judging="j+1", asking="1.parts")
    assert str(full) == f"{TEXT}|judge:j+1|asked:1.parts"
    assert parse_signature(str(full)) == full
    assert full.rules == SIGNATURE.rules
    assert list_signature_changes(TEXT, str(full)) == {"judge": ("", "j+1"), "asked": ("", "1.parts")}


def test_invalid_signature_text_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[str] = [
        TEXT + "|asked:1|judge:1",
        TEXT + "|judge:",
        "",
        "amb",
        "amb:1.0",
        TEXT.replace("amb:1.0", "amb"),
        TEXT.replace("|code:0.1.0", ""),
        TEXT + "|extra:1",
        TEXT + "|",
        TEXT + "\n",
        TEXT.replace("|key:1b", "|key:1b|key:1b"),
        TEXT.replace("content:0a|key:1b", "key:1b|content:0a"),
        TEXT.replace("runs:3", "runs:three"),
        TEXT.replace("runs:3", "runs:-1"),
        TEXT.replace("runs:3", "runs:3.0"),
        TEXT.replace("runs:3", "runs:"),
        TEXT.replace("setting:default", "setting:"),
        TEXT.replace("setting:default", "setting:a b"),
        TEXT.replace("setting:default", "setting:a:b"),
        TEXT.replace("amb:1.0", ":1.0"),
        TEXT.replace("amb:1.0", "amb:"),
        TEXT.replace("amb:1.0", "amb:1.0:x"),
        TEXT.replace("key:1b", "key"),
        TEXT.upper(),
    ]
    for text in rows:
        with subtests.test(text=text), pytest.raises(SignatureError):
            parse_signature(text)


def test_field_with_invalid_characters_is_refused(subtests: pytest.Subtests) -> None:
    for name, value in [
        (name, value)
        for name in FIELDS
        for value in ["", "a|b", "a:b", "a b", "é", "a\n", "<b>"]
        if value or name not in ("design_digest", "edition", "judging", "asking")
    ]:
        with subtests.test(name=name, value=value), pytest.raises(SignatureError, match=f"field {name} is "):
            replace(SIGNATURE, **cast("Any", {name: value}))


def test_sign_of_a_benchmark_names_content_key_and_versions() -> None:
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("practice")
    signature = benchmark.sign(key, setting="default", runs=2)
    assert signature == Signature(
        benchmark=benchmark.id,
        version=benchmark.version,
        content_digest=benchmark.content(key).digest[:8],
        key_digest=key.digest[:8],
        setting="default",
        runs=2,
        missing_policy="wrong",
        reader_version=READER_VERSION,
        metric_version=benchmark.metric_version,
        code_version=CODE_VERSION,
    )
