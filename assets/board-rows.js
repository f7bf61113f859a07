/** Maps a clicked or hovered cell to its row and score. */

import { cellOf } from "./board-card.js";
import { listBaselines, rowName } from "./board-table.js";
import { visit } from "./page.js";

/** @import { FigureCard } from "./board-card.js" */

/** Elements that handle clicks themselves. */
const NO_WAY = "a, button, input, select, label, summary, .es-details";

/**
 * A click on a row, outside its controls, opens the model's page; a tap on a score opens its card.
 * @param {PointerEvent} event
 * @param {Pick<FigureCard, "show">} card
 */
export function followRow(event, card) {
  const { target } = event;
  const cell = cellOf(target);
  if (cell && event.pointerType === "touch") return card.show(cell);
  if (!(target instanceof Element)) return undefined;
  /** @type {HTMLAnchorElement|null|undefined} */
  const link = target.closest("[data-submission]")?.querySelector("a[data-visit]");
  if (!link || target.closest(NO_WAY) || getSelection()?.isCollapsed === false) return undefined;
  if (event.ctrlKey || event.metaKey) window.open(link.href, "_blank", "noopener");
  else visit(link.href);
  return undefined;
}

/**
 * @param {{rows?: Api.Row[], pinned: Api.Row[], columns: Api.Column[], known?: Api.Benchmark}} board
 * @param {HTMLElement} cell
 * @returns {{row: Table.Row, column: Api.Column}|null}
 */
export function findFigure(board, cell) {
  const name = cell.closest("tr")?.dataset.row;
  const column = board.columns.find((one) => one.key === cell.dataset.stop);
  if (!column) return null;
  // Without a submitted random baseline, its row has the expected scores.
  /** @type {Table.Row} */
  const expected = { source: "random", model: { name: "Chance, expected" }, scores: { [column.key]: { value: column.chance } } };
  return { row: [...(board.rows ?? []), ...board.pinned, ...listBaselines(board)].find((one) => rowName(one) === name) ?? expected, column };
}
