import { open, page } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { showDurability } from "../../assets/durability.js";
import { serve } from "./server.js";

describe("the line about durability", () => {
  beforeEach(() => open("/"));

  const makeLine = (hidden) => {
    const line = page.document.createElement("p");
    line.hidden = hidden;
    return line;
  };

  test("line shows while data is not durable and hides when it is", async () => {
    for (const durable of [false, true, false]) {
      serve(() => ({ durable }));
      const line = makeLine(!durable);
      await showDurability(line);
      assert.equal(line.hidden, durable);
    }
  });

  test("line stays as it was when the server says nothing of it", async () => {
    serve(() => ({}));
    for (const hidden of [true, false]) {
      const line = makeLine(hidden);
      await showDurability(line);
      assert.equal(line.hidden, hidden);
    }
  });
});
