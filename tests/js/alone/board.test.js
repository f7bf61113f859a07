import { choose, open, page, press, query, settle, shown, texts, unfold } from "../dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { OVERALL, SCT, SDT, benchmark, board, row } from "../samples.js";
import { hold, refuse, reply, replyOfProxy, serve } from "../server.js";

// Before the module is loaded: it looks again every five seconds, and a test says when these are over.
let look;
mock.method(globalThis, "setInterval", (act) => {
  look = act;
});
const boards = await import("../../../assets/board.js");

const SHELL = `<section data-board="amb" data-versions="1.0,demo" data-settings="default,noise" data-headlines="${OVERALL.key},${SCT.key}"
    data-columns="${OVERALL.key},${SCT.key}" data-questions="own">
  <h2><small data-place="version">1.0</small></h2>
  <p><span data-fact><span data-place="items">–</span></span><span data-fact><span data-place="human">–</span></span><span data-place="chance">–</span><b data-place="best">–</b></p>
  <a data-place="submit" href="/">Submit</a><a data-pack="test" href="/">Pack</a><a data-pack="practice" href="/">Practice</a>
  <details data-testid="cite"><summary>Cite</summary><div class="es-panel">@article{a}</div></details>
  <div><span data-place="open"></span><p data-place="leader"></p></div><p data-place="needs"></p>
  <div data-views="1.0"><button data-view="" data-order="desc">Overall</button><button data-view="${SCT.key},${SDT.key}" data-order="desc">Motion</button></div>
  <div data-place="controls"></div><div data-place="problem"></div><div data-place="table">Loading</div><div data-place="status"></div><details data-place="definitions" hidden><dl></dl></details><p data-place="reported" hidden></p>
</section>`;
const PEOPLE = row("h", 0.79, { source: "human", model: { name: "Ten students" } });

/** What the server answers, until a test says otherwise: by the last word of the address. */
let answers;
/** What was asked since the last look. */
let asked;

function answer(url, options) {
  if (options.headers?.["If-None-Match"]) return reply({}, { status: answers.outdated ? 200 : 304 });
  const words = url.searchParams;
  if (url.pathname.endsWith("/benchmarks/amb")) return answers.describe(words.get("version"));
  if (words.get("source") === "human,random") return board([PEOPLE], { columns: [OVERALL, SCT, SDT] });
  if (words.get("limit") === "10") return board([row("best", 0.61)]);
  return answers.page(words);
}

/** Draw a board at an address. */
async function start(address = "/?tab=amb") {
  open(address, `<main>${SHELL}</main>`);
  asked = serve(answer);
  const told = [];
  page.addEventListener("earshot:board", ({ detail }) => told.push(detail));
  const begun = boards.begin(page.document.querySelector("main"));
  await begun;
  await settle();
  const shell = page.document.querySelector("[data-board]");
  const place = (name) => shell.querySelector(`[data-place=${name}]`);
  const rows = () => texts(shell, "[data-testid=row-link]");
  const asks = () => asked.splice(0).map(({ url }) => Object.fromEntries(url.searchParams)).filter((words) => words.limit === "50");
  asks();
  return { shell, place, rows, asks, told, find: (name) => shell.querySelector(`[data-testid=${name}]`), sort: (key) => shell.querySelector(`[data-sort="${key}"]`).click() };
}

beforeEach(() => {
  answers = {
    outdated: false,
    describe: (version) => benchmark(version, version === "demo" ? { items: 78, clips: null, packs: ["test", "practice"], columns: [OVERALL, SCT] } : {}),
    page: (words) => board([row("a", 0.5), row("b", 0.4)], { columns: [OVERALL, SCT, SDT].filter(({ key }) => (words.get("columns") ?? "").split(",").includes(key)), opening: words.get("setting") === "noise" ? SCT.key : OVERALL.key }),
  };
});

describe("a board that opens", () => {
  test("begin shows the rows, what is known of them, and the pinned ones", async () => {
    const { place, rows, find } = await start();
    assert.deepEqual(rows(), ["Model a", "Model b"]);
    assert.deepEqual(["items", "human", "chance", "best", "version"].map((name) => place(name).textContent), ["2,016", "79.0", "25.0", "61.0", "1.0"]);
    assert.equal(find("pinned-human").querySelector(".es-org").textContent, "Ten students");
    assert.equal(place("reported").hidden, false);
    assert.match(place("status").textContent, /^2 rows\. 2,016 questions/);
  });

  describe("at a part", () => {
    const PART = `?tab=amb&sort=${SCT.key}&columns=${SCT.key},${SDT.key}`;
    const pressed = (shell) => [...shell.querySelectorAll("[data-view]")].map((one) => one.getAttribute("aria-pressed"));
    const headings = (shell) => [...shell.querySelectorAll("[data-sort*='|']")].map((one) => one.dataset.sort);

    beforeEach(() => {
      const { page: answerPage } = answers;
      answers.page = (words) => ({ ...answerPage(words), opening: SCT.key });
    });

    test("shows the part's view: in its control, table and address", async () => {
      open("/?tab=amb", `<main>${SHELL}</main>`);
      const { shell, rows } = await start();
      assert.deepEqual(rows(), ["Model a", "Model b"]);
      assert.equal(shell.hasAttribute("aria-busy"), false);
      assert.deepEqual(pressed(shell), ["false", "true"]);
      assert.deepEqual(headings(shell), [SCT.key, SDT.key]);
      assert.equal(query(), PART);
    });

    test("asks for the part's figures after its first answer", async () => {
      open("/?tab=amb", `<main>${SHELL}</main>`);
      asked = serve(answer);
      await boards.begin(page.document.querySelector("main"));
      const pages = asked.map(({ url }) => url.searchParams).filter((words) => words.get("limit") === "50");
      assert.deepEqual(pages.map((words) => [words.get("sort"), words.get("columns")]), [[OVERALL.key, `${OVERALL.key},${SCT.key}`], [SCT.key, `${SCT.key},${SDT.key}`]]);
    });

    test("keeps what was chosen instead, over a load of the page too", async () => {
      const { shell, asks } = await start();
      shell.querySelector("[data-view='']").click();
      await settle();
      assert.deepEqual(pressed(shell), ["true", "false"]);
      assert.equal(query(), `?tab=amb&sort=${OVERALL.key}`);
      assert.deepEqual(asks().map(({ sort }) => sort), [OVERALL.key]);
      const again = await start(`/?tab=amb&sort=${OVERALL.key}`);
      assert.deepEqual(pressed(again.shell), ["true", "false"]);
      assert.equal(query(), `?tab=amb&sort=${OVERALL.key}`);
    });

    test("is what a bare link leads to later", async () => {
      const { shell, sort } = await start();
      sort("date");
      await settle();
      page.history.pushState(null, "", "/?tab=amb");
      page.dispatchEvent(new page.CustomEvent("earshot:address", { detail: { tab: "amb" } }));
      await settle();
      assert.equal(query(), PART);
      assert.deepEqual(pressed(shell), ["false", "true"]);
    });

    test("leaves columns that the address names, and orders them by the part", async () => {
      const { shell } = await start(`/?tab=amb&columns=${OVERALL.key},${SCT.key}`);
      assert.deepEqual(headings(shell), [OVERALL.key, SCT.key]);
      assert.equal(query(), `?tab=amb&columns=${OVERALL.key},${SCT.key}&sort=${SCT.key}`);
    });
  });

  test("begin leaves out a fact that nobody knows", async () => {
    answers.describe = (version) => benchmark(version, { items: null });
    const { place } = await start();
    assert.equal(place("items").closest("[data-fact]").hidden, true);
    assert.equal(place("human").closest("[data-fact]").hidden, false);
  });

  test("begin introduces the benchmark: its best model, and whether it takes submissions", async () => {
    const { place } = await start();
    assert.deepEqual([place("open").textContent, place("leader").textContent], ["Open for submissions", "Best published: 61.0 % Model best from the paper"]);
  });

  test("begin gives the size of the paper where no questions are installed", async () => {
    answers.describe = (version) => benchmark(version, { items: 0, items_of_paper: 2825, packs: [], open_version: null });
    const { place } = await start();
    assert.deepEqual([place("items").textContent, place("open").textContent], ["2,825", "Closed for submissions"]);
  });

  test("begin links the form, and the packs that are there", async () => {
    const { place, shell } = await start();
    assert.equal(place("submit").getAttribute("href"), "/?tab=submit&benchmark=amb");
    const packs = [...shell.querySelectorAll("[data-pack]")];
    assert.deepEqual(packs.map((one) => one.hidden), [false, true]);
    assert.equal(packs[0].getAttribute("href"), "/api/v1/benchmarks/amb/pack?split=test&version=1.0");
  });

  test("begin under another tab asks for nothing until its tab is opened", async () => {
    const { rows } = await start("/?tab=about");
    assert.equal(asked.length, 0);
    page.history.replaceState(null, "", "/?tab=amb");
    page.dispatchEvent(new page.CustomEvent("earshot:tab", { detail: { tab: "other" } }));
    page.dispatchEvent(new page.CustomEvent("earshot:tab", { detail: { tab: "amb" } }));
    await settle();
    assert.deepEqual(rows(), ["Model a", "Model b"]);
  });

  test("begin tells the page which revision it shows", async () => {
    const { told } = await start();
    assert.deepEqual(told, [{ board: "amb", revision: '"1"', choice: 0 }]);
  });

  test("begin of an address with unknown words shows the usual board, and corrects the address", async () => {
    const { find, shell } = await start("/?tab=amb&version=9&setting=loud&sort=no|figure&order=asc&columns=no|figure,sct|accuracy");
    assert.equal(query(), "?tab=amb&columns=sct|accuracy");
    assert.equal(find("board-setting").value, "default");
    assert.deepEqual(texts(shell, "thead [data-sort*='|']"), ["Overall▼", "SCT"], "and the figure that is sorted by");
  });

  test("begin of a chosen part presses its button", async () => {
    const { shell, asks } = await start();
    shell.querySelector("[data-view*=sdt]").click();
    await settle();
    assert.equal(shell.querySelector("[data-view*=sdt]").getAttribute("aria-pressed"), "true");
    assert.equal(query(), "?tab=amb&sort=sct|accuracy&columns=sct|accuracy,sdt|accuracy");
    assert.equal(asks()[0].columns, `${SCT.key},${SDT.key}`);
  });
});

describe("what a visitor chooses on a board", () => {
  test("a heading sorts, and the address keeps it", async () => {
    const { sort, asks, shell } = await start();
    sort(SCT.key);
    await settle();
    assert.equal(query(), "?tab=amb&sort=sct|accuracy");
    assert.equal(shell.querySelector("[aria-sort=descending] [data-sort]").dataset.sort, SCT.key);
    sort(SCT.key);
    await settle();
    assert.equal(query(), "?tab=amb&sort=sct|accuracy&order=asc");
    assert.deepEqual(asks().map(({ sort: by, order }) => `${by} ${order}`), ["sct|accuracy desc", "sct|accuracy asc"]);
  });

  test("names are sorted from A on, dates from the newest on", async () => {
    const { sort, asks } = await start();
    for (const key of ["model", "date"]) {
      sort(key);
      await settle();
    }
    assert.deepEqual(asks().map(({ sort: by, order }) => `${by} ${order}`), ["model asc", "date desc"]);
  });

  test("choices that follow each other at once ask for the last one alone", async () => {
    const { sort, asks } = await start();
    sort("model");
    sort("date");
    await settle();
    assert.deepEqual(asks().map(({ sort: by }) => by), ["date"]);
  });

  test("another setting opens by its own headline", async () => {
    const { find, asks } = await start();
    choose(find("board-setting"), "noise");
    await settle();
    assert.equal(query(), "?tab=amb&setting=noise");
    assert.equal(asks()[0].sort, SCT.key);
  });

  test("another version drops the columns that it lacks, and shows its own numbers", async () => {
    const { find, place } = await start(`/?tab=amb&columns=${OVERALL.key},${SDT.key}&sort=${SDT.key}`);
    choose(find("board-version"), "demo");
    await settle();
    assert.equal(query(), "?tab=amb&columns=overall|accuracy&version=demo");
    assert.equal(place("items").textContent, "78");
    assert.equal(place("submit").getAttribute("href"), "/?tab=submit&benchmark=amb&version=demo");
  });

  test("an earlier answer does not replace a later one", async () => {
    const first = hold();
    const { sort, rows, shell } = await start();
    const usual = answers.page;
    answers.page = (words) => (words.get("sort") === "model" ? first.held : usual(words));
    sort("model");
    await settle();
    assert.equal(shell.getAttribute("aria-busy"), "true");
    sort("date");
    await settle();
    first.release(board([row("late")]));
    await settle();
    assert.deepEqual(rows(), ["Model a", "Model b"]);
    assert.equal(shell.hasAttribute("aria-busy"), false);
  });

  test("a late description of the version before is not shown", async () => {
    const first = hold();
    const usual = answers.describe;
    answers.describe = (version) => (version === "1.0" ? first.held : usual(version));
    const { find, place } = await start("/?tab=amb&version=demo");
    choose(find("board-version"), "1.0");
    await settle();
    choose(find("board-version"), "demo");
    await settle();
    first.release(benchmark("1.0"));
    await settle();
    assert.equal(place("items").textContent, "78");
    assert.equal(place("version").textContent, "demo");
  });

  test("an unfolded row stays unfolded, is brought into sight, and folds again", async () => {
    const { shell, find } = await start();
    shell.querySelector("[data-row=b] .es-unfold").click();
    assert.equal(shown.at(-1).id, "es-details-b");
    assert.equal(find("board-details").previousElementSibling.dataset.row, "b");
    shell.querySelector("[data-row=b] .es-unfold").click();
    assert.equal(find("board-details"), null);
  });

  test("the focus stays where it is when the table is drawn anew", async () => {
    const { shell } = await start();
    const button = shell.querySelector("[data-row=b] .es-unfold");
    button.focus();
    button.click();
    assert.notEqual(page.document.activeElement, button);
    assert.equal(page.document.activeElement.getAttribute("aria-label"), "Fold details of Model b");
  });

  test("a group that is folded comes back as it was", async () => {
    const { shell, asks } = await start(`/?tab=amb&columns=${OVERALL.key},${SCT.key},${SDT.key}`);
    shell.querySelector("[data-fold=Motion]").click();
    await settle();
    assert.equal(asks()[0].columns, `${OVERALL.key},${SCT.key}`);
    shell.querySelector("[data-fold=Motion]").click();
    await settle();
    assert.equal(asks()[0].columns, `${OVERALL.key},${SCT.key},${SDT.key}`);
  });

  test("ticks of rows go with a change of questions, and stay otherwise", async () => {
    const { shell, find, sort } = await start();
    shell.querySelector("[data-tick=a]").click();
    sort("model");
    await settle();
    assert.equal(find("compare-bar").hidden, false);
    assert.equal(shell.querySelector("[data-tick=a]").checked, true);
    choose(find("board-setting"), "noise");
    assert.equal(find("compare-bar").hidden, true);
  });

  test("a choice that is made while another tab is open leaves the address alone", async () => {
    const { sort } = await start();
    page.history.replaceState(null, "", "/?tab=about");
    sort("model");
    await settle();
    assert.equal(query(), "?tab=about");
    page.history.replaceState(null, "", "/?tab=amb");
    page.dispatchEvent(new page.CustomEvent("earshot:tab", { detail: { tab: "amb" } }));
    assert.equal(query(), "?tab=amb&sort=model&order=asc");
  });

  test("the way back brings the board of the address", async () => {
    const { asks } = await start();
    page.history.replaceState(null, "", "/?tab=amb&sort=date");
    page.dispatchEvent(new page.CustomEvent("earshot:address", { detail: { tab: "amb" } }));
    await settle();
    page.dispatchEvent(new page.CustomEvent("earshot:address", { detail: { tab: "amb" } }));
    page.dispatchEvent(new page.CustomEvent("earshot:address", { detail: { tab: "other" } }));
    await settle();
    assert.deepEqual(asks().map(({ sort }) => sort), ["date"]);
  });

  test("the menu of columns chooses among all that the version has", async () => {
    const { find, asks } = await start();
    await unfold(find("columns-menu"));
    const boxes = [...find("columns-panel").querySelectorAll(".es-choices input")];
    choose(boxes.find((box) => box.getAttribute("value") === SDT.key), true);
    await settle();
    assert.equal(asks()[0].columns, `${OVERALL.key},${SCT.key},${SDT.key}`);
  });
});

describe("pages of rows", () => {
  const PAGES = { "": ["a", "b"], next: ["c"] };

  beforeEach(() => {
    answers.page = (words) => board(PAGES[words.get("cursor") ?? ""].map((id) => row(id)), { next_cursor: words.get("cursor") ? null : "next" });
  });

  test("Show more adds the next page, once though it is asked for twice", async () => {
    const { rows, find, place } = await start();
    assert.match(place("status").textContent, /2 rows shown, more follow/);
    find("show-more").focus();
    find("show-more").click();
    find("show-more").click();
    await settle();
    assert.deepEqual(rows(), ["Model a", "Model b", "Model c"]);
    assert.equal(find("show-more"), null);
  });

  test("a page that comes after a reload is left out", async () => {
    const { rows, find, sort } = await start();
    const late = hold();
    const usual = answers.page;
    answers.page = (words) => (words.get("cursor") ? late.held : usual(words));
    find("show-more").click();
    sort("model");
    await settle();
    late.release(board([row("c")]));
    await settle();
    assert.deepEqual(rows(), ["Model a", "Model b"]);
  });

  test("a page that cannot be loaded says so and leaves the rows", async () => {
    const { rows, find, place } = await start();
    answers.page = () => new Error("away");
    find("show-more").click();
    await settle();
    assert.match(place("problem").textContent, /Can't reach the server.*Showing the last loaded rows/);
    assert.equal(rows().length, 2);
  });

  test("a look after a change of the board loads as many rows as were shown", async () => {
    const { find, rows, asks } = await start();
    find("show-more").click();
    await settle();
    asks();
    await look();
    assert.equal(asks().length, 0, "nothing has changed");
    answers.outdated = true;
    await look();
    await settle();
    assert.equal(asks().filter((words) => words.order).length, 2);
    assert.equal(rows().length, 3);
  });
});

describe("a board whose server does not answer", () => {
  test("a failed load says what to do, and goes on when the server does", async () => {
    answers.page = () => new Error("away");
    const { place, find, rows } = await start();
    assert.equal(place("problem").querySelector("[role=alert]").textContent, "Can't reach the server. Check your connection.");
    assert.equal(place("table").childElementCount, 0);
    answers.page = () => board([row("a")]);
    find("try-again").click();
    await settle();
    assert.deepEqual(rows(), ["Model a"]);
    assert.equal(place("problem").childElementCount, 0);
  });

  test("a board that was cut off loads by itself once the server answers, and its message stays until then", async () => {
    answers.page = () => new Error("away");
    const { place, find, rows } = await start();
    const again = find("try-again");
    await look();
    await settle();
    assert.equal(find("try-again"), again);
    answers.page = () => board([row("a")]);
    await look();
    await settle();
    assert.deepEqual(rows(), ["Model a"]);
    assert.equal(place("problem").childElementCount, 0);
  });

  for (const status of [502, 503, 504]) {
    test(`a board that a proxy answers with ${status} is asked for again, whether it was loaded or not`, async () => {
      const usual = answers.page;
      answers.page = () => replyOfProxy(status);
      const { place, rows, sort } = await start();
      answers.page = usual;
      await look();
      await settle();
      assert.deepEqual(rows(), ["Model a", "Model b"]);
      answers.page = () => replyOfProxy(status);
      sort("model");
      await settle();
      assert.match(place("problem").textContent, /Can't reach the server/);
      answers.page = () => board([row("c")]);
      await look();
      await settle();
      assert.deepEqual([rows(), place("problem").childElementCount], [["Model c"], 0]);
    });
  }

  test("a board that the server itself is not ready for is not asked for again", async () => {
    answers.page = () => refuse(503, "Not ready yet.");
    const { asks, place } = await start();
    await look();
    await settle();
    assert.deepEqual([asks(), place("problem").querySelector("[role=alert]").textContent], [[], "Not ready yet."]);
  });

  test("what stands above the table comes with its first rows", async () => {
    const { held, release } = hold();
    const usual = answers.describe;
    answers.describe = () => held;
    const started = start();
    await settle();
    assert.equal(page.document.querySelectorAll("[data-board] [data-testid=board-row]").length, 0);
    release(usual("1.0"));
    const { rows } = await started;
    assert.equal(rows().length, 2);
  });

  test("a refused view is not asked for again", async () => {
    answers.page = () => reply({ detail: "No." }, { status: 400 });
    const { asks } = await start("/?tab=amb&q=x");
    asks();
    await look();
    await settle();
    assert.equal(asks().length, 0);
  });

  test("a refused view is reset", async () => {
    answers.page = (words) => (words.get("q") ? reply({ detail: "No." }, { status: 400 }) : board([row("a")]));
    const { place, rows } = await start("/?tab=amb&q=x");
    place("problem").querySelector("button").click();
    await settle();
    assert.equal(query(), "?tab=amb");
    assert.deepEqual(rows(), ["Model a"]);
  });
});

describe("the tab of a board", () => {
  const template = () => {
    const root = page.document.createElement("div");
    root.innerHTML = `<template>${SHELL}</template>`;
    page.document.body.append(root);
    return root;
  };

  test("mount moves what was drawn into the tab, with the focus", async () => {
    const { shell, find } = await start();
    find("board-search").focus();
    const root = template();
    boards.mount(root);
    assert.equal(root.querySelector("[data-board]"), shell);
    assert.equal(page.document.querySelectorAll("[data-board]").length, 1);
    assert.equal(page.document.activeElement, find("board-search"));
    boards.mount(root);
    assert.equal(root.querySelectorAll("[data-board]").length, 1);
  });

  test("mount of another board draws it in its place", async () => {
    await start("/?tab=about");
    const root = template();
    root.querySelector("template").content.querySelector("[data-board]").dataset.board = "other";
    boards.mount(root);
    assert.equal(root.querySelector("[data-board]").dataset.board, "other");
    assert.ok(root.querySelector("[data-testid=board-search]"));
  });

  test("the figures of a board are reached by arrows and told by its card", async () => {
    const { shell, find } = await start();
    const cell = shell.querySelector(`[data-row=a] [data-stop="${OVERALL.key}"]`);
    cell.focus();
    press("ArrowDown");
    assert.equal(page.document.activeElement.closest("tr").dataset.row, "b");
    assert.match(find("figure-card").textContent, /^OverallModel b/);
  });
});
