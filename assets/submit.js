/** What is submitted to may stand in the address: a board's link names it, and so does who chooses it. */

import { replaceAddress } from "./page.js";

/**
 * @param {string[]} offered  what the form offers, `<benchmark> <version>` each
 * @param {string} held  what the form holds
 * @returns {string}  what the address names, else what the form holds
 */
export function readBenchmark(offered, held) {
  const words = new URLSearchParams(location.search);
  if (words.get("tab") !== "submit") return held;
  const benchmark = words.get("benchmark");
  const exact = offered.find((one) => one === `${benchmark} ${words.get("version")}`);
  return exact ?? offered.find((one) => one.startsWith(`${benchmark} `)) ?? held;
}

/** @param {string} chosen  `<benchmark> <version>` */
export function keepBenchmark(chosen) {
  const address = new URL(location.href);
  if (address.searchParams.get("tab") !== "submit") return;
  const [benchmark, version] = chosen.split(" ");
  address.searchParams.set("benchmark", benchmark);
  address.searchParams.set("version", version);
  replaceAddress(address);
}
