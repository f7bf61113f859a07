/** Warning at the top of the page when changes would not survive a restart. */

const EVERY_MS = 60_000;

/**
 * Show a line while the server reports that its data are not durable, and hide it otherwise. Without a response,
 * nothing changes.
 * @param {HTMLElement} line
 */
export async function showDurability(line) {
  const answer = await fetch("/readyz").catch(() => null);
  const readiness = await answer?.json().catch(() => null);
  if (typeof readiness?.durable === "boolean") line.hidden = readiness.durable;
}

/**
 * Keep the line up to date.
 * @param {HTMLElement} place - Container of the line.
 */
export function watchDurability(place) {
  const line = /** @type {HTMLElement | null} */ (place.querySelector("[data-testid=not-durable]"));
  if (!line) return;
  showDurability(line);
  setInterval(() => showDurability(line), EVERY_MS);
}
