/** Definitions under a table: its columns, its setting and the terms that it uses. */

import { find, full, make } from "./board-format.js";

/**
 * @typedef {object} DefinedBoard  see board.js
 * @property {ParentNode} shell
 * @property {Api.Column[]} columns  shown columns
 * @property {Api.Benchmark} [known]
 * @property {{setting: string}} state
 */

/** Fill in the definitions of the shown terms. @param {DefinedBoard} board */
export function showDefinitions({ shell, columns, known, state }) {
  const place = find(shell, "[data-place=definitions]");
  place.hidden = !known;
  if (!known) return;
  const { settings, terms } = known.definitions;
  /** @type {[string, string][]} */
  const defined = [
    ...columns.map((column) => /** @type {[string, string]} */ ([full(column), column.definition])),
    [`Setting ${state.setting}`, settings[state.setting] ?? ""],
    ...Object.entries(terms),
  ];
  const pairs = defined.filter(([, text]) => text);
  find(place, "dl").replaceChildren(...pairs.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
}
