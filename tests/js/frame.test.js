import { open, page, query } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

const HUB = "https://huggingface.co";
const replaceState = page.history.replaceState.bind(page.history);
const pushState = page.history.pushState.bind(page.history);
let posted;
let asked;

/** Show the page, in a frame of a site if one is named. */
async function show(address, ancestors) {
  Object.assign(page.history, { replaceState, pushState });
  open(address, "");
  posted = [];
  const parent = { postMessage: (message, target) => posted.push([message, target]) };
  Object.defineProperty(page, "parent", { configurable: true, value: ancestors ? parent : page });
  Object.defineProperty(page.location, "ancestorOrigins", { configurable: true, value: ancestors?.length ? ancestors : undefined });
  await import(`../../assets/frame.js?${Math.random()}`);
}

/** Click a link, and return where it opens. */
function follow(words) {
  const link = Object.assign(page.document.createElement("a"), words);
  link.addEventListener("click", (event) => event.preventDefault());
  page.document.body.replaceChildren(link);
  link.dispatchEvent(new page.MouseEvent("click", { bubbles: true, cancelable: true }));
  return [link.target, link.rel];
}

beforeEach(() => {
  asked = [];
  page.fetch = async (request) => {
    asked.push(String(request));
    return Response.json({});
  };
});

describe("the Hub's address bar", () => {
  test("follows steps within the page, without the frame's colours", async () => {
    await show("/?__theme=dark", [HUB]);
    page.history.pushState(null, "", "/?__theme=dark&tab=mdar");
    page.history.replaceState(null, "", "/?tab=mdar&__theme=dark&q=a#section");
    page.history.replaceState(null, "", "/?tab=mdar&__theme=dark&q=a#section");
    page.history.pushState(null, "", "/?__theme=dark");
    assert.deepEqual(posted, [
      [{ queryString: "?tab=mdar", hash: "" }, HUB],
      [{ queryString: "?tab=mdar&q=a", hash: "#section" }, HUB],
      [{ queryString: "", hash: "" }, HUB],
    ]);
    assert.equal(query(), "?__theme=dark");
  });

  test("follows the way back", async () => {
    await show("/?tab=mdar", [HUB]);
    replaceState(null, "", "/?tab=about");
    page.dispatchEvent(new page.Event("popstate"));
    assert.deepEqual(posted, [[{ queryString: "?tab=about", hash: "" }, HUB]]);
  });

  test("is told also where the browser does not say who frames the page", async () => {
    await show("/", []);
    page.history.pushState(null, "", "/?tab=mdar");
    assert.equal(posted.length, 1);
  });

  test("is nobody's business in another site's frame, or in none", async () => {
    for (const ancestors of [["https://blog.example"], ["https://huggingface.co.evil.example"], null]) {
      await show("/", ancestors);
      page.history.pushState(null, "", "/?tab=mdar");
      assert.deepEqual(posted, []);
      assert.equal(query(), "?tab=mdar");
    }
  });
});

describe("a link", () => {
  const LINKS = [
    ["https://arxiv.example/abs/1", "_blank"],
    ["/api/v1/benchmarks/mdar/pack?split=test", "_blank"],
    ["/?tab=about", ""],
    ["#section", ""],
    ["mailto:a@b.example", ""],
  ];

  test("opens beside the frame where it leads out of the page", async () => {
    await show("/", ["https://blog.example"]);
    for (const [href, target] of LINKS) assert.deepEqual(follow({ href }), [target, target && "noopener"], href);
    assert.deepEqual(follow({ href: "/api/v1/x", download: "x" }), ["", ""]);
    assert.deepEqual(follow({ href: "https://a.example", rel: "nofollow" }), ["_blank", "nofollow noopener"]);
  });

  test("is left alone outside of frames", async () => {
    await show("/", null);
    for (const [href] of LINKS) assert.deepEqual(follow({ href }), ["", ""], href);
  });
});

describe("the Hub's status of this Space", () => {
  test("is answered by the page, and nothing else is", async () => {
    await show("/", null);
    const answer = await page.fetch(`${HUB}/api/spaces/by-subdomain/lab-earshot`);
    assert.deepEqual(await answer.json(), { id: "lab-earshot", runtime: { stage: "RUNNING" } });
    assert.deepEqual(asked, []);
    await page.fetch("/healthz");
    assert.deepEqual(asked, ["/healthz"]);
  });
});
