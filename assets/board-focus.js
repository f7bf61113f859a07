/** Drawing replaces the buttons; the one in use is found again by what it is for. */

/**
 * @param {HTMLElement} place
 * @returns {((button: HTMLElement) => boolean)|null}
 */
export function describeFocus(place) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  if (!focused) return null;
  const { sort } = focused.dataset;
  const controls = focused.getAttribute("aria-controls");
  if (sort) return (button) => button.dataset.sort === sort;
  return controls ? (button) => button.getAttribute("aria-controls") === controls : null;
}

/**
 * @param {HTMLElement} place
 * @param {((button: HTMLElement) => boolean)|null} matches
 */
export function restoreFocus(place, matches) {
  if (matches) [...place.querySelectorAll("button")].find(matches)?.focus({ preventScroll: true });
}
