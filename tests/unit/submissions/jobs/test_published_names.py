"""One name per model across the four papers: a new row under a second name of a known model fails here."""

from collections import defaultdict
from difflib import SequenceMatcher
from itertools import combinations

import pytest

from evaluation.published import PublishedResults, PublishedRow, read_all_published
from submissions.jobs.registration import PUBLISHED_DIR
from submissions.model_registry.names import find_stem, list_sizes

RESULTS = read_all_published(PUBLISHED_DIR)
# Similarity from which two names with the same digits count as one misspelt name.
MISSPELT = 0.9


def list_tables(results: tuple[PublishedResults, ...] = RESULTS) -> dict[str, set[tuple[str, str]]]:
    """Return name of a model → (benchmark, setting) of the tables that print it alone or as part of a cascade."""
    tables = defaultdict(set)
    for paper in results:
        for row in paper.rows:
            for name in row.model.name.split(" + "):
                tables[name].add((paper.benchmark, row.setting) if name == row.model.name else ("", name))
    return dict(tables)


def find_duplicates(tables: dict[str, set[tuple[str, str]]]) -> set[frozenset[str]]:
    """Return the pairs of names that are likely to mean one model."""
    return {
        frozenset(pair)
        for pair in combinations(sorted(tables), 2)
        if is_alike(*pair) and not tables[pair[0]] & tables[pair[1]]
    }


def is_alike(first: str, second: str) -> bool:
    stems, sizes = (find_stem(first), find_stem(second)), (list_sizes(first), list_sizes(second))
    if all(sizes) and sizes[0] != sizes[1]:
        return False
    digits = [[letter for letter in stem if letter.isdigit()] for stem in stems]
    return digits[0] == digits[1] and SequenceMatcher(None, *stems, autojunk=False).ratio() >= MISSPELT


def test_every_model_of_the_papers_has_one_name() -> None:
    assert find_duplicates(list_tables()) == set()


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Kimi-Audio", "Kimi-Audio-7B"),
        ("Kimi-Audio-Instruct", "Kimi-Audio-7B"),
        ("Qwen/Qwen2-Audio-7B-Instruct", "Qwen2-Audio-7B"),
        ("Phi4-MM", "Phi-4-Multimodal"),
        ("phi-4-multimodal-instruct", "Phi-4-Multimodal"),
        ("Gemma-3n-E4B-it", "Gemma-3n-E4B"),
        ("Qwen2.5-Omni", "Qwen2.5-Omni-7B"),
        ("GPT-4o-Audio", "GPT-4o Audio"),
        ("SALAMONN-7B", "SALMONN-7B"),
        ("Audio-Flamingo-3", "Audio Flamingo 3"),
        ("MiDasheng-LM-7B", "MiDashengLM"),
    ],
)
def test_second_name_of_a_model_is_detected(name: str, known: str) -> None:
    tables = list_tables()
    assert known in tables
    assert frozenset((name, known)) in find_duplicates(tables | {name: {("other", "default")}})


@pytest.mark.parametrize("name", ["Qwen3-Audio-7B", "Qwen2.5-Omni-14B", "Gemma-3n-E8B", "Gemini 3 Pro", "SALMONN-30B"])
def test_new_model_is_not_a_second_name(name: str) -> None:
    assert find_duplicates(list_tables() | {name: {("other", "default")}}) == set()


def test_spellings_of_the_papers_and_former_names_are_kept() -> None:
    rows: list[PublishedRow] = [row for paper in RESULTS for row in paper.rows if row.model.formerly]
    assert {row.model.name for row in rows} >= {"Kimi-Audio-7B", "Qwen2-Audio-7B", "Phi-4-Multimodal", "SALMONN-13B"}
    assert all(row.model.name not in row.model.formerly for row in rows)
    assert {row.label for row in rows} >= {"Kimi-Audio", "Qwen2-Audio-Instruct", "Phi4-MM", "Gemma-3n-E4B-it"}
