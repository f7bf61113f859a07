"""Model card export: readable by the Hub's library, with names as plain text."""

from typing import Any

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries
from huggingface_hub.repocard_data import eval_results_to_model_index, model_index_to_eval_results
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.exports.model_card_rows import write_eval_results, write_model_index
from leaderboard.exports.yaml_text import write_yaml
from tests.support.pages.export_views import HOSTILE, OVERALL, SIGNATURE, YES_BIAS, make_row, make_view

_LINK = "https://earshot.example/?tab=model&model=m-0123456789abcdef&row="


def test_eval_results_are_readable_by_the_hub_library() -> None:
    row = make_row("A model", 0.42657, more={YES_BIAS.key: 0.1}, note=None)
    (entry, other) = parse_eval_result_entries(
        yaml.safe_load(write_eval_results(make_view([row], [OVERALL, YES_BIAS])))
    )
    assert (entry.dataset_id, entry.task_id, entry.value) == ("earshot/audio-motion-bench", "overall.accuracy", 42.66)
    assert entry.date == "2026-11-21T20:04:36Z"
    assert entry.source_name == "Earshot: AudioMotionBench 1.0"
    assert entry.source_url is not None
    assert entry.source_url.startswith(f"{_LINK}{row['submission']}&signature=audio-")
    assert entry.notes == f"AudioMotionBench 1.0, setting default; submitted; signature {SIGNATURE}"
    assert other.task_id == "overall.tf.yes_bias"


def test_eval_results_of_a_reported_row_name_the_table() -> None:
    row = make_row("A model", 0.4, source="reported", note="Table 3.")
    (entry,) = parse_eval_result_entries(yaml.safe_load(write_eval_results(make_view([row]))))
    assert entry.notes == (
        "AudioMotionBench 1.0, setting default; reported, not scored here: Lee et al., 2026, Table 3; "
        "Ann Lee, Bo Li, Cy Ng: A paper, 2026, https://paper.example/1, Table 2, Table 3, row “A-model”"
    )


def test_eval_results_of_a_paper_with_only_a_year_have_no_date() -> None:
    row = make_row("A model", 0.4, source="reported", note="Table 3.", date=None, printed_on="2026")
    (entry,) = parse_eval_result_entries(yaml.safe_load(write_eval_results(make_view([row]))))
    assert entry.date is None


def test_model_index_survives_a_round_trip_through_the_hub_library() -> None:
    view = make_view([make_row("A model", 0.42657, more={YES_BIAS.key: 0.1})], [OVERALL, YES_BIAS])
    index = yaml.safe_load(write_model_index(view))["model-index"]
    name, results = model_index_to_eval_results(index)
    assert (name, [result.metric_value for result in results]) == ("A model", [42.66, 10.0])
    assert results[0].metric_args == {"slice": "overall", "signature": SIGNATURE}
    assert eval_results_to_model_index(name, results) == index


@pytest.mark.parametrize("write", [write_eval_results, write_model_index])
def test_hub_files_contain_one_document_per_model_and_none_for_baselines(write: Any) -> None:
    rows = [make_row("b"), make_row("people", 0.9, source="human"), make_row("a"), make_row("dice", source="random")]
    assert len(list(yaml.safe_load_all(write(make_view(rows))))) == 2
    assert list(yaml.safe_load_all(write(make_view(rows[1:2])))) == []


def test_hub_files_keep_hostile_names_and_notes_as_text(subtests: pytest.Subtests) -> None:
    for name in HOSTILE:
        with subtests.test(name=name):
            view = make_view([make_row(name, note=name, source="reported")])
            ((entry,),) = yaml.safe_load_all(write_eval_results(view))
            assert name in entry["notes"]
            assert set(entry) == {"dataset", "value", "date", "source", "notes"}
            (index,) = yaml.safe_load_all(write_model_index(view))
            assert index["model-index"][0]["name"] == name


@given(
    st.recursive(
        st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none() | st.integers(),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.dictionaries(st.text("abc", min_size=1), inner, min_size=1, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_write_yaml_round_trips_any_value(value: Any) -> None:
    if isinstance(value, list | dict):
        assert _as_text(yaml.safe_load(write_yaml(value))) == _as_text(value)


def _as_text(value: Any) -> Any:
    """Return a value with its numbers as floats: YAML 1.1 reads `1e-05` as text."""
    if isinstance(value, dict):
        return {name: _as_text(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_as_text(inner) for inner in value]
    return repr(float(value)) if isinstance(value, float) else value
