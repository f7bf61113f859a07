/** Formats scores and dates, and creates elements. User text only ever becomes a text node. */

export const NONE = "–";

/**
 * Make an element. Strings among the children become text nodes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]  `class`, `on…` listeners, attributes; null and false are left out
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "checked" || name === "indeterminate") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * How many items are here, and of how many where an organiser brings some: a paper's rows are about all of them.
 * @param {{items: number|null, items_of_paper: number|null}} known
 */
export function countItems({ items, items_of_paper: all }) {
  if (items === null) return NONE;
  const here = items.toLocaleString("en");
  return all !== null && items < all ? `${here} of ${all.toLocaleString("en")}` : here;
}

/** @param {number|null|undefined} fraction @returns {string} */
export function percent(fraction) {
  return isNumber(fraction) ? (100 * fraction).toFixed(1) : NONE;
}

/**
 * Whether a score is missing only because open answers of the row wait for the judge.
 * @param {{open_pending?: boolean, scores: Record<string, {value?: number|null}|undefined>}} row
 * @param {Pick<Api.Column, "key"|"judged">} column
 */
export function isPending(row, column) {
  return Boolean(row.open_pending && column.judged) && !isNumber(row.scores[column.key]?.value);
}

/** @param {Pick<Api.Column, "group"|"title">} column @returns {string} */
export function full(column) {
  return column.group ? `${column.group}, ${column.title}` : column.title;
}

/** @param {number} low @param {number} high @returns {string} */
export function range(low, high) {
  return low === high ? String(low) : `${low}–${high}`;
}

/** @param {{low?: number|null, high?: number|null}} score @returns {string} empty where there is no interval */
export function intervalWords(score) {
  return isNumber(score.low) && isNumber(score.high) ? `95 % CI ${percent(score.low)}–${percent(score.high)}` : "";
}

/** @param {unknown} value @returns {value is number} */
export function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * How far a figure is from chance towards people, in [0, 1]: (value − chance) / (human − chance). Where no people are
 * known to do better than chance, towards perfect; 0 where that cannot be said.
 * @param {number|null|undefined} value
 * @param {Pick<Api.Column, "chance"|"higher_is_better"|"ranked">} column
 * @param {number|null|undefined} human  what people reached
 * @returns {number}
 */
export function heat(value, column, human) {
  const { chance } = column;
  if (column.ranked === false || !isNumber(value) || !isNumber(chance)) return 0;
  const perfect = column.higher_is_better ? 1 : 0;
  const isAbove = isNumber(human) && (human - chance) * (perfect - chance) > 0;
  const share = (value - chance) / ((isAbove ? human : perfect) - chance);
  return Math.min(1, Math.max(0, share)) || 0;
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/**
 * A time as words, the exact one on hover.
 * @param {string|null} iso
 * @returns {HTMLElement}
 */
export function since(iso) {
  const at = new Date(iso ?? "");
  if (Number.isNaN(at.getTime())) return make("span", {}, NONE);
  const seconds = (at.getTime() - Date.now()) / 1000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? /** @type {const} */ (["minute", 60]);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / length), unit);
  const text = Math.abs(seconds) < 60 ? "just now" : words;
  return make("time", { datetime: at.toISOString(), title: at.toISOString().replace("T", " ").slice(0, 19) + " UTC" }, text);
}

/** What all boards have in common; it comes with the page. @returns {Api.BoardOptions} */
export function readOptions() {
  return JSON.parse(find(document, "#es-board-options").textContent ?? "");
}

/** What the page's shell always has. @param {ParentNode} place @param {string} selector @returns {HTMLElement} */
export function find(place, selector) {
  /** @type {HTMLElement|null} */
  const found = place.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found;
}
