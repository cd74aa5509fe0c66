import { objectStore } from "../../lib/db/object-store.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { ProcessorBudget } from "../../lib/platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../lib/platform/sandbox/processor-limits.ts";
import { generateSkill } from "../../lib/skill/generate-skill.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(
  rows.generateSkill,
  async ({ body }) => generateSkill(body, new ProcessorBudget(processorLimits.requestMs)),
  { objects: objectStore },
);
