import { constructId } from "../settings/names.ts";
import type { HttpFunctionRecord } from "./function-records.ts";

/**
 * Groups of `functions/` by area. The functions of an area are in one stack, with their roles and log group. A group that
 * is not listed is an area of its own. A function that moves to another area needs two deployments, one of them without
 * it, because its name is fixed.
 */
const groupsByArea: Readonly<Record<string, readonly string[]>> = {
  Tenancy: ["meta", "tenants", "api-keys"],
  Notifications: ["event-destinations"],
  Knowledge: ["assets"],
  Integrations: ["integrations", "integration-configs", "llm-providers", "mcp"],
  Agents: ["agents", "revisions", "skills", "guardrails", "collaborators", "budgets", "usage"],
  Executions: ["executions", "files", "approvals", "callbacks", "openai", "a2a"],
  Evaluation: ["datasets", "experiments", "online-evaluations", "scorers", "scores"],
  Chat: ["connectors", "chat-users", "access-requests"],
  Webhooks: ["webhooks", "inbound"],
};

/** Returns the area of a group, as in the name of its stack. */
export const deriveArea = (group: string): string =>
  Object.entries(groupsByArea).find(([, groups]) => groups.includes(group))?.[0] ??
  constructId(group);

/** Returns the functions behind the gateway by area, in the order of the rows. */
export const groupByArea = (
  functions: readonly HttpFunctionRecord[],
): ReadonlyMap<string, readonly HttpFunctionRecord[]> =>
  Map.groupBy(functions, ({ group }) => deriveArea(group));
