/**
 * Requests of Gradio's events: their order, and lost connections.
 * Events wait while the server is unavailable, and the page stays unchanged. Gradio gives up permanently after one event
 * without a response, and then reloads the page, which loses input.
 */

import { make } from "./board-format.js";

const EVENTS = "/gradio_api/run/";
const AWAY = "Can't reach the server. Reconnecting…";
const UNCERTAIN = "The connection was lost before the server answered. Check whether your change was made, then try again.";

/** Pending while the server is unavailable. @type {Promise<void>|null} */
let outage = null;

/** Pending events that change nothing: the components that each fills, and its response. @type {Set<{ outputs: number[], done: Promise<Response> }>} */
const reads = new Set();

/** Make events of the page wait for an unavailable server and for earlier responses; called once. */
export function keepEvents() {
  const send = window.fetch.bind(window);
  window.fetch = (request, options) => (isEvent(request) ? sendInOrder(() => send(request, options), options).catch(refuse) : send(request, options));
}

/** @param {RequestInfo|URL} request */
function isEvent(request) {
  const url = request instanceof Request ? request.url : String(request);
  return new URL(url, location.href).pathname.startsWith(EVENTS);
}

/**
 * Send an event that changes nothing after the earlier ones that fill the same components: their responses would replace
 * its own if they arrived later.
 * @param {() => Promise<Response>} send
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
async function sendInOrder(send, options) {
  const event = findRead(options);
  if (!event) return sendEvent(send, false);
  const earlier = [...reads].filter((read) => read.outputs.some((id) => event.outputs.includes(id)));
  const done = Promise.all(earlier.map((read) => read.done)).then(() => sendEvent(send, true)).catch(refuse);
  const read = { outputs: event.outputs, done };
  reads.add(read);
  return done.finally(() => reads.delete(read));
}

/**
 * @param {() => Promise<Response>} send
 * @param {boolean} isRead  whether the event may be sent twice
 * @returns {Promise<Response>}
 */
async function sendEvent(send, isRead) {
  await outage;
  const answer = await send().then(receive).catch(() => null);
  if (answer) return answer;
  outage ??= waitForServer().finally(() => {
    outage = null;
  });
  await outage;
  // The server may have made a change before the connection was lost.
  return isRead ? sendEvent(send, isRead) : refuse();
}

/** A substitute response, whose text Gradio shows: after an error Gradio would give up. */
function refuse() {
  return Response.json({ error: UNCERTAIN }, { status: 503 });
}

/**
 * Wait for the complete response: a connection may break in the middle.
 * @param {Response} answer
 * @returns {Promise<Response|null>}  null if a proxy responds for an unavailable server; the server's own responses are JSON
 */
async function receive(answer) {
  await answer.clone().arrayBuffer();
  const isRefusal = answer.status >= 400 && answer.status < 500;
  return isRefusal || answer.headers.get("Content-Type")?.includes("json") ? answer : null;
}

/** Find the event of a request if it changes nothing: these show no progress (see `leaderboard/pages/shared/bindings.py`). @param {RequestInit} [options] */
function findRead(options) {
  const { fn_index: id } = JSON.parse(String(options?.body ?? "{}"));
  return window.gradio_config?.dependencies.find((event) => event.id === id && event.show_progress === "hidden");
}

/** Show that the server is unavailable, until it responds again. */
async function waitForServer() {
  const notice = make("p", { class: "es-away", role: "alert", "data-testid": "away" }, AWAY);
  (document.querySelector(".gradio-container:not(#es-first)") ?? document.body).append(notice);
  await window.earshot.waitForServer();
  notice.remove();
}
