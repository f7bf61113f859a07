/** Export menu: files of the shown board, and a snippet that embeds it in another page. */

import { make, readOptions } from "./board-format.js";
import { makeMenu } from "./board-menu.js";
import { block } from "./citing.js";

/**
 * @param {{exportLink: (format: string) => string, embedSnippet: () => string}} board
 * @returns {HTMLElement}
 */
export function exportMenu(board) {
  const panel = make("div", { class: "es-panel es-panel-narrow es-cited", "data-testid": "export-panel" });
  const draw = () => {
    const files = readOptions().formats.map(({ id, label, description }) => line(board.exportLink(id), label, description));
    const embed = make("div", { "data-testid": "embed-snippet" }, block("Embed in a page", board.embedSnippet()));
    panel.replaceChildren(make("ul", { class: "es-list" }, ...files), embed);
  };
  return makeMenu("Export", panel, { "data-testid": "export-menu" }, draw);
}

/** @param {string} href @param {string} title @param {string} hint */
function line(href, title, hint) {
  return make("li", {}, make("a", { href, download: true }, title), make("span", { class: "es-quiet" }, ` ${hint}`));
}
