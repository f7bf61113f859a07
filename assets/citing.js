/**
 * "Cite this row": a permanent link, a sentence, BibTeX and the signature, each with a copy button; and the paper of a
 * benchmark above its board.
 */

import { Refusal, fetchJson } from "./board-fetch.js";
import { make } from "./board-format.js";
import { foldMenu } from "./board-menu.js";

const SAID_MS = 2000;
/** Title and field. @type {[string, keyof Api.Citation][]} */
const PARTS = [
  ["Link", "url"],
  ["Sentence", "text"],
  ["BibTeX", "bibtex"],
  ["Signature", "signature"],
  ["YAML for the model's repository on the Hugging Face Hub", "hub_yaml"],
  ["Metadata for its model card", "model_index"],
];

/**
 * @param {string} submissionId
 * @returns {HTMLDetailsElement}  loads its content when it is first opened
 */
export function citation(submissionId) {
  const panel = make("div", { class: "es-panel es-cited" });
  const menu = make("details", { class: "es-menu es-citing", "data-testid": "cite-row" }, make("summary", {}, "Cite this row"), panel);
  menu.addEventListener("toggle", () => menu.open && !panel.childElementCount && load(submissionId, panel));
  return menu;
}

/**
 * Close a menu like other menus, and add copy buttons to its texts.
 * @param {HTMLDetailsElement|null} menu  menu of the page's shell
 */
export function bindCitation(menu) {
  if (!menu) return;
  const panel = menu.querySelector(".es-panel");
  if (!panel) return;
  panel.classList.add("es-cited");
  panel.replaceChildren(block("BibTeX", (panel.textContent ?? "").trim()));
  foldMenu(menu);
}

/** @param {string} submissionId @param {HTMLElement} panel */
async function load(submissionId, panel) {
  panel.replaceChildren(make("p", { class: "es-quiet", role: "status" }, "Loading…"));
  try {
    panel.replaceChildren(...build(await fetchJson(`/api/v1/submissions/${encodeURIComponent(submissionId)}/citation`)));
  } catch (error) {
    const why = error instanceof Refusal ? error.message : "Can't reach the server. Check your connection.";
    const again = make("button", { type: "button", class: "es-button", onclick: () => load(submissionId, panel) }, "Try again");
    panel.replaceChildren(make("p", { class: "es-error", role: "alert" }, why), again);
  }
}

/** @param {Api.Citation} said */
function build(said) {
  const parts = PARTS.flatMap(([title, name]) => (said[name] ? [block(title, said[name].trim())] : []));
  const why = said.signature ? null : make("p", { class: "es-quiet" }, "No signature: the scores were reported, not computed here.");
  return why ? [...parts, why] : parts;
}

/** A text with a copy button. @param {string} title @param {string} text */
export function block(title, text) {
  const shown = make("pre", { tabindex: "0", "aria-label": title }, text);
  const said = make("span", { class: "es-hidden", role: "status" });
  const button = make("button", { type: "button", class: "es-button", "aria-label": `Copy ${title}`, onclick: () => copy(text, shown, button, said) }, "Copy");
  return make("div", { class: "es-cited-part" }, make("div", { class: "es-cited-head" }, make("b", {}, title), button, said), shown);
}

/**
 * Handle the copy buttons of code inside an element: each copies the text before it, and is followed by a live region.
 * @param {HTMLElement} element
 */
export function watchCopies(element) {
  element.addEventListener("click", (event) => {
    /** @type {HTMLElement|null} */
    const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null;
    const shown = /** @type {HTMLElement|null} */ (button?.previousElementSibling);
    const said = /** @type {HTMLElement|null} */ (button?.nextElementSibling);
    if (button && shown && said) copy(shown.textContent ?? "", shown, button, said);
  });
}

/** Browsers may refuse clipboard access, and allow it on secure pages only: then select the text instead. @param {string} text @param {HTMLElement} shown @param {HTMLElement} button @param {HTMLElement} said */
async function copy(text, shown, button, said) {
  const isCopied = await write(text).catch(() => select(shown));
  const words = isCopied ? "Copied" : "Selected: press Ctrl+C";
  button.textContent = words;
  said.textContent = words;
  setTimeout(() => {
    button.textContent = "Copy";
    said.textContent = "";
  }, SAID_MS);
}

/** @param {string} text */
async function write(text) {
  await navigator.clipboard.writeText(text);
  return true;
}

/** @param {HTMLElement} shown */
function select(shown) {
  const range = document.createRange();
  range.selectNodeContents(shown);
  const selection = window.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
  return document.execCommand("copy");
}
