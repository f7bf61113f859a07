/** The charts' own words in the address bar: which rows they show. */

import { keepRows } from "./board-state.js";

/**
 * Put what was chosen into the address, or take it out where nothing is.
 * @param {string} name  `models` or `map`
 * @param {string[]|string|null} chosen  submission ids
 * @returns {string}  the query of the new address
 */
export function keepChoice(name, chosen) {
  keepRows(name, [chosen ?? []].flat().join(","));
  return location.search;
}

/**
 * What the charts show: rows that the address names, else those that are chosen already.
 * @param {string[]} names  `models` and `map`, as far as there are such charts
 * @param {(string[]|string|null)[]} chosen  submission ids, in the order of the names
 * @returns {(string[]|string|null)[]}  the query of the address, and what is left of the choices
 */
export function readChoices(names, chosen) {
  const words = new URLSearchParams(location.search);
  return [location.search, ...chosen.map((ids, at) => (words.get(names[at]) ? null : ids))];
}
