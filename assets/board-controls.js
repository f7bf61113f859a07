/** What stands above a table: setting, sources, search, and the choice of columns. */

import { full } from "./board-details.js";
import { make } from "./board-format.js";
import { SOURCES } from "./board-state.js";

const TYPING_PAUSE_MS = 250;

/**
 * @typedef {object} Controls
 * @property {HTMLElement} element
 * @property {(state: object) => void} show  bring the controls in line with a state
 */

/**
 * @param {object} state
 * @param {{settings: string[], versions: string[]}} offered
 * @param {{onChange: (change: object) => void, loadColumns: () => Promise<object[]>, shownColumns: () => string[]}} board
 * @returns {Controls}
 */
export function buildControls(state, offered, board) {
  const setting = choiceOf("setting", state, offered.settings, board);
  const version = offered.versions.length > 1 ? choiceOf("version", state, offered.versions, board) : null;
  const sources = sourceChoices(state, board);
  const search = searchBox(state, board);
  const columns = columnMenu(board);
  const element = make(
    "div",
    { class: "es-controls", role: "group", "aria-label": "Filters" },
    ...(version ? [make("label", { class: "es-control" }, "Version ", version)] : []),
    make("label", { class: "es-control" }, "Setting ", setting),
    make("fieldset", { class: "es-sources" }, make("legend", { class: "es-hidden" }, "Sources"), ...sources.map((one) => one.label)),
    search,
    columns,
  );
  const show = (now) => {
    setting.value = now.setting;
    if (version) version.value = now.version;
    for (const { box, source } of sources) box.checked = now.source.includes(source);
    if (document.activeElement !== search) search.value = now.q;
  };
  return { element, show };
}

function choiceOf(name, state, values, board) {
  const options = values.map((value) => make("option", { value }, value));
  const choice = make("select", { "data-testid": `board-${name}`, onchange: () => board.onChange({ [name]: choice.value }) }, ...options);
  choice.value = state[name];
  return choice;
}

function sourceChoices(state, board) {
  const all = SOURCES.map((source) => {
    const box = make("input", { type: "checkbox", "data-testid": `source-${source}`, checked: state.source.includes(source) });
    const label = make("label", { class: "es-control" }, box, make("span", { class: `es-badge es-badge-${source}` }, source));
    return { source, box, label };
  });
  const report = () => board.onChange({ source: all.filter((one) => one.box.checked).map((one) => one.source) });
  for (const { box } of all) box.addEventListener("change", report);
  return all;
}

function searchBox(state, board) {
  let pause = 0;
  const report = () => {
    clearTimeout(pause);
    pause = setTimeout(() => board.onChange({ q: box.value.trim() }), TYPING_PAUSE_MS);
  };
  const box = make("input", { type: "search", class: "es-search", placeholder: "Search models", "aria-label": "Search models and organisations", maxlength: "100", "data-testid": "board-search", oninput: report });
  box.value = state.q;
  return box;
}

function columnMenu(board) {
  const panel = make("div", { class: "es-panel", "data-testid": "columns-panel" });
  const menu = make("details", { class: "es-menu", "data-testid": "columns-menu" }, make("summary", {}, "Columns"), panel);
  menu.addEventListener("toggle", () => menu.open && fillPanel(panel, board));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  return menu;
}

async function fillPanel(panel, board) {
  if (!panel.childElementCount) panel.textContent = "Loading columns…";
  try {
    const columns = await board.loadColumns();
    panel.replaceChildren(...panelContent(columns, board));
  } catch {
    panel.textContent = "The columns could not be loaded. Close this menu and open it again.";
  }
}

function panelContent(columns, board) {
  const shown = new Set(board.shownColumns());
  const boxes = columns.map((column) => ({ column, box: make("input", { type: "checkbox", value: column.key, checked: shown.has(column.key) }) }));
  const report = () => board.onChange({ columns: boxes.filter((one) => one.box.checked).map((one) => one.column.key) });
  const groups = [...new Set(columns.map((column) => column.group))];
  const fieldsets = groups.map((group) => groupChoice(group, boxes.filter((one) => one.column.group === group), report));
  const reset = () => {
    board.onChange({ columns: null });
    for (const { column, box } of boxes) box.checked = column.shown;
  };
  const restore = make("button", { type: "button", class: "es-button", onclick: reset }, "Usual columns");
  return [...fieldsets, restore];
}

function groupChoice(group, boxes, report) {
  const all = make("input", { type: "checkbox" });
  const refresh = () => {
    const n = boxes.filter((one) => one.box.checked).length;
    all.checked = n === boxes.length;
    all.indeterminate = n > 0 && n < boxes.length;
  };
  all.addEventListener("change", () => {
    for (const { box } of boxes) box.checked = all.checked;
    report();
  });
  for (const { box } of boxes) box.addEventListener("change", () => [refresh(), report()]);
  refresh();
  const labels = boxes.map(({ column, box }) => make("label", { title: full(column) }, box, column.title));
  const legend = make("legend", {}, make("label", {}, all, group || "Headline"));
  return make("fieldset", {}, legend, make("div", { class: "es-choices" }, ...labels));
}
