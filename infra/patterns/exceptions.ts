/** A pattern that is not linear, or is built from a value, and why that is harmless. */
export type Exception = {
  readonly file: string;
  /** The source of the literal; undefined for a pattern that is built from a value. */
  readonly pattern?: string;
  /** The maximum length of its text and what enforces it, or what else bounds the work. */
  readonly bound: string;
};

/** Regular expressions that `npm run verify` accepts although they are not proven linear. */
export const exceptions: readonly Exception[] = [
  {
    file: "cli/files/environment.ts",
    pattern: String.raw`(\$?)\$\{([A-Za-z_]\w{0,99})\}`,
    bound: "A name has at most 100 characters, so each character is read 100 times at most.",
  },
  {
    file: "console/src/agents/flow/expression/completions.ts",
    bound:
      "Constant parts, against the text before the cursor in a field of the user who types it.",
  },
  {
    file: "console/src/agents/flow/expression/completions.ts",
    pattern: String.raw`[$\w]*$`,
    bound: "The text before the cursor in a field of the user who types it.",
  },
  {
    file: "console/src/agents/flow/expression/expression-editor.tsx",
    pattern: String.raw`\{%[\s\S]*?%\}`,
    bound: "The visible lines of a field of the user who types it.",
  },
  {
    file: "console/src/agents/flow/expression/jsonata-functions.ts",
    pattern: String.raw`^(\w+)\((.*?)\) (.*)$`,
    bound: "The lines of a constant text, under 200 characters each.",
  },
  {
    file: "console/src/docs/doc-text.ts",
    pattern: String.raw`(!?)\[([^\]]+)\]\((?!https?:)([^)]*)\)`,
    bound: "The pages in docs/, which are part of the build.",
  },
  {
    file: "console/src/templates/all-templates.ts",
    pattern: String.raw`^.*\/(.+)\.agent\.yaml$`,
    bound: "The paths of examples/templates/, which are part of the build.",
  },
  {
    file: "infra/build/bundle-shared.ts",
    bound: "Package names of the build, under 214 characters, against a constant prefix.",
  },
  {
    file: "infra/tenant/classify.ts",
    bound: "Constant patterns of keys, against keys of the table, under 3,072 bytes.",
  },
  {
    file: "lib/engine/guardrails/pattern.ts",
    bound:
      "Linear: V8's engine for the flag `l` refuses other patterns, and they have at most 200 characters.",
  },
  {
    file: "lib/executions/job/stored-outcome.ts",
    bound:
      "Literal alternatives, the secrets of one input, and a nonce of fixed length: as much work as masking the same texts.",
  },
  {
    file: "lib/values/json/json-schema.ts",
    bound: "None: the pattern is compiled to see that it is valid, and matched against nothing.",
  },
  {
    file: "lib/knowledge/sources/bounded-pieces.ts",
    bound: "Linear: built from constants; the lookbehind lets a run be tried at its start alone.",
  },
];
