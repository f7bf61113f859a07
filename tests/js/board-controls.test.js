import { choose, open, page, press, query, settle, texts, unfold } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { Ticks } from "../../assets/board-compare.js";
import { buildControls } from "../../assets/board-controls.js";
import { embedAddress, embedSnippet } from "../../assets/board-embed.js";
import { make } from "../../assets/board-format.js";
import { defaultState } from "../../assets/board-state.js";
import { bindViews, foldGroup } from "../../assets/board-views.js";
import { OVERALL, SCT, SDT, START, row } from "./samples.js";

const USUAL = defaultState(START);
const FILTERS = { kinds: [{ value: "LALM", rows: 3 }], organisations: [{ value: "Lab <b>", rows: 1 }] };

/** Draw the controls of a board, and note what they change. */
function draw({ state = USUAL, versions = START.versions, ...words } = {}) {
  open("/?tab=amb");
  const changes = [];
  const board = {
    onChange: (change) => {
      changes.push(change);
      Object.assign(now, change);
    },
    loadColumns: async () => [OVERALL, SCT, SDT],
    shownColumns: () => [OVERALL.key, SCT.key],
    loadFilters: async () => FILTERS,
    exportLink: (format) => `/export?format=${format}`,
    embedSnippet: () => embedSnippet(embedAddress("amb", now, START), "AMB leaderboard"),
    state: () => now,
    ...words,
  };
  const now = { ...state };
  const { element, show } = buildControls(state, { settings: START.settings, versions }, board);
  page.document.body.append(element);
  const find = (name) => element.querySelector(`[data-testid=${name}]`);
  return { element, show, changes, find };
}

describe("the controls of a board", () => {
  test("a chosen setting, version and source are changes", () => {
    const { changes, find } = draw();
    choose(find("board-setting"), "noise");
    choose(find("board-version"), "demo");
    choose(find("source-reported"), false);
    assert.deepEqual(changes, [{ setting: "noise" }, { version: "demo" }, { source: ["verified", "submitted"] }]);
  });

  test("reference systems are shown and hidden by a box that follows the state", () => {
    const { show, changes, find } = draw();
    const box = find("show-references");
    assert.equal(box.checked, false);
    choose(box, true);
    assert.deepEqual(changes, [{ references: true }]);
    show({ ...USUAL, references: false });
    assert.equal(box.checked, false);
    show({ ...USUAL, references: true });
    assert.equal(box.checked, true);
  });

  test("rows evaluated here, those from papers or all are chosen, and the choice follows the state", () => {
    const { show, changes, find } = draw();
    const pressed = () => [...find("board-origins").querySelectorAll("[aria-pressed=true]")].map((button) => button.textContent);
    assert.deepEqual(texts(find("board-origins"), "button"), ["Evaluated here", "From papers", "All"]);
    assert.deepEqual(pressed(), ["All"]);
    for (const name of ["evaluated", "papers", "all"]) find(`rows-${name}`).click();
    assert.deepEqual(changes, [{ source: ["verified", "submitted"] }, { source: ["reported"] }, { source: USUAL.source }]);
    for (const [source, titles] of [[["verified", "submitted"], ["Evaluated here"]], [["reported"], ["From papers"]], [["verified"], []]]) {
      show({ ...USUAL, source });
      assert.deepEqual(pressed(), titles);
    }
  });

  test("a board of one version offers no choice of versions", () => assert.equal(draw({ versions: ["1.0"] }).find("board-version"), null));

  test("show brings the controls in line with a state", () => {
    const { show, find } = draw();
    show({ ...USUAL, setting: "noise", version: "demo", source: ["verified"], q: "kimi", kind: "LALM" });
    assert.deepEqual(["board-setting", "board-version", "board-search"].map((name) => find(name).value), ["noise", "demo", "kimi"]);
    assert.deepEqual(["verified", "submitted", "reported"].map((name) => find(`source-${name}`).checked), [true, false, false]);
    assert.equal(find("filter-chips").hidden, false);
  });

  test("show leaves the search alone while somebody types in it", () => {
    const { show, find } = draw();
    const search = find("board-search");
    search.focus();
    search.value = "ki";
    show({ ...USUAL, q: "k" });
    assert.equal(search.value, "ki");
  });

  test("the search waits for a pause, and asks once", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { changes, find } = draw();
    for (const typed of ["k", "ki", " kimi "]) {
      choose(find("board-search"), typed, "input");
      t.mock.timers.tick(200);
    }
    assert.deepEqual(changes, []);
    t.mock.timers.tick(50);
    assert.deepEqual(changes, [{ q: "kimi" }]);
  });
});

describe("the filters of a board", () => {
  test("the menu offers what the server offers, with the number of rows", async () => {
    const { changes, find } = draw();
    await unfold(find("filters-menu"));
    assert.deepEqual(texts(find("filter-kind"), "option"), ["any", "LALM (3)"]);
    assert.deepEqual(texts(find("filter-organisation"), "option"), ["any", "Lab <b> (1)"]);
    assert.deepEqual(texts(find("filter-size"), "option"), ["any", "under 10 B", "10 to under 40 B", "40 B and over"]);
    choose(find("filter-size"), "-10");
    assert.deepEqual(changes, [{ size: "-10" }]);
  });

  test("the menu also offers what is chosen and no longer there, whatever its case", async () => {
    const { find } = draw({ state: { ...USUAL, kind: "lalm", organisation: "Gone", size: "3-" } });
    await unfold(find("filters-menu"));
    assert.equal(find("filter-kind").value, "LALM");
    assert.deepEqual(texts(find("filter-organisation"), "option"), ["any", "Lab <b> (1)", "Gone"]);
    assert.equal(texts(find("filter-size"), "option").at(-1), "3 B and over");
  });

  test("the menu says where the filters could not be loaded", async () => {
    const { find } = draw({ loadFilters: () => Promise.reject(new Error("away")) });
    await unfold(find("filters-menu"));
    assert.match(find("filters-panel").textContent, /could not be loaded/);
  });

  test("chips say what is filtered, as text, and each takes its filter away", () => {
    const { changes, find } = draw({ state: { ...USUAL, size: "-10", organisation: "Nobody <b>" } });
    const chips = find("filter-chips");
    assert.deepEqual(texts(chips, ".es-chip"), ["Size: under 10 B×", "Organisation: Nobody <b>×"]);
    assert.equal(chips.querySelector("b"), null);
    chips.querySelector("[aria-label='Remove filter Size: under 10 B']").click();
    chips.querySelector(".es-link").click();
    assert.deepEqual(changes, [{ size: "" }, { kind: "", weights: "", size: "", organisation: "" }]);
    assert.equal(chips.querySelector(".es-link").textContent, "clear 2 filters");
  });

  test("chips are hidden while nothing is filtered", () => assert.equal(draw().find("filter-chips").hidden, true));
});

describe("the columns of a board", () => {
  const boxes = (panel) => [...panel.querySelectorAll(".es-choices input")];

  test("the menu ticks what is shown, and a group that is shown in part is half ticked", async () => {
    const { find } = draw();
    await unfold(find("columns-menu"));
    const panel = find("columns-panel");
    assert.deepEqual(texts(panel, "legend"), ["Headline", "Motion"]);
    assert.deepEqual(boxes(panel).map((box) => box.checked), [true, true, false]);
    const [headline, motion] = panel.querySelectorAll("legend input");
    assert.deepEqual([headline.checked, headline.indeterminate, motion.checked, motion.indeterminate], [true, false, false, true]);
  });

  test("a ticked column is added in the order of the board, and its group follows", async () => {
    const { changes, find } = draw();
    await unfold(find("columns-menu"));
    const panel = find("columns-panel");
    choose(boxes(panel)[2], true);
    assert.deepEqual(changes, [{ columns: [OVERALL.key, SCT.key, SDT.key] }]);
    assert.equal(panel.querySelectorAll("legend input")[1].checked, true);
  });

  test("a group's own box ticks all of the group", async () => {
    const { changes, find } = draw();
    await unfold(find("columns-menu"));
    choose(find("columns-panel").querySelectorAll("legend input")[1], false);
    assert.deepEqual(changes, [{ columns: [OVERALL.key] }]);
  });

  test("the usual columns bring the boxes of groups along", async () => {
    const { changes, find } = draw({ shownColumns: () => [] });
    await unfold(find("columns-menu"));
    const panel = find("columns-panel");
    panel.querySelector("button").click();
    assert.deepEqual(changes, [{ columns: null }]);
    assert.ok([...panel.querySelectorAll("input")].every((box) => box.checked && !box.indeterminate));
  });

  test("the menu says where the columns could not be loaded", async () => {
    const { find } = draw({ loadColumns: () => Promise.reject(new Error("away")) });
    await unfold(find("columns-menu"));
    assert.match(find("columns-panel").textContent, /could not be loaded/);
  });
});

describe("menus", () => {
  test("Escape folds a menu and goes back to its word", async () => {
    const { find } = draw();
    const menu = find("export-menu");
    await unfold(menu);
    menu.querySelector("a").focus();
    press("a", menu);
    assert.equal(menu.open, true);
    press("Escape", menu.querySelector("a"));
    assert.equal(menu.open, false);
    assert.equal(page.document.activeElement, menu.querySelector("summary"));
  });

  test("a click elsewhere folds a menu, and one inside does not", async () => {
    const { find } = draw();
    const menu = find("export-menu");
    await unfold(menu);
    menu.querySelector("a").dispatchEvent(new page.PointerEvent("pointerdown", { bubbles: true }));
    assert.equal(menu.open, true);
    page.document.body.dispatchEvent(new page.PointerEvent("pointerdown", { bubbles: true }));
    assert.equal(menu.open, false);
  });

  test("the menu of files links every format of what is shown", async () => {
    const { find } = draw();
    await unfold(find("export-menu"));
    const links = [...find("export-panel").querySelectorAll("a[download]")];
    assert.deepEqual(links.map((one) => one.getAttribute("href").split("=")[1]), ["csv", "json", "latex", "bibtex", "hub", "model-index", "eee"]);
  });

  test("the menu of files has a snippet that embeds the score, setting and version that are shown", async () => {
    const shown = async (words) => {
      const { find } = draw({ state: { ...USUAL, ...words } });
      await unfold(find("export-menu"));
      return find("embed-snippet").querySelector("pre").textContent;
    };
    const usual = 'src="http://earshot.test/embed/amb" title="AMB leaderboard"';
    assert.ok((await shown({})).includes(usual));
    assert.ok((await shown({ sort: "date", q: "lab" })).includes(usual));
    const other = await shown({ sort: SDT.key, setting: "noise", version: "demo" });
    assert.ok(other.includes('src="http://earshot.test/embed/amb?version=demo&amp;setting=noise&amp;slice=sdt&amp;metric=accuracy"'), other);
    assert.ok(embedSnippet('https://a.example/"x', "<b>").includes('src="https://a.example/&quot;x" title="&lt;b>"'));
  });
});

describe("the quick choices of columns", () => {
  const MARKUP = `<section>
    <div data-views="1.0"><button data-view="" data-order="desc">Overall</button><button data-view="sct|accuracy,sdt|accuracy" data-order="asc">Motion</button></div>
    <div data-views="demo"></div></section>`;
  const changes = [];
  let show;
  let places;

  beforeEach(() => {
    open("/?tab=amb", MARKUP);
    changes.length = 0;
    const shell = page.document.querySelector("section");
    places = [...shell.querySelectorAll("[data-views]")];
    show = bindViews(shell, START, (change) => changes.push(change));
  });

  const pressed = () => [...places[0].children].map((one) => one.getAttribute("aria-pressed"));

  test("a part chooses its columns and sorts by the first as the part says", () => {
    places[0].children[1].click();
    assert.deepEqual(changes, [{ columns: [SCT.key, SDT.key], sort: SCT.key, order: "asc" }]);
  });

  test("the whole goes back to the usual columns and the headline of the setting that is shown", () => {
    show(defaultState(START, "noise"));
    places[0].children[0].click();
    assert.deepEqual(changes, [{ columns: null, sort: SCT.key, order: "desc" }]);
  });

  test("the choice that is shown is pressed, in whatever order its columns stand", () => {
    show(USUAL);
    assert.deepEqual(pressed(), ["true", "false"]);
    show({ ...USUAL, columns: [SDT.key, SCT.key] });
    assert.deepEqual(pressed(), ["false", "true"]);
    show({ ...USUAL, columns: [] });
    assert.deepEqual(pressed(), ["false", "false"]);
  });

  test("only the choices of the version that is shown are there, and none where it has none", () => {
    show(USUAL);
    assert.deepEqual(places.map((one) => one.hidden), [false, true]);
    show({ ...USUAL, version: "demo" });
    assert.deepEqual(places.map((one) => one.hidden), [true, true]);
  });

  test("foldGroup keeps the first column of a group", () => {
    assert.deepEqual(foldGroup(["o", "a", "b", "x"], ["a", "b"], ["a", "b", "c"], undefined), ["o", "a", "x"]);
  });

  test("foldGroup unfolds a group as it was, else as a whole", () => {
    assert.deepEqual(foldGroup(["o", "a", "x"], ["a"], ["a", "b", "c"], ["a", "b"]), ["o", "a", "b", "x"]);
    assert.deepEqual(foldGroup(["o", "a", "x"], ["a"], ["a", "b", "c"], undefined), ["o", "a", "b", "c", "x"]);
  });
});

describe("ticked rows", () => {
  const [one, other, third] = ["s1", "s2", "s3"].map((id) => row(id));

  function tick() {
    open("/?tab=amb", "<button id='tab-compare-button' aria-selected='false'>Compare</button>");
    const table = make("div", {}, ...["s1", "s2"].map((id) => make("input", { type: "checkbox", "data-tick": id })));
    return { ticks: new Ticks("amb", table), boxes: [...table.children] };
  }

  test("the first tick says what a second one does", () => {
    const { ticks, boxes } = tick();
    ticks.toggle(one);
    assert.equal(ticks.element.hidden, false);
    assert.match(ticks.element.textContent, /^Model s1 selected\. Select a second row/);
    assert.deepEqual(boxes.map((box) => box.checked), [true, false]);
  });

  test("a tick that is taken away leaves nothing", () => {
    const { ticks } = tick();
    ticks.toggle(one);
    ticks.toggle(one);
    assert.deepEqual([ticks.element.hidden, ticks.has("s1")], [true, false]);
    ticks.toggle(third);
    ticks.element.querySelector("button").click();
    assert.equal(ticks.has("s3"), false);
  });

  test("the second tick opens the comparison of both, and none is ticked afterwards", async () => {
    const { ticks } = tick();
    const scroll = mock.method(page, "scrollTo", () => {});
    ticks.toggle(other);
    ticks.toggle(one);
    assert.equal(query(), "?tab=compare&benchmark=amb&a=s2&b=s1");
    assert.deepEqual([ticks.has("s1"), ticks.has("s2"), ticks.element.hidden], [false, false, true]);
    scroll.mock.restore();
    await settle();
  });
});
