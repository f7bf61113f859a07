import { open, page, press, texts } from "./dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { describeFocus, restoreFocus } from "../../assets/board-focus.js";
import { followKeys, setStop } from "../../assets/board-grid.js";
import { buildTable } from "../../assets/board-table.js";
import { OVERALL, SCT, SDT, benchmark, column, row, score, view } from "./samples.js";

/** Draw a table into the page. */
function draw(words) {
  open("/?tab=amb", "<main></main>");
  const table = buildTable(view(words));
  page.document.querySelector("main").append(table);
  return table;
}

const human = (value) => row("h", value, { source: "human", model: { name: "Ten students" }, rank: null });
const cellOf = (table, submission, key) => table.querySelector(`[data-row="${submission}"] [data-stop="${key}"]`);

describe("a cell without a score", () => {
  test("a judged cell is pending while the open answers wait for the judge, and has its score afterwards", () => {
    const columns = [OVERALL, { ...SCT, judged: true }];
    const scores = { [OVERALL.key]: score(null) };
    const waiting = draw({ columns, rows: [row("s1", null, { scores, open_pending: true })] });
    assert.deepEqual([OVERALL, SCT].map(({ key }) => cellOf(waiting, "s1", key).textContent), ["–", "pending"]);
    const plain = draw({ columns, rows: [row("s1", null, { scores })] });
    assert.equal(cellOf(plain, "s1", SCT.key).textContent, "–");
    const judged = draw({ columns, rows: [row("s1", 0.5, { open_pending: true })] });
    assert.equal(cellOf(judged, "s1", SCT.key).textContent, "50.0");
  });
});

describe("the headings of a table", () => {
  test("buildTable marks the heading that is sorted by, and its button sorts", () => {
    const sorted = [];
    const table = draw({ onSort: (key) => sorted.push(key) });
    const heading = table.querySelector("[aria-sort=descending]");
    assert.equal(heading.textContent, "Overall▼");
    assert.equal(table.querySelectorAll("[aria-sort=none]").length, 3);
    table.querySelector("[data-sort=model]").click();
    assert.deepEqual(sorted, ["model"]);
  });

  test("buildTable of an ascending order says so", () => {
    const table = draw({ state: { sort: "model", order: "asc" } });
    assert.equal(table.querySelector("[aria-sort=ascending]").textContent, "Model▲");
    assert.equal(table.querySelector("th.es-rank").getAttribute("title"), "Rank");
  });

  test("buildTable says of a column what chance is and whether low is better", () => {
    const columns = [OVERALL, column("e|rate", { higher_is_better: false, chance: null }), column("n|n", { ranked: false })];
    const table = draw({ columns, rows: [] });
    assert.deepEqual([...table.querySelectorAll("button[data-sort*='|']")].map((one) => one.title), [
      "Overall. Chance 25.0.", "E. Lower is better.", "N. Chance 25.0. Neither high nor low is better, so this column is not ranked.",
    ]);
  });

  test("buildTable defines a column in the tooltip of its heading", () => {
    const columns = [{ ...OVERALL, definition: "Right / all." }];
    assert.equal(draw({ columns }).querySelector("button[data-sort='overall|accuracy']").title, "Overall. Right / all. Chance 25.0.");
  });

  test("buildTable folds a group of several columns", () => {
    const folded = [];
    const table = draw({ columns: [OVERALL, SCT, SDT], onFold: (name, keys) => folded.push([name, keys]) });
    const button = table.querySelector("[data-fold=Motion]");
    assert.equal(button.getAttribute("aria-label"), "Fold Motion");
    assert.equal(button.closest("th").getAttribute("colspan"), "2");
    button.click();
    assert.deepEqual(folded, [["Motion", [SCT.key, SDT.key]]]);
  });

  test("buildTable unfolds a group of which one column of several is shown", () => {
    assert.equal(draw({}).querySelector("[data-fold=Motion]").getAttribute("aria-label"), "Unfold Motion");
  });

  test("buildTable offers no fold for a group that has one column", () => {
    const table = draw({ known: benchmark("1.0", { columns: [OVERALL, SCT] }) });
    assert.equal(table.querySelector("[data-fold]"), null);
    assert.deepEqual(texts(table, "th[scope=colgroup]"), ["", "Motion"]);
  });

  test("buildTable without groups has one row of headings", () => {
    assert.equal(draw({ columns: [OVERALL] }).querySelectorAll("thead tr").length, 1);
  });
});

describe("the rows of a table", () => {
  test("buildTable shows figures, the best two marked as papers do", () => {
    const rows = [row("a", 0.421, { ranks: { [OVERALL.key]: 1 } }), row("b", 0.4, { ranks: { [OVERALL.key]: 2 } }), row("c", null, { ranks: {} })];
    const table = draw({ columns: [OVERALL], rows });
    const marks = rows.map(({ submission }) => cellOf(table, submission, OVERALL.key).firstElementChild);
    assert.deepEqual(marks.map((one) => [one.textContent, one.className]), [["42.1", "es-best"], ["40.0", "es-second"], ["–", ""]]);
  });

  test("buildTable draws an interval and a deviation where they are known", () => {
    const rows = [row("a", 0.5, { scores: { [OVERALL.key]: score(0.5, { low: 0.4, high: 0.6, std: 0.012 }) } }), row("b")];
    const table = draw({ columns: [OVERALL], rows });
    const [ranged, bare] = ["a", "b"].map((id) => cellOf(table, id, OVERALL.key));
    assert.equal(ranged.textContent, "50.0 ± 1.2");
    assert.ok(ranged.classList.contains("es-ranged"));
    assert.deepEqual(["--low", "--high", "--value"].map((name) => ranged.style.getPropertyValue(name)), ["0.4", "0.6", "0.5"]);
    assert.equal(bare.querySelector(".es-std")?.textContent, "", "the room of the deviation is kept");
    assert.equal(bare.classList.contains("es-ranged"), false);
  });

  test("buildTable shades from chance to the people who are pinned", () => {
    const table = draw({ columns: [OVERALL], rows: [row("a", 0.5)], pinned: [human(0.75)] });
    assert.equal(cellOf(table, "a", OVERALL.key).style.getPropertyValue("--heat"), "0.500");
  });

  test("buildTable shows a share from one in a hundred on", () => {
    const table = draw({ rows: [row("a", 0.5, { missing: 0.02, unreadable: 0.01 }), row("b", 0.5, { missing: null, unreadable: 0 })] });
    assert.deepEqual(texts(table, "[data-testid=board-row] .es-share"), ["2.0", "", "–", ""]);
    assert.equal(table.querySelectorAll(".es-warn").length, 1);
  });

  test("buildTable names a joined model by both names, and spelling is no other name", () => {
    const rows = [row("a", 0.5, { model: { name: "Kimi", sent_as: "Moonshot" } }), row("b", 0.5, { model: { name: "Kimi  Audio", sent_as: "ＫＩＭＩ audio" } })];
    assert.deepEqual(texts(draw({ rows }), ".es-org"), ["as Moonshot", "expected"]);
  });

  test("buildTable leads from a name to the model's page", () => {
    assert.equal(draw({}).querySelector("[data-testid=row-link]").getAttribute("href"), "/?tab=model&model=m-s1");
  });

  test("buildTable shows the date that a paper has, else how long ago it was", () => {
    const rows = [row("a"), row("b", 0.5, { printed_on: null }), row("c", 0.5, { printed_on: null, date: null })];
    const dates = texts(draw({ rows }), "[data-testid=board-row] .es-date");
    assert.equal(dates[0], "2025");
    assert.match(dates[1], /ago|in |year|month/);
    assert.equal(dates[2], "–");
  });

  test("a row with fewer decoding seeds than the benchmark runs says so", () => {
    const rows = [row("a", 0.5, { runs: 1 }), row("b", 0.4, { runs: 3 }), row("c", 0.3)];
    const seeds = (known) => [...draw({ rows, known }).querySelectorAll("[data-testid=row-seeds]")].map((one) => [one.closest("tr").dataset.row, one.textContent]);
    assert.deepEqual(seeds(benchmark("1.0", { seeds: 3 })), [["a", "1 of 3 seeds"]]);
    assert.deepEqual(seeds(benchmark()), [], "runs that are no repeats");
    assert.deepEqual(seeds(undefined), []);
  });

  test("the gap to human is that of the main column, and sorts it the other way round", () => {
    const sorted = [];
    const people = row("p", 0.8, { source: "human", rank: null });
    const words = { rows: [row("a", 0.55), row("b", 0.85), row("c", null)], pinned: [people], onSort: (key) => sorted.push(key) };
    const table = draw(words);
    assert.deepEqual(texts(table, "[data-testid=gap]"), ["–", "25.0", "−5.0", "–", "55.0"]);
    const heading = table.querySelector("[data-testid=gap-heading]");
    assert.equal(heading.getAttribute("aria-sort"), "ascending", "the best score is first");
    heading.querySelector("button").click();
    assert.deepEqual(sorted, [OVERALL.key]);
    const widths = [...table.rows].map((line) => [...line.cells].reduce((sum, cell) => sum + (Number(cell.getAttribute("colspan")) || 1), 0));
    assert.equal(new Set(widths).size, 1);
    assert.deepEqual(texts(draw({ rows: words.rows }), "[data-testid=gap]"), [], "no human baseline");
  });

  test("buildTable pins text-only baselines above chance where a column shown has their score", () => {
    const baselines = [
      { id: "constant", title: "Best constant answer", description: "Always the same.", scores: { "other|tpr": 1 } },
      { id: "linking", title: "Text-only linking", description: "Links the texts.", scores: { [OVERALL.key]: 0.5 } },
    ];
    const table = draw({ known: benchmark("1.0", { baselines }) });
    assert.equal(table.querySelector("[data-testid=baseline-constant]"), null);
    const linking = table.tFoot.querySelector("[data-testid=baseline-linking]");
    assert.match(linking.textContent, /Text-only linkingtext only50\.0–/);
    assert.equal(linking.querySelector(".es-rank").textContent, "");
    assert.equal(linking.querySelector(".es-org").title, "Links the texts.");
    assert.equal(linking.nextElementSibling.dataset.testid, "pinned-random");
  });

  test("buildTable pins people above and guesses below, or what is expected of guesses", () => {
    const guess = row("g", 0.25, { source: "random", model: { name: "Random guess", organisation: "" }, signature: "s:1" });
    const table = draw({ pinned: [human(0.79), guess] });
    assert.match(table.querySelector(".es-pinned-top").textContent, /humanHumanTen students79\.0/);
    assert.match(table.tFoot.textContent, /chanceRandom guessseeded guesses25\.0/);
    assert.match(draw({}).tFoot.textContent, /chanceChanceexpected25\.025\.0/);
  });

  test("buildTable pins reference systems above chance, says what they are and marks none as the best", () => {
    const ours = row("r", 0.99, { source: "verified", reference: true, rank: null, ranks: { [OVERALL.key]: null }, model: { name: "Earshot binaural" } });
    const table = draw({ rows: [row("a", 0.5)], pinned: [ours] });
    assert.deepEqual([...table.tFoot.rows].map((one) => one.dataset.testid), ["pinned-reference", "pinned-random"]);
    assert.match(table.tFoot.rows[0].textContent, /referenceEarshot binauralReference system: knows how the audio was rendered; not ranked\.99\.0/);
    assert.equal(table.tFoot.querySelector(".es-best, .es-second, [data-tick]"), null);
    assert.equal(table.tBodies[0].querySelectorAll(".es-best").length, 1);
    const details = draw({ pinned: [ours], unfolded: new Set(["r"]) }).querySelector("[data-testid=board-details]");
    assert.match(details.textContent, /reference\. Reference system/);
  });
});

describe("the place of a row", () => {
  const places = (rows, words = {}) => [...draw({ rows, ...words }).querySelectorAll("[data-testid=board-row] td.es-rank")];
  const sure = (id, rank, low, high, words = {}) => row(id, 0.5, { rank, rank_low: low, rank_high: high, source: "submitted", ...words });

  test("a place with a range says how sure it is, and joins rows of the same range", () => {
    const [first, inner, last, alone] = places([sure("a", 4, 3, 6), sure("b", 4, 3, 6), sure("c", 5, 3, 6), sure("d", 7, 7, 7)]);
    assert.deepEqual([first, inner, last, alone].map((one) => [one.textContent, one.className]), [
      ["3–6", "es-rank es-tie es-tie-first"], ["3–6", "es-rank es-tie es-tie-inner"], ["3–6", "es-rank es-tie es-tie-last"], ["7", "es-rank "],
    ]);
    assert.equal(first.getAttribute("aria-label"), "Rank 4 (95 % CI 3–6)");
    assert.equal(first.title, "Rank 4 (95 % CI 3–6). Bracketed models are statistically tied.");
    assert.equal(alone.title, "Rank 7 (95 % confident)");
  });

  test("a place without a range says why", () => {
    const [reported, submitted] = places([row("a", 0.5, { rank: 7 }), row("b", 0.5, { rank: 8, source: "submitted" })]);
    assert.deepEqual([reported.textContent, submitted.textContent], ["7", "8"]);
    assert.match(reported.title, /no confidence interval/);
    assert.match(submitted.title, /no rank range/);
  });

  test("a reported rank by a judged score says that the paper's judge gave it", () => {
    const judged = { columns: [{ ...OVERALL, judged: true }] };
    const rows = [row("a", 0.5, { rank: 1 }), row("b", 0.5, { rank: 2, source: "submitted" }), row("c", null, { rank: null })];
    const [reported, submitted] = places(rows, judged);
    assert.equal(reported.title, "Ranked by score only: the paper's judge gave this score, not ours");
    assert.doesNotMatch(submitted.title, /judge/);
    const details = (id) => draw({ rows, unfolded: new Set([id]), ...judged }).querySelector("[data-testid=board-details]").textContent;
    assert.match(details("a"), /50\.0 \(the paper's judge gave this score, not ours\)/);
    for (const id of ["b", "c"]) assert.doesNotMatch(details(id), /judge/);
  });

  for (const [why, words, rows] of [
    ["Unranked in this column", { ranked: "gone|figure" }, [row("a", 0.5, { rank: null })]],
    ["Unranked: neither high nor low N is better", { ranked: "n|n", columns: [column("n|n", { ranked: false })] }, [row("a", 0.5, { rank: null })]],
    ["Unranked: no score for Overall", {}, [row("a", null, { rank: null })]],
    ["Unranked: scored with an older answer key, parser or metric", {}, [row("a", 0.5, { rank: null, signature: "amb:0.9" })]],
    ["Unranked in this column", {}, [row("a", 0.5, { rank: null })]],
  ]) {
    test(`a missing place says “${why}”`, () => {
      const [cell] = places(rows, words);
      assert.deepEqual([cell.textContent, cell.title, cell.getAttribute("aria-label")], ["–", why, why]);
    });
  }
});

describe("what unfolds under a row", () => {
  const unfolded = (words, id = "s1") => draw({ unfolded: new Set([id]), ...words }).querySelector("[data-testid=board-details]");

  test("details say who made the model and where its figures come from", () => {
    const text = unfolded({}).textContent;
    assert.match(text, /OrganisationLabKindLALM, 7 B parametersWeightsopen/);
    assert.match(text, /reported. Scores from a paper/);
    assert.match(text, /PaperA paper Ann Lee, Bo Li, et al\., 2025Reported inTable 2, Table 4, row “Model-s1”/);
    assert.match(text, /PartsSpeed and pitch/);
    assert.match(text, /Signaturenone: reported scores/);
    assert.doesNotMatch(text, /own test items/);
  });

  test("details of a reported row on a board of own questions say that the paper's were others", () => {
    assert.match(unfolded({ hasOwnQuestions: true }).textContent, /The paper used its own test items/);
  });

  test("details name a part that is not known by its id", () => {
    assert.match(unfolded({ rows: [row("s1", 0.5, { parts: ["sct", "unheard-of"] })] }).textContent, /Speed and pitch; unheard-of/);
  });

  test("details say why a row has no place", () => {
    assert.match(unfolded({ rows: [row("s1", 0.5, { rank: null })] }).textContent, /RankUnranked in this column/);
  });

  test("details of a row whose open answers wait for the judge say so, for judged columns only", () => {
    const columns = [OVERALL, { ...SCT, judged: true }];
    const words = { columns, rows: [row("s1", null, { open_pending: true, rank: null })], ranked: SCT.key };
    const text = unfolded(words).textContent;
    assert.match(text, /Open answerswaiting for the judge; their scores will be added/);
    assert.match(text, /Overall–Motion, SCTpending \(waiting for the judge\)/);
    assert.match(text, /RankNo rank yet: the open answers are waiting for the judge/);
    assert.doesNotMatch(unfolded().textContent, /Open answers/);
  });

  test("details give every figure with its deviation and interval", () => {
    const scores = { [OVERALL.key]: score(0.5, { low: 0.25, high: 0.755, std: 0.01 }) };
    assert.match(unfolded({ rows: [row("s1", 0.5, { scores })] }).textContent, /Overall50\.0 ± 1\.0 \(95 % CI 25\.0–75\.5\)Motion, SCT–/);
  });

  test("details join figures of the same note", () => {
    const words = { notes: ["Below 0.28 points."], score_notes: { [SCT.key]: "Table 3.", [OVERALL.key]: "Table 3." } };
    const notes = unfolded({ rows: [row("s1", 0.5, words)] }).querySelector("[data-testid=board-notes]");
    assert.deepEqual(texts(notes, "li"), ["Below 0.28 points.", "Overall; Motion, SCT: Table 3."]);
  });

  test("details link only addresses of the web", () => {
    const links = ["https://a.example/x", "javascript:alert(1)", "HTTP://b.example"];
    const details = unfolded({ rows: [row("s1", 0.5, { model: { links } })] });
    assert.deepEqual([...details.querySelectorAll("a[rel*=ugc]")].map((one) => one.getAttribute("href")), [links[0], links[2]]);
    assert.match(details.textContent, /https:\/\/a\.example\/x – HTTP/);
  });

  test("details of people say nothing that only a model has, beside their row", () => {
    const details = unfolded({ pinned: [human(0.79)] }, "h");
    assert.match(details.textContent, /NameTen studentsOrganisationLabSourcehuman\. People who took the test/);
    assert.doesNotMatch(details.textContent, /Weights|Kind/);
    assert.equal(details.closest(".es-pinned-top"), null);
  });

  test("the arrow of a row says what it unfolds", () => {
    const ids = [];
    const table = draw({ unfolded: new Set(["s1"]), rows: [row("s1"), row("s2")], onUnfold: (id) => ids.push(id) });
    const [open_, folded] = table.querySelectorAll("[data-testid=board-row] .es-unfold");
    assert.deepEqual([open_.getAttribute("aria-label"), open_.getAttribute("aria-controls"), open_.getAttribute("aria-expanded")], ["Fold details of Model s1", "es-details-s1", "true"]);
    assert.deepEqual([folded.getAttribute("aria-label"), folded.getAttribute("aria-controls")], ["Unfold details of Model s2", null]);
    folded.click();
    assert.deepEqual(ids, ["s2"]);
  });

  test("the menu of citations is the same one whenever the table is drawn", () => {
    const citations = new Map();
    const menus = [1, 2].map(() => unfolded({ citations }).querySelector("[data-testid=cite-row]"));
    assert.equal(menus[0], menus[1]);
  });
});

describe("the keyboard in a table", () => {
  /** Draw a table that follows keys, with the keyboard on one of its stops. */
  function follow(start, words = {}) {
    const table = draw({ rows: [row("a"), row("b"), row("c")], ...words });
    const stops = [];
    setStop(table, null);
    followKeys(table, (stop) => stops.push(stop));
    cellOf(table, start[0], start[1]).focus();
    return { table, stops };
  }

  const here = () => {
    const { activeElement } = page.document;
    return [activeElement.closest("tr")?.dataset.row, activeElement.dataset.stop];
  };

  for (const [key, from, to] of [
    ["ArrowRight", ["a", "box"], ["a", "unfold"]],
    ["ArrowLeft", ["a", "box"], ["a", "box"]],
    ["End", ["a", "box"], ["a", SCT.key]],
    ["Home", ["a", SCT.key], ["a", "box"]],
    ["ArrowRight", ["a", SCT.key], ["a", SCT.key]],
    ["ArrowDown", ["a", SCT.key], ["b", SCT.key]],
    ["ArrowUp", ["a", SCT.key], ["a", SCT.key]],
    ["ArrowDown", ["c", SCT.key], ["expected", SCT.key]],
    ["ArrowDown", ["c", "name"], ["expected", OVERALL.key]],
  ]) {
    test(`${key} on ${from} goes to ${to}`, () => {
      const { stops } = follow(from);
      assert.equal(press(key).defaultPrevented, true);
      assert.deepEqual(here(), to);
      assert.deepEqual(stops.at(-1), { row: to[0], stop: to[1] });
    });
  }

  test("an arrow with another key is the browser's", () => {
    follow(["a", "box"]);
    assert.equal(press("ArrowRight", undefined, { altKey: true }).defaultPrevented, false);
    assert.deepEqual(here(), ["a", "box"]);
  });

  test("a hidden cell is left out", () => {
    const { table } = follow(["a", "name"]);
    cellOf(table, "a", OVERALL.key).hidden = true;
    press("ArrowRight");
    assert.deepEqual(here(), ["a", SCT.key]);
  });

  test("one stop at a time is reached by the tab key", () => {
    const { table } = follow(["b", "name"]);
    const reached = () => [...table.querySelectorAll("[data-stop]")].filter((one) => one.tabIndex === 0);
    assert.equal(reached().length, 1);
    press("ArrowDown");
    assert.deepEqual(reached().map((one) => one.closest("tr").dataset.row), ["c"]);
  });

  test("setStop takes the last stop where it is still there, else the first of the ranked rows", () => {
    const stopAfter = (last) => {
      const table = draw({ rows: [row("a"), row("b")], pinned: [human(0.8)] });
      setStop(table, last);
      const stop = [...table.querySelectorAll("[data-stop]")].find((one) => one.tabIndex === 0);
      return [stop.closest("tr").dataset.row, stop.dataset.stop];
    };
    assert.deepEqual(stopAfter({ row: "b", stop: SCT.key }), ["b", SCT.key]);
    assert.deepEqual(stopAfter({ row: "gone", stop: SCT.key }), ["a", "box"]);
  });

  test("the focus is found again by what it is for after a table is drawn anew", () => {
    const main = page.document.querySelector("main") ?? page.document.body;
    for (const selector of ['[data-row="s1"] [data-stop="overall|accuracy"]', "[data-sort=date]", "[data-fold=Motion]"]) {
      const table = draw({});
      table.querySelector(selector).focus();
      const words = describeFocus(page.document.body);
      const again = draw({});
      restoreFocus(page.document.body, words);
      assert.equal(page.document.activeElement, again.querySelector(selector), selector);
    }
    page.document.activeElement.blur();
    assert.equal(describeFocus(main), null);
    restoreFocus(page.document.body, null);
  });
});
