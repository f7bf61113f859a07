import { loads, open, page } from "../dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { replyOfProxy, serve } from "../server.js";

const away = new TypeError("Failed to fetch dynamically imported module");
const server = { health: () => ({}) };
const settle = () => new Promise((done) => setImmediate(done));
let asked;

/** Let the time between two looks at the server pass. */
async function pass() {
  await settle();
  mock.timers.tick(1000);
  await settle();
}

/** What is asked for scripts: it fails so often. */
function failTimes(times) {
  const urls = [];
  const ask = async (url) => {
    urls.push(url);
    if (urls.length <= times) throw away;
    return { is: "module" };
  };
  return { ask, urls };
}

mock.timers.enable({ apis: ["setTimeout"] });

beforeEach(async () => {
  open("/");
  server.health = () => ({});
  asked = serve(() => server.health());
  await import(`../../../assets/loading.js?${Math.random()}`);
});

describe("a script", () => {
  test("is there at once while the server answers", async () => {
    const { ask, urls } = failTimes(0);
    assert.deepEqual(await page.earshot.load("/a.js", ask), { is: "module" });
    assert.deepEqual([urls, asked], [["/a.js"], []]);
  });

  test("that is asked for while the server is away is asked for again when it answers", async () => {
    server.health = () => away;
    const { ask, urls } = failTimes(1);
    const script = page.earshot.load("/a.js", ask);
    for (let looks = 0; looks < 20; looks += 1) await pass();
    server.health = () => replyOfProxy(200);
    await pass();
    assert.equal(urls.length, 1);
    server.health = () => ({});
    await pass();
    assert.deepEqual(await script, { is: "module" });
    assert.equal(urls.length, 2);
  });

  test("that cannot be had although the server answers fails in the end", async () => {
    const { ask, urls } = failTimes(9);
    const script = page.earshot.load("/a.js", ask).catch((error) => error);
    for (let looks = 0; looks < 5; looks += 1) await pass();
    assert.equal(await script, away);
    assert.equal(urls.length, 3);
  });
});

describe("a part of Gradio that could not be had", () => {
  const fail = () => page.dispatchEvent(new page.Event("vite:preloadError"));

  test("has the page loaded anew when the server answers", async () => {
    server.health = () => away;
    fail();
    await pass();
    assert.deepEqual(loads, []);
    server.health = () => ({});
    await pass();
    assert.deepEqual(loads, ["reload"]);
  });

  test("loses nothing that was typed", async () => {
    fail();
    page.document.body.append(page.document.createElement("input"));
    page.document.querySelector("input").dispatchEvent(new page.Event("input", { bubbles: true }));
    await pass();
    assert.deepEqual(loads, []);
  });

  test("does not load the page again and again", async (context) => {
    context.mock.method(performance, "getEntriesByType", () => [{ type: "reload" }]);
    fail();
    await pass();
    assert.deepEqual(loads, []);
  });
});
