import { createToolRegistry } from "../../engine/tools/registry.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { McpOffer } from "./mcp-offer.ts";
import type { IntegrationContent } from "./schemas.ts";

/** Returns those of the ids that are agents of the tenant. */
export type FindAgents = (tenantId: TenantId, ids: readonly string[]) => Promise<readonly string[]>;

/**
 * Throws 400 when an MCP server would offer an agent that does not exist, or a tool that a built-in integration does
 * not have. Tools of other integrations are known only once their config is published.
 */
export const checkOffered = async (
  integrationId: string,
  { parameters }: Pick<IntegrationContent, "parameters">,
  findAgents: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<void> => {
  const { agents, tools } = McpOffer.catch({}).parse(parameters);
  const found = agents?.length ? await findAgents(agents) : [];
  const builtIn = createToolRegistry().list().get(integrationId);
  const known = builtIn?.map(({ descriptor }) => descriptor.id);
  const errors = [
    ...(agents ?? []).flatMap((id, at) =>
      found.includes(id) ? [] : [wrong(["agents", at], `there is no agent "${id}"`)],
    ),
    ...(known ? (tools ?? []) : []).flatMap((id, at) =>
      known?.includes(id)
        ? []
        : [wrong(["tools", at], didYouMean(`there is no tool "${id}"`, id, known ?? []))],
    ),
  ];
  if (errors.length > 0) throw validationFailed(errors);
};

const wrong = (path: readonly (string | number)[], detail: string): ValidationIssue => ({
  pointer: toIssuePointer(["parameters", ...path]),
  detail,
});
