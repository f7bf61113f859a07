/** Timing of chart drawing, and their query parameters: the rows that they show. */

import { keepRows } from "./board-state.js";

/**
 * Write a choice to the address, or remove an empty one.
 * @param {string} name  `models` or `map`
 * @param {string[]|string|null} chosen  submission ids
 * @returns {string}  query of the new address
 */
export function keepChoice(name, chosen) {
  keepRows(name, [chosen ?? []].flat().join(","));
  return location.search;
}

/**
 * Rows of the charts: those in the address, or else the current choices.
 * @param {string[]} names  `models` and `map`, if these charts exist
 * @param {(string[]|string|null)[]} chosen  submission ids, in the order of the names
 * @returns {(string[]|string|null)[]}  query of the address, and the remaining choices
 */
export function readChoices(names, chosen) {
  const words = new URLSearchParams(location.search);
  return [location.search, ...chosen.map((ids, at) => (words.get(names[at]) ? null : ids))];
}

/**
 * Redraw the charts of a board whenever it shows something else, but only shortly before they become visible: they take
 * seconds to draw, and visitors of the table should not wait for them. If the address names rows for the charts, they
 * are drawn immediately.
 * @param {string} board
 * @param {() => void} draw
 */
export function followBoard(board, draw) {
  /** @type {string|null} */
  let wanted = null;
  let cancel = () => {};
  window.addEventListener("earshot:board", ({ detail }) => {
    const words = new URLSearchParams(location.search);
    const shown = [detail.revision, words.get("version"), words.get("setting"), detail.choice].join();
    // The charts read the address: while it belongs to another tab, do not draw.
    if (detail.board !== board || words.get("tab") !== board || shown === wanted) return;
    wanted = shown;
    cancel();
    const isAsked = words.has("models") || words.has("map");
    cancel = waitUntilNear(isAsked ? null : document.getElementById(`charts-${board}`), draw);
  });
}

/**
 * Call `act` once an element is visible, or less than a screen away; immediately without an element.
 * @param {HTMLElement|null} element
 * @param {() => void} act
 * @returns {() => void}  cancels the call
 */
function waitUntilNear(element, act) {
  if (!element) {
    act();
    return () => {};
  }
  const watch = (/** @type {IntersectionObserverEntry[]} */ seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    observer.disconnect();
    act();
  };
  // Relative to the document, not the screen: a Space is a frame in a page of another origin, where a root margin would
  // have no effect.
  const observer = new IntersectionObserver(watch, { root: document, rootMargin: "50% 0px" });
  observer.observe(element);
  return () => observer.disconnect();
}
