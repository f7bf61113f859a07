/** Test questions on the Submit tab: requests editions, has their packs rendered again, and closes them. */

import { explain } from "./page.js";

const AWAY = "Can't reach the server. Try again.";

/**
 * Handle the buttons of a list of editions, and report changes.
 * @param {HTMLElement} element  redrawn piece by piece when something changes
 * @param {() => void} onChange
 */
export function watchEditions(element, onChange) {
  let isBusy = false;
  // A repeated request after a lost response returns the same edition.
  let key = makeKey();
  /** Edition whose button disappears with the change. @type {string|null} */
  let followed = null;

  element.addEventListener("click", async (event) => {
    /** @type {HTMLButtonElement|null} */
    const button = event.target instanceof Element ? event.target.closest("button[data-do]") : null;
    const question = button?.dataset.confirmation;
    if (!button || isBusy || (question && !window.confirm(question))) return;
    isBusy = true;
    say("");
    const answer = await send(button, key).catch(() => null);
    isBusy = false;
    if (answer && answer.status < 500) key = makeKey();
    if (!answer || !isDone(button, answer)) return say((await explain(answer)) ?? AWAY);
    followed = await nameEdition(button, answer);
    return onChange();
  });

  new MutationObserver(() => {
    /** @type {HTMLElement|null} */
    const row = followed ? element.querySelector(`[data-edition="${CSS.escape(followed)}"]`) : null;
    if (!row) return;
    followed = null;
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.matches(":disabled")) row.focus({ preventScroll: true });
  }).observe(element, { attributes: true, childList: true, subtree: true });
}

/** @param {string} words */
function say(words) {
  const notice = document.querySelector("#editions-notice [role=alert]");
  if (notice) notice.textContent = words;
}

/** @param {HTMLButtonElement} button @param {string} key */
function send(button, key) {
  if (button.dataset.do === "request") {
    const place = /** @type {HTMLElement} */ (button.closest("[data-benchmark]"));
    const { benchmark = "", version = "" } = place.dataset;
    const path = `/api/v1/benchmarks/${encodeURIComponent(benchmark)}/editions?version=${encodeURIComponent(version)}`;
    return fetch(path, { method: "POST", headers: { "Idempotency-Key": key } });
  }
  const path = `/api/v1/editions/${encodeURIComponent(findEdition(button))}`;
  if (button.dataset.do === "close") return fetch(`${path}/close`, { method: "POST" });
  // Asking for a pack has it rendered; of one that is there, a single byte is enough.
  return fetch(`${path}/pack`, { headers: { Range: "bytes=0-0" } });
}

/**
 * Whether an action succeeded: a request for a pack that is rendered now is answered with 503.
 * @param {HTMLButtonElement} button
 * @param {Response} answer
 */
function isDone(button, answer) {
  return answer.ok || (button.dataset.do === "render" && answer.status === 503);
}

/** @param {HTMLButtonElement} button @param {Response} answer @returns {Promise<string|null>} */
async function nameEdition(button, answer) {
  if (button.dataset.do !== "request") return findEdition(button);
  const edition = await answer.json().catch(() => null);
  return edition?.id ?? null;
}

/** @param {HTMLButtonElement} button */
function findEdition(button) {
  return /** @type {HTMLElement|null} */ (button.closest("[data-edition]"))?.dataset.edition ?? "";
}

function makeKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
