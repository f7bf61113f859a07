/** Rows, columns and answers as the REST API gives them. */

export function column(key, words = {}) {
  const [slice, metric] = key.split("|");
  return { key, slice, metric, title: slice.toUpperCase(), group: "", higher_is_better: true, ranked: true, judged: false, shown: true, chance: 0.25, definition: "", ...words };
}

export const OVERALL = column("overall|accuracy", { title: "Overall" });
export const SCT = column("sct|accuracy", { group: "Motion" });
export const SDT = column("sdt|accuracy", { group: "Motion" });

export function score(value, words = {}) {
  return { value, low: null, high: null, std: null, ...words };
}

export const PAPER = { title: "A paper", authors: ["Ann Lee", "Bo Li", "others"], year: 2025, url: "https://paper.example/1", tables: ["Table 2", "Table 4"], row: "Model-s1", data_version: null };

export function row(submission, value = 0.5, { model = {}, ...words } = {}) {
  return {
    rank: 1, rank_low: null, rank_high: null, source: "reported", reference: false, setting: "default",
    model: { id: `m-${submission}`, name: `Model ${submission}`, sent_as: `Model ${submission}`, organisation: "Lab", kind: "LALM", size_billions: 7, open_weights: true, url: null, links: [], ...model },
    scores: { [OVERALL.key]: score(value), [SCT.key]: score(value), [SDT.key]: score(value) },
    ranks: { [OVERALL.key]: 1 }, parts: ["sct"], runs: null, missing: 0, unreadable: 0, open_pending: false, signature: null,
    submission, date: "2026-01-02T03:04:05Z", printed_on: "2025", paper: PAPER, notes: [], score_notes: {}, ...words,
  };
}

export function board(rows, words = {}) {
  return { benchmark: "amb", revision: 1, metric: OVERALL.key, columns: [OVERALL, SCT], rows, next_cursor: null, detectable: null, detectable_figure: null, opening: OVERALL.key, ...words };
}

export function benchmark(version = "1.0", words = {}) {
  return {
    id: "amb", title: "Audio Motion", version, parts: [{ id: "sct", title: "Speed and pitch", held: true }], packs: ["test"], editions: false, open_version: version, needs: null, note: null,
    items: 2016, items_of_paper: null, clips: 672, headline: OVERALL.key, chance: { [OVERALL.key]: 0.25 }, baselines: [], seeds: null, columns: [OVERALL, SCT, SDT],
    definitions: { settings: { default: "As it is." }, items: {}, terms: { Chance: "An even guess." } }, ...words,
  };
}

export const START = {
  version: "1.0", setting: "default", headlines: { default: OVERALL.key, noise: SCT.key }, openings: {}, views: { "1.0": [{ columns: [SCT.key, SDT.key], order: "asc" }] }, versions: ["1.0", "demo"], settings: ["default", "noise"],
};

/** What a table is drawn of. */
export function view(words = {}) {
  return {
    state: { sort: OVERALL.key, order: "desc", version: "1.0", setting: "default" },
    columns: [OVERALL, SCT], rows: [row("s1")], pinned: [], unfolded: new Set(), citations: new Map(), ticks: { has: () => false, toggle: () => {} },
    main: OVERALL.key, ranked: OVERALL.key, hasOwnQuestions: false, known: benchmark(), onSort: () => {}, onFold: () => {}, onUnfold: () => {}, ...words,
  };
}
