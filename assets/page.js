import { clearState } from "./board-state.js";

/** Small things of the page: signing in without leaving it, and the open tab in the address bar. */

/**
 * Send the sign-in and sign-out forms inside an element as JSON, and say when somebody came or went.
 * @param {HTMLElement} element
 * @param {() => void} onChange
 */
export function watchSignIn(element, onChange) {
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const words = form.querySelector("[role=alert]");
    const answer = await send(form).catch(() => null);
    if (answer?.ok) onChange();
    else if (words) words.textContent = (await explain(answer)) ?? "The server did not answer. Try again.";
  });
}

/**
 * Keep browsers from filling or remembering the key of an endpoint as if it were somebody's password here. The fields
 * come and go with what is chosen, and are made with an empty `autocomplete`.
 */
export function keepKeysOut() {
  const mark = () => {
    for (const field of document.querySelectorAll('input[type="password"]:not([autocomplete="new-password"])')) {
      field.setAttribute("autocomplete", "new-password");
    }
  };
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}

function send(form) {
  const fields = Object.fromEntries(new FormData(form));
  const headers = { "Content-Type": "application/json" };
  return fetch(form.getAttribute("action"), { method: "POST", headers, body: JSON.stringify(fields) });
}

async function explain(answer) {
  const problem = await answer?.json().catch(() => null);
  return problem?.detail;
}

// While the page comes up its first tab announces itself, whatever tab the address asked for: before that tab or after it.
let awaited = new URL(performance.getEntriesByType("navigation")[0].name).searchParams.get("tab");

/**
 * Put the tab that was opened into the address, and tell its board, which adds what was chosen on it.
 * @param {string} tab  id of the tab
 * @param {boolean} isFirst  the first has no name in the address
 */
export function rememberTab(tab, isFirst) {
  if (awaited && awaited !== tab && isFirst) return;
  awaited = null;
  if (document.getElementById(`tab-${tab}-button`)?.getAttribute("aria-selected") === "false") return;
  const address = new URL(location.href);
  const before = address.searchParams.get("tab");
  if (isFirst) address.searchParams.delete("tab");
  else address.searchParams.set("tab", tab);
  const isOther = before === null ? !isFirst : before !== tab;
  if (isOther) clearState(address);
  history.replaceState(history.state, "", address);
  window.dispatchEvent(new CustomEvent("earshot:tab", { detail: { tab } }));
}
