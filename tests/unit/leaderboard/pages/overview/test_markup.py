"""Overview markup: benchmark cards and hero, before any script has run."""

import html
import re

import pytest

from evaluation.benchmarks import Benchmark, all_benchmarks, list_versions
from leaderboard.pages.board.markup import render_board
from leaderboard.pages.overview.cards import render_card, render_introduction
from leaderboard.pages.overview.examples import find_example
from leaderboard.pages.overview.markup import render_overview
from leaderboard.pages.page import group_versions
from submissions.listening_test.practice_packs import list_listening_items, practice_content

BENCHMARKS = [tuple(versions) for versions in group_versions(all_benchmarks()).values()]
PLAYABLE = ("audio-motion-bench", "star-bench", "mdar")


def read_text(markup: str) -> str:
    return html.unescape(re.sub("<[^>]+>", " ", markup))


def test_overview_starts_with_a_description_and_three_actions() -> None:
    shell = render_overview(BENCHMARKS)
    hero = shell[shell.index("es-hero") : shell.index("es-intros")]
    assert hero.index("Earshot tests how well") < hero.index("4 benchmarks") < hero.index("Submit a model")
    links = re.findall(r'href="([^"]+)"[^>]*>([^<]+)</a>', hero)
    assert links == [
        ("/?tab=submit", "Submit a model"),
        ("/?tab=listen", "Try 10 questions"),
        ("/?tab=about", "How scoring works"),
    ]
    assert re.findall(r'data-card="([^"]+)"', shell) == [versions[0].id for versions in BENCHMARKS]


@pytest.mark.parametrize("versions", BENCHMARKS, ids=lambda versions: versions[0].id)
def test_card_and_board_introduce_a_benchmark_with_the_same_texts(versions: tuple[Benchmark, ...]) -> None:
    benchmark, example = versions[0], find_example(versions)
    assert example is not None
    assert benchmark.paper is not None
    for markup in (render_card(versions), render_introduction(versions), render_board(versions)):
        page_text = read_text(markup)
        for text in (benchmark.summary, example.question, *example.options, *example.steps, *example.translation):
            assert text in page_text
        assert f'href="{html.escape(benchmark.paper.url)}"' in markup
        assert 'data-place="leader"' in markup
        assert 'data-place="open"' in markup
    board = render_board(versions)
    assert board.index("board-intro") < board.index('data-place="table"')


@pytest.mark.parametrize("name", PLAYABLE)
def test_example_is_a_listening_question_and_its_audio_is_not_preloaded(name: str) -> None:
    versions = tuple(list_versions(name))
    example = find_example(versions)
    assert example is not None
    listening_items = [item for version in versions for item in list_listening_items(version.id, version.version)]
    (item, *_) = [
        candidate
        for candidate in listening_items
        if candidate.question == example.question and tuple(candidate.options) == example.options
    ]
    assert item.clips
    assert example.sounds
    for address in example.sounds:
        assert re.fullmatch(rf"/api/v1/listening/{name}/audio/clip-\w+\.wav\?version=[\w.-]+", address)
    assert all(
        any(clip in address for candidate in listening_items for clip in candidate.clips) for address in example.sounds
    )
    card = render_card(versions)
    audios = re.findall("<audio[^>]*>", card)
    assert len(audios) == len(example.sounds)
    assert all('preload="none"' in audio for audio in audios)


def test_reasoning_example_shows_its_steps_as_text_next_to_the_audio() -> None:
    versions = tuple(list_versions("audio-process-bench"))
    example = find_example(versions)
    assert example is not None
    assert len(example.sounds) == 1
    assert len(example.steps) >= 2
    assert not any(re.match(r"\d+\.", step) for step in example.steps), "the list numbers them"
    assert "Which steps are wrong?" in render_card(versions)
    assert render_card(versions).count("<audio") == 1


def test_example_in_another_language_is_marked_and_translated() -> None:
    versions = tuple(list_versions("mdar"))
    example = find_example(versions)
    assert example is not None
    assert len(example.translation) == 1 + len(example.options)
    card = render_card(versions)
    assert card.count('lang="zh"') == 1 + len(example.options)
    assert "Where was this most likely recorded?" in card
    assert example.question == "这段录音最可能是在哪里录下的？", "the translation belongs to this question"
    assert example.options[0] == "雨天的马路边"


def test_declared_examples_exist() -> None:
    for versions in BENCHMARKS:
        benchmark = next(version for version in versions if "practice" in version.splits)
        if benchmark.example is not None:
            tasks = {item.task for item in practice_content(benchmark.id, benchmark.version).items}
            assert benchmark.example.task in tasks


def test_benchmark_without_practice_questions_or_paper_has_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = list_versions("mdar")[0]
    monkeypatch.setattr(type(closed), "paper", None)
    card = render_card((closed,))
    assert closed.summary in html.unescape(card)
    assert "Paper" not in card
    assert "es-example" not in card
