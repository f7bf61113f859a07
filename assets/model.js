/** Page of a model: scrolls to the cited row, and fills in its citation. */

import { citation } from "./citing.js";

/**
 * Handle a page that Python redraws whenever the address names another model.
 * @param {HTMLElement} element
 */
export function watch(element) {
  /** @type {Element|null} */
  let shown = null;
  const look = () => {
    const page = element.querySelector("[data-model]");
    if (!page || page === shown) return;
    shown = page;
    for (const place of page.querySelectorAll("[data-cite]")) place.replaceChildren(citation(place.getAttribute("data-cite") ?? ""));
    page.querySelector("[data-cited]")?.scrollIntoView({ block: "center" });
  };
  look();
  new MutationObserver(look).observe(element, { childList: true, subtree: true });
}
