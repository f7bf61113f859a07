/** A menu: a word that unfolds a panel. Escape and a click elsewhere fold it. */

import { make } from "./board-format.js";

/**
 * @param {string} title
 * @param {HTMLElement} panel
 * @param {Record<string, unknown>} properties
 * @param {() => void} onOpen
 * @returns {HTMLElement}
 */
export function makeMenu(title, panel, properties, onOpen) {
  const summary = make("summary", {}, title);
  const menu = make("details", { class: "es-menu", ...properties }, summary, panel);
  menu.addEventListener("toggle", () => menu.open && onOpen());
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  return menu;
}
