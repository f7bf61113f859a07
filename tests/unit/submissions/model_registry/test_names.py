"""Names of models: search, and names that look like one system."""

import pytest

from submissions.model_registry.names import Hit, NameIndex, find_stem

NAMES = (
    "Qwen2-Audio-7B",
    "Qwen2-Audio-Instruct",
    "Qwen2.5-Omni-3B",
    "Gemini 2.5 Pro",
    "模型 7B",
    "Ａudio Ｆlamingo 3",
)
INDEX = NameIndex(enumerate(NAMES))


def names_of(query: str) -> list[str]:
    return [NAMES[hit.entry] for hit in INDEX.find_matches(query)]


def test_index_finds_names_by_words_beginnings_and_past_misspellings(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, int]] = [
        ("qwen2-audio-7b", "Qwen2-Audio-7B", 1),
        ("QWEN2 audio inst", "Qwen2-Audio-Instruct", 1),
        ("audio instruct qwen2", "Qwen2-Audio-Instruct", 1),
        ("qwen2audioinstruct", "Qwen2-Audio-Instruct", 1),
        ("qwne2 adio 7b", "Qwen2-Audio-7B", 1),
        ("gemnii", "Gemini 2.5 Pro", 1),
        ("omni", "Qwen2.5-Omni-3B", 1),
        ("模", "模型 7B", 1),
        ("audio flamingo", "Ａudio Ｆlamingo 3", 1),
        ("qwen", "Qwen2-Audio-7B", 3),
        ("audio", "Qwen2-Audio-7B", 3),
    ]
    for query, first, number in rows:
        with subtests.test(query=query, first=first, number=number):
            found = names_of(query)
            assert (found[0], len(found)) == (first, number)


@pytest.mark.parametrize("query", ["", "  ", "-/-", "zzzz", "qwen2 gemini", "x" * 5_000, "q " * 200 + "zzzz" * 9])
def test_index_finds_nothing_for_what_no_name_has(query: str) -> None:
    found = names_of(query)
    assert found == [] or query.startswith("q "), "words beyond the eighth are not looked at"


def test_index_gives_an_entry_of_several_names_once_with_its_best_fit() -> None:
    index = NameIndex([(7, "Qwen2-Audio-7B"), (7, "Qwen2"), (8, "Qwen2-Omni")])
    assert index.find_matches("qwen2") == [Hit(7, 1.0), Hit(8, 1.0)]
    assert index.find_matches("qwen2 aud") == [Hit(7, 0.95)]


def test_index_puts_the_same_word_before_beginnings_and_those_before_the_rest() -> None:
    words = ("unaudited", "audition", "audit", "audoit")
    index = NameIndex(enumerate(words))
    assert [words[hit.entry] for hit in index.find_matches("audit")] == ["audit", "audition", "unaudited", "audoit"]


def test_stem_is_the_same_for_names_that_differ_by_spelling_size_and_stage(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str, bool]] = [
        ("Qwen2-Audio-7B", "Qwen2-Audio-Instruct", True),
        ("Qwen2-Audio-7B", "qwen/QWEN2 audio 7b Instruct", True),
        ("GPT-4o Audio", "gpt4o-audio-preview", True),
        ("Ｑwen2 Audio", "Qwen2-Audio", True),
        ("Qwen3-Omni-30B-A3B", "Qwen3 Omni", True),
        ("Qwen2-Audio", "Qwen2.5-Audio", False),
        ("Qwen2-Audio", "Qwen2-Omni", False),
        ("7B", "8B", False),
        ("a/", "b/", False),
        ("!", "?", False),
    ]
    for one, other, same in rows:
        with subtests.test(one=one, other=other, same=same):
            assert (find_stem(one) == find_stem(other)) is same
