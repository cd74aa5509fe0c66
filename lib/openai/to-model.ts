import type { AgentItem } from "../agents/agent/store.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { Model } from "./schemas.ts";
import { toSeconds } from "./to-response.ts";

/** Maps an agent to a model. */
export const toModel = (
  tenantId: TenantId,
  { id, createdAt, displayName }: Pick<AgentItem, "id" | "createdAt" | "displayName">,
): Model => ({
  id,
  object: "model",
  created: toSeconds(createdAt),
  owned_by: tenantId,
  name: displayName,
});
