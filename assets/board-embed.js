/** Embedded boards: the snippet that shows the ten best rows of a board in another site's page. */

import { defaultState } from "./board-state.js";

/** @import { Start, State } from "./board-state.js" */

const HEIGHT = 560;

/**
 * @param {string} benchmark
 * @param {State} state
 * @param {Start} start
 * @returns {string} URL of the embedded board, with setting, version and score if they are not the defaults
 */
export function embedAddress(benchmark, state, start) {
  const usual = defaultState(start, state.setting, state.version);
  const [slice, metric] = state.sort.split("|");
  const params = new URLSearchParams();
  if (state.version !== start.version) params.set("version", state.version);
  if (state.setting !== start.setting) params.set("setting", state.setting);
  if (metric && state.sort !== usual.sort) {
    params.set("slice", slice);
    params.set("metric", metric);
  }
  const query = params.size ? `?${params}` : "";
  return `${location.origin}/embed/${benchmark}${query}`;
}

/**
 * @param {string} address
 * @param {string} title  title of the frame, for screen readers
 */
export function embedSnippet(address, title) {
  /** @param {string} text */
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return `<iframe src="${escape(address)}" title="${escape(title)}" width="100%" height="${HEIGHT}" loading="lazy" style="border:0"></iframe>`;
}
