/** When charts are drawn, and their query parameters: which rows they show. */

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

/**
 * Redraw the charts of a board whenever it shows something else, but only when they are about to become visible: they
 * take seconds to draw, and visitors of the table should not wait for them. If the address names rows for the charts,
 * they are drawn immediately.
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
    // The charts read the address: while it is about another tab, nothing of this one is drawn.
    if (detail.board !== board || words.get("tab") !== board || shown === wanted) return;
    wanted = shown;
    cancel();
    const isAsked = words.has("models") || words.has("map");
    cancel = waitUntilNear(isAsked ? null : document.getElementById(`charts-${board}`), draw);
  });
}

/**
 * Act once an element is in sight, or less than a screen away; at once where there is none.
 * @param {HTMLElement|null} element
 * @param {() => void} act
 * @returns {() => void}  to be called when it is no longer wanted
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
  // The document, not the screen: on a Space, ours is a frame in a page of another origin, where a margin of the screen
  // would not count.
  const observer = new IntersectionObserver(watch, { root: document, rootMargin: "50% 0px" });
  observer.observe(element);
  return () => observer.disconnect();
}
