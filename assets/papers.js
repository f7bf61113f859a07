/** Papers as named on boards; `leaderboard/boards/provenance/papers.py` does the same for exports. */

import { make } from "./board-format.js";

// BibTeX's ending of an incomplete list of authors.
const OTHERS = "others";
const MAX_NAMED = 2;

/** Authors and year for citations in text: `Liu et al., 2026`. @param {Api.Paper} paper @returns {string} */
export function citeBriefly({ authors, year }) {
  const surnames = authors.map((name) => name.split(" ").at(-1));
  const named = surnames.length > MAX_NAMED ? `${surnames[0]} et al.` : surnames.join(" and ");
  return year ? `${named}, ${year}` : named;
}

/** Table and row of a score in its paper: `Table 2, row “Qwen-2.5-Omni”`. @param {Api.PrintedIn} paper @returns {string} */
export function namePlace({ tables, row, data_version: release }) {
  return [...tables, `row “${row}”`, ...nameRelease(release)].join(", ");
}

/** Source of a row from a paper: `Reported in STAR-Bench: … (Liu et al., 2026), Table 2.` @param {Api.PrintedIn} paper @returns {string} */
export function describePrinted(paper) {
  return `Reported in ${paper.title} (${citeBriefly(paper)}), ${[...paper.tables, ...nameRelease(paper.data_version)].join(", ")}.`;
}

/** Release of the questions that a paper used, if it differs from the board's version. @param {string|null} release @returns {string[]} */
function nameRelease(release) {
  return release ? [`benchmark data v${release}`] : [];
}

/** The title as a link, then the authors and the year. @param {Api.Paper} paper @returns {HTMLElement} */
export function linkPaper(paper) {
  const names = paper.authors.map((name) => (name === OTHERS ? "et al." : name)).join(", ");
  const link = make("a", { href: paper.url, target: "_blank", rel: "noopener" }, paper.title);
  return make("span", {}, link, ` ${[names, paper.year].filter(Boolean).join(", ")}`);
}
