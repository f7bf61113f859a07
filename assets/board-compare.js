/** Two rows that somebody wants compared: ticks in the table, and a bar that leads to their comparison. */

import { make } from "./board-format.js";

export class Ticks {
  /**
   * @param {string} benchmark
   * @param {HTMLElement} table  where the boxes are
   */
  constructor(benchmark, table) {
    this.benchmark = benchmark;
    this.table = table;
    this.rows = [];
    this.element = make("div", { class: "es-compare", role: "region", "aria-live": "polite", "aria-label": "Comparison", "data-testid": "compare-bar", hidden: true });
  }

  /** @param {string} submission @returns {boolean} */
  has(submission) {
    return this.rows.some((row) => row.submission === submission);
  }

  /**
   * Tick a row, or take its tick away; the third takes the place of the first.
   * @param {{submission: string, model: {name: string}}} row
   */
  toggle(row) {
    this.rows = this.has(row.submission) ? this.rows.filter((one) => one.submission !== row.submission) : [...this.rows, row].slice(-2);
    this.show();
  }

  clear() {
    this.rows = [];
    this.show();
  }

  show() {
    for (const box of this.table.querySelectorAll("[data-tick]")) box.checked = this.has(box.dataset.tick);
    this.element.hidden = !this.rows.length;
    this.element.replaceChildren(...(this.rows.length ? this.content() : []));
  }

  content() {
    const [a, b] = this.rows;
    const clear = make("button", { type: "button", class: "es-link", onclick: () => this.clear() }, "clear");
    if (!b) return [make("span", {}, make("b", {}, a.model.name), " is ticked. Tick a second row to compare the two."), clear];
    const words = new URLSearchParams({ tab: "compare", benchmark: this.benchmark, a: a.submission, b: b.submission });
    return [make("a", { class: "es-button", href: `/?${words}`, "data-visit": "" }, `Compare ${a.model.name} and ${b.model.name}`), clear];
  }
}
