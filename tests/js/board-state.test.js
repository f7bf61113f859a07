import "./dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { keepChoice, readChoices } from "../../assets/charts.js";
import {
  FILTERS, bestQuery, carryRows, defaultState, fileQuery, followSetting, keepFigures, keepRows, learnOpening, namesFigures, noFilters, pageQuery, pinnedQuery, readRange, readState, withFigures,
  writeState,
} from "../../assets/board-state.js";
import { keepBenchmark, readBenchmark } from "../../assets/submit.js";
import { open, query } from "./dom.js";
import { OVERALL, SCT, SDT, START } from "./samples.js";

const USUAL = defaultState(START);

describe("the state of a board", () => {
  test("readState of a bare address returns the defaults", () => {
    open("/?tab=amb");
    assert.deepEqual(readState(START), {
      version: "1.0", setting: "default", sort: "overall|accuracy", order: "desc", source: ["verified", "submitted", "reported"], q: "", kind: "", weights: "", size: "",
      organisation: "", columns: null, references: false,
    });
  });

  test("readState takes every word that is a value", () => {
    open("/?tab=amb&version=demo&setting=noise&sort=date&order=asc&source=reported,verified&q=kimi&kind=LALM&weights=open&size=-10&organisation=Lab&columns=a|b,c|d&references=true");
    assert.deepEqual(readState(START), {
      version: "demo", setting: "noise", sort: "date", order: "asc", source: ["verified", "reported"], q: "kimi", kind: "LALM", weights: "open", size: "-10",
      organisation: "Lab", columns: ["a|b", "c|d"], references: true,
    });
  });

  test("readState leaves out words that are no values", () => {
    open(`/?tab=amb&version=9&setting=loud&order=up&weights=maybe&size=big&kind=${"x".repeat(41)}&organisation=a%00b&q=&references=yes`);
    assert.deepEqual(readState(START), USUAL);
  });

  test("readState sorts by the headline of the setting that the address names", () => {
    open("/?tab=amb&setting=noise");
    assert.equal(readState(START).sort, SCT.key);
  });

  test("readState of an empty list of sources chooses none", () => {
    open("/?tab=amb&source=&columns=");
    const { source, columns } = readState(START);
    assert.deepEqual([source, columns], [[], []]);
  });

  test("reference systems are asked for with the pinned rows and the file, and only while they are shown", () => {
    open("/?tab=amb");
    writeState({ ...USUAL, references: true }, START);
    assert.equal(query(), "?tab=amb&references=true");
    const shown = readState(START);
    for (const [state, asked] of [[shown, "true"], [USUAL, null]]) {
      assert.deepEqual([pinnedQuery(state, null), fileQuery(state)].map((words) => words.get("references")), [asked, asked]);
      assert.equal(pageQuery(state, null, null).get("references"), null);
      assert.equal(bestQuery(state, OVERALL.key).get("references"), null);
    }
  });

  test("a board opens by the figure that its first answer names, unless another order was chosen", () => {
    const start = { ...START, openings: {} };
    const part = { sort: SCT.key, order: "asc", columns: [SCT.key, SDT.key] };
    open("/?tab=amb");
    const state = readState(start);
    assert.deepEqual(learnOpening(state, SCT.key, start), part);
    assert.equal(learnOpening(state, OVERALL.key, start), null, "what a visitor looks at stays as it is");
    assert.deepEqual(readState(start), { ...USUAL, ...part });
    assert.equal(defaultState(start, "default", "demo").sort, OVERALL.key, "the other version has its own");
    const usual = { sort: OVERALL.key, order: "desc", columns: null };
    assert.deepEqual(followSetting(readState(start), { version: "demo" }, start), usual);
    writeState(readState(start), start);
    assert.equal(query(), `?tab=amb&sort=${SCT.key}&order=asc&columns=${SCT.key},${SDT.key}`);
    assert.deepEqual(readState(start), { ...USUAL, ...part });
    writeState({ ...readState(start), ...usual }, start);
    assert.equal(query(), "?tab=amb&sort=overall|accuracy");
    assert.deepEqual(readState(start), USUAL);
    const chosen = { ...START, openings: {} };
    assert.equal(learnOpening(readState(chosen), SCT.key, chosen), null, "it stands in the address");
    open(`/?tab=amb&columns=${OVERALL.key}`);
    const columns = { ...START, openings: {} };
    assert.deepEqual(learnOpening(readState(columns), SCT.key, columns), { sort: SCT.key, order: "asc" }, "columns that were chosen stay");
  });

  test("writeState of the defaults leaves nothing but the tab", () => {
    open("/?tab=amb&sort=date&order=asc&q=x&columns=a|b");
    writeState(USUAL, START);
    assert.equal(query(), "?tab=amb");
  });

  test("writeState writes bars, slashes and commas as they are", () => {
    open("/?tab=amb");
    writeState({ ...USUAL, sort: "part/a|aei", columns: ["part/a|aei", "b|c"] }, START);
    assert.equal(query(), "?tab=amb&sort=part/a|aei&columns=part/a|aei,b|c");
  });

  test("writeState of a board without columns and without sources says so", () => {
    open("/?tab=amb");
    writeState({ ...USUAL, columns: [], source: [] }, START);
    assert.equal(query(), "?tab=amb&source=&columns=");
  });

  test("writeState of another setting leaves out the headline that it opens by", () => {
    open("/?tab=amb");
    writeState(defaultState(START, "noise"), START);
    assert.equal(query(), "?tab=amb&setting=noise");
  });

  for (const state of [
    { ...USUAL, q: "a & b", kind: "LALM", size: "10-40", order: "asc" },
    { ...USUAL, version: "demo", setting: "noise", sort: OVERALL.key, columns: [], source: ["human"].slice(1) },
  ]) {
    test(`readState reads what writeState wrote of ${JSON.stringify(state.q || state.setting)}`, () => {
      open("/?tab=amb");
      writeState(state, START);
      assert.deepEqual(readState(START), state);
    });
  }

  test("followSetting goes on to the headline of the new setting where the order is the usual one", () => {
    assert.deepEqual(followSetting(USUAL, { setting: "noise" }, START), { sort: SCT.key, order: "desc", columns: null });
    assert.deepEqual(followSetting({ ...USUAL, columns: [] }, { setting: "noise" }, START), { sort: SCT.key, order: "desc" }, "columns that were chosen stay");
    assert.deepEqual(followSetting({ ...USUAL, order: "asc" }, { setting: "noise" }, START), {});
    assert.deepEqual(followSetting({ ...USUAL, sort: "date" }, { setting: "noise" }, START), {});
    assert.deepEqual(followSetting(USUAL, { version: "demo" }, START), { sort: OVERALL.key, order: "desc", columns: null }, "which is the usual one there too");
    assert.deepEqual(followSetting(USUAL, { q: "kimi" }, START), {});
  });

  test("namesFigures tells chosen columns and orders by other figures", () => {
    assert.equal(namesFigures(USUAL, START), false);
    assert.equal(namesFigures({ ...USUAL, sort: "date" }, START), false);
    assert.equal(namesFigures({ ...USUAL, sort: SCT.key }, START), true);
    assert.equal(namesFigures({ ...USUAL, columns: [] }, START), true);
    const part = { ...USUAL, sort: SCT.key, columns: [SCT.key, SDT.key] };
    assert.deepEqual([part, { ...part, version: "demo" }].map((state) => namesFigures(state, START)), [false, true], "a part is of its version");
  });

  test("keepFigures drops unknown columns and an unknown order", () => {
    const state = { ...USUAL, sort: "no|figure", order: "asc", columns: ["no|figure", SCT.key] };
    assert.deepEqual(keepFigures(state, [OVERALL.key, SCT.key], START), { ...USUAL, columns: [SCT.key] });
  });

  test("keepFigures returns the usual columns where none of the chosen ones is known", () => {
    assert.equal(keepFigures({ ...USUAL, columns: ["no|figure"] }, [SCT.key], START).columns, null);
    assert.deepEqual(keepFigures({ ...USUAL, columns: [] }, [SCT.key], START).columns, []);
  });
});

describe("the size of a model", () => {
  const SIZE = FILTERS.find(({ name }) => name === "size");

  for (const [size, range] of [["-10", [0, 10]], ["10-40", [10, 40]], ["40-", [40, Infinity]], ["1.5-2", [1.5, 2]], ["-", null], ["", null], ["40-10", null], ["7-7", null], ["x-9", null]]) {
    test(`readRange of ${JSON.stringify(size)} returns ${JSON.stringify(range)}`, () => assert.deepEqual(readRange(SIZE, size), range));
  }
});

describe("what is asked of the API", () => {
  const words = (asked) => Object.fromEntries(asked);

  test("pageQuery names the rows, their order and the figures", () => {
    assert.deepEqual(words(pageQuery({ ...USUAL, q: "kimi", kind: "LALM" }, [SCT.key], "next")), {
      version: "1.0", setting: "default", sort: OVERALL.key, order: "desc", source: "verified,submitted,reported", q: "kimi", kind: "LALM", limit: "50",
      slice: "overall", metric: "accuracy", columns: SCT.key, cursor: "next",
    });
  });

  test("withFigures of an order by name asks for no place by a figure", () => {
    const asked = withFigures(new URLSearchParams(), { ...USUAL, sort: "model" }, null, null);
    assert.equal(String(asked), "");
  });

  test("pinnedQuery asks for people and guesses whatever is filtered", () => {
    assert.deepEqual(words(pinnedQuery({ ...USUAL, q: "kimi", source: [] }, [SCT.key])), {
      version: "1.0", setting: "default", source: "human,random", limit: "10", slice: "overall", metric: "accuracy", columns: SCT.key,
    });
  });

  test("bestQuery sorts every source by the headline whatever is sorted by", () => {
    assert.deepEqual(words(bestQuery({ ...USUAL, sort: "date", source: ["verified"], q: "x" }, SCT.key)), {
      version: "1.0", setting: "default", source: "verified,submitted,reported", limit: "10", sort: SCT.key, slice: "sct", metric: "accuracy", columns: SCT.key,
    });
  });

  test("fileQuery names sources only where some are left out, with the pinned ones", () => {
    assert.equal(fileQuery(USUAL).get("source"), null);
    assert.equal(fileQuery({ ...USUAL, source: ["reported"] }).get("source"), "reported,human,random");
  });

  test("noFilters has every filter, empty", () => assert.deepEqual(noFilters(), { kind: "", weights: "", size: "", organisation: "" }));
});

describe("the rows of the charts", () => {
  test("carryRows puts the rows of a board back into its address", () => {
    open("/?tab=carried&models=a,b&map=c");
    assert.equal(carryRows("carried"), true);
    assert.equal(carryRows("carried"), false);
    open("/?tab=carried");
    assert.equal(carryRows("carried"), false);
    assert.equal(query(), "?tab=carried&models=a,b&map=c");
    open("/?tab=carried&models=d");
    assert.equal(carryRows("carried"), true);
    assert.equal(query(), "?tab=carried&models=d&map=c");
  });

  test("carryRows of one board leaves the rows of another alone", () => {
    open("/?tab=one&models=a");
    carryRows("one");
    open("/?tab=other");
    carryRows("other");
    assert.equal(query(), "?tab=other");
  });

  test("keepRows without rows takes them out for good", () => {
    open("/?tab=kept");
    keepRows("models", "a,b");
    assert.equal(query(), "?tab=kept&models=a,b");
    keepRows("models", "");
    carryRows("kept");
    assert.equal(query(), "?tab=kept");
  });

  test("keepChoice takes one id, several, or none", () => {
    open("/?tab=chosen");
    assert.equal(keepChoice("models", ["a", "b"]), "?tab=chosen&models=a,b");
    assert.equal(keepChoice("map", "c"), "?tab=chosen&models=a,b&map=c");
    assert.equal(keepChoice("models", null), "?tab=chosen&map=c");
  });

  test("readChoices keeps what was chosen where the address names no rows", () => {
    open("/?tab=chosen&models=a");
    assert.deepEqual(readChoices(["models", "map"], [["b"], "c"]), ["?tab=chosen&models=a", null, "c"]);
  });
});

describe("the benchmark of the form", () => {
  const OFFERED = ["mdar 1.0", "mdar demo", "star-bench 1.0"];

  for (const [address, chosen] of [
    ["/?tab=submit&benchmark=mdar&version=demo", "mdar demo"],
    ["/?tab=submit&benchmark=mdar", "mdar 1.0"],
    ["/?tab=submit&benchmark=mdar&version=9", "mdar 1.0"],
    ["/?tab=submit&benchmark=md", "star-bench 1.0"],
    ["/?tab=submit", "star-bench 1.0"],
    ["/?tab=about&benchmark=mdar", "star-bench 1.0"],
  ]) {
    test(`readBenchmark of ${address} returns ${chosen}`, () => {
      open(address);
      assert.equal(readBenchmark(OFFERED, "star-bench 1.0"), chosen);
    });
  }

  test("keepBenchmark writes to the address of the form alone", () => {
    open("/?tab=submit");
    keepBenchmark("mdar demo");
    assert.equal(query(), "?tab=submit&benchmark=mdar&version=demo");
    open("/?tab=about");
    keepBenchmark("mdar demo");
    assert.equal(query(), "?tab=about");
  });
});
