"""Board markup before its script has run."""

import json
import re
from html import unescape

import pytest

from evaluation.benchmarks import list_versions
from leaderboard.pages.board.markup import render_board

OFFICIAL = ("star-bench", "mdar", "audio-process-bench")
DEMONSTRATED = ("star-bench", "mdar")


def shell_of(name: str) -> str:
    return render_board(list_versions(name))


@pytest.mark.parametrize("name", ["audio-motion-bench", *OFFICIAL])
def test_chance_is_in_an_element_that_the_script_can_fill(name: str) -> None:
    benchmark = list_versions(name)[0]
    (text,) = re.findall(r'<span data-place="chance">(.*?)</span>', shell_of(name))
    assert text == f"{100 * benchmark.chance[benchmark.headline.key]:.1f}"


@pytest.mark.parametrize("name", ["audio-motion-bench", "star-bench"])
def test_board_with_our_own_questions_warns_that_papers_used_others(name: str) -> None:
    shell = shell_of(name)
    assert 'data-questions="own"' in shell
    assert "paper's own test items" in unescape(shell)
    assert "Different questions of the same kind, with answers" in shell


@pytest.mark.parametrize("name", [name for name in OFFICIAL if name != "star-bench"])
def test_board_with_official_questions_has_no_such_warning(name: str) -> None:
    shell = shell_of(name)
    assert 'data-questions="official"' in shell
    assert "own test items" not in shell
    assert "Reported rows come from papers" in shell


def test_demo_practice_pack_is_described_as_the_same_questions() -> None:
    assert "The same questions as in the question pack, with answers" in shell_of("mdar")


def test_seeded_practice_pack_is_described_as_different_questions() -> None:
    assert "Different questions of the same kind, with answers" in shell_of("audio-process-bench")


@pytest.mark.parametrize("name", DEMONSTRATED)
def test_practice_questions_of_a_demo_equal_its_test_questions(name: str) -> None:
    demo = list_versions(name)[-1]
    test, practice = (
        {(item.question, item.options) for item in demo.content(demo.make_key(split)).items}
        for split in ("test", "practice")
    )
    assert test == practice


@pytest.mark.parametrize("name", OFFICIAL)
def test_versions_of_a_benchmark_have_the_same_default_columns(name: str) -> None:
    defaults = {tuple(column.key for column in version.columns if column.shown) for version in list_versions(name)}
    assert len(defaults) == 1
    assert len({version.headline.key for version in list_versions(name)}) == 1


@pytest.mark.parametrize("name", ["audio-motion-bench", *OFFICIAL])
def test_head_links_to_the_submit_form_before_packs_and_citation(name: str) -> None:
    head = shell_of(name).partition("es-links")[2]
    assert f'href="/?tab=submit&amp;benchmark={name}" data-visit ' in head
    positions = [
        head.index(f'data-testid="{test_id}"') for test_id in ("board-submit", "pack-test", "pack-practice", "cite")
    ]
    assert positions == sorted(positions)


def test_board_of_a_setting_for_one_part_opens_with_the_score_of_that_part() -> None:
    (settings,) = re.findall(r'data-settings="([^"]*)"', shell_of("star-bench"))
    (headlines,) = re.findall(r'data-headlines="([^"]*)"', shell_of("star-bench"))
    assert dict(zip(settings.split(","), headlines.split(","), strict=True)) == {
        "default": "overall|aa",
        "channel-wise": "spatial|aa",
        "global-caption": "temporal|aa",
        "uncut-audio": "temporal|aa",
        "caption-only": "overall|aa",
        "pseudo-stereo": "perception/tones|aa",
    }


@pytest.mark.parametrize("name", ["audio-motion-bench", "mdar", "audio-process-bench"])
def test_board_of_a_setting_for_all_parts_opens_with_the_headline(name: str) -> None:
    for version in list_versions(name):
        assert {version.headline_of(setting) for setting in version.settings} == {version.headline}


def test_shell_explains_how_scores_are_shaded() -> None:
    assert "from chance (none) to human level (full), or to 100 % without a human baseline" in (shell_of("mdar"))


def test_shell_shows_the_parts_of_the_selected_version_and_hides_the_others() -> None:
    first, second = re.findall(r'<div (class="es-views"[^>]*)>', shell_of("star-bench"))
    assert 'data-views="1.0"' in first
    assert "hidden" not in first
    assert 'data-views="demo"' in second
    assert second.endswith(" hidden")


def test_pseudo_stereo_board_shows_the_tone_tasks_by_default() -> None:
    (encoded,) = re.findall(r'data-setting-columns="([^"]*)"', shell_of("star-bench"))
    columns = json.loads(unescape(encoded))
    assert set(columns) == {"pseudo-stereo"}
    assert columns["pseudo-stereo"][0] == "perception/tones|aa"
    assert "perception/sensitivity/loudness|aa" in columns["pseudo-stereo"]
    (encoded_mdar,) = re.findall(r'data-setting-columns="([^"]*)"', shell_of("mdar"))
    assert json.loads(unescape(encoded_mdar)) == {}
