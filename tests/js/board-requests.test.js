import { page, settle } from "./dom.js";

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Refusal, fetchJson, isCutOff } from "../../assets/board-fetch.js";
import { Requests } from "../../assets/board-requests.js";
import { defaultState } from "../../assets/board-state.js";
import { OVERALL, SCT, START, benchmark, board, row } from "./samples.js";
import { hold, refuse, reply, replyOfProxy, serve } from "./server.js";

const USUAL = defaultState(START);

/** Requests of a board whose server answers its rows, those that are pinned and the best apart. */
function request({ first, pinned = board([row("p", 0.79, { source: "human" })]), best = board([row("b", 0.6)]) }) {
  const asked = serve(({ searchParams }) => (searchParams.get("source") === "human,random" ? pinned : searchParams.get("limit") === "10" ? best : first(searchParams)));
  return { asked, requests: new Requests("amb", START.headlines) };
}

describe("fetchJson", () => {
  test("fetchJson of an answer adds its entity tag", async () => {
    serve(() => reply({ rows: [] }, { etag: '"7"' }));
    assert.deepEqual(await fetchJson("/api"), { rows: [], etag: '"7"' });
  });

  test("fetchJson of a refusal says what the server says", async () => {
    serve(() => reply({ detail: "No such setting." }, { status: 400 }));
    await assert.rejects(fetchJson("/api"), (error) => error instanceof Refusal && error.status === 400 && error.message === "No such setting.");
  });

  test("fetchJson of a refusal that is no JSON names its status", async () => {
    serve(() => new Response("<html>", { status: 500 }));
    await assert.rejects(fetchJson("/api"), { message: "The board could not be loaded (status 500).", status: 500 });
  });

  for (const status of [502, 503, 504]) {
    test(`fetchJson of a ${status} is no answer when a proxy says so, and a refusal when the server does`, async () => {
      serve(() => replyOfProxy(status));
      await assert.rejects(fetchJson("/api"), isCutOff);
      serve(() => refuse(status, "Not ready yet."));
      await assert.rejects(fetchJson("/api"), (error) => !isCutOff(error) && error.message === "Not ready yet.");
    });
  }

  test("fetchJson of an answer that breaks off is no answer", async () => {
    serve(() => new Response(`{"rows": [`, { status: 200 }));
    await assert.rejects(fetchJson("/api"), isCutOff);
  });

  test("fetchJson gives up after a time", async () => {
    const asked = serve(() => ({}));
    await fetchJson("/api");
    assert.ok(asked[0].options.signal instanceof AbortSignal);
  });

  test("fetchJson uses what the page asked for early, once", async () => {
    const asked = serve(() => ({ is: "late" }));
    page.earshotAsked = new Map([["/api", Promise.resolve(reply({ is: "early" }))]]);
    assert.equal((await fetchJson("/api")).is, "early");
    assert.equal((await fetchJson("/api")).is, "late");
    assert.equal(asked.length, 1);
    delete page.earshotAsked;
  });
});

describe("requests of a board", () => {
  test("leader is the best row that was evaluated here, else the best of all", async () => {
    const evaluated = board([row("old", 0.9, { rank: null, source: "submitted" }), row("new", 0.5, { rank: 3, source: "submitted" })]);
    const { requests } = request({ best: evaluated });
    const best = row("best", 0.7);
    assert.deepEqual(await requests.leader(USUAL, { best, opening: OVERALL.key }).then(({ submission, source, value }) => [submission, source, value]), ["new", "submitted", 0.5]);
    const { requests: others, asked } = request({ best: board([]) });
    assert.equal((await others.leader(USUAL, { best, opening: OVERALL.key })).submission, "best");
    assert.equal(asked[0].url.searchParams.get("source"), "verified,submitted");
    assert.equal(await others.leader(USUAL, { best: undefined, opening: OVERALL.key }), null);
  });

  test("leader of a board that opens by another figure is the best in that one, which is named", async () => {
    const evaluated = board([row("new", 0.5, { rank: 3, source: "submitted" })], { columns: [OVERALL, SCT] });
    const { requests, asked } = request({ best: evaluated });
    const leader = await requests.leader(USUAL, { best: row("best", 0.7), opening: SCT.key });
    assert.deepEqual([leader.submission, leader.title], ["new", "SCT"]);
    assert.equal(asked[0].url.searchParams.get("sort"), SCT.key);
  });

  test("rows asks for the page, the pinned rows and the best row", async () => {
    const { asked, requests } = request({ first: () => board([row("s1")]) });
    const found = await requests.rows(USUAL, [SCT.key], 1);
    assert.deepEqual([found.rows, found.pinned].map((rows) => rows.map((one) => one.submission)), [["s1"], ["p"]]);
    assert.equal(found.best?.submission, "b");
    assert.deepEqual(asked.map(({ url }) => url.searchParams.get("columns")), [SCT.key, `${SCT.key},${OVERALL.key}`, OVERALL.key]);
    assert.ok(asked.every(({ url }) => url.pathname === "/api/v1/leaderboards/amb"));
  });

  test("rows of a state without sources asks for no page and keeps the columns that are shown", async () => {
    const { asked, requests } = request({ first: () => assert.fail("a page was asked for") });
    const found = await requests.rows({ ...USUAL, source: [] }, [SCT.key], 1);
    assert.deepEqual([found.rows, found.next_cursor], [[], null]);
    assert.deepEqual(found.columns.map(({ key }) => key), [SCT.key]);
    assert.equal(asked.length, 2);
  });

  test("rows loads pages until there are as many rows as were shown", async () => {
    const pages = { "": board([row("1"), row("2")], { next_cursor: "b" }), b: board([row("3"), row("4")], { next_cursor: "c" }), c: board([row("5")]) };
    const { requests } = request({ first: (words) => pages[words.get("cursor") ?? ""] });
    const found = await requests.rows(USUAL, [SCT.key], 4);
    assert.deepEqual(found.rows.map((one) => one.submission), ["1", "2", "3", "4"]);
    assert.equal(found.next_cursor, "c");
  });

  test("rows takes as best the first row that has a place", async () => {
    const { requests } = request({ first: () => board([]), best: board([row("old", 0.9, { rank: null }), row("new", 0.8)]) });
    assert.equal((await requests.rows(USUAL, [SCT.key], 1)).best?.submission, "new");
  });

  test("rows takes as best the first row where none has a place", async () => {
    const { requests } = request({ first: () => board([]), best: board([row("old", 0.9, { rank: null })]) });
    assert.equal((await requests.rows(USUAL, [SCT.key], 1)).best?.submission, "old");
  });

  test("describe keeps what is known of a version, and asks again while it has no items", async () => {
    let items = null;
    const asked = serve(({ searchParams }) => benchmark(searchParams.get("version"), { items }));
    const requests = new Requests("amb", START.headlines);
    await requests.describe("1.0");
    items = 10;
    assert.equal((await requests.describe("1.0")).items, 10);
    await requests.describe("1.0");
    assert.deepEqual(asked.map(({ url }) => url.pathname + url.search), Array(2).fill("/api/v1/benchmarks/amb?version=1.0"));
  });

  test("sizesOf asks once, and once more after a failure", async () => {
    let isAway = true;
    const asked = serve(() => (isAway ? new Error("away") : { scores: { [SCT.key]: { n: 672 } } }));
    const requests = new Requests("amb", START.headlines);
    await assert.rejects(requests.sizesOf("a b"));
    await settle();
    isAway = false;
    const [one, other] = await Promise.all([requests.sizesOf("a b"), requests.sizesOf("a b")]);
    assert.equal(one, other);
    assert.equal(one[SCT.key]?.n, 672);
    assert.deepEqual(asked.map(({ url }) => url.pathname), Array(2).fill("/api/v1/submissions/a%20b"));
  });

  test("sizesOf of a submission without scores is empty", async () => {
    serve(() => ({ scores: null }));
    assert.deepEqual(await new Requests("amb", START.headlines).sizesOf("s"), {});
  });

  for (const [status, isOutdated] of [[304, false], [200, true], [500, false]]) {
    test(`isOutdated is ${isOutdated} where the server answers ${status}`, async () => {
      const asked = serve(() => reply({}, { status }));
      assert.equal(await new Requests("amb", START.headlines).isOutdated(USUAL, '"1"'), isOutdated);
      assert.deepEqual(asked[0].options.headers, { "If-None-Match": '"1"' });
    });
  }

  test("isOutdated is false where the server does not answer", async () => {
    serve(() => new Error("away"));
    assert.equal(await new Requests("amb", START.headlines).isOutdated(USUAL, '"1"'), false);
  });

  test("exportLink names columns only for formats that have some", () => {
    const requests = new Requests("amb", START.headlines);
    const words = (format) => new URL(requests.exportLink(USUAL, [SCT.key], format), "http://a").searchParams;
    assert.equal(words("latex").get("columns"), SCT.key);
    assert.equal(words("hub").get("columns"), null);
    assert.equal(words("hub").get("format"), "hub");
    assert.equal(words("csv").get("source"), null);
  });

  test("packLink and filters name the version", async () => {
    const asked = serve(() => ({ kinds: [], organisations: [] }));
    const requests = new Requests("a/b", START.headlines);
    assert.equal(requests.packLink("test", "1.0"), "/api/v1/benchmarks/a%2Fb/pack?split=test&version=1.0");
    await requests.filters(USUAL);
    assert.equal(asked[0].url.pathname + asked[0].url.search, "/api/v1/leaderboards/a%2Fb/filters?version=1.0&setting=default");
  });

  test("rows of a failing server are a failure as a whole", async () => {
    const { held, release } = hold();
    const { requests } = request({ first: () => held, best: new Error("away") });
    await assert.rejects(requests.rows(USUAL, [SCT.key], 1), { message: "away" });
    release(board([]));
  });
});
