/** Focus restoration: drawing replaces the table, so the focused control is found again by its purpose. */

/**
 * @param {HTMLElement} place
 * @returns {string|null}  a selector
 */
export function describeFocus(place) {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !place.contains(focused)) return null;
  const { stop, sort, fold } = focused.dataset;
  const row = focused.closest("tr")?.dataset.row;
  if (stop && row) return `tr[data-row="${CSS.escape(row)}"] [data-stop="${CSS.escape(stop)}"]`;
  if (sort) return `[data-sort="${CSS.escape(sort)}"]`;
  return fold ? `[data-fold="${CSS.escape(fold)}"]` : null;
}

/**
 * @param {HTMLElement} place
 * @param {string|null} selector
 */
export function restoreFocus(place, selector) {
  if (!selector) return;
  /** @type {HTMLElement|null} */
  const found = place.querySelector(selector);
  found?.focus({ preventScroll: true });
}
