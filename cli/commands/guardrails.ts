import { command, group } from "../command.ts";
import { argument, positive, requiredChoice, requiredText, text } from "../options.ts";

const places = ["input", "output", "toolArguments", "toolResult", "retrieval"] as const;

const list = command({
  name: "list",
  summary: "List guardrails.",
  options: { limit: positive("maximum number of guardrails to list") },
  examples: ["wharf guardrails list"],
  scopes: "agents:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./guardrails/list.ts")).listGuardrails(input, io),
});

const get = command({
  name: "get",
  summary: "Show a guardrail with its checks.",
  args: { guardrail: argument("the guardrail's id") },
  examples: ["wharf guardrails get privacy"],
  scopes: "agents:read",
  json: "the guardrail as the API returned it",
  run: async (input, io) => (await import("./guardrails/get.ts")).getGuardrail(input, io),
});

const create = command({
  name: "create",
  summary: "Create a guardrail from a file with its checks.",
  args: { guardrail: argument("the new guardrail's id") },
  options: {
    file: requiredText("file", 'JSON file with `{"checks": […]}`'),
    displayName: text("name", "name to show; by default the id"),
  },
  examples: ["wharf guardrails create privacy --file privacy.json"],
  scopes: "agents:write",
  json: "the guardrail as the API returned it",
  run: async (input, io) => (await import("./guardrails/create.ts")).createGuardrail(input, io),
});

const check = command({
  name: "check",
  summary: "Try a guardrail with a text.",
  args: { guardrail: argument("the guardrail's id"), text: argument("the text to check") },
  options: { on: requiredChoice("place", places, "where the text would be checked") },
  examples: ["wharf guardrails check privacy 'Write to ada@example.com.' --on output"],
  scopes: "agents:read",
  json: "the result as the API returned it",
  run: async (input, io) => (await import("./guardrails/check.ts")).checkGuardrail(input, io),
});

/** Rows of `wharf guardrails`. */
export const guardrails = group({
  name: "guardrails",
  summary: "Create, list and try guardrails, which check what agents receive and return.",
  examples: ["wharf guardrails list"],
  commands: [create, list, get, check],
});
