import { readFileSync } from "node:fs";
import { agentSchemaFile, renderAgentSchema } from "../generate/agent-schema.ts";
import { areTypesCurrent } from "../openapi/client-types.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

if (!areTypesCurrent(read("client/openapi.ts"), read("docs/openapi.json"))) {
  console.error("client/openapi.ts is not made from docs/openapi.json: run `npm run openapi`.");
  process.exitCode = 1;
}

if (readFileSync(agentSchemaFile, "utf8") !== renderAgentSchema()) {
  console.error("cli/agent.schema.json is not made from the schemas: run `npm run openapi`.");
  process.exitCode = 1;
}
