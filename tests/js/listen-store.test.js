import { open, page } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { countHeard, fetchOffers, fetchRound, fetchSound, loadUnfinished, rememberHeard, saveUnfinished, sendAnswers, withdraw } from "../../assets/listen-store.js";
import { question, round } from "./listen-samples.js";
import { reply, serve } from "./server.js";

const startAnew = () => {
  open("/?tab=listen");
  page.sessionStorage.clear();
  page.localStorage.clear();
};

describe("what a browser remembers of a round", () => {
  beforeEach(startAnew);

  test("loadUnfinished returns what saveUnfinished kept, until it is forgotten", () => {
    assert.equal(loadUnfinished(), null);
    saveUnfinished(round({ at: 2, answers: { q1: 1 } }));
    assert.deepEqual(loadUnfinished(), round({ at: 2, answers: { q1: 1 } }));
    saveUnfinished(null);
    assert.equal(loadUnfinished(), null);
  });

  for (const kept of ["{", "7", "null", '{"questions": {}, "answers": {}}', '{"questions": []}']) {
    test(`loadUnfinished of ${kept} is nothing`, () => {
      page.sessionStorage.setItem("earshot-listen", kept);
      assert.equal(loadUnfinished(), null);
    });
  }

  test("a browser that refuses to remember still plays", () => {
    const refuse = () => {
      throw new Error("The quota is exceeded.");
    };
    const names = ["sessionStorage", "localStorage"];
    for (const name of names) globalThis[name] = { getItem: refuse, setItem: refuse, removeItem: refuse };
    saveUnfinished(round());
    rememberHeard(round());
    saveUnfinished(null);
    assert.deepEqual([loadUnfinished(), countHeard(round())], [null, 0]);
    for (const name of names) globalThis[name] = page[name];
  });

  test("countHeard counts questions whose answers were seen before", () => {
    rememberHeard(round());
    rememberHeard(round({ questions: [question("q9")] }));
    assert.equal(countHeard(round()), 3);
    assert.equal(countHeard(round({ questions: [question("q2"), question("q8"), question("q9")] })), 2);
  });

  test("rememberHeard keeps the last 3,000", () => {
    const many = Array.from({ length: 3001 }, (_, at) => question(`m${at}`));
    rememberHeard(round({ questions: many }));
    assert.equal(countHeard(round({ questions: [many[0]] })), 0);
    assert.equal(countHeard(round({ questions: [many[1], many[3000]] })), 2);
  });
});

describe("what is asked of the server", () => {
  beforeEach(startAnew);

  test("fetchOffers returns the benchmarks", async () => {
    serve(() => ({ benchmarks: [{ benchmark: "mdar" }] }));
    assert.deepEqual(await fetchOffers(), [{ benchmark: "mdar" }]);
  });

  test("fetchRound names the round", async () => {
    const asked = serve(() => round());
    await fetchRound({ benchmark: "a/b", version: "demo", n: 10, seed: 3 });
    assert.equal(asked[0].url.pathname + asked[0].url.search, "/api/v1/listening/a%2Fb?version=demo&n=10&seed=3");
  });

  test("sendAnswers sends the round, its answers and whether they may be counted", async () => {
    const asked = serve(() => ({}));
    await sendAnswers(round({ answers: { q1: 1, q2: null }, seconds: 12.5 }), true);
    const [{ url, options }] = asked;
    assert.deepEqual([url.pathname, options.method, options.headers], ["/api/v1/listening/mdar/results", "POST", { "Content-Type": "application/json" }]);
    assert.deepEqual(JSON.parse(options.body), { version: "demo", n: 10, seed: 3, answers: { q1: 1, q2: null }, seconds: 12.5, consent: true });
  });

  test("withdraw deletes a result by its id", async () => {
    const asked = serve(() => ({ withdrawn: true }));
    await withdraw(round(), "x/y");
    assert.deepEqual([asked[0].options.method, asked[0].url.pathname + asked[0].url.search], ["DELETE", "/api/v1/listening/mdar/results/x%2Fy?version=demo"]);
  });

  test("a refusal carries what the server says, and its status", async () => {
    serve(() => reply({ detail: "Rendering." }, { status: 503 }));
    await assert.rejects(fetchOffers(), { message: "Rendering.", status: 503 });
  });

  test("no answer, and one that is no JSON, say to check the connection", async () => {
    serve(() => new Error("away"));
    await assert.rejects(fetchOffers(), { message: /Can't reach the server/, status: undefined });
    serve(() => new Response("<", { status: 200 }));
    await assert.rejects(fetchOffers(), { message: /Can't reach the server/ });
  });

  test("fetchSound returns bytes, or says why not", async () => {
    serve(() => new Response(new Uint8Array([1, 2, 3])));
    assert.deepEqual([...new Uint8Array(await fetchSound("/a.wav"))], [1, 2, 3]);
    serve(() => new Response("", { status: 404 }));
    await assert.rejects(fetchSound("/a.wav"), { message: "The audio could not be loaded (status 404)." });
    serve(() => new Error("away"));
    await assert.rejects(fetchSound("/a.wav"), { message: /Can't reach the server/ });
  });
});
