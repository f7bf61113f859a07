import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { chooseFrom, focusList } from "../../assets/lists.js";

/** Whether an event is sent for a report of a list. @param {string} list @param {unknown} value */
const isSent = (list, value) => Promise.race([Promise.resolve(chooseFrom(list, value)).then(() => true), new Promise((resolve) => { setTimeout(resolve, 5, false); })]);

describe("a list", () => {
  test("reports a choice once, although Gradio reports it twice and when the focus leaves", async () => {
    focusList("one", "a");
    assert.equal(await isSent("one", "b"), true);
    assert.equal(await isSent("one", "b"), false);
    assert.equal(await isSent("one", "b"), false);
  });

  test("that is left without a choice reports nothing", async () => {
    focusList("two", "a");
    assert.equal(await isSent("two", "a"), false);
  });

  test("reports the choice of an earlier value after a response has replaced it", async () => {
    focusList("three", "a");
    await isSent("three", "b");
    focusList("three", "a");
    assert.equal(await isSent("three", "b"), true);
  });

  test("whose first value is not known, or is empty, reports a choice", async () => {
    assert.equal(await isSent("four", "a"), true);
    focusList("five", null);
    assert.equal(await isSent("five", "a"), true);
    assert.equal(await isSent("four", "a"), false);
  });
});
