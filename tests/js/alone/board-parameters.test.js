import { open, page, query, texts, unfold } from "../dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { START } from "../samples.js";

const place = page.document.getElementById("es-board-options");
const options = JSON.parse(place.textContent);
/** A filter that no server has: what the scripts do with it follows from its entry alone. */
const LANGUAGE = { title: "Language", form: "choice", values: ["en", "zh"], unit: null, pattern: null, offered_as: null };
const last = options.parameters.findIndex(({ name }) => name === "columns");
options.parameters.splice(last, 0, { name: "language", description: "", in_address: true, max_characters: null, filter: LANGUAGE });
place.textContent = JSON.stringify(options);

const { defaultState, fileQuery, noFilters, pageQuery, readState, writeState } = await import("../../../assets/board-state.js");
const { filterChips, filterMenu } = await import("../../../assets/board-filters.js");

describe("the parameters that come with the page", () => {
  test("the address of a board states them in their order, and is read again", () => {
    const changed = { version: "demo", setting: "noise", sort: "date", order: "asc", source: ["verified"], q: "kimi", kind: "LALM", weights: "open", size: "-10", organisation: "Lab", language: "zh", columns: ["a|b"], references: true };
    open("/?tab=amb");
    writeState(changed, START);
    const names = [...new URLSearchParams(query()).keys()];
    assert.deepEqual(names, ["tab", ...options.parameters.filter((one) => one.in_address).map((one) => one.name)]);
    assert.deepEqual(readState(START), changed);
  });

  test("a filter of the list is read, checked, cleared and asked for", () => {
    assert.equal(noFilters().language, "");
    open("/?tab=amb&language=xx");
    assert.equal(readState(START).language, "");
    open("/?tab=amb&language=en");
    const state = readState(START);
    for (const asked of [pageQuery(state, null, null), fileQuery(state)]) assert.equal(asked.get("language"), "en");
    assert.equal(pageQuery(defaultState(START), null, null).has("language"), false);
  });

  test("a filter of the list has a menu and a chip", async () => {
    open("/");
    const changes = [];
    const state = { ...defaultState(START), language: "en" };
    const board = { onChange: (change) => changes.push(change), loadFilters: async () => ({ kinds: [], organisations: [] }), state: () => state };
    const menu = filterMenu(board);
    page.document.body.append(menu);
    await unfold(menu);
    assert.deepEqual(texts(menu, ".es-filter > span"), ["Kind", "Weights", "Size", "Organisation", "Language"]);
    assert.deepEqual(texts(menu, "[data-testid=filter-language] option"), ["any", "en", "zh"]);
    const { element, show } = filterChips(board);
    show(state);
    assert.deepEqual(texts(element, ".es-chip"), ["Language: en×"]);
    element.querySelector("button").click();
    assert.deepEqual(changes, [{ language: "" }]);
  });
});
