import { open, page, settle } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { watchEditions } from "../../assets/editions.js";
import { refuse, replyOfProxy, serve } from "./server.js";

const ROW = '<li data-edition="e-1" tabindex="-1"><button data-do="close" data-confirmation="Close e-1?">Score</button><button data-do="render">Render</button></li>';

describe("test questions", () => {
  /** @type {HTMLElement} */
  let list;
  let changes = 0;
  const press = async (action) => {
    list.querySelector(`[data-do=${action}]`).click();
    await settle();
  };
  const notice = () => page.document.querySelector("[role=alert]").textContent;

  beforeEach(() => {
    open("/?tab=submit");
    changes = 0;
    page.document.body.innerHTML = `<div id="list"><div data-benchmark="a b" data-version="1.0"><button data-do="request">Get</button><ul>${ROW}</ul></div></div><div id="editions-notice"><p role="alert"></p></div>`;
    list = page.document.getElementById("list");
    watchEditions(list, () => changes++);
  });

  test("request that met no server is repeated under the same key, and the next one has another", async () => {
    let answer = () => new Error("away");
    const asked = serve(() => answer());
    await press("request");
    assert.equal(notice(), "Can't reach the server. Try again.");
    assert.equal(changes, 0);
    answer = () => replyOfProxy();
    await press("request");
    answer = () => ({ id: "e-2" });
    await press("request");
    assert.equal(notice(), "");
    assert.equal(changes, 1);
    await press("request");
    const keys = asked.map(({ options }) => options.headers["Idempotency-Key"]);
    assert.deepEqual(asked.map(({ url, options }) => `${options.method} ${url.pathname}${url.search}`), Array(4).fill("POST /api/v1/benchmarks/a%20b/editions?version=1.0"));
    assert.equal(new Set(keys).size, 2);
    assert.equal(keys[1], keys[2]);
  });

  test("second click does nothing until the first is answered", async () => {
    const asked = serve(() => ({ id: "e-2" }));
    list.querySelector("button").click();
    await press("request");
    assert.equal(asked.length, 1);
  });

  test("refusal is shown in the server's words", async () => {
    serve(() => refuse(429, "You have 2 open editions."));
    await press("request");
    assert.equal(notice(), "You have 2 open editions.");
    assert.equal(changes, 0);
  });

  test("edition is closed only after its question was answered with yes, and gets the focus of its button", async (t) => {
    const asked = serve(() => ({ id: "e-1", state: "closed" }));
    const questions = [];
    let isConfirmed = false;
    page.confirm = (question) => {
      questions.push(question);
      return isConfirmed;
    };
    t.after(() => delete page.confirm);
    await press("close");
    assert.deepEqual([questions, asked.length], [["Close e-1?"], 0]);
    isConfirmed = true;
    const button = list.querySelector("[data-do=close]");
    button.focus();
    await press("close");
    assert.deepEqual(asked.map(({ url, options }) => `${options.method} ${url.pathname}`), ["POST /api/v1/editions/e-1/close"]);
    assert.equal(changes, 1);
    button.blur();
    button.remove();
    await settle();
    assert.equal(page.document.activeElement, list.querySelector("li"));
  });

  test("pack that is rendered now is no error, and every other refusal is one", async () => {
    let answer = refuse(503, "It is rendered now.");
    const asked = serve(() => answer);
    await press("render");
    assert.deepEqual([changes, notice()], [1, ""]);
    answer = refuse(404, "There is no such edition.");
    await press("render");
    assert.deepEqual([changes, notice()], [1, "There is no such edition."]);
    assert.deepEqual(asked.map(({ url, options }) => `${url.pathname} ${options.headers.Range}`), Array(2).fill("/api/v1/editions/e-1/pack bytes=0-0"));
  });
});
