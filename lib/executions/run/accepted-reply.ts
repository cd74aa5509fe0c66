import { Reply } from "../../edge/respond.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";

/**
 * Builds the 202 response for an execution that continues in the background, with the address of its record.
 * @param applied the `Prefer` preference that was applied; undefined for none
 */
export const acceptedReply = (
  { tenant, linkBase }: Pick<TenantContext, "tenant" | "linkBase">,
  execution: { agentId: string; executionId: string },
  applied: string | undefined,
): Reply => {
  const agent = `${linkBase}/v1/tenants/${tenant.id}/agents/${execution.agentId}`;
  return new Reply(
    JSON.stringify(execution),
    {
      "Content-Type": "application/json",
      Location: `${agent}/execution-records/${execution.executionId}`,
      ...(applied !== undefined && { "Preference-Applied": applied }),
    },
    202,
  );
};
