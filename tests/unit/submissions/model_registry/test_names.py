"""Model names: search, and detection of likely duplicates."""

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


def test_index_finds_names_by_words_prefixes_and_despite_misspellings(subtests: pytest.Subtests) -> None:
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
            matches = names_of(query)
            assert (matches[0], len(matches)) == (first, number)


@pytest.mark.parametrize("query", ["", "  ", "-/-", "zzzz", "qwen2 gemini", "x" * 5_000, "q " * 200 + "zzzz" * 9])
def test_index_finds_nothing_for_words_that_no_name_has(query: str) -> None:
    matches = names_of(query)
    assert matches == [] or query.startswith("q "), "words beyond the eighth are ignored"


def test_index_returns_an_entry_of_several_names_once_with_its_best_score() -> None:
    index = NameIndex([(7, "Qwen2-Audio-7B"), (7, "Qwen2"), (8, "Qwen2-Omni")])
    assert index.find_matches("qwen2") == [Hit(7, 1.0), Hit(8, 1.0)]
    assert index.find_matches("qwen2 aud") == [Hit(7, 0.95)]


def test_index_ranks_exact_words_before_prefixes_and_prefixes_before_other_matches() -> None:
    names = ("unaudited", "audition", "audit", "audoit")
    index = NameIndex(enumerate(names))
    assert [names[hit.entry] for hit in index.find_matches("audit")] == ["audit", "audition", "unaudited", "audoit"]


def test_stem_ignores_spelling_size_and_training_stage(subtests: pytest.Subtests) -> None:
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
    for first, second, same in rows:
        with subtests.test(first=first, second=second, same=same):
            assert (find_stem(first) == find_stem(second)) is same
