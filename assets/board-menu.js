/** A menu: a word that unfolds a panel. Escape and a click elsewhere fold it. */

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
  // At the click, so that the panel is never seen with what it held before; `toggle` comes later.
  summary.addEventListener("click", () => !menu.open && onOpen());
  foldMenu(menu);
  return menu;
}

/** @param {HTMLDetailsElement} menu  one that is there already, such as one of the page's own */
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
