import { command } from "../command.ts";
import { optionalChoice, text } from "../options.ts";

/** Row of `wharf costs`. */
export const costs = command({
  name: "costs",
  summary: "Show executions, tokens and cost by agent or model.",
  options: {
    from: text("day", "first day (UTC), by default the first of this month"),
    to: text("day", "last day (UTC), by default today"),
    by: optionalChoice("key", ["agent", "model"], "by agent (default) or model"),
    agent: text("agent", "only this agent"),
  },
  examples: [
    "wharf costs",
    "wharf costs --from 2026-11-01 --to 2026-11-30 --by model",
    "wharf costs --json | jq '[.items[].totalCost] | add'",
  ],
  scopes: "revisions:read",
  json: '`{"from": "2026-11-01", "to": "2026-11-22", "by": "agent", "items": […]}`, with items per day and key as the API returned them',
  run: async (input, io) => (await import("./costs/costs.ts")).showCosts(input, io),
});
