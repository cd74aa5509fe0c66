import { generateSkill } from "../../lib/agents/skill/generate-skill.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { ProcessorBudget } from "../../lib/platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../lib/platform/sandbox/processor-limits.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(
  rows.generateSkill,
  async ({ ctx, body }) =>
    generateSkill(body, new ProcessorBudget(ctx.tenant.id, processorLimits.requestMs)),
  { objects: objectStore },
);
