"""Parts that a text must have for a pattern to match: no pattern matches without one."""

import re

import pytest

from evaluation.extraction.language.required import find_required
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.option_texts.wordings import list_families
from tests.support.samples.messy_answers import messy_answers
from tests.support.samples.read_answers import list_answers


def test_find_required_returns_what_every_match_has(subtests: pytest.Subtests) -> None:
    rows = [
        ("bell", {"bell"}),
        ("(?:the )?bell", {"bell"}),
        ("bell|horn", {"bell", "horn"}),
        ("bell|[a-z]+", None),
        ("[bh]ell", {"ell"}),
        ("[bh]", {"b", "h"}),
        ("[^b]", None),
        ("(?:bell)?", None),
        ("(?:bell){0,2}", None),
        ("(?:bell)+", {"bell"}),
        ("a(?= bell)", {" bell"}),
        ("a(?! bell)", {"a"}),
        ("(?<=bell )a", {"bell "}),
        ("(?i:bell) a", {" a"}),
        ("(?i)bell", None),
        ("a (?P<what>bell|hand bell)", {"bell"}),
        ("first bell|bell", {"bell"}),
        ("|".join(2 * chr(0x4E00 + number) for number in range(49)), None),
    ]
    for pattern, parts in rows:
        with subtests.test(pattern=pattern):
            required = find_required(pattern)
            assert required == (parts and frozenset(parts))


def test_paraphrases_never_match_without_a_required_part() -> None:
    responses = [answer.response for name in ("choice", "choices") for answer in list_answers(name)]
    responses += [answer.response for answer in messy_answers(200, seed=12)]
    n_matched = n_spared = 0
    for lowered in map(lower, responses[::3]):
        for family in list_families():
            for finder, required in family.finders:
                if any(map(lowered.__contains__, required)):
                    continue
                n_spared += 1
                assert finder.search(lowered) is None, (family.name, required, lowered)
    for family in list_families():
        for finder, required in family.finders:
            for match in filter(None, map(finder.search, map(lower, responses[::30]))):
                n_matched += 1
                assert any(map(match.string.__contains__, required))
    assert n_spared > 10_000
    assert n_matched > 10


def test_most_patterns_of_paraphrases_have_required_parts() -> None:
    written = [said for family in list_families() for said in family.said]
    assert sum(find_required(said) is not None for said in written) > 0.9 * len(written)
    assert all(re.compile(said) for said in written)
