/** Overview parts around the matrix: summary of the benchmarks, gap to humans, latest results. */

import { badge } from "./board-details.js";
import { NONE, isNumber, make, percent, since } from "./board-format.js";
import { linkBoard, linkModel } from "./overview-matrix.js";

const READING = "From chance (dashed) to humans (triangle), or to 100 % without a human baseline. Dots: the five best models; the leader is filled.";

/** @typedef {[name: string, isNumberColumn?: boolean]} Heading */

/** @param {string} title @param {Heading[]} headings @param {Node[]} rows @param {string} testId @param {string} [kind] @returns {HTMLElement} */
function plainTable(title, headings, rows, testId, kind = "") {
  const head = make("thead", {}, make("tr", {}, ...headings.map(([name, isNumberColumn]) => make("th", { scope: "col", class: isNumberColumn ? "es-number" : null }, name))));
  const table = make("table", { class: `es-plain ${kind}`, "data-testid": testId }, make("caption", { class: "es-hidden" }, title), head, make("tbody", {}, ...rows));
  return make("div", { class: "es-scroll", tabindex: "0", role: "region", "aria-label": title }, table);
}

const ROLES = [["table", "table"], ["thead, tbody", "rowgroup"], ["tr", "row"], ["thead th", "columnheader"], ["tbody th", "rowheader"], ["td", "cell"]];

/** @param {...(Node|string|null)} children */
const number = (...children) => make("td", { class: "es-number" }, ...children);

/** @param {Api.Summary[]} benchmarks @returns {HTMLElement} */
export function buildSummary(benchmarks) {
  const rows = benchmarks.map((one) =>
    make("tr", { "data-testid": `summary-${one.id}` }, make("th", { scope: "row" }, linkBoard(one.id, one.title), make("small", {}, ` ${one.version}`)), best(one.best), number(percent(one.chance)), number(percent(one.human)), number(percent(one.gap))),
  );
  /** @type {Heading[]} */
  const headings = [["Benchmark"], ["Best model (%)"], ["Chance (%)", true], ["Human (%)", true], ["Gap to humans (points)", true]];
  const table = plainTable("Benchmarks: best model, chance and humans", headings, rows, "overview-summary", "es-summary");
  // On phones its rows are laid out as grids, and screen readers do not announce such elements as a table.
  for (const [selector, role] of ROLES) for (const one of table.querySelectorAll(selector)) one.setAttribute("role", role);
  return table;
}

/** @param {Api.System|null} system */
function best(system) {
  if (!system) return make("td", {}, NONE);
  return make("td", {}, make("b", {}, percent(system.value)), " ", linkModel(system.model), " ", badge(system.source));
}

/** @param {Api.Scale[]} scales @param {Api.Summary[]} benchmarks @returns {HTMLElement[]} */
export function buildScales(scales, benchmarks) {
  const known = scales.filter((scale) => scale.systems.length);
  if (!known.length) return [];
  const titles = new Map(benchmarks.map((one) => [one.id, one]));
  const axis = make("div", { class: "es-scale es-axis", "aria-hidden": "true" }, make("span", {}), make("div", { class: "es-track" }, ...[0, 25, 50, 75, 100].map((at) => make("span", { style: `left: ${at}%` }, `${at}`))));
  const lines = known.map((scale) => buildScale(scale, titles.get(scale.benchmark)));
  const table = make("details", { class: "es-as-table", "data-testid": "scales-as-table" }, make("summary", {}, "Show as table"), scaleTable(known, titles));
  return [make("h2", {}, "Gap to humans"), make("div", { class: "es-scales", "data-testid": "overview-scales" }, axis, ...lines), make("p", { class: "es-quiet es-reading" }, READING), table];
}

/** @param {Api.Scale} scale @param {Api.Summary|undefined} benchmark */
function name(scale, benchmark) {
  return `${benchmark?.title ?? scale.benchmark}${scale.figure === benchmark?.headline ? "" : `, ${scale.title}`}`;
}

/** @param {Api.Scale} scale @param {Api.Summary|undefined} benchmark */
function describe(scale, benchmark) {
  const [first] = scale.systems;
  const human = isNumber(scale.human) ? `human ${percent(scale.human)}` : "no human baseline";
  return `${name(scale, benchmark)}, in per cent: chance ${percent(scale.chance)}, ${human}, best ${first.model.name} ${percent(first.value)}.`;
}

/** @param {Api.Scale} scale @param {Api.Summary|undefined} benchmark */
function buildScale(scale, benchmark) {
  const isHeadline = scale.figure === benchmark?.headline;
  const label = isHeadline && benchmark ? make("span", { class: "es-scale-name" }, linkBoard(scale.benchmark, benchmark.title)) : make("span", { class: "es-scale-name es-part" }, scale.title);
  const low = isNumber(scale.chance) ? scale.chance : 0;
  const high = isNumber(scale.human) ? scale.human : 1;
  const line = make("span", { class: `es-line${isNumber(scale.human) ? "" : " es-open"}`, style: `left: ${100 * low}%; width: ${100 * Math.max(0, high - low)}%` });
  const marks = [
    ...[...scale.systems].reverse().map((one) => mark(`es-dot${one === scale.systems[0] ? " es-first" : ""}`, one.value, `${one.model.name} ${percent(one.value)}, ${one.source}`)),
    // Draw chance and human baseline last, so that no system covers them.
    isNumber(scale.chance) ? mark("es-chance", scale.chance, `Chance ${percent(scale.chance)}`) : null,
    isNumber(scale.human) ? mark("es-people", scale.human, `Human ${percent(scale.human)}`) : null,
  ];
  const [first] = scale.systems;
  const track = make("div", { class: "es-track", role: "img", "aria-label": describe(scale, benchmark) }, line, ...marks);
  // The leader's name is next to the track: on it, it would always cover some mark.
  const words = make("span", { class: "es-best-label", title: first.model.name, "aria-hidden": "true" }, make("b", {}, percent(first.value)), ` ${first.model.name}`);
  return make("div", { class: `es-scale${isHeadline ? " es-headline" : ""}` }, label, track, words);
}

/** @param {string} kind @param {number} value @param {string} title */
function mark(kind, value, title) {
  return make("span", { class: `es-mark ${kind}`, style: `left: ${100 * Math.min(1, Math.max(0, value))}%`, title });
}

/** @param {Api.Scale[]} scales @param {Map<string, Api.Summary>} titles */
function scaleTable(scales, titles) {
  const rows = scales.map((scale) => {
    const systems = scale.systems.map((one) => `${one.model.name} ${percent(one.value)}`).join("; ");
    return make("tr", {}, make("th", { scope: "row" }, name(scale, titles.get(scale.benchmark))), number(percent(scale.chance)), number(percent(scale.human)), make("td", {}, systems));
  });
  return plainTable("Gap to humans", [["Score"], ["Chance (%)", true], ["Human (%)", true], ["Best models (%)"]], rows, "scales-table");
}

/**
 * @param {Api.NewRow[]} newest
 * @param {Api.Summary[]} benchmarks  benchmarks, whose default settings are not mentioned
 * @returns {HTMLElement[]}
 */
export function buildNewest(newest, benchmarks) {
  const heading = make("h2", {}, "Latest results");
  if (!newest.length) {
    const hasReported = benchmarks.some(({ best }) => best);
    const words = `No submissions yet. ${hasReported ? "The scores above were reported in papers. " : ""}`;
    return [heading, make("p", { class: "es-quiet", "data-testid": "no-entries" }, words, make("a", { href: "/?tab=submit", "data-visit": "" }, "Submit a model"))];
  }
  const rows = newest.map((one) => {
    const usual = benchmarks.find((benchmark) => benchmark.id === one.benchmark);
    const setting = [one.version, one.setting].filter((word) => word !== usual?.version && word !== usual?.setting).join(", ");
    const board = make("td", {}, linkBoard(one.benchmark, one.title), setting ? make("small", {}, ` ${setting}`) : null);
    return make("tr", { "data-testid": "newest-row" }, make("td", {}, since(one.date)), make("th", { scope: "row" }, linkModel(one.model), " ", badge(one.source)), board, number(one.figure ? make("small", {}, `${one.figure} `) : null, percent(one.value)));
  });
  return [heading, plainTable("Latest results", [["When"], ["Model"], ["Benchmark"], ["Score (%)", true]], rows, "overview-newest")];
}
