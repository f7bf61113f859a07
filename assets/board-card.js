/** Score card: value, confidence interval and signature of the cell that is hovered, focused or tapped. */

import { NONE, full, isNumber, isPending, make } from "./board-format.js";

const REST_MS = 250;
const LEAVE_MS = 200;
const MARGIN = 8;

/**
 * @import { Sizes } from "./board-requests.js"
 */

/** @typedef {{row: Table.Row, column: Api.Column}} Figure */

/** @param {number} fraction @returns {string} */
const exact = (fraction) => (100 * fraction).toFixed(2);

export class FigureCard {
  /**
   * @param {HTMLElement} place  container of the table
   * @param {{find: (cell: HTMLElement) => Figure|null, loadSizes: (submission: string) => Promise<Sizes>}} board
   */
  constructor(place, board) {
    this.place = place;
    this.board = board;
    /** @type {HTMLElement|null} */
    this.cell = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.pause = undefined;
    this.element = make("div", { class: "es-card", id: `es-card-${place.id || Math.random().toString(36).slice(2)}`, role: "group", "aria-label": "Score", "data-testid": "figure-card", hidden: true });
    this.follow();
  }

  follow() {
    const { place, element } = this;
    place.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.point(cellOf(event.target)));
    place.addEventListener("pointerleave", () => this.leave());
    element.addEventListener("pointerenter", () => clearTimeout(this.pause));
    element.addEventListener("pointerleave", () => this.leave());
    place.addEventListener("focusin", (event) => {
      const cell = cellOf(event.target);
      if (cell?.matches(":focus-visible")) this.show(cell);
      else if (!cell) this.hide();
    });
    place.addEventListener("focusout", (event) => !element.contains(asNode(event.relatedTarget)) && this.hide());
    element.addEventListener("focusout", (event) => !element.contains(asNode(event.relatedTarget)) && this.hide());
    // Drawing, scrolling and resizing would separate the cell from its card.
    for (const name of ["scroll", "resize"]) window.addEventListener(name, () => this.hide(), { passive: true });
    place.addEventListener("scroll", () => this.hide(), { passive: true, capture: true });
    place.addEventListener("keydown", (event) => this.press(event));
    element.addEventListener("keydown", (event) => event.key === "Escape" && this.cell?.focus());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    document.addEventListener("pointerdown", (event) => !element.contains(asNode(event.target)) && cellOf(event.target) !== this.cell && this.hide());
  }

  /** Enter moves from the score to its actions. @param {KeyboardEvent} event */
  press({ key, target }) {
    if (key !== "Enter" || !(target instanceof HTMLElement) || !target.matches(".es-figure[data-stop]")) return;
    this.show(target);
    this.element.querySelector("button")?.focus();
  }

  /** @param {HTMLElement|null} cell */
  point(cell) {
    clearTimeout(this.pause);
    if (!cell) return this.leave();
    if (cell !== this.cell) this.pause = setTimeout(() => this.show(cell), REST_MS);
    return undefined;
  }

  leave() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => !this.element.contains(document.activeElement) && document.activeElement !== this.cell && this.hide(), LEAVE_MS);
  }

  /** @param {HTMLElement} cell  a score's cell */
  show(cell) {
    clearTimeout(this.pause);
    const found = this.board.find(cell);
    if (!found) return this.hide();
    this.cell?.removeAttribute("aria-describedby");
    this.cell = cell;
    const items = make("dd", {}, NONE);
    this.element.replaceChildren(...content(found.row, found.column, items));
    this.element.hidden = false;
    cell.setAttribute("aria-describedby", this.element.id);
    putBeside(this.element, cell);
    this.fill(items, found);
    return undefined;
  }

  /** @param {HTMLElement} place @param {Figure} figure */
  async fill(place, { row, column }) {
    /** @type {Sizes} */
    const sizes = row.submission ? await this.board.loadSizes(row.submission).catch(() => ({})) : {};
    const n = sizes[column.key]?.n;
    place.textContent = isNumber(n) ? n.toLocaleString("en") : "unknown";
  }

  hide() {
    clearTimeout(this.pause);
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.cell?.removeAttribute("aria-describedby");
    this.cell = null;
  }
}

/** @param {EventTarget|null} target @returns {HTMLElement|null} the score cell that contains an element */
export function cellOf(target) {
  return target instanceof Element ? target.closest(".es-figure[data-stop]") : null;
}

/** @param {EventTarget|null} target */
function asNode(target) {
  return target instanceof Node ? target : null;
}

/** @param {Table.Row} row @param {Api.Column} column @param {HTMLElement} items @returns {HTMLElement[]} */
function content(row, column, items) {
  const score = row.scores[column.key] ?? {};
  const title = make("p", { class: "es-card-title" }, make("b", {}, full(column)), make("span", { class: "es-quiet" }, row.model.name));
  if (!isNumber(score.value)) return [title, make("p", {}, missingWords(row, column))];
  /** @type {[string, string|HTMLElement][]} */
  const pairs = [
    ["Score", make("b", {}, exact(score.value))],
    ["95 % CI", isNumber(score.low) && isNumber(score.high) ? `${exact(score.low)}–${exact(score.high)}` : `${NONE} ${whyNoInterval(row, column)}`],
  ];
  if (isNumber(score.std)) pairs.push(["Standard deviation", `± ${exact(score.std)}`]);
  if (isNumber(column.chance)) pairs.push(["Chance", exact(column.chance)]);
  if (row.submission) pairs.push(["Items", items]);
  if (row.signature) pairs.push(["Signature", signature(row.signature)]);
  const note = row.score_notes?.[column.key] ?? row.description;
  const list = make("dl", {}, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), value === items ? items : make("dd", {}, value)]));
  return [title, list, ...(note ? [make("p", { class: "es-quiet" }, note)] : [])];
}

/** @param {Table.Row} row @param {Api.Column} column */
function missingWords(row, column) {
  // The row of expected chance scores has no submission and no paper.
  if (row.baseline) return "This baseline is not above chance here, or its score is unknown.";
  if (!row.submission) return "No random baseline for this metric.";
  if (!row.signature) return "The paper does not report this score.";
  if (isPending(row, column)) return "Pending: the open answers are waiting for the judge.";
  if (column.slice === "overall") return "No score: some parts were not submitted, or too few answers could be parsed.";
  return "No score: this part was not submitted, has too few questions, or too few answers could be parsed.";
}

/** @param {Table.Row} row @param {Api.Column} column */
function whyNoInterval(row, column) {
  if (row.submission && !row.signature) return "(no item-level answers)";
  if (!row.submission) return "";
  if (column.metric.endsWith("_gap")) return "(the two rows agree or differ on too few clips)";
  return "(too few clips, or not a mean over items)";
}

/** @param {string} text */
function signature(text) {
  const said = make("span", { role: "status" });
  const copy = async () => {
    // The clipboard is available on secure pages only.
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    said.textContent = isCopied ? " copied" : " select it to copy";
  };
  const button = make("button", { type: "button", class: "es-link", onclick: copy, "aria-label": "Copy the signature" }, "copy");
  return make("span", { class: "es-signature" }, make("code", { title: text }, text), button, said);
}

/** Place the card next to its cell and inside the window, so that the cells above and below stay visible. @param {HTMLElement} card @param {HTMLElement} cell */
function putBeside(card, cell) {
  const at = cell.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const { clientWidth, clientHeight } = document.documentElement;
  const isRoomRight = at.right + MARGIN + width <= clientWidth - MARGIN;
  const isRoomLeft = at.left - MARGIN - width >= MARGIN;
  const beside = isRoomRight ? at.right + MARGIN : at.left - MARGIN - width;
  const under = at.bottom + MARGIN + height <= clientHeight - MARGIN ? at.bottom + MARGIN : at.top - MARGIN - height;
  const [left, top] = isRoomRight || isRoomLeft ? [beside, at.top] : [at.right - width, under];
  card.style.left = `${clamp(left, clientWidth - width - MARGIN)}px`;
  card.style.top = `${clamp(top, clientHeight - height - MARGIN)}px`;
}

/** @param {number} value @param {number} most */
function clamp(value, most) {
  return Math.max(MARGIN, Math.min(value, most));
}
