"""Every score, setting and set of items has its definition."""

import re

import pytest

from evaluation import get_benchmark
from evaluation.benchmarks import all_benchmarks
from evaluation.benchmarks.column_specs import Column
from evaluation.benchmarks.definition_specs import COMMON

SENTENCE = re.compile(r"[A-Z0-9].*\.", re.DOTALL)


def test_definition_of_every_column_begins_with_its_formula(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        formulas = {metric.id: f"{metric.title}: {metric.formula}. " for metric in benchmark.metrics}
        with subtests.test(benchmark=benchmark.id, version=benchmark.version):
            for column in benchmark.columns:
                text = benchmark.define(column)
                assert text.startswith(formulas[column.metric]), column.key
                assert SENTENCE.fullmatch(text.removeprefix(formulas[column.metric])), column.key


def test_definitions_cover_every_setting_and_no_term_is_defined_twice(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark.id, version=benchmark.version):
            own = benchmark.definitions
            assert set(own.settings) == set(benchmark.settings)
            terms = [definition.term for definition in (*own.items, *own.terms, *COMMON)]
            assert len(terms) == len(set(terms))
            texts = [definition.text for definition in (*own.items, *own.terms, *COMMON)] + list(own.settings.values())
            assert not [text for text in texts if not SENTENCE.fullmatch(text)]


def test_define_distinguishes_macro_averages_from_pooled_scores_on_star_bench() -> None:
    benchmark = get_benchmark("star-bench")
    columns = {column.key: column for column in benchmark.columns}
    assert "the mean of its 3 parts, equally weighted" in benchmark.define(columns["overall|aa"])
    assert "the mean of its 10 sub-tasks" in benchmark.define(columns["perception|acr"])
    assert "Pooled over all items of its 5 sub-tasks" in benchmark.define(columns["temporal|aa"])
    # Shares of option positions are counted, not averaged.
    assert "Pooled" in benchmark.define(columns["perception|option_concentration"])


def test_define_names_the_difference_at_a_level() -> None:
    benchmark = get_benchmark("star-bench")
    columns = {column.key: column for column in benchmark.columns}
    text = benchmark.define(columns["perception/sensitivity/pitch/level-3|aa"])
    assert text.endswith("Which of two tones is higher. Level 3 of 6: 100 cents between two tones.")


def test_define_refuses_an_unknown_column(subtests: pytest.Subtests) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark.id), pytest.raises(KeyError):
            benchmark.define(Column("nowhere/at-all", benchmark.headline.metric, "?", ""))
