import { open, page, settle, texts } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { bindExamples, describeLeader, fillIntro, showLeader, showOpen } from "../../assets/overview-cards.js";
import { hold } from "./server.js";

const CARD = `<article data-card="star"><small data-place="version"></small><span data-place="open"></span>
  <b data-place="items">–</b><b data-place="chance">–</b><b data-place="human">–</b><p data-place="leader">–</p></article>`;
const LEADER = { model: { id: "m-1", name: "Gemini" }, source: "submitted", submission: "s", value: 0.496, low: 0.47, high: 0.52 };
const STAR = { id: "star", title: "STAR-Bench", version: "1.0", open_version: "1.0", items: 951, items_of_paper: 2353, chance: 0.25, human: 0.79, leader: LEADER };
const DATA = { models: 47, submissions: 1, benchmarks: [STAR], newest: [] };

let main;
const place = (name) => main.querySelector(`[data-place=${name}]`);

/** Draw the hero and a card. */
function draw(data) {
  open("/", `<main><p data-place="counts"></p>${CARD}</main>`);
  main = page.document.querySelector("main");
  fillIntro(main, data);
}

/** The card of a benchmark, as words. */
function drawCard(words) {
  draw({ ...DATA, benchmarks: [{ ...STAR, ...words }] });
  return Object.fromEntries(["version", "open", "items", "chance", "human", "leader"].map((name) => [name, place(name).textContent]));
}

describe("the introduction on the Overview", () => {
  test("the counts are those of the answer, with the last result where there is one", () => {
    draw(DATA);
    assert.equal(place("counts").textContent, "1 benchmark · 47 models · 1 submission");
    const date = new Date(Date.now() - 2 * 3600 * 1000).toISOString();
    draw({ ...DATA, models: 1, submissions: 31, newest: [{ date }] });
    assert.equal(place("counts").textContent, "1 benchmark · 1 model · 31 submissions · last result 2 hours ago");
    assert.equal(place("counts").querySelector("time").getAttribute("datetime"), date);
  });

  test("a card says how many items are installed, chance, human, and the best evaluated model with its interval", () => {
    assert.deepEqual(drawCard({}), {
      version: "1.0", open: "Open for submissions", items: "951 of 2,353", chance: "25.0", human: "79.0",
      leader: "Best evaluated: 49.6 % (95 % CI 47.0–52.0) Gemini submitted",
    });
    assert.equal(main.querySelector("[data-place=leader] a").getAttribute("href"), "/?tab=model&model=m-1");
  });

  test("a card without evaluated models shows the best of the paper, labelled as that", () => {
    const { leader } = drawCard({ leader: { ...LEADER, source: "reported", low: null, high: null } });
    assert.equal(leader, "Best published: 49.6 % Gemini from the paper");
    assert.equal(drawCard({ leader: null }).leader, "No scores yet.");
  });

  test("a closed version leads to the one that is open, and has the size that the paper gives", () => {
    const words = drawCard({ open_version: "demo", items: 0, human: null });
    assert.deepEqual([words.open, words.items, words.human], ["Closed for submissions · demo is open", "2,353", "no baseline"]);
    assert.equal(main.querySelector("[data-place=open] a").getAttribute("href"), "/?tab=submit&benchmark=star&version=demo");
    const closed = drawCard({ open_version: null, items: null, items_of_paper: null, chance: null });
    assert.deepEqual([closed.open, closed.items, closed.chance], ["Closed for submissions", "–", "–"]);
  });

  test("a benchmark without a card is passed over, and names of strangers stay text", () => {
    draw({ ...DATA, benchmarks: [{ ...STAR, id: "new" }, { ...STAR, leader: { ...LEADER, model: { id: "m", name: "<img src=x>" } } }] });
    assert.equal(main.querySelector("img"), null);
    assert.match(place("leader").textContent, /<img src=x>/);
  });
});

describe("the introduction on a board", () => {
  beforeEach(() => draw(DATA));

  test("showOpen follows the version that is shown", () => {
    showOpen(main, false);
    assert.equal(place("open").textContent, "Closed for submissions");
    showOpen(main, true);
    assert.equal(place("open").textContent, "Open for submissions");
  });

  test("showLeader keeps the answer to the last question, and what was there when there is no answer", async () => {
    const late = hold();
    const shown = showLeader(main, late.held);
    await showLeader(main, Promise.resolve({ ...LEADER, value: 0.3 }));
    late.release(LEADER);
    await shown;
    assert.match(place("leader").textContent, /30\.0 %/);
    await showLeader(main, Promise.reject(new Error("away")));
    assert.match(place("leader").textContent, /30\.0 %/);
    await showLeader(main, Promise.resolve(null));
    assert.equal(place("leader").textContent, describeLeader(null)[0]);
  });

  test("a board without these places is left alone", async () => {
    const shell = page.document.createElement("section");
    showOpen(shell, true);
    await showLeader(shell, Promise.resolve(LEADER));
    assert.equal(shell.textContent, "");
  });
});

describe("the examples", () => {
  const SOUND = (name) => `<div><button data-play="${name}" aria-label="Play ${name} of the STAR example">Play ${name}</button><audio preload="none" src="/${name}.wav"></audio><span role="status"></span></div>`;
  let buttons;
  let audios;
  const status = () => texts(page.document, "[role=status]");

  beforeEach(() => {
    open("/", `<main>${SOUND("clip 1")}${SOUND("clip 2")}</main>`);
    const place = page.document.querySelector("main");
    bindExamples(place);
    buttons = [...place.querySelectorAll("button")];
    audios = [...place.querySelectorAll("audio")];
    for (const audio of audios) {
      let paused = true;
      Object.defineProperty(audio, "paused", { get: () => paused });
      const tell = (value, name) => { if (paused !== value) { paused = value; audio.dispatchEvent(new page.Event(name)); } };
      audio.play = async () => { if (audio.failure) throw audio.failure; tell(false, "play"); };
      audio.pause = () => tell(true, "pause");
      audio.loads = 0;
      audio.load = () => { audio.loads += 1; };
    }
  });

  test("a button plays its sound, pauses it, and says what it does next", () => {
    assert.equal(audios[0].paused, true, "nothing plays by itself");
    buttons[0].click();
    assert.deepEqual([audios[0].paused, buttons[0].textContent, buttons[0].getAttribute("aria-label")], [false, "Pause clip 1", "Pause clip 1 of the STAR example"]);
    buttons[0].click();
    assert.deepEqual([audios[0].paused, buttons[0].textContent], [true, "Play clip 1"]);
  });

  test("one sound plays at a time, and none once another tab is opened", () => {
    buttons[0].click();
    buttons[1].click();
    assert.deepEqual(audios.map(({ paused }) => paused), [true, false]);
    page.dispatchEvent(new page.CustomEvent("earshot:tab", { detail: { tab: "about" } }));
    assert.deepEqual(audios.map(({ paused }) => paused), [true, true]);
  });

  test("a sound that is not there is said to be so, and is fetched again by the next press", async () => {
    audios[0].failure = Object.assign(new Error("none"), { name: "NotSupportedError" });
    Object.defineProperty(audios[0], "error", { value: { code: 4 } });
    buttons[0].click();
    await settle();
    assert.deepEqual(status(), ["The audio is not available yet. Try again in a minute.", ""]);
    assert.equal(buttons[0].textContent, "Play clip 1");
    audios[0].failure = null;
    buttons[0].click();
    assert.deepEqual([status()[0], audios[0].paused, audios[0].loads > 0], ["", false, true]);
  });

  test("a press that stops a sound before it has begun is no failure", async () => {
    audios[0].failure = Object.assign(new Error("paused"), { name: "AbortError" });
    buttons[0].click();
    await settle();
    assert.deepEqual(status(), ["", ""]);
  });
});
