/** Target and way of a submission in the address: links name them, and choosing one updates it. */

import { followAddress, replaceAddress } from "./page.js";

/** The visitor's choice in the form, unless a link or a button replaces it. @type {string|null} */
let choice = null;

/** The benchmark that the last event fills the form for. @type {string|null} */
let filled = null;

/**
 * Read the target of a link, which replaces an earlier choice.
 * @param {string[]} offered  the form's options, each `<benchmark> <version>`
 * @param {string} held  the form's current value
 * @returns {string}  the target in the address, or else the form's value
 */
export function readBenchmark(offered, held) {
  const named = findNamed(offered, held);
  if (named !== held) forgetChoice();
  filled = named;
  return named;
}

/** @param {string[]} offered @param {string} held */
function findNamed(offered, held) {
  const words = new URLSearchParams(location.search);
  if (words.get("tab") !== "submit") return held;
  const benchmark = words.get("benchmark");
  const exact = offered.find((one) => one === `${benchmark} ${words.get("version")}`);
  return exact ?? offered.find((one) => one.startsWith(`${benchmark} `)) ?? held;
}

/** The form's value is about to be replaced. */
export function forgetChoice() {
  choice = null;
}

/**
 * A response that replaces the form's value may be older than the visitor's choice. Without one, the form is filled for
 * that value.
 * @param {string} held  the form's current value
 * @returns {string[]}  the choice; empty if the form has it
 */
export function restoreChoice(held) {
  if (choice === null) filled = held;
  return choice === null || choice === held ? [] : [choice];
}

/**
 * Gradio's list also reports its value whenever it loses the focus. Filling the form again would reset what the visitor
 * has changed in it meanwhile.
 * @param {string} chosen  `<benchmark> <version>`
 * @returns {string[]|Promise<never>}  the choice; for one that the form is filled for, nothing ever, so that no event is sent
 */
export function startChoice(chosen) {
  if (chosen === filled) return new Promise(() => {});
  filled = chosen;
  return [chosen];
}

/** @param {string} chosen  `<benchmark> <version>` */
export function keepBenchmark(chosen) {
  if (chosen === (choice ?? filled)) return;
  choice = chosen;
  const address = new URL(location.href);
  if (address.searchParams.get("tab") !== "submit") return;
  const [benchmark, version] = chosen.split(" ");
  address.searchParams.set("benchmark", benchmark);
  address.searchParams.set("version", version);
  replaceAddress(address);
}

/**
 * Keep the way to submit in the address. Without one there, the choice stays.
 * @param {HTMLElement} element  its radio buttons; the one that is checked at first is not named in the address
 */
export function watchWays(element) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const radios = element.querySelectorAll("input[type=radio]");
  const ways = [...radios];
  const usual = ways.find((way) => way.defaultChecked);
  element.addEventListener("change", (event) => {
    const address = new URL(location.href);
    if (address.searchParams.get("tab") !== "submit") return;
    if (event.target === usual) address.searchParams.delete("how");
    else address.searchParams.set("how", /** @type {HTMLInputElement} */ (event.target).value);
    replaceAddress(address);
  });
  followAddress("submit", (words) => {
    const named = ways.find((way) => way.value === words.get("how"));
    if (named) named.checked = true;
  });
}
