import { open, page } from "./dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { showDefinitions } from "../../assets/board-definitions.js";
import { OVERALL, SCT, benchmark } from "./samples.js";

const COLUMNS = [{ ...OVERALL, definition: "Right / all." }, { ...SCT, definition: "Right / all, of <SCT>." }];

function show(board) {
  open("/?tab=amb", '<details data-place="definitions" hidden><dl><dt>old</dt></dl></details>');
  const place = page.document.querySelector("details");
  showDefinitions({ shell: page.document.body, columns: COLUMNS, state: { setting: "default" }, ...board });
  const texts = (name) => [...place.querySelectorAll(name)].map((one) => one.textContent);
  return { isHidden: place.hidden, terms: texts("dt"), definitions: texts("dd") };
}

describe("what columns mean", () => {
  test("showDefinitions defines the shown columns, the setting and the terms, as text", () => {
    const { isHidden, terms, definitions } = show({ known: benchmark() });
    assert.equal(isHidden, false);
    assert.deepEqual(terms, ["Overall", "Motion, SCT", "Setting default", "Chance"]);
    assert.deepEqual(definitions, ["Right / all.", "Right / all, of <SCT>.", "As it is.", "An even guess."]);
  });

  test("showDefinitions leaves out what has no definition", () => {
    assert.deepEqual(show({ known: benchmark(), columns: [{ ...OVERALL, definition: "" }], state: { setting: "odd" } }).terms, ["Chance"]);
  });

  test("showDefinitions hides the place until definitions are here", () => {
    assert.equal(show({}).isHidden, true);
  });
});
