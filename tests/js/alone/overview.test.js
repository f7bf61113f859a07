import { choose, open, page, query, settle, texts } from "../dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { buildMatrix } from "../../../assets/overview-matrix.js";
import { buildNewest, buildScales, buildSummary } from "../../../assets/overview-parts.js";
import { hold, refuse, reply, replyOfProxy, serve } from "../server.js";

/** What is done every so many milliseconds. */
const regular = new Map();
mock.method(globalThis, "setInterval", (act, delay) => regular.set(delay, act));
const look = () => regular.get(10_000)();
const retry = () => regular.get(5000)();
const overview = await import("../../../assets/overview.js");

const STAR = { id: "star", title: "STAR-Bench", version: "1.0", setting: "default", headline: "o|aa", chance: 0.25, human: 0.79, gap: 0.294, best: { model: { id: "m-1", name: "Gemini" }, source: "reported", submission: "s", value: 0.496 } };
const MDAR = { ...STAR, id: "mdar", title: "MDAR", human: null, gap: null, best: null };
const CELL = { value: 0.496, normalised: 0.456, above_chance: 0.246, version: "1.0", counts: true, source: "reported", submission: "s", low: null, high: null, rank: 1, rank_low: null, rank_high: null };
const ROW = { model: { id: "m/1", name: "Gemini" }, cells: { star: CELL } };
const SCALE = { benchmark: "star", version: "1.0", figure: "o|aa", title: "Overall", chance: 0.25, human: 0.79, systems: [STAR.best, { ...STAR.best, model: { id: "m-2", name: "Qwen" }, value: 0.3 }] };
const DATA = { models: 2, submissions: 1, benchmarks: [STAR, MDAR], rows: [ROW], more: false, scales: [SCALE], newest: [] };
const VIEW = { sort: "", order: "desc", onSort: () => {} };

/** Draw the cell of one benchmark. */
function draw(cell, benchmark = STAR) {
  const main = page.document.createElement("main");
  main.append(buildMatrix({ benchmarks: [benchmark], rows: [{ model: ROW.model, cells: { [benchmark.id]: cell } }] }, VIEW));
  return { main, cell: main.querySelector("td") };
}

describe("the matrix of models by benchmarks", () => {
  test("a cell where people are known shows the way from chance to people, and the score beside it", () => {
    const { cell } = draw(CELL);
    assert.deepEqual([cell.querySelector(".es-main").textContent, cell.querySelector(".es-beside").textContent, cell.querySelector(".es-place").textContent], ["0.46", "49.6", "#1"]);
    assert.equal(cell.title, "STAR-Bench 1.0: 49.6 %, +24.6 points from chance, 0.46 on the scale from chance (0) to human (1).");
    assert.match(cell.getAttribute("style"), /--heat: 0\.456/);
  });

  test("a cell where people are not known shows the score, and the points above chance beside it", () => {
    const { cell } = draw({ ...CELL, normalised: null, low: 0.4, high: 0.6, rank_low: 1, rank_high: 3 }, MDAR);
    assert.deepEqual([cell.querySelector(".es-main").textContent, cell.querySelector(".es-beside").textContent, cell.querySelector(".es-place").textContent], ["49.6", "+24.6", "#1–3"]);
    assert.match(cell.title, /95 % CI 40\.0–60\.0, .*no human baseline\.$/);
    assert.equal(cell.hasAttribute("style"), false);
  });

  for (const [normalised, above, main, points] of [[-0.3, -0.05, "−0.30", "−5.0"], [-0.001, -0.0001, "0.00", "0.0"], [1.2, 0.5, "1.20", "+50.0"]]) {
    test(`a cell at ${normalised} is ${main}, ${points} points from chance`, () => {
      const { cell } = draw({ ...CELL, normalised, above_chance: above });
      assert.equal(cell.querySelector(".es-main").textContent, main);
      assert.match(cell.title, new RegExp(`, ${points.replace("+", "\\+")} points`));
      assert.equal(Number(/--heat: (.*)/.exec(cell.getAttribute("style"))[1].replace(";", "")), Math.min(1, Math.max(0, normalised)));
    });
  }

  test("a cell without chance, place or figure shows a dash", () => {
    const { cell } = draw({ ...CELL, normalised: null, above_chance: null, rank: null });
    assert.deepEqual([cell.querySelector(".es-beside").textContent, cell.querySelector(".es-place").textContent], ["", "#–"]);
    assert.match(cell.title, /no random baseline/);
    assert.equal(draw(undefined).cell.textContent, "–");
  });

  test("a cell of own questions is marked, and the mark explained", () => {
    const { main, cell } = draw({ ...CELL, counts: false });
    assert.equal(cell.querySelector(".es-demo").textContent, "demo");
    assert.match(main.querySelector(".es-reading").textContent, /“Demo” scores come from a small sample set/);
    assert.doesNotMatch(draw(CELL).main.querySelector(".es-reading").textContent, /“Demo”/);
  });

  test("the reading names the benchmarks that have a human baseline", () => {
    const read = (...benchmarks) => {
      const main = page.document.createElement("main");
      main.append(buildMatrix({ benchmarks, rows: [] }, VIEW));
      return main.querySelector(".es-reading").textContent;
    };
    const last = " What the scores mean.";
    const first = "Each cell is the model's best public score in the default setting. We never average settings or versions. ";
    assert.equal(read(STAR, MDAR), `${first}STAR-Bench has a human baseline, so its scores also run from 0 (chance) to 1 (human). For the others we show points above chance.${last}`);
    assert.equal(read(STAR, { ...STAR, title: "Other" }), `${first}STAR-Bench and Other have human baselines, so their scores also run from 0 (chance) to 1 (human).${last}`);
    assert.equal(read(MDAR), `${first}No benchmark has a human baseline; we show points above chance.${last}`);
  });

  test("headings sort, say what they are of, and which way they are sorted", () => {
    const sorted = [];
    const main = page.document.createElement("main");
    main.append(buildMatrix(DATA, { sort: "star", order: "asc", onSort: (key) => sorted.push(key) }));
    assert.deepEqual(texts(main, "thead th"), ["Model", "STAR-Bench▲0 = chance, 1 = human", "MDAR% (no human baseline)"]);
    assert.deepEqual([...main.querySelectorAll("thead th")].map((one) => one.getAttribute("aria-sort")), ["none", "ascending", "none"]);
    main.querySelector("[data-sort=mdar]").click();
    assert.deepEqual(sorted, ["mdar"]);
    assert.equal(main.querySelector("tbody a").getAttribute("href"), "/?tab=model&model=m%2F1");
  });
});

describe("what stands around the matrix", () => {
  test("buildSummary has a line for each benchmark, readable as a table on a phone", () => {
    const summary = buildSummary([STAR, MDAR]);
    assert.deepEqual(texts(summary, "tbody tr"), ["STAR-Bench 1.049.6 Gemini reported25.079.029.4", "MDAR 1.0–25.0––"]);
    assert.deepEqual([...new Set([...summary.querySelectorAll("[role]")].map((one) => one.getAttribute("role")))].sort(), ["cell", "columnheader", "row", "rowgroup", "rowheader", "table"]);
  });

  test("buildSummary names units in its headings", () => {
    assert.deepEqual(texts(buildSummary([STAR]), "thead th"), ["Benchmark", "Best model (%)", "Chance (%)", "Human (%)", "Gap to humans (points)"]);
  });

  test("buildScales places chance, people and systems between 0 and 100 %", () => {
    const [, scales] = buildScales([{ ...SCALE, systems: [{ ...STAR.best, value: 1.2 }, SCALE.systems[1]] }], [STAR]);
    const track = scales.querySelector("[role=img]");
    assert.deepEqual([...track.querySelectorAll(".es-mark")].map((one) => [one.className, one.getAttribute("style")]), [
      ["es-mark es-dot", "left: 30%;"], ["es-mark es-dot es-first", "left: 100%;"], ["es-mark es-chance", "left: 25%;"], ["es-mark es-people", "left: 79%;"],
    ]);
    assert.equal(track.querySelector(".es-line").getAttribute("style"), "left: 25%; width: 54%;");
    assert.equal(track.getAttribute("aria-label"), "STAR-Bench, in per cent: chance 25.0, human 79.0, best Gemini 120.0.");
  });

  test("buildScales runs from nothing to everything where neither is known", () => {
    const [, scales] = buildScales([{ ...SCALE, chance: null, human: null }], [STAR]);
    assert.equal(scales.querySelector(".es-line.es-open").getAttribute("style"), "left: 0%; width: 100%;");
    assert.equal(scales.querySelector(".es-chance, .es-people"), null);
    assert.match(scales.querySelector("[role=img]").getAttribute("aria-label"), /no human baseline/);
  });

  test("buildScales names a part by its title, and has its numbers as a table", () => {
    const [, scales, , table] = buildScales([SCALE, { ...SCALE, figure: "t|aa", title: "Temporal" }], [STAR]);
    assert.deepEqual(texts(scales, ".es-scale-name"), ["STAR-Bench", "Temporal"]);
    assert.deepEqual(texts(table, "tbody th"), ["STAR-Bench", "STAR-Bench, Temporal"]);
    assert.match(table.textContent, /Gemini 49\.6; Qwen 30\.0/);
  });

  test("buildScales without systems is nothing", () => assert.deepEqual(buildScales([{ ...SCALE, systems: [] }], [STAR]), []));

  test("buildNewest says what is not usual of a row", () => {
    const NEW = { submission: "s", model: ROW.model, source: "submitted", benchmark: "star", title: "STAR-Bench", version: "1.0", setting: "default", figure: null, value: 0.5, date: "2026-01-01T00:00:00Z" };
    const [, usual] = buildNewest([NEW], [STAR]);
    assert.deepEqual(texts(usual, "td:nth-child(3), td:nth-child(4)"), ["STAR-Bench", "50.0"]);
    const [, other] = buildNewest([{ ...NEW, version: "demo", setting: "noise", figure: "Spatial" }], [STAR]);
    assert.deepEqual(texts(other, "td:nth-child(3), td:nth-child(4)"), ["STAR-Bench demo, noise", "Spatial 50.0"]);
    assert.deepEqual(texts(usual, "thead th"), ["When", "Model", "Benchmark", "Score (%)"]);
    const [heading, words] = buildNewest([], [STAR]);
    assert.deepEqual([heading.textContent, words.textContent], ["Latest results", "No submissions yet. The scores above were reported in papers. Submit a model"]);
    assert.equal(buildNewest([], [MDAR])[1].textContent, "No submissions yet. Submit a model", "there are no scores above");
  });
});

describe("the Overview", () => {
  let answer;
  let asked;
  let drawn;

  async function start(address = "/") {
    open(address, "<main></main>");
    asked = serve((url, options) => answer(url, options));
    await overview.begin(page.document.querySelector("main"));
    drawn = page.document.querySelector("[data-testid=overview]");
    asked.length = 0;
  }

  const find = (name) => drawn.querySelector(`[data-testid=${name}]`);
  const asks = () => asked.splice(0).map(({ url }) => url.search);
  const sort = (key) => drawn.querySelector(`[data-sort=${key}]`).click();
  const said = () => find("overview-status").textContent;

  beforeEach(() => {
    answer = () => DATA;
  });

  test("begin shows the models that the address asks for", async () => {
    await start("/?sort=star&order=asc&q=gem");
    assert.equal(find("overview-search").value, "gem");
    assert.equal(drawn.querySelector("[aria-sort=ascending] [data-sort]").dataset.sort, "star");
    assert.equal(said(), "1 model with a headline score.");
    assert.equal(drawn.hasAttribute("aria-busy"), false);
  });

  test("begin keeps the cards that stand on the page, and fills them", async () => {
    open("/", `<main><section><div data-intro><p data-place="counts"></p><article data-card="star"><p data-place="leader">–</p></article></div><p>Loading…</p></section></main>`);
    const card = page.document.querySelector("[data-card]");
    serve(() => DATA);
    await overview.begin(page.document.querySelector("main"));
    assert.equal(page.document.querySelector("[data-testid=overview] [data-card]"), card);
    assert.equal(page.document.querySelector("[data-place=counts]").textContent, "2 benchmarks · 2 models · 1 submission");
    assert.equal(card.textContent, "No scores yet.");
    assert.deepEqual(texts(page.document, "h2"), ["All models, all benchmarks", "Best models", "Gap to humans", "Latest results"]);
  });

  test("begin leaves words of another tab alone", async () => {
    await start("/?tab=mdar&sort=date");
    assert.equal(drawn.querySelector("[aria-sort=descending]"), null);
  });

  test("a heading sorts down, then up, and names the other way round", async () => {
    await start();
    for (const [key, words] of [["star", "?sort=star"], ["star", "?sort=star&order=asc"], ["star", "?sort=star"], ["model", "?sort=model"], ["model", "?sort=model&order=desc"]]) {
      sort(key);
      await settle();
      assert.deepEqual([asks(), query()], [[words], words]);
    }
  });

  test("the focus stays on the heading that was clicked", async () => {
    await start();
    drawn.querySelector("[data-sort=star]").focus();
    sort("star");
    await settle();
    assert.equal(page.document.activeElement, drawn.querySelector("[data-sort=star]"));
  });

  test("the search waits for a pause", async (t) => {
    await start();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    choose(find("overview-search"), "g", "input");
    t.mock.timers.tick(200);
    choose(find("overview-search"), " gem ", "input");
    t.mock.timers.tick(250);
    assert.deepEqual([asks(), query()], [["?q=gem"], "?q=gem"]);
    t.mock.timers.reset();
    await settle();
  });

  test("a search without a match offers to clear it", async () => {
    answer = ({ searchParams }) => (searchParams.get("q") ? { ...DATA, rows: [] } : DATA);
    await start("/?q=nobody");
    assert.match(said(), /No model matches/);
    find("overview-status").querySelector("button").click();
    await settle();
    assert.deepEqual([query(), find("overview-search").value, said()], ["", "", "1 model with a headline score."]);
  });

  test("an empty installation says that results appear by themselves, and hides the search", async () => {
    answer = () => ({ ...DATA, rows: [], scales: [] });
    await start();
    assert.match(said(), /No results yet/);
    assert.equal(find("overview-search").hidden, true);
    assert.equal(find("overview-matrix"), null);
  });

  test("more models are shown, up to 500, and the button keeps the focus", async () => {
    answer = () => ({ ...DATA, more: true });
    await start();
    for (const limit of [200, 300, 400, 500]) {
      find("overview-more").focus();
      find("overview-more").click();
      await settle();
      assert.deepEqual(asks(), [`?limit=${limit}`]);
      if (limit < 500) assert.equal(page.document.activeElement, find("overview-more"));
    }
    assert.equal(find("overview-more"), null);
    assert.match(said(), /Search for the rest/);
  });

  test("an earlier answer does not replace a later one", async () => {
    await start();
    const late = hold();
    answer = ({ searchParams }) => (searchParams.get("sort") === "star" ? late.held : DATA);
    sort("star");
    await settle();
    sort("model");
    await settle();
    late.release({ ...DATA, rows: [] });
    await settle();
    assert.equal(said(), "1 model with a headline score.");
  });

  test("a silent server is asked again, and a wrong view reset", async () => {
    answer = () => new Error("away");
    await start("/?sort=star");
    assert.equal(drawn.querySelector("[role=alert]").textContent, "Can't reach the server. Check your connection.");
    answer = () => reply({ detail: "No such benchmark." }, { status: 400 });
    find("overview-again").click();
    await settle();
    assert.match(said(), /^No such benchmark\./);
    answer = () => DATA;
    find("overview-status").querySelector("button").click();
    await settle();
    assert.deepEqual([said(), query()], ["1 model with a headline score.", ""]);
  });

  test("a look asks whether anything changed, and only then for it", async () => {
    await start();
    const root = page.document.createElement("div");
    page.document.body.append(root);
    root.innerHTML = `<div data-overview><p>Loading</p></div>`;
    overview.mount(root);
    assert.equal(root.querySelector("[data-testid=overview]"), drawn, "what was drawn is moved into the tab");
    answer = () => reply({}, { status: 304 });
    await look();
    await settle();
    assert.equal(asks().length, 1);
    answer = () => DATA;
    await look();
    await settle();
    assert.deepEqual(asks().length, 2);
    drawn.hidden = true;
    await look();
    assert.deepEqual(asks(), []);
    overview.mount(root);
  });

  describe("that is cut off", () => {
    const away = () => new Error("away");
    const alert = () => drawn.querySelector("[role=alert]")?.textContent;
    let tags;

    /** Begin with an answer or without one, in its tab; the server knows no entity tag but the one that never changes. */
    async function startAway(first = DATA) {
      answer = () => first;
      await start();
      const root = page.document.createElement("div");
      page.document.body.append(root);
      root.innerHTML = `<div data-overview><p>Loading</p></div>`;
      overview.mount(root);
      answer = away;
      tags = [];
    }

    /** What the server answers from now on, and 304 to who names the entity tag. */
    function answerAgain(data) {
      answer = (url, { headers }) => {
        tags.push(headers?.["If-None-Match"]);
        return headers?.["If-None-Match"] ? reply(undefined, { status: 304 }) : data;
      };
    }

    for (const [what, act] of [
      ["a search", () => choose(find("overview-search"), "gem", "input")],
      ["a sort", () => sort("star")],
      ["Show more", () => find("overview-more").click()],
    ]) {
      test(`${what} gets its answer by itself once the server is back, though the entity tag is the same`, async (t) => {
        t.mock.timers.enable({ apis: ["setTimeout"] });
        await startAway({ ...DATA, more: true });
        act();
        t.mock.timers.tick(250);
        await settle();
        assert.equal(alert(), "Can't reach the server. Check your connection.");
        const [words] = asks();
        answerAgain(DATA);
        retry();
        await settle();
        assert.deepEqual([asks(), tags, alert(), said()], [[words], [undefined], undefined, "1 model with a headline score."]);
        await look();
        retry();
        await settle();
        assert.deepEqual(tags, [undefined, '"1"'], "and then it is only looked after as usual");
      });
    }

    for (const status of [502, 503, 504]) {
      test(`a ${status} of a proxy is asked past, one of the server itself is not`, async () => {
        await startAway();
        answer = () => replyOfProxy(status);
        sort("star");
        await settle();
        answerAgain(DATA);
        retry();
        await settle();
        assert.equal(said(), "1 model with a headline score.");
        answer = () => refuse(status, "Not ready yet.");
        sort("model");
        await settle();
        asks();
        retry();
        await settle();
        assert.deepEqual([asks(), alert()], [[], "Not ready yet."]);
      });
    }

    test("a first view that never came is asked for again", async () => {
      await startAway(new Error("away"));
      answerAgain(DATA);
      retry();
      await settle();
      assert.deepEqual([tags, said()], [[undefined], "1 model with a headline score."]);
    });

    test("the message and its button stay while it is asked in vain", async () => {
      await startAway();
      sort("star");
      await settle();
      const again = find("overview-again");
      retry();
      await settle();
      await look();
      assert.deepEqual([asks().length, find("overview-again") === again], [2, true]);
    });

    test("nothing is asked for while nobody looks", async () => {
      await startAway();
      sort("star");
      await settle();
      asks();
      drawn.hidden = true;
      retry();
      await settle();
      assert.deepEqual(asks(), []);
    });
  });

  test("mount follows the address, and asks for nothing that is shown already", async () => {
    await start("/?q=gem");
    const root = page.document.createElement("div");
    root.innerHTML = `<div data-overview><p>Loading</p></div>`;
    page.document.body.append(root);
    overview.mount(root);
    await settle();
    assert.deepEqual(asks(), []);
    page.history.replaceState(null, "", "/?q=qwen");
    page.dispatchEvent(new page.CustomEvent("earshot:address", { detail: { tab: "overview" } }));
    await settle();
    assert.deepEqual(asks(), ["?q=qwen"]);
    assert.equal(find("overview-search").value, "qwen");
  });

  test("the numbers of the scales stay unfolded when new ones come", async () => {
    await start();
    drawn.querySelector("details").open = true;
    sort("star");
    await settle();
    assert.equal(drawn.querySelector("details").open, true);
  });
});
