import { choose, open, page, press, query, settle, texts } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { round, share } from "./listen-samples.js";
import { hold, reply, serve } from "./server.js";

const { mount } = await import("../../assets/listen.js");

const OFFERS = [
  { benchmark: "mdar", version: "demo", title: "MDAR", ready: true, questions: 1200, lengths: [10, 20], group: null },
  { benchmark: "star", version: "1.0", title: "STAR-Bench", ready: true, questions: 40, lengths: [10], group: { listeners: 5, answers: 50, value: 0.5, low: 0.4, high: 0.6 } },
];
const MARKED = { same_questions: false, score: share(), tasks: [], questions: ["q1", "q2", "q3"].map((id) => ({ id, right: true, given: 0, truth: 0 })), kept: null, group: null };

let answers;
let asked;
let main;

/** Open the Listen tab. */
async function start(address = "/?tab=listen") {
  open(address, `<main><section data-listen><h2>Listen</h2><div data-place="listen"></div></section></main>`);
  asked = serve(({ pathname, searchParams }, { method }) => {
    if (pathname === "/api/v1/listening") return answers.offers();
    if (method === "POST") return answers.marked();
    if (pathname.includes(".wav") || pathname.startsWith("/q")) return new Error("away");
    return answers.round(searchParams);
  });
  main = page.document.querySelector("main");
  mount(main);
  await settle();
}

const find = (name) => main.querySelector(`[data-testid=${name}]`);
const type = (...keys) => keys.forEach((key) => press(key, page.document.body));
const tell = (name, tab) => page.dispatchEvent(new page.CustomEvent(`earshot:${name}`, { detail: { tab } }));

const startAnew = () => {
  page.sessionStorage.clear();
  page.localStorage.clear();
  answers = {
    offers: () => ({ benchmarks: OFFERS }),
    marked: () => MARKED,
    round: (words) => round({ at: undefined, answers: undefined, n: Number(words.get("n")), seed: Number(words.get("seed")) }),
  };
};

describe("the start of a round", () => {
  beforeEach(startAnew);

  test("mount offers what can be listened to, with its listeners", async () => {
    await start();
    assert.deepEqual(texts(main, "option"), ["MDAR demo", "STAR-Bench 1.0"]);
    assert.match(find("listen-state").textContent, /^1,200 practice questions\. Questions are drawn evenly/);
    assert.equal(find("group"), null);
    const choice = find("listen-benchmark");
    choice.selectedIndex = 1;
    choose(choice, "STAR-Bench 1.0");
    assert.match(find("group").textContent, /5 rounds/);
    assert.equal(main.querySelectorAll("[type=radio]").length, 1);
  });

  test("mount under another tab asks for nothing, and twice is once", async () => {
    await start("/?tab=about");
    mount(main);
    assert.equal(asked.length, 0);
  });

  test("an address that names a round leads to its questions", async () => {
    await start("/?tab=listen&benchmark=mdar&version=demo&n=20&seed=7");
    assert.match(find("listen-state").textContent, /Round 7: the questions of this link/);
    find("start").click();
    await settle();
    assert.equal(find("progress").textContent, "1 of 3");
    assert.equal(query(), "?tab=listen&benchmark=mdar&version=demo&n=20&seed=7");
  });

  test("an address that names what is not there leads to other questions", async () => {
    for (const words of ["benchmark=gone&n=10&seed=7", "benchmark=mdar&n=15&seed=7", "benchmark=mdar&version=9&n=10&seed=7", "n=10&seed=x"]) {
      await start(`/?tab=listen&${words}`);
      assert.match(find("listen-state").textContent, /Questions are drawn evenly/, words);
    }
  });

  test("another length keeps the focus and draws other questions", async () => {
    await start("/?tab=listen&benchmark=mdar&version=demo&n=10&seed=7");
    const other = main.querySelectorAll("[type=radio]")[1];
    other.focus();
    choose(other, true);
    assert.equal(main.querySelectorAll("[type=radio]")[1].checked, true);
    assert.equal(page.document.activeElement.getAttribute("name"), "listen-length");
    assert.match(find("listen-state").textContent, /Questions are drawn evenly/);
    find("start").click();
    await settle();
    assert.equal(new URLSearchParams(query()).get("n"), "20");
    assert.match(new URLSearchParams(query()).get("seed"), /^[1-9]\d{0,5}$/);
  });

  test("sounds that are still rendered are waited for", async (t) => {
    answers.offers = () => ({ benchmarks: [{ ...OFFERS[0], ready: false }] });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    await start();
    assert.equal(find("start").disabled, true);
    assert.match(find("listen-state").textContent, /Rendering the practice clips/);
    answers.offers = () => ({ benchmarks: OFFERS });
    t.mock.timers.tick(4000);
    await settle();
    assert.equal(find("start").disabled, false);
    t.mock.timers.reset();
  });

  test("a round whose sounds are gone is waited for again", async (t) => {
    await start();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    answers.round = () => reply({ detail: "Rendering." }, { status: 503 });
    answers.offers = () => ({ benchmarks: [{ ...OFFERS[0], ready: false }] });
    find("start").click();
    await settle();
    assert.match(find("listen-state").textContent, /Rendering the practice clips/);
    t.mock.timers.reset();
  });

  test("a failed start says why, and is tried again", async () => {
    answers.offers = () => new Error("away");
    await start();
    assert.match(main.querySelector("[role=alert]").textContent, /Can't reach the server/);
    answers.offers = () => ({ benchmarks: OFFERS });
    main.querySelector("button").click();
    await settle();
    answers.round = () => reply({ detail: "No such round." }, { status: 404 });
    find("start").click();
    await settle();
    assert.equal(main.querySelector("[role=alert]").textContent, "No such round.");
    main.querySelectorAll("button")[1].click();
    await settle();
    assert.ok(find("start"));
  });
});

describe("a round that goes on", () => {
  beforeEach(startAnew);

  async function begin() {
    await start("/?tab=listen&benchmark=mdar&version=demo&n=10&seed=3");
    find("start").click();
    await settle();
  }

  test("a round is remembered with its answers, and goes on after the page is loaded anew", async () => {
    await begin();
    type("B", "Enter");
    await start();
    assert.equal(find("progress").textContent, "2 of 3");
    const saved = JSON.parse(page.sessionStorage.getItem("earshot-listen"));
    assert.deepEqual([saved.answers, saved.at], [{ q1: 1 }, 1]);
    assert.equal(query(), "?tab=listen&benchmark=mdar&version=demo&n=10&seed=3");
  });

  test("the time that passes counts, on this page and before", async (t) => {
    t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    await begin();
    t.mock.timers.tick(30_000);
    type("B");
    page.sessionStorage.setItem("earshot-listen", JSON.stringify({ ...JSON.parse(page.sessionStorage.getItem("earshot-listen")), seconds: 3630 }));
    await start();
    t.mock.timers.tick(10_000);
    type("A");
    assert.equal(JSON.parse(page.sessionStorage.getItem("earshot-listen")).seconds, 3640);
    t.mock.timers.reset();
  });

  test("a list of offers that comes late is not drawn over a round that was opened meanwhile", async () => {
    await begin();
    const late = hold();
    answers.offers = async () => {
      await late.held;
      return { benchmarks: OFFERS };
    };
    const unfinished = page.sessionStorage.getItem("earshot-listen");
    page.history.replaceState(null, "", "/?tab=listen&benchmark=star&n=10");
    tell("address", "listen");
    await settle();
    page.sessionStorage.setItem("earshot-listen", unfinished);
    page.history.replaceState(null, "", "/?tab=listen&benchmark=mdar&version=demo&n=10&seed=3");
    tell("address", "listen");
    await settle();
    assert.equal(find("progress").textContent, "1 of 3");
    late.release();
    await settle();
    assert.equal(find("progress")?.textContent, "1 of 3");
    assert.equal(find("start"), null);
  });

  test("an address that means another round leaves this one", async () => {
    await begin();
    page.history.replaceState(null, "", "/?tab=listen&benchmark=star&n=10");
    tell("address", "listen");
    await settle();
    assert.ok(find("start"));
    assert.equal(find("listen-benchmark").selectedIndex, 1);
  });

  test("an address that means this round goes on with it", async () => {
    await begin();
    const before = find("question");
    page.history.replaceState(null, "", "/?tab=listen");
    tell("address", "listen");
    await settle();
    assert.equal(find("question"), before);
    assert.equal(new URLSearchParams(query()).get("seed"), "3");
  });

  test("a round that is left is forgotten", async () => {
    await begin();
    main.querySelector(".es-leave").click();
    await settle();
    assert.equal(page.sessionStorage.getItem("earshot-listen"), null);
    assert.match(find("listen-state").textContent, /drawn evenly/);
  });

  test("another tab silences it", async () => {
    await begin();
    type(" ");
    assert.equal(main.querySelector("audio").paused, false);
    tell("tab", "about");
    assert.equal(main.querySelector("audio").paused, true);
  });

  test("all answers are sent at once, null where one was skipped, and the score is shown", async () => {
    await begin();
    type("B", "Enter", "A", "C", "Enter");
    find("skip").click();
    assert.match(main.querySelector("h3").textContent, /^2 of 3 answered/);
    choose(find("consent"), true);
    asked.length = 0;
    find("finish").click();
    await settle();
    const { answers: given, consent, seed } = JSON.parse(asked[0].options.body);
    assert.deepEqual([given, consent, seed], [{ q1: 1, q2: [0, 2], q3: null }, true, 3]);
    assert.match(main.querySelector("h3").textContent, /60\.0 % right/);
    assert.equal(page.sessionStorage.getItem("earshot-listen"), null);
    assert.deepEqual(JSON.parse(page.localStorage.getItem("earshot-listen-heard")), ["q1", "q2", "q3"]);
    find("again").click();
    await settle();
    assert.equal(find("progress").textContent, "1 of 3");
    assert.notEqual(new URLSearchParams(query()).get("seed"), "3");
  });

  test("answers that cannot be sent stay, and can be sent again", async () => {
    await begin();
    answers.marked = () => reply({ detail: "Too many rounds today." }, { status: 429 });
    for (let n = 0; n < 3; n++) find("skip").click();
    find("finish").click();
    await settle();
    assert.equal(main.querySelector("[role=alert]").textContent, "Too many rounds today.");
    assert.equal(find("finish").disabled, false);
    assert.ok(page.sessionStorage.getItem("earshot-listen"));
  });

  test("the end leads back to a question, and is still the end after the page is loaded anew", async () => {
    await begin();
    for (let n = 0; n < 3; n++) find("skip").click();
    await start();
    assert.ok(find("finish"));
    main.querySelectorAll(".es-places button")[1].click();
    assert.equal(find("progress").textContent, "2 of 3");
  });
});
