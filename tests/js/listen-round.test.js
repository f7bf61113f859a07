import { choose, open, page, press, settle, texts } from "./dom.js";

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

import { RoundView, languageOf, makeEnd } from "../../assets/listen-round.js";
import { makeGroup, makeResults } from "../../assets/listen-results.js";
import { question, round, share } from "./listen-samples.js";
import { serve } from "./server.js";

let view;

/** Draw a round on the page. */
function start(words = {}) {
  open("/?tab=listen", "<main></main>");
  serve(() => new Error("away"));
  const saved = round(words);
  const calls = [];
  view = new RoundView(saved, { onChange: () => calls.push("change"), onEnd: () => calls.push("end"), onLeave: () => calls.push("leave") });
  page.document.querySelector("main").append(view.element);
  const find = (name) => view.element.querySelector(`[data-testid=${name}]`);
  const type = (...keys) => keys.map((key) => press(key, page.document.body).defaultPrevented);
  return { saved, calls, find, type };
}

const closeView = () => view?.close();

describe("the questions of a round", () => {
  afterEach(closeView);

  test("a question shows where it stands, its options and whether it is confirmed", () => {
    const { find } = start();
    assert.equal(find("progress").textContent, "1 of 3");
    assert.equal(find("question").textContent, "What moves in q1?");
    assert.deepEqual(texts(find("options"), "kbd"), ["A", "B", "C"]);
    assert.equal(find("confirm").disabled, true);
    assert.match(view.element.textContent, /MDAR demo · Motion · round 3/);
  });

  test("letters and numbers choose an option, and Enter goes on", () => {
    const { saved, type, find, calls } = start();
    assert.deepEqual(type("Enter", "B"), [true, true]);
    assert.deepEqual([saved.answers, saved.at, find("confirm").disabled], [{ q1: 1 }, 0, false]);
    type("3", "Enter");
    assert.deepEqual([saved.answers, saved.at], [{ q1: 2 }, 1]);
    assert.equal(page.document.activeElement, find("question"));
    assert.equal(calls.at(-1), "change");
  });

  test("keys of options that are not there are the browser's", () => {
    const { saved, type } = start();
    assert.deepEqual(type("D", "4", "0", "x", "F5"), [false, false, false, false, false]);
    assert.deepEqual(saved.answers, {});
  });

  test("a question with several answers switches options, in order, and none is no answer", () => {
    const { saved, type, find } = start({ at: 1 });
    type("C", "A", "B");
    assert.deepEqual(saved.answers.q2, [0, 1, 2]);
    type("B");
    assert.deepEqual([...find("options").querySelectorAll("input")].map((one) => one.checked), [true, false, true]);
    type("A", "C");
    assert.equal(saved.answers.q2, null);
    assert.equal(find("confirm").disabled, true);
  });

  test("a question of truth is answered by T and F, and ends the round", () => {
    const { saved, type, find, calls } = start({ at: 2 });
    assert.deepEqual(texts(find("options"), "label"), ["TTrue", "FFalse"]);
    assert.equal(find("confirm").textContent, "Confirm and finish");
    type("f");
    assert.equal(saved.answers.q3, false);
    type("t", "Enter");
    assert.equal(saved.answers.q3, true);
    assert.equal(calls.at(-1), "end");
  });

  test("an option that is clicked is the answer", () => {
    const { saved, find } = start();
    choose(find("options").querySelectorAll("input")[2], true);
    assert.deepEqual(saved.answers, { q1: 2 });
  });

  test("a skipped question counts as none, and Back returns to it", () => {
    const { saved, find } = start({ answers: { q1: 1 } });
    find("skip").click();
    assert.deepEqual([saved.at, saved.answers], [1, { q1: null }]);
    const back = [...view.element.querySelectorAll("button")].find((one) => one.textContent === "Back");
    back.click();
    assert.equal(saved.at, 0);
    assert.equal([...view.element.querySelectorAll("button")].find((one) => one.textContent === "Back").disabled, true);
  });

  test("an answer that was given before is shown again", () => {
    const { find } = start({ answers: { q1: 2 } });
    assert.deepEqual([...find("options").querySelectorAll("input")].map((one) => one.checked), [false, false, true]);
    assert.equal(find("confirm").disabled, false);
  });

  test("a round that is left says so", () => {
    const { calls } = start();
    view.element.querySelector(".es-leave").click();
    assert.deepEqual(calls, ["leave"]);
  });
});

describe("the keyboard of a round", () => {
  afterEach(closeView);

  const audios = () => [...view.element.querySelectorAll("audio")];

  test("Space plays and pauses the sound, arrows move in it, R begins anew", () => {
    const { type } = start();
    const [audio] = audios();
    type(" ");
    assert.equal(audio.paused, false);
    type("ArrowRight", "ArrowRight");
    assert.equal(audio.currentTime, 2);
    type("ArrowLeft");
    assert.equal(audio.currentTime, 1);
    for (let n = 0; n < 9; n++) type("ArrowRight");
    assert.equal(audio.currentTime, 4, "never beyond its end");
    type("r");
    assert.equal(audio.currentTime, 0);
    type(" ");
    assert.equal(audio.paused, true);
  });

  test("one sound plays at a time, and keys are for the one that played last", async () => {
    const { type } = start({ questions: [question("q1", { audio: [{ name: "Audio 1", url: "/1", seconds: 4 }, { name: "Audio 2", url: "/2", seconds: 4 }] })] });
    const [one, other] = audios();
    type(" ");
    other.closest("[role=group]").querySelector("[data-testid=play]").click();
    assert.deepEqual([one.paused, other.paused], [true, false]);
    type("ArrowRight");
    assert.deepEqual([one.currentTime, other.currentTime], [0, 1]);
    await settle();
  });

  test("Space on a button and on an unticked option is theirs", () => {
    const { find } = start();
    const [option] = find("options").querySelectorAll("input");
    assert.equal(press(" ", find("skip")).defaultPrevented, false);
    assert.equal(press(" ", option).defaultPrevented, false);
    choose(option, true);
    assert.equal(press(" ", option).defaultPrevented, true);
  });

  test("arrows on an option and on the slider are theirs", () => {
    const { find } = start();
    assert.equal(press("ArrowRight", find("options").querySelector("input")).defaultPrevented, false);
    assert.equal(press("ArrowRight", view.element.querySelector(".es-seek")).defaultPrevented, false);
  });

  test("keys in a field, with Ctrl, and while the round is hidden are not taken", () => {
    const { saved } = start();
    const field = page.document.createElement("input");
    page.document.body.append(field);
    assert.equal(press("a", field).defaultPrevented, false);
    assert.equal(press("a", page.document.body, { ctrlKey: true }).defaultPrevented, false);
    page.document.querySelector("main").hidden = true;
    assert.equal(press("a", page.document.body).defaultPrevented, false);
    assert.deepEqual(saved.answers, {});
  });

  test("keys after the round was closed are not taken", () => {
    const { type } = start();
    view.close();
    assert.deepEqual(type("A"), [false]);
  });
});

describe("a sound of a question", () => {
  afterEach(closeView);

  test("a sound that cannot be loaded says so, and is asked for again", async () => {
    start();
    await settle();
    const place = view.element.querySelector(".es-sound-place");
    assert.match(place.querySelector("[role=alert]").textContent, /Can't reach the server/);
    const asked = serve(() => new Response("", { status: 404 }));
    place.querySelector("button").click();
    await settle();
    assert.equal(asked[0].url.pathname, "/q1.wav");
    assert.match(place.textContent, /could not be loaded \(status 404\)/);
  });

  test("its buttons and its slider say what they do, and where it is", () => {
    start();
    const [play, , , forward] = view.element.querySelectorAll(".es-sound-controls button");
    assert.equal(play.getAttribute("aria-label"), "Play Audio 1");
    play.click();
    assert.deepEqual([play.textContent, play.getAttribute("aria-label")], ["Pause", "Pause Audio 1"]);
    forward.click();
    const slider = view.element.querySelector(".es-seek");
    assert.equal(slider.getAttribute("aria-valuetext"), "1.0 of 4.0 seconds");
    choose(slider, "2.5", "input");
    assert.equal(view.element.querySelector(".es-sound-time").textContent, "2.5 / 4.0 s");
  });

  test("a browser that refuses to play leaves the button at Play", async () => {
    start();
    view.element.querySelector("audio").isRefused = true;
    view.element.querySelector("[data-testid=play]").click();
    await settle();
    assert.equal(view.element.querySelector("[data-testid=play]").textContent, "Play");
  });
});

describe("the end of a round", () => {
  afterEach(closeView);

  test("makeEnd counts what was skipped, and leads back to any question", () => {
    const backs = [];
    const { heading, element } = makeEnd(round({ answers: { q1: 0, q2: null } }), 0, { onBack: (at) => backs.push(at), onSend: () => {} });
    assert.equal(heading.textContent, "1 of 3 answered. 2 skipped, which count as wrong.");
    const places = [...element.querySelectorAll(".es-places button")];
    assert.deepEqual(places.map((one) => one.getAttribute("aria-label")), ["Question 1, answered", "Question 2, skipped", "Question 3, skipped"]);
    places[1].click();
    assert.deepEqual(backs, [1]);
  });

  test("makeEnd of one skipped question says that it counts", () => {
    assert.equal(makeEnd(round({ answers: { q1: 0, q2: [1] } }), 0, {}).heading.textContent, "2 of 3 answered. 1 skipped, which counts as wrong.");
    assert.equal(makeEnd(round({ answers: { q1: 0, q2: [1], q3: false } }), 0, {}).heading.textContent, "3 of 3 answered.");
  });

  test("makeEnd sends with the consent that is given", () => {
    const sent = [];
    const { element, send } = makeEnd(round(), 0, { onBack: () => {}, onSend: (consent) => sent.push(consent) });
    send.click();
    choose(element.querySelector("[data-testid=consent]"), true);
    send.click();
    assert.deepEqual(sent, [false, true]);
  });

  test("makeEnd of questions that were seen before takes no consent", () => {
    const { element } = makeEnd(round(), 2, {});
    assert.equal(element.querySelector("[data-testid=consent]").disabled, true);
    assert.match(element.textContent, /answers to 2 of these questions before/);
  });
});

describe("the results of a round", () => {
  afterEach(closeView);

  const MARKS = [
    { id: "q1", right: true, given: 1, truth: 1 },
    { id: "q2", right: false, given: [0, 2], truth: [1] },
    { id: "q3", right: false, given: null, truth: true },
  ];
  const MARKED = { same_questions: true, score: share(), tasks: [share({ id: "m", title: "Motion" })], questions: MARKS, kept: null, group: null };

  function draw(words = {}, calls = {}) {
    open("/?tab=listen", "<main></main>");
    serve(() => new Error("away"));
    const results = makeResults(round(), { ...MARKED, ...words }, { onAgain: () => {}, onWithdraw: async () => {}, link: "http://earshot.test/?tab=listen", ...calls });
    page.document.querySelector("main").append(results.element);
    return { ...results, find: (name) => results.element.querySelector(`[data-testid=${name}]`) };
  }

  test("makeResults shows the score with its interval and its place beside chance", () => {
    const { find, heading } = draw();
    assert.equal(heading.textContent, "60.0 % right, 6 of 10 questions");
    assert.equal(find("score-interval").textContent, "95 % CI 31.3–83.2. Better than guessing (25.0 %). No human baseline is published for these questions.");
  });

  for (const [low, high, words] of [[0.3, 0.8, "Better than guessing"], [0.1, 0.2, "Worse than guessing"], [0.1, 0.8, "Not distinguishable from guessing"]]) {
    test(`an interval from ${low} to ${high} is ${words}`, () => {
      const { find } = draw({ score: share({ low, high, human: { name: "People", value: 0.79 } }) });
      assert.match(find("score-interval").textContent, new RegExp(`${words} \\(25\\.0 %\\)\\. Published human score: 79\\.0 %\\.`));
    });
  }

  test("makeResults compares with people and the best model, each with its own chance", () => {
    const models = [{ name: "Kimi <b>", model: "m-1", source: "reported", value: 0.7 }];
    const { find, element } = draw({ score: share({ human: { name: "People", value: 0.79 }, models, figure_chance: 0.3 }) });
    assert.deepEqual(texts(find("shares"), "thead th"), ["", "", "you", "human", "chance", "best model"]);
    assert.deepEqual(texts(find("shares"), "tbody tr:first-child td.es-number"), ["60.0", "79.0", "25.0", "70.0 (chance there: 30.0)"]);
    assert.deepEqual(texts(find("shares"), "tbody tr:last-child td.es-number"), ["60.0", "–", "25.0", "–"]);
    assert.match(element.textContent, /Best models on the board: Kimi <b> 70\.0 \(reported\)\./);
    assert.equal(element.querySelector("a b"), null);
  });

  test("makeResults without people has no column of people", () => {
    assert.deepEqual(texts(draw().find("shares"), "thead th"), ["", "", "you", "chance", "best model"]);
  });

  test("makeResults names what was wrong and what would have been right", () => {
    const { element } = draw();
    assert.deepEqual(texts(element, "h3, summary"), ["60.0 % right, 6 of 10 questions", "Wrong or skipped: 2", "Correct: 1"]);
    assert.deepEqual(texts(element, ".es-yours, .es-truth"), [
      "You: A. A car · C. A plane", "Correct answer: B. A train", "You: skipped", "Correct answer: True", "Correct: B. A train",
    ]);
    assert.deepEqual([...element.querySelectorAll("li")].map((one) => one.getAttribute("value")), ["2", "3", "1"]);
  });

  test("makeResults of a round that was all right says so", () => {
    assert.ok(texts(draw({ questions: MARKS.map((one) => ({ ...one, right: true })) }).element, "h3").includes("All answers are correct."));
  });

  test("a sound is heard again", async () => {
    const { element, close, find } = draw();
    find("hear-again").click();
    assert.equal(page.document.activeElement, element.querySelector("[data-testid=play]"));
    assert.equal(element.querySelectorAll("[data-testid=hear-again]").length, 2);
    close();
    await settle();
  });

  test("a kept result shows its code once, and is deleted", async () => {
    const deleted = [];
    const { find } = draw({ kept: { id: "code", reason: null } }, { onWithdraw: async (id) => deleted.push(id) });
    assert.equal(find("kept").querySelector("code").textContent, "code");
    find("withdraw").click();
    await settle();
    assert.deepEqual([deleted, find("kept").textContent], [["code"], "Your result is deleted."]);
  });

  test("a result that cannot be deleted says why", async () => {
    const { find } = draw({ kept: { id: "code", reason: null } }, { onWithdraw: () => Promise.reject(new Error("Gone.")) });
    find("withdraw").click();
    await settle();
    assert.equal(find("kept").querySelector("[role=alert]").textContent, " Gone.");
  });

  test("a result that is not kept says why", () => {
    assert.equal(draw({ kept: { id: null, reason: "It was too quick." } }).find("kept").textContent, "Not counted in the listener group. It was too quick.");
  });

  test("the link to the questions is copied, or shown", async () => {
    const copied = [];
    for (const [clipboard, words] of [[{ writeText: async (text) => copied.push(text) }, "Copied."], [undefined, "http://earshot.test/?tab=listen"]]) {
      Object.defineProperty(page.navigator, "clipboard", { value: clipboard, configurable: true });
      const { element } = draw();
      const button = [...element.querySelectorAll("button")].find((one) => one.textContent.startsWith("Copy a link"));
      button.click();
      await settle();
      assert.equal(button.nextElementSibling.textContent, words);
    }
    assert.deepEqual(copied, ["http://earshot.test/?tab=listen"]);
  });

  test("makeGroup tells the listeners, with an interval once there is one", () => {
    assert.equal(makeGroup(null), null);
    assert.equal(makeGroup({ listeners: 1, answers: 10, value: 0.6, low: null, high: null }).textContent, "Earshot listeners: 1 round, 10 answers to practice questions: 60.0 % correct.");
    assert.match(makeGroup({ listeners: 1200, answers: 12000, value: 0.6, low: 0.5, high: 0.7 }).textContent, /1,200 rounds, 12,000 answers.*60\.0 % correct \(95 % CI 50\.0–70\.0\)\./);
  });
});

test("languageOf tells Chinese questions", () => assert.deepEqual([languageOf("哪个声音？"), languageOf("Which?")], ["zh", null]));
