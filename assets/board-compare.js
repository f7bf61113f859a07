/** Selection of two rows to compare: the second one opens the comparison; after the first, a bar explains this. */

import { make } from "./board-format.js";
import { visit } from "./page.js";

/** @typedef {{submission: string, model: {name: string}}} Ticked */

export class Ticks {
  /**
   * @param {string} benchmark
   * @param {HTMLElement} table  container of the boxes
   */
  constructor(benchmark, table) {
    this.benchmark = benchmark;
    this.table = table;
    /** @type {Ticked[]} */
    this.rows = [];
    this.element = make("div", { class: "es-compare", role: "region", "aria-live": "polite", "aria-label": "Comparison", "data-testid": "compare-bar", hidden: true });
  }

  /** @param {string} submission @returns {boolean} */
  has(submission) {
    return this.rows.some((row) => row.submission === submission);
  }

  /**
   * Select or deselect a row; two selected rows are compared immediately.
   * @param {Ticked} row
   */
  toggle(row) {
    this.rows = this.has(row.submission) ? this.rows.filter((one) => one.submission !== row.submission) : [...this.rows, row];
    if (this.rows.length < 2) return void this.show();
    const [a, b] = this.rows;
    // A returning visitor starts without a selection.
    this.clear();
    visit(`/?${new URLSearchParams({ tab: "compare", benchmark: this.benchmark, a: a.submission, b: b.submission })}`);
    return undefined;
  }

  clear() {
    this.rows = [];
    this.show();
  }

  show() {
    /** @type {NodeListOf<HTMLInputElement>} */
    const boxes = this.table.querySelectorAll("[data-tick]");
    for (const box of boxes) box.checked = this.has(box.dataset.tick ?? "");
    this.element.hidden = !this.rows.length;
    this.element.replaceChildren(...this.rows.flatMap((row) => this.describe(row)));
  }

  /** @param {Ticked} row */
  describe(row) {
    const clear = make("button", { type: "button", class: "es-link", onclick: () => this.clear() }, "Cancel");
    return [make("span", {}, make("b", {}, row.model.name), " selected. Select a second row to compare them."), clear];
  }
}
