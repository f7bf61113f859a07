import { page } from "./dom.js";

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";

/** Run the script on a layout. */
async function fix(layout) {
  page.gradio_config = layout;
  await import(`../../assets/fixed-layout.js?${Math.random()}`);
}

/** What Svelte observes. */
const isPlain = (value) => [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));

afterEach(() => { delete page.gradio_config; });

describe("the layout of Gradio", () => {
  test("keeps its content, and Svelte observes none of it", async () => {
    const layout = { title: "Earshot", components: [{ id: 1 }, { id: 2 }], dependencies: [{ id: 0 }], page: { "": { layout: { id: 0 } } } };
    const before = JSON.stringify(layout);
    await fix(layout);
    assert.equal(JSON.stringify(layout), before);
    // As Gradio selects those of a page.
    const selected = layout.components.filter((component) => component.id > 1);
    assert.deepEqual([Array.isArray(selected), selected.length, selected[0].id], [true, 1, 2]);
    for (const value of [layout.components, selected, layout.dependencies, layout.page[""].layout]) assert.equal(isPlain(value), false);
  });

  test("may be missing", async () => {
    await fix(undefined);
    assert.equal(page.gradio_config, undefined);
  });
});
