/** Menu: a label that opens a panel. Escape and a click elsewhere close it. */

import { make } from "./board-format.js";

/**
 * @param {string} title
 * @param {HTMLElement} panel
 * @param {Record<string, unknown>} properties
 * @param {() => void} onOpen
 * @returns {HTMLDetailsElement}
 */
export function makeMenu(title, panel, properties, onOpen) {
  const summary = make("summary", {}, title);
  const menu = make("details", { class: "es-menu", ...properties }, summary, panel);
  // On click, so that the panel never shows outdated content; `toggle` fires later.
  summary.addEventListener("click", () => !menu.open && onOpen());
  foldMenu(menu);
  return menu;
}

/** @param {HTMLDetailsElement} menu  an existing menu, such as one of the page's shell */
export function foldMenu(menu) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
}
