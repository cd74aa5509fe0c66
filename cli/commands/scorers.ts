import { command, group } from "../command.ts";
import { argument, positive, requiredChoice, text } from "../options.ts";

const scorerTypes = ["Exact", "JsonSchema", "Expression", "Judge", "Agent", "Guardrail"] as const;

const list = command({
  name: "list",
  summary: "List scorers.",
  options: { limit: positive("maximum number of scorers to list") },
  examples: ["wharf scorers list"],
  scopes: "datasets:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./scorers/list.ts")).listScorers(input, io),
});

const create = command({
  name: "create",
  summary: "Create a scorer, which rates outputs in experiments.",
  args: { scorer: argument("the new scorer's id") },
  options: {
    type: requiredChoice("type", scorerTypes, "how it rates"),
    displayName: text("name", "name to show; by default the id"),
    path: text("pointer", "Exact: JSON pointer to the value that is compared"),
    schemaFile: text("file", "JsonSchema: file with the schema of the output"),
    value: text("jsonata", "Expression: selects a number or a boolean"),
    llm: text("provider[/model]", "Judge: model that rates"),
    rubric: text("text", "Judge: text with the rating criteria"),
    agent: text("id", "Agent: agent that rates"),
    guardrail: text("id", "Guardrail: guardrail that would let pass or block"),
  },
  examples: [
    "wharf scorers create correct --type Exact --path /message",
    "wharf scorers create short --type Expression --value '$length(output.message) < 80'",
  ],
  scopes: "datasets:write",
  json: "the scorer as the API returned it",
  run: async (input, io) => (await import("./scorers/create.ts")).createScorer(input, io),
});

/** Rows of `wharf scorers`. */
export const scorers = group({
  name: "scorers",
  summary: "Create and list scorers, which rate outputs in experiments.",
  examples: ["wharf scorers create correct --type Exact --path /message", "wharf scorers list"],
  commands: [create, list],
});
