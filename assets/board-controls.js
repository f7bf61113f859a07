/** Controls above a table: setting, sources, search and menus. */

import { columnMenu } from "./board-columns.js";
import { describeBadge, labelSource } from "./board-details.js";
import { exportMenu } from "./board-export.js";
import { filterChips, filterMenu } from "./board-filters.js";
import { make } from "./board-format.js";
import { MAX_SEARCH_CHARACTERS, ORIGINS, SOURCES } from "./board-state.js";

/** @import { State } from "./board-state.js" */

const TYPING_PAUSE_MS = 250;

/**
 * @typedef {object} Controls
 * @property {HTMLElement} element
 * @property {(state: State) => void} show  update the controls to a state
 */

/**
 * @typedef {object} ControlledBoard
 * @property {(change: Partial<State>) => void} onChange
 * @property {() => Promise<Api.Column[]>} loadColumns
 * @property {() => string[]} shownColumns
 * @property {() => Promise<Api.Filters>} loadFilters
 * @property {(format: string) => string} exportLink
 * @property {() => string} embedSnippet
 * @property {() => State} state
 */

/**
 * @param {State} state
 * @param {{settings: string[], versions: string[]}} offered
 * @param {ControlledBoard} board
 * @returns {Controls}
 */
export function buildControls(state, offered, board) {
  const setting = choiceOf("setting", state, offered.settings, board);
  const version = offered.versions.length > 1 ? choiceOf("version", state, offered.versions, board) : null;
  const sources = sourceChoices(state, board);
  const origins = originChoices(board);
  const references = make("input", { type: "checkbox", "data-testid": "show-references", onchange: () => board.onChange({ references: references.checked }) });
  const search = searchBox(state, board);
  const chips = filterChips(board);
  const element = make(
    "div",
    { class: "es-controls", role: "group", "aria-label": "Rows and columns" },
    ...(version ? [make("label", { class: "es-control" }, "Version ", version)] : []),
    make("label", { class: "es-control" }, "Setting ", setting),
    make("div", { class: "es-views", role: "group", "aria-label": "Results", "data-testid": "board-origins" }, ...origins.map((one) => one.button)),
    make("fieldset", { class: "es-sources" }, make("legend", { class: "es-hidden" }, "Sources"), ...sources.map((one) => one.label)),
    make("label", { class: "es-control", title: describeBadge("reference") }, references, "Show reference systems"),
    search,
    make("div", { class: "es-menus" }, filterMenu(board), columnMenu(board), exportMenu(board)),
    chips.element,
  );
  /** @param {State} now */
  const show = (now) => {
    setting.value = now.setting;
    if (version) version.value = now.version;
    for (const { box, source } of sources) box.checked = now.source.includes(source);
    for (const { button, sources: wanted } of origins) button.setAttribute("aria-pressed", String(String(wanted) === String(now.source)));
    references.checked = now.references;
    if (document.activeElement !== search) search.value = now.q;
    chips.show(now);
  };
  show(state);
  return { element, show };
}

/** @param {"setting"|"version"} name @param {State} state @param {string[]} values @param {ControlledBoard} board */
function choiceOf(name, state, values, board) {
  const options = values.map((value) => make("option", { value }, value));
  const choice = make("select", { "data-testid": `board-${name}`, onchange: () => board.onChange({ [name]: choice.value }) }, ...options);
  choice.value = state[name];
  return choice;
}

/** Choice of the row sources; each option stands for several sources. @param {ControlledBoard} board */
function originChoices(board) {
  return Object.entries(ORIGINS).map(([name, { title, sources }]) => {
    const button = make("button", { type: "button", "data-testid": `rows-${name}`, onclick: () => board.onChange({ source: [...sources] }) }, title);
    return { button, sources };
  });
}

/** @param {State} state @param {ControlledBoard} board */
function sourceChoices(state, board) {
  const all = SOURCES.map((source) => {
    const box = make("input", { type: "checkbox", "data-testid": `source-${source}`, checked: state.source.includes(source) });
    const label = make("label", { class: "es-control" }, box, make("span", { class: `es-badge es-badge-${source}` }, labelSource(source)));
    return { source, box, label };
  });
  const report = () => board.onChange({ source: all.filter((one) => one.box.checked).map((one) => one.source) });
  for (const { box } of all) box.addEventListener("change", report);
  return all;
}

/** @param {State} state @param {ControlledBoard} board */
function searchBox(state, board) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let pause;
  const report = () => {
    clearTimeout(pause);
    pause = setTimeout(() => board.onChange({ q: box.value.trim() }), TYPING_PAUSE_MS);
  };
  const box = make("input", { type: "search", class: "es-search", placeholder: "Search models", "aria-label": "Search models and organisations", maxlength: MAX_SEARCH_CHARACTERS, "data-testid": "board-search", oninput: report });
  box.value = state.q;
  return box;
}
