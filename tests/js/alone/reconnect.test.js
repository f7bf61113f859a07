import { open, page } from "../dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { hold, replyOfProxy, serve } from "../server.js";

await import("../../../assets/loading.js");
const { keepEvents } = await import("../../../assets/reconnect.js");

const READ = { body: JSON.stringify({ fn_index: 1 }) };
const CHANGE = { body: JSON.stringify({ fn_index: 2 }) };
const away = new TypeError("Failed to fetch");
const dependencies = [
  { id: 1, show_progress: "hidden", outputs: [10, 11] },
  { id: 2, show_progress: "minimal", outputs: [10] },
  { id: 3, show_progress: "hidden", outputs: [11, 12] },
  { id: 4, show_progress: "hidden", outputs: [12] },
];

/** Whether the server answers; `answer` is what it says to an event. */
const server = { isAway: true, health: () => ({}), answer: () => ({ data: [] }) };
let asked;

const notices = () => page.document.querySelectorAll("[data-testid=away]").length;
const events = () => asked.filter(({ url }) => url.pathname !== "/healthz").length;
const send = (options) => page.fetch("/gradio_api/run/predict?x=1", options);
const settle = () => new Promise((done) => setImmediate(done));

/** Let the time between two looks at the server pass. */
async function pass() {
  await settle();
  mock.timers.tick(1000);
  await settle();
}

mock.timers.enable({ apis: ["setTimeout"] });

beforeEach(() => {
  open("/", `<div class="gradio-container"></div>`);
  page.gradio_config = { dependencies };
  server.isAway = true;
  server.health = () => ({});
  server.answer = () => ({ data: [] });
  asked = serve((url) => {
    if (server.isAway) return away;
    return url.pathname === "/healthz" ? server.health() : server.answer();
  });
  page.fetch = globalThis.fetch;
  keepEvents();
});

describe("an event while the server is away", () => {
  test("one that reads waits, under a notice, and is sent again when the server answers", async () => {
    const answer = send(READ);
    await pass();
    await pass();
    assert.equal(notices(), 1);
    assert.equal(events(), 1);
    server.isAway = false;
    await pass();
    assert.deepEqual(await (await answer).json(), { data: [] });
    assert.equal(notices(), 0);
    assert.equal(events(), 2);
  });

  test("one that changes something is sent once, and an answer says what to do", async () => {
    const answer = send(CHANGE);
    await settle();
    server.isAway = false;
    await pass();
    const { status, ok } = await answer;
    assert.deepEqual([status, ok], [503, false]);
    assert.match((await (await answer).json()).error, /^The connection was lost .* then try again\.$/);
    assert.equal(events(), 1);
  });

  test("one that is begun meanwhile is sent when the server answers, whatever it does", async () => {
    const first = send(READ);
    await settle();
    const second = send(CHANGE);
    await pass();
    assert.equal(events(), 1);
    assert.equal(notices(), 1);
    server.isAway = false;
    await pass();
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
    assert.equal(events(), 3);
  });

  test("a server that is lost again is waited for again", async () => {
    const answer = send(READ);
    server.answer = () => away;
    await settle();
    server.isAway = false;
    await pass();
    assert.equal(notices(), 1);
    server.answer = () => ({ data: [7] });
    await pass();
    assert.deepEqual(await (await answer).json(), { data: [7] });
  });

  test("an answer that breaks off is no answer", async () => {
    server.isAway = false;
    server.answer = () => new Response(new ReadableStream({ pull: (body) => body.error(away) }));
    const answer = send(READ);
    await settle();
    assert.equal(notices(), 1);
    server.answer = () => ({ data: [7] });
    await pass();
    assert.deepEqual(await (await answer).json(), { data: [7] });
  });

  for (const status of [200, 500, 502, 503]) {
    test(`what a proxy says in its place is no answer: a page with status ${status}`, async () => {
      server.isAway = false;
      server.answer = () => replyOfProxy(status);
      const answer = send(READ);
      await settle();
      assert.equal(notices(), 1);
      server.answer = () => ({ data: [] });
      await pass();
      assert.deepEqual(await (await answer).json(), { data: [] });
    });
  }

  test("nor is the health of a server what a proxy says of it", async () => {
    const answer = send(READ);
    await settle();
    server.isAway = false;
    server.health = () => replyOfProxy(200);
    await pass();
    assert.deepEqual([notices(), events()], [1, 1]);
    server.health = () => ({});
    await pass();
    assert.equal((await answer).status, 200);
  });

  test("one that cannot be read is answered all the same", async () => {
    const answer = send({ body: "{" });
    await settle();
    server.isAway = false;
    await pass();
    assert.equal((await answer).status, 503);
  });

  test("an event never fails, whatever happens to the connection: Gradio would give the page up", async () => {
    const failures = [away, new Response(new ReadableStream({ pull: (body) => body.error(away) })), replyOfProxy(), away];
    server.isAway = false;
    server.answer = () => failures.shift() ?? { data: [7] };
    const answer = send(READ);
    for (let looks = 0; looks < 5; looks += 1) await pass();
    assert.deepEqual(await (await answer).json(), { data: [7] });
  });
});

describe("the order of events", () => {
  const event = (id) => ({ body: JSON.stringify({ fn_index: id }) });
  const sent = () =>
    asked.filter(({ url }) => url.pathname !== "/healthz").map(({ options }) => JSON.parse(options.body).fn_index);

  test("one that fills the same component waits for the response of the earlier one", async () => {
    const pending = [hold(), hold(), hold()];
    let nAnswered = 0;
    server.isAway = false;
    server.answer = () => pending[nAnswered++].held;
    const answers = [1, 3, 4].map((id) => send(event(id)));
    for (const [at, { release }] of pending.entries()) {
      await settle();
      assert.deepEqual(sent(), [1, 3, 4].slice(0, at + 1));
      release({ data: [at] });
    }
    const bodies = await Promise.all(answers.map(async (answer) => (await answer).json()));
    assert.deepEqual(bodies, [{ data: [0] }, { data: [1] }, { data: [2] }]);
  });

  test("one that fills others does not wait, nor does a change", async () => {
    const { held, release } = hold();
    server.isAway = false;
    server.answer = () => held;
    const answers = [1, 4, 2].map((id) => send(event(id)));
    await settle();
    assert.deepEqual(sent().sort(), [1, 2, 4]);
    release({ data: [] });
    await Promise.all(answers);
  });

  test("one that waits is sent after a refusal, too", async () => {
    server.isAway = false;
    server.answer = () => new Response("{}", { status: 429, headers: { "Content-Type": "application/problem+json" } });
    const refused = send(event(1));
    const later = send(event(3));
    assert.deepEqual([(await refused).status, (await later).status], [429, 429]);
    assert.deepEqual(sent(), [1, 3]);
  });

  test("after an outage, the later one is still sent last", async () => {
    const answers = [1, 3].map((id) => send(event(id)));
    await pass();
    server.isAway = false;
    await pass();
    await Promise.all(answers);
    assert.deepEqual(sent(), [1, 1, 3]);
  });
});

describe("what does not wait", () => {
  test("what the server refuses", async () => {
    server.isAway = false;
    server.answer = () => new Response("{}", { status: 503, headers: { "Content-Type": "application/problem+json" } });
    assert.equal((await send(READ)).status, 503);
    assert.equal(notices(), 0);
  });

  test("what a proxy refuses, which it would refuse again", async () => {
    server.isAway = false;
    server.answer = () => replyOfProxy(413);
    assert.equal((await send(READ)).status, 413);
    assert.equal(notices(), 0);
  });

  for (const request of ["/api/v1/overview", new URL("http://earshot.test/gradio_api/heartbeat/x"), new Request("http://earshot.test/gradio_api/upload")]) {
    test(`a request to ${request instanceof Request ? request.url : request}`, async () => {
      const { held, release } = hold();
      server.isAway = false;
      server.answer = () => held;
      const answer = page.fetch(request);
      release(away);
      await assert.rejects(answer, away);
      assert.equal(notices(), 0);
    });
  }
});
