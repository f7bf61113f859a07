/** Target of a submission in the address: links of boards name it, and choosing one updates it. */

import { replaceAddress } from "./page.js";

/**
 * @param {string[]} offered  the form's options, each `<benchmark> <version>`
 * @param {string} held  the form's current value
 * @returns {string}  the target in the address, or else the form's value
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
