import { open } from "./dom.js";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PAPER } from "./samples.js";

const { citeBriefly, describePrinted, linkPaper, namePlace } = await import("../../assets/papers.js");

beforeEach(() => open("/", ""));

test("a paper is cited by its first author where there are more than two", () => {
  assert.equal(citeBriefly(PAPER), "Lee et al., 2025");
  assert.equal(citeBriefly({ ...PAPER, authors: ["Ann Lee", "Bo Li"] }), "Lee and Li, 2025");
  assert.equal(citeBriefly({ ...PAPER, year: null }), "Lee et al.");
});

test("a printed row names its tables and its name there", () => {
  assert.equal(namePlace(PAPER), "Table 2, Table 4, row “Model-s1”");
  assert.equal(describePrinted(PAPER), "Reported in A paper (Lee et al., 2025), Table 2, Table 4.");
  const earlier = { ...PAPER, data_version: "0.5" };
  assert.equal(namePlace(earlier), "Table 2, Table 4, row “Model-s1”, benchmark data v0.5");
  assert.equal(describePrinted(earlier), "Reported in A paper (Lee et al., 2025), Table 2, Table 4, benchmark data v0.5.");
});

test("a paper is linked by its title and names every author", () => {
  const shown = linkPaper(PAPER);
  assert.equal(shown.querySelector("a").href, "https://paper.example/1");
  assert.equal(shown.textContent, "A paper Ann Lee, Bo Li, et al., 2025");
});
