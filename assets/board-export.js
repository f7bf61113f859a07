/** The Export menu: files of the board as it is shown, and a snippet that embeds it in another page. */

import { make } from "./board-format.js";
import { makeMenu } from "./board-menu.js";
import { block } from "./citing.js";

const FORMATS = [
  ["csv", "CSV", "all rows, visible columns"],
  ["json", "JSON", "all rows, visible columns"],
  ["latex", "LaTeX", "a table for a paper"],
  ["bibtex", "BibTeX", "citations"],
  ["hub", "Hub YAML", "evaluation results of model cards"],
  ["model-index", "model-index", "metadata of model cards"],
  ["eee", "Every Eval Ever", "JSON, one record per row"],
];

/**
 * @param {{exportLink: (format: string) => string, embedSnippet: () => string}} board
 * @returns {HTMLElement}
 */
export function exportMenu(board) {
  const panel = make("div", { class: "es-panel es-panel-narrow es-cited", "data-testid": "export-panel" });
  const draw = () => {
    const files = FORMATS.map(([format, title, hint]) => line(board.exportLink(format), title, hint));
    const embed = make("div", { "data-testid": "embed-snippet" }, block("Embed in a page", board.embedSnippet()));
    panel.replaceChildren(make("ul", { class: "es-list" }, ...files), embed);
  };
  return makeMenu("Export", panel, { "data-testid": "export-menu" }, draw);
}

/** @param {string} href @param {string} title @param {string} hint */
function line(href, title, hint) {
  return make("li", {}, make("a", { href, download: true }, title), make("span", { class: "es-quiet" }, ` ${hint}`));
}
