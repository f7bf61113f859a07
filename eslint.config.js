import js from "@eslint/js";
import globals from "globals";

const MARKUP = "Text from strangers must stay text: make elements with `make`, and set `textContent`.";

export default [
  { ignores: ["**/*", "!assets", "!assets/*.js", "!tests", "!tests/js", "!tests/js/**", "!eslint.config.js"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "no-eval": "error",
      "no-implicit-globals": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      // A name that begins with `_` is there to leave something out.
      "no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["assets/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"].map((property) => ({ property, message: MARKUP })),
        { object: "document", property: "write", message: MARKUP },
        { object: "document", property: "writeln", message: MARKUP },
      ],
    },
  },
  { files: ["eslint.config.js", "tests/js/**/*.js"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
