import type { Agent } from "./schemas.ts";
import type { AgentItem } from "./store.ts";

/** The public shape of a stored agent. */
export const toAgent = (item: AgentItem): Agent => ({
  id: item.id,
  displayName: item.displayName,
  description: item.description,
  deployedRevision: item.deployedRevision,
  latestRevision: item.latestRevision,
  avatarFileId: item.avatarFileId,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
});
