"""Listener journey in a real browser, with sound: play, view spectrograms, answer by keyboard, results, consent,
withdrawal.
"""

import json
import urllib.request
from typing import Any

from playwright.sync_api import Page

from evaluation.benchmarks import get_benchmark
from submissions.listening_test.practice_packs import practice_content
from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, fill, open_tab, sign_in
from tests.support.pages.watched import Watched
from tests.support.samples.practice_packs import write_small_pack
from tests.support.servers.server import Server

BENCHMARK = get_benchmark("mdar", "demo")
ROUND = "benchmark=mdar&version=demo&n=10&seed=3"
LETTERS = "ABCDEFGHIJ"
# The share of each channel's waveform that is drawn, and the number of colours in its spectrogram.
DRAWN = """canvas => {
  const context = canvas.getContext("2d");
  const scale = window.devicePixelRatio || 1;
  const read = (top, height) => context.getImageData(100 * scale, top * scale, 200 * scale, height * scale).data;
  return [0, 124].map((top) => {
    const wave = read(top, 32).filter((value, at) => at % 4 === 3 && value > 128).length;
    const pixels = new Uint32Array(read(top + 36, 80).buffer);
    return [wave, new Set(pixels).size];
  });
}"""


def right_answers() -> dict[str, Any]:
    return dict(BENCHMARK.make_key("practice").answers)


def test_listener_hears_answers_is_counted_and_withdraws(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=listen&{ROUND}")
    expect(page.get_by_test_id("listen-state")).to_contain_text("about a minute")
    expect(page.get_by_test_id("start")).to_be_disabled()
    write_small_pack(BENCHMARK, server.folder / "data" / "packs", seconds=1.0)
    page.get_by_test_id("start").click()  # waits until the tab has noticed
    questions = server.json(f"/api/v1/listening/mdar?{ROUND}")["questions"]
    hear_first(page, questions[0]["audio"][0]["url"])
    answer_first_two(page, questions)
    come_back_after_an_hour(page)
    for at, question in enumerate(questions[2:], start=2):
        expect(page.get_by_test_id("progress")).to_have_text(f"{at + 1} of 10")
        answer(page, question, is_right=at < 7)
    page.get_by_test_id("consent").check()
    page.get_by_test_id("finish").click()
    expect(page.get_by_test_id("score")).to_have_text("60.0 %")
    expect(page.get_by_test_id("score-interval")).to_contain_text("31.3–83.2")
    expect(page.get_by_test_id("shares").locator("tbody tr")).to_have_count(3)
    expect(page.get_by_test_id("kept")).to_contain_text("Counted in the listener group")
    show_group(page)
    assert find_group(server) is None  # otherwise the counts would be of this listener alone
    others = [join_listeners(server, seed) for seed in range(1, 5)]
    group = find_group(server)
    assert (group["listeners"], group["value"]) == (5, (6 + sum(others)) / 50)
    open_tab(page, "Listen")
    page.get_by_test_id("withdraw").click()
    expect(page.get_by_test_id("kept")).to_have_text("Your result is deleted.")
    assert find_group(server) is None


def hear_first(page: Page, url: str) -> None:
    """Play with the space bar, and check the picture: the tone is loud on one side only."""
    picture = page.locator(".es-sound-picture").first
    expect(picture).to_be_visible()
    expect(page.get_by_role("slider", name="Position in Audio 1")).to_be_visible()
    page.keyboard.press("Space")
    # A playing element advances by itself, and the playhead follows.
    page.wait_for_function("document.querySelector('[data-testid=audio]').currentTime > 0.2")
    expect(page.locator(".es-playhead").first).not_to_have_attribute("style", "left: calc(48px + 0 * (100% - 56px));")
    side = practice_content(BENCHMARK.id, BENCHMARK.version).clips.index(url.split("/")[-1].split(".")[0]) % 2
    drawn = picture.evaluate(DRAWN)
    assert drawn[side][0] > 3 * drawn[1 - side][0] > 0
    assert min(colours for _, colours in drawn) > 5


def answer_first_two(page: Page, questions: list[dict[str, Any]]) -> None:
    """Skip the first question, return and answer it, then answer the second one wrongly."""
    page.get_by_test_id("skip").click()
    expect(page.get_by_test_id("progress")).to_have_text("2 of 10")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_test_id("progress")).to_have_text("1 of 10")
    answer(page, questions[0], is_right=True)
    expect(page.get_by_test_id("progress")).to_have_text("2 of 10")
    answer(page, questions[1], is_right=False)


def come_back_after_an_hour(page: Page) -> None:
    """Reload the page: answers are remembered, and the right ones are not in the page."""
    expect(page.get_by_test_id("progress")).to_have_text("3 of 10")
    saved = page.evaluate("sessionStorage.getItem('earshot-listen')")
    assert not {"truth", "right"} & set(json.loads(saved))
    assert "truth" not in saved
    later = "const saved = JSON.parse(sessionStorage.getItem('earshot-listen')); saved.seconds += 3600;"
    page.evaluate(f"() => {{ {later} sessionStorage.setItem('earshot-listen', JSON.stringify(saved)); }}")
    page.reload()


def answer(page: Page, question: dict[str, Any], *, is_right: bool) -> None:
    truth = right_answers()[question["id"]]
    if question["answer_format"] == "choices":
        places = sorted(truth) if is_right else [sorted(set(range(len(question["options"]))) - set(truth))[0]]
    else:
        places = [truth if is_right else (truth + 1) % len(question["options"])]
    for place in places:
        page.keyboard.press(LETTERS[place])
    expect(page.get_by_test_id("options").locator("input:checked")).to_have_count(len(places))
    page.keyboard.press("Enter")


def show_group(page: Page) -> None:
    """Show the group of listeners, as a maintainer does."""
    open_tab(page, "Submit")
    sign_in(page, "local")
    open_tab(page, "Admin")
    row = page.get_by_test_id("listeners").locator("tbody tr").filter(has_text="MDAR")
    expect(row).to_contain_text("to maintainers")
    choose(page, "admin-group", "MDAR demo")
    fill(page, "admin-listeners-reason", "A first listener")
    page.locator("#admin-show-listeners").click()
    expect(row).to_contain_text("to everyone")
    expect(row).to_contain_text("60.0")
    expect(page.get_by_test_id("audit-log")).to_contain_text("show-listeners")


def join_listeners(server: Server, seed: int) -> int:
    """Answer a round with its first options, submit it with consent, and return the number of right answers."""
    asked = server.json(f"/api/v1/listening/mdar?version=demo&n=10&seed={seed}")
    first: dict[str, Any] = {"choice": 0, "choices": [0], "boolean": True}
    answers = {one["id"]: first[one["answer_format"]] for one in asked["questions"]}
    fields = {"version": "demo", "n": 10, "seed": seed, "answers": answers, "seconds": 4000, "consent": True}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(
        f"{server.url}/api/v1/listening/mdar/results", json.dumps(fields).encode(), headers
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        marked = json.load(response)
    assert marked["kept"]["id"]
    return int(marked["score"]["right"])


def find_group(server: Server) -> Any:
    offers = server.json("/api/v1/listening")["benchmarks"]
    return next(one["group"] for one in offers if (one["benchmark"], one["version"]) == ("mdar", "demo"))
