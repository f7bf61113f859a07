import { open, page, press, settle, shown, texts, unfold } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { bindCitation, citation } from "../../assets/citing.js";
import { settle as settleView } from "../../assets/first-view.js";
import { watchSuggestions } from "../../assets/model-names.js";
import { watch as watchModel } from "../../assets/model.js";
import { watchRevocations, watchSignIn } from "../../assets/page.js";
import { watch as watchTables } from "../../assets/sorting.js";
import { reply, serve } from "./server.js";

const CITATION = { submission: "s1", text: "Kimi reached 42.1 %. ", url: "http://earshot.test/s1", signature: "amb:1.0", bibtex: "@misc{a}\n", hub_yaml: null, model_index: "model-index:" };
const setClipboard = (value) => Object.defineProperty(page.navigator, "clipboard", { value, configurable: true });

describe("the citation of a row", () => {
  beforeEach(() => open("/"));

  test("citation loads what it shows when it is opened, once", async () => {
    const asked = serve(() => CITATION);
    const menu = citation("s/1");
    assert.equal(asked.length, 0);
    await unfold(menu);
    await unfold(menu);
    assert.deepEqual(asked.map(({ url }) => url.pathname), ["/api/v1/submissions/s%2F1/citation"]);
    assert.deepEqual(texts(menu, "b"), ["Link", "Sentence", "BibTeX", "Signature", "Metadata for its model card"]);
    assert.deepEqual(texts(menu, "pre"), ["http://earshot.test/s1", "Kimi reached 42.1 %.", "@misc{a}", "amb:1.0", "model-index:"]);
  });

  test("citation of reported figures says why there is no signature", async () => {
    serve(() => ({ ...CITATION, signature: null }));
    const menu = citation("s1");
    await unfold(menu);
    assert.match(menu.textContent, /No signature: the scores were reported/);
  });

  for (const [what, answer, words] of [
    ["a refusal", () => reply({ detail: "It was withdrawn." }, { status: 404 }), "It was withdrawn."],
    ["no answer", () => new Error("away"), "Can't reach the server. Check your connection."],
  ]) {
    test(`citation after ${what} says so, and tries again`, async () => {
      serve(answer);
      const menu = citation("s1");
      await unfold(menu);
      assert.equal(menu.querySelector("[role=alert]").textContent, words);
      serve(() => CITATION);
      menu.querySelector("button").click();
      await settle();
      assert.equal(menu.querySelector("[role=alert]"), null);
      assert.equal(menu.querySelectorAll("pre").length, 5);
    });
  }

  test("a button copies its text, says so, and is what it was after two seconds", async (t) => {
    serve(() => CITATION);
    const menu = citation("s1");
    await unfold(menu);
    const copied = [];
    setClipboard({ writeText: async (text) => copied.push(text) });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const button = menu.querySelector("[aria-label='Copy BibTeX']");
    button.click();
    await settle();
    assert.deepEqual([copied, button.textContent, button.nextElementSibling.textContent], [["@misc{a}"], "Copied", "Copied"]);
    t.mock.timers.tick(2000);
    assert.deepEqual([button.textContent, button.nextElementSibling.textContent], ["Copy", ""]);
    t.mock.timers.reset();
  });

  test("a button that may not copy selects the text", async () => {
    open("/", `<details><summary>Cite</summary><div class="es-panel"> @article{a} </div></details>`);
    const menu = page.document.querySelector("details");
    bindCitation(menu);
    setClipboard({ writeText: () => Promise.reject(new Error("refused")) });
    page.document.execCommand = () => false;
    menu.querySelector("button").click();
    await settle();
    assert.equal(menu.querySelector("button").textContent, "Selected: press Ctrl+C");
    assert.equal(String(page.getSelection()), "@article{a}");
  });

  test("bindCitation makes a menu of the page one as others are", () => {
    open("/", `<details open><summary>Cite</summary><div class="es-panel">@article{a}</div></details>`);
    const menu = page.document.querySelector("details");
    bindCitation(menu);
    assert.equal(menu.querySelector("pre").textContent, "@article{a}");
    press("Escape", menu.querySelector("pre"));
    assert.equal(menu.open, false);
    assert.equal(page.document.activeElement, menu.querySelector("summary"));
    bindCitation(null);
  });
});

describe("a page of a model", () => {
  test("watch fills in what to cite and brings the cited row into sight, whenever another model is drawn", async () => {
    open("/", "<main></main>");
    const main = page.document.querySelector("main");
    watchModel(main);
    for (const id of ["s1", "s2"]) {
      main.innerHTML = `<article data-model="m"><p data-cited></p><div data-cite="${id}"></div></article>`;
      await page.happyDOM.whenAsyncComplete();
      await settle();
      assert.ok(main.querySelector("[data-cite] [data-testid=cite-row]"));
      assert.equal(shown.at(-1), main.querySelector("[data-cited]"));
    }
    assert.equal(shown.length, 2);
  });
});

describe("names of known models", () => {
  const MARKUP = `<div id="model-name"><textarea></textarea></div><ul><li data-model-name="Kimi"><b>Kimi</b></li><li>other</li></ul>`;
  const fire = (selector, type) => page.document.querySelector(selector).dispatchEvent(new page.PointerEvent(type, { bubbles: true }));

  test("a clicked name is typed into the field", () => {
    open("/", MARKUP);
    const field = page.document.querySelector("textarea");
    const typed = [];
    field.addEventListener("input", () => typed.push(field.value));
    watchSuggestions(page.document.querySelector("ul"));
    fire("b", "click");
    assert.deepEqual([typed, page.document.activeElement], [["Kimi"], field]);
  });

  test("a name that went while it was pressed is typed all the same, once", () => {
    open("/", MARKUP);
    watchSuggestions(page.document.querySelector("ul"));
    fire("b", "pointerdown");
    fire("ul", "click");
    const field = page.document.querySelector("textarea");
    assert.equal(field.value, "Kimi");
    field.value = "";
    fire("ul", "click");
    assert.equal(field.value, "");
  });
});

describe("a table that is sorted where it stands", () => {
  const MARKUP = `<main><table><thead><tr><th><button data-sort="ascending">Name</button></th><th><button data-sort="descending">Score</button></th></tr></thead>
    <tbody><tr><td>b 10</td><td data-value="0.5">50</td></tr><tr><td>a</td><td data-value="">–</td></tr><tr><td>b 9</td><td data-value="0.7">70</td></tr></tbody></table></main>`;

  function start() {
    open("/", MARKUP);
    watchTables(page.document.querySelector("main"));
    const [name, score] = page.document.querySelectorAll("button");
    return { name, score, names: () => texts(page.document, "tbody td:first-child"), order: (button) => button.closest("th").getAttribute("aria-sort") };
  }

  test("a click sorts as the heading says, a second the other way round, a third as it came", () => {
    const { name, names, order } = start();
    for (const [rows, sorted] of [[["a", "b 9", "b 10"], "ascending"], [["b 10", "b 9", "a"], "descending"], [["b 10", "a", "b 9"], null], [["a", "b 9", "b 10"], "ascending"]]) {
      name.click();
      assert.deepEqual([names(), order(name)], [rows, sorted]);
    }
  });

  test("numbers are sorted as numbers, and what does not exist stands last either way", () => {
    const { score, names } = start();
    score.click();
    assert.deepEqual(names(), ["b 9", "b 10", "a"]);
    score.click();
    assert.deepEqual(names(), ["b 10", "b 9", "a"]);
  });

  test("one heading at a time is sorted by", () => {
    const { name, score, order } = start();
    name.click();
    score.click();
    assert.deepEqual([order(name), order(score)], [null, "descending"]);
  });

  test("a click beside the buttons sorts nothing", () => {
    const { names } = start();
    page.document.querySelector("th").click();
    assert.deepEqual(names(), ["b 10", "a", "b 9"]);
  });
});

describe("the view that was drawn first", () => {
  const MARKUP = `<div id="es-first"><section><div class="es-frame"><button>Focus</button></div></section></div><div id="tab" hidden><p></p></div>`;
  const fire = (type) => page.dispatchEvent(new page.PointerEvent(type));
  const find = (selector) => page.document.querySelector(selector);

  function start(first = "mdar") {
    open("/", MARKUP);
    page.document.documentElement.dataset.first = first;
    fire("pointerup");
    return { view: find("section"), standIn: find("#tab p"), tab: find("#tab") };
  }

  const isFirstGone = () => [find("#es-first"), page.document.documentElement.dataset.first].every((one) => one === null || one === undefined);

  test("settle into an open tab moves the view at once, with its focus and where it was scrolled to", () => {
    const { view, standIn, tab } = start();
    tab.hidden = false;
    find("button").focus();
    const frame = find(".es-frame");
    frame.scrollTop = 70;
    settleView("mdar", view, standIn);
    assert.equal(view.parentElement, tab);
    assert.equal(page.document.activeElement, find("button"));
    assert.equal(frame.scrollTop, 70);
    assert.ok(isFirstGone());
  });

  test("settle into a tab that is not open yet waits until one is opened", () => {
    const { view, standIn, tab } = start();
    settleView("mdar", view, standIn);
    assert.equal(view.parentElement.id, "es-first");
    page.dispatchEvent(new page.CustomEvent("earshot:tab", { detail: { tab: "about" } }));
    assert.equal(view.parentElement, tab);
    assert.ok(isFirstGone());
  });

  test("settle waits until the pointer is up: what moves between press and release is never clicked", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { view, standIn, tab } = start();
    tab.hidden = false;
    fire("pointerdown");
    settleView("mdar", view, standIn);
    t.mock.timers.tick(100);
    assert.equal(view.parentElement.id, "es-first");
    fire("pointerup");
    t.mock.timers.tick(20);
    assert.equal(view.parentElement, tab);
    t.mock.timers.reset();
  });

  test("settle of a view that nobody sees moves it, and leaves what is seen", () => {
    const { view, standIn, tab } = start("overview");
    settleView("mdar", view, standIn);
    assert.equal(view.parentElement, tab);
    assert.equal(page.document.documentElement.dataset.first, "overview");
  });
});

describe("signing in with a provider", () => {
  test("link leads back to the address that is open", async () => {
    open("/?tab=submit&benchmark=mdar");
    const place = page.document.createElement("div");
    place.innerHTML = '<a data-sign-in href="https://earshot.test/auth/login?next=/">Sign in</a>';
    watchSignIn(place, () => assert.fail("nobody came"));
    const link = place.querySelector("a");
    link.addEventListener("click", (event) => event.preventDefault());
    link.click();
    assert.equal(link.href, "https://earshot.test/auth/login?next=%2F%3Ftab%3Dsubmit%26benchmark%3Dmdar");
    assert.equal(link.target, "");
  });

  for (const [what, answer, isGone] of [
    ["is ended", () => ({ sessions: [] }), true],
    ["has ended already", () => reply({ detail: "You have no such session." }, { status: 404 }), true],
    ["cannot be ended", () => reply({ detail: "The server is full." }, { status: 507 }), false],
    ["meets no server", () => new Error("away"), false],
  ]) {
    test(`session that ${what} is ${isGone ? "looked up again" : "still there, with the reason"}`, async () => {
      const asked = serve(answer);
      const place = page.document.createElement("div");
      place.innerHTML = '<button data-revoke="0123456789abcdef">Revoke</button><p role="alert"></p>';
      let changes = 0;
      watchRevocations(place, () => changes++);
      place.querySelector("button").click();
      await settle();
      assert.deepEqual(asked.map(({ url }) => url.pathname), ["/api/v1/me/sessions/0123456789abcdef"]);
      assert.equal(changes, isGone ? 1 : 0);
      assert.equal(place.querySelector("[role=alert]").textContent !== "", !isGone);
      assert.equal(place.querySelector("button").disabled, isGone);
    });
  }
});
