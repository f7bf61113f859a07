/** Query parameters of the Compare tab: choosing rows changes the address, and the page follows the address. */

import { step } from "./page.js";

/**
 * @param {string|null} board  benchmark, version and setting, separated by spaces
 * @param {string|null} a  a submission
 * @param {string|null} b  another
 */
export function choose(board, a, b) {
  const [benchmark, version, setting] = (board ?? "").split(" ");
  const words = new URLSearchParams({ tab: "compare" });
  // Two rows already identify their board.
  const named = a && b ? { benchmark, a, b } : { benchmark, version, setting, a, b };
  for (const [name, value] of Object.entries(named)) if (value) words.set(name, value.trim());
  step(`/?${words}`);
}
