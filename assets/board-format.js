/** Formats scores and dates, and creates elements. User text only ever becomes a text node. */

export const NONE = "–";

/**
 * Create an element. Strings among the children become text nodes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [properties]  `class`, `on…` listeners, attributes; null and false are omitted
 * @param {...(Node|string|null|undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    // A policy without inline styles forbids the attribute, not the property.
    else if (name === "style") element.style.cssText = String(value);
    else if (name === "checked" || name === "indeterminate") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * The number of installed items, and of how many in the paper if some must be imported: reported rows cover all of
 * them.
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

/** @param {{low?: number|null, high?: number|null}} score @returns {string} empty without an interval */
export function intervalWords(score) {
  return isNumber(score.low) && isNumber(score.high) ? `95 % CI ${percent(score.low)}–${percent(score.high)}` : "";
}

/** @param {unknown} value @returns {value is number} */
export function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * Position of a score between chance and human level, in [0, 1]: (value − chance) / (human − chance). Uses a perfect
 * score if no human baseline above chance is known; 0 if undefined.
 * @param {number|null|undefined} value
 * @param {Pick<Api.Column, "chance"|"higher_is_better"|"ranked">} column
 * @param {number|null|undefined} human  human baseline
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
 * A time in words, with the exact time on hover.
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

/** Options of all boards, which come with the page. @returns {Api.BoardOptions} */
export function readOptions() {
  return JSON.parse(find(document, "#es-board-options").textContent ?? "");
}

/** A required element of the page's shell. @param {ParentNode} place @param {string} selector @returns {HTMLElement} */
export function find(place, selector) {
  /** @type {HTMLElement|null} */
  const found = place.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found;
}
