import { loads, open, page, press, settle } from "./dom.js";

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, mock, test } from "node:test";

import { FigureCard, cellOf } from "../../assets/board-card.js";
import { findFigure, followRow } from "../../assets/board-rows.js";
import { buildTable } from "../../assets/board-table.js";
import { OVERALL, SCT, row, score, view } from "./samples.js";

/** Draw a table with its card; sizes come from `loadSizes`. */
function draw(words = {}, loadSizes = async () => ({ [OVERALL.key]: { n: 2016 } })) {
  open("/?tab=amb", "<main id='place'></main>");
  const place = page.document.getElementById("place");
  const board = view(words);
  place.append(buildTable(board));
  const card = new FigureCard(place, { find: (cell) => findFigure(board, cell), loadSizes });
  page.document.body.append(card.element);
  const cellAt = (id, key = OVERALL.key) => place.querySelector(`[data-row="${id}"] [data-stop="${key}"]`);
  return { place, board, card, cellAt, text: () => card.element.textContent };
}

const point = (target, type, words = {}) => target.dispatchEvent(new page.PointerEvent(type, { bubbles: true, ...words }));

describe("the card of a figure", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  test("a figure that is rested on is told after a moment, exactly and with its interval", async () => {
    const scores = { [OVERALL.key]: score(0.42137, { low: 0.25, high: 0.755, std: 0.012 }) };
    const { card, cellAt, text } = draw({ rows: [row("s1", 0.5, { scores, score_notes: { [OVERALL.key]: "Table 3." } })] });
    point(cellAt("s1").firstElementChild, "pointerover");
    assert.equal(card.element.hidden, true);
    mock.timers.tick(250);
    assert.equal(card.element.hidden, false);
    await settle();
    assert.equal(text(), "OverallModel s1Score42.1495 % CI25.00–75.50Standard deviation± 1.20Chance25.00Items2,016Table 3.");
    assert.equal(cellAt("s1").getAttribute("aria-describedby"), card.element.id);
  });

  test("a figure that is passed over is not told", () => {
    const { place, card, cellAt } = draw();
    point(cellAt("s1"), "pointerover");
    point(place, "pointerleave");
    mock.timers.tick(1000);
    assert.equal(card.element.hidden, true);
  });

  test("a figure that is pointed at again is not told anew", () => {
    const { card, cellAt } = draw();
    card.show(cellAt("s1"));
    const told = card.element.firstElementChild;
    point(cellAt("s1"), "pointerover");
    mock.timers.tick(1000);
    assert.equal(card.element.firstElementChild, told);
  });

  test("a finger does not rest", () => {
    const { card, cellAt } = draw();
    point(cellAt("s1"), "pointerover", { pointerType: "touch" });
    mock.timers.tick(1000);
    assert.equal(card.element.hidden, true);
  });

  test("the card stays while the pointer is on it, and goes after it", () => {
    const { place, card, cellAt } = draw();
    card.show(cellAt("s1"));
    point(place, "pointerleave");
    point(card.element, "pointerenter");
    mock.timers.tick(1000);
    assert.equal(card.element.hidden, false);
    point(card.element, "pointerleave");
    mock.timers.tick(200);
    assert.equal(card.element.hidden, true);
    assert.equal(cellAt("s1").hasAttribute("aria-describedby"), false);
  });

  test("a focused figure is told at once, and Enter goes on to its signature", () => {
    const { card, cellAt } = draw({ rows: [row("s1", 0.5, { signature: "amb:1.0", source: "submitted" })] });
    cellAt("s1").focus();
    assert.equal(card.element.hidden, false);
    press("Enter", cellAt("s1"));
    assert.equal(page.document.activeElement.getAttribute("aria-label"), "Copy the signature");
    press("Escape");
    assert.equal(page.document.activeElement, cellAt("s1"));
  });

  for (const [what, act] of [
    ["Escape", ({ cellAt }) => press("Escape", cellAt("s1"))],
    ["a click elsewhere", () => point(page.document.body, "pointerdown")],
    ["scrolling", () => page.dispatchEvent(new page.Event("scroll"))],
  ]) {
    test(`${what} takes the card away`, () => {
      const drawn = draw();
      drawn.card.show(drawn.cellAt("s1"));
      act(drawn);
      assert.equal(drawn.card.element.hidden, true);
    });
  }

  for (const [what, words, said] of [
    ["a paper did not print", row("s1", null), /The paper does not report this score\./],
    ["is missing overall", row("s1", null, { signature: "s" }), /some parts were not submitted/],
    ["of a reported row has no interval", row("s1"), /95 % CI– \(no item-level answers\)/],
    ["of a scored row has no interval", row("s1", 0.5, { signature: "s" }), /95 % CI– \(too few clips, or not a mean over items\)/],
  ]) {
    test(`a figure that ${what} says so`, () => {
      const { card, cellAt, text } = draw({ rows: [words] });
      card.show(cellAt("s1"));
      assert.match(text(), said);
    });
  }

  test("a gap without an interval says why", () => {
    const gap = { ...OVERALL, metric: "few_shot_gap" };
    const { card, cellAt, text } = draw({ columns: [gap], rows: [row("s1", 0.5, { signature: "s" })] });
    card.show(cellAt("s1"));
    assert.match(text(), /\(the two rows agree or differ on too few clips\)/);
  });

  test("a missing figure of a part says what may be the reason", () => {
    const { card, cellAt, text } = draw({ rows: [row("s1", null, { signature: "s" })] });
    card.show(cellAt("s1", SCT.key));
    assert.match(text(), /has too few questions/);
  });

  test("a judged figure that waits for the judge says so", () => {
    const columns = [OVERALL, { ...SCT, judged: true }];
    const { card, cellAt, text } = draw({ columns, rows: [row("s1", null, { signature: "s", open_pending: true })] });
    card.show(cellAt("s1", SCT.key));
    assert.match(text(), /Pending: the open answers are waiting for the judge\./);
  });

  test("a chance that nobody sent is what is expected, not a gap of a paper", () => {
    const { card, cellAt, text } = draw();
    card.show(cellAt("expected"));
    assert.equal(text(), "OverallChance, expectedScore25.0095 % CI– Chance25.00");
    const unknown = draw({ columns: [{ ...OVERALL, chance: null }] });
    unknown.card.show(unknown.cellAt("expected"));
    assert.match(unknown.text(), /No random baseline for this metric/);
  });

  test("a number of items that cannot be loaded is not known", async () => {
    const { card, cellAt, text } = draw({}, () => Promise.reject(new Error("away")));
    card.show(cellAt("s1"));
    await settle();
    assert.match(text(), /Itemsunknown/);
  });

  test("the card stands beside its cell and within the window", () => {
    const { card, cellAt } = draw();
    const { documentElement } = page.document;
    for (const [name, value] of [["clientWidth", 360], ["clientHeight", 640]]) Object.defineProperty(documentElement, name, { value, configurable: true });
    for (const [name, value] of [["offsetWidth", 200], ["offsetHeight", 100]]) Object.defineProperty(card.element, name, { value });
    const place = (left, top) => {
      const cell = cellAt("s1");
      cell.getBoundingClientRect = () => ({ left, right: left + 50, top, bottom: top + 20 });
      card.show(cell);
      return [card.element.style.left, card.element.style.top];
    };
    assert.deepEqual(place(20, 100), ["78px", "100px"], "right of it");
    assert.deepEqual(place(300, 100), ["92px", "100px"], "left of it");
    assert.deepEqual(place(155, 100), ["8px", "128px"], "under it where neither side has room");
    assert.deepEqual(place(155, 600), ["8px", "492px"], "above it at the lower edge");
    assert.deepEqual(place(20, 620), ["78px", "532px"], "never below the window");
  });

  test("the signature is copied, or said to be selected", async () => {
    const { card, cellAt } = draw({ rows: [row("s1", 0.5, { signature: "amb:1.0" })] });
    const copied = [];
    for (const [clipboard, words] of [[{ writeText: async (text) => copied.push(text) }, " copied"], [undefined, " select it to copy"]]) {
      Object.defineProperty(page.navigator, "clipboard", { value: clipboard, configurable: true });
      card.show(cellAt("s1"));
      card.element.querySelector("button").click();
      await settle();
      assert.equal(card.element.querySelector(".es-signature [role=status]").textContent, words);
    }
    assert.deepEqual(copied, ["amb:1.0"]);
  });
});

describe("a click on a row", () => {
  const visits = [];
  const click = (target, words = {}) => ({ target, pointerType: "mouse", ...words });

  beforeEach(() => {
    visits.length = 0;
    mock.method(page, "open", (href) => visits.push(href));
  });

  test("followRow beside everything else goes where the name goes", () => {
    const { place, card } = draw();
    followRow(click(place.querySelector("[data-submission] .es-date")), card);
    assert.deepEqual(loads, ["assign http://earshot.test/?tab=model&model=m-s1"]);
  });

  test("followRow with a key opens another page", () => {
    const { place, card } = draw();
    followRow(click(place.querySelector("[data-submission] .es-date"), { ctrlKey: true }), card);
    assert.match(visits[0], /tab=model&model=m-s1$/);
  });

  test("followRow leaves boxes, buttons and other rows alone", () => {
    const { place, card } = draw();
    for (const selector of ["[data-tick]", ".es-unfold", "tfoot .es-title"]) followRow(click(place.querySelector(selector), { ctrlKey: true }), card);
    assert.deepEqual(visits, []);
  });

  test("followRow of a tapped figure shows its card", () => {
    const { card, cellAt } = draw();
    followRow(click(cellAt("s1"), { pointerType: "touch" }), card);
    assert.equal(card.element.hidden, false);
    card.hide();
  });

  test("cellOf and findFigure of what is no figure are nothing", () => {
    const { place, board } = draw();
    assert.equal(cellOf(page.document), null);
    assert.equal(findFigure(board, place.querySelector("[data-stop=box]")), null);
  });
});
