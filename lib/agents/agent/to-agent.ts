import type { Agent } from "./schemas.ts";
import type { AgentItem } from "./store.ts";

/** Maps a stored agent to its public representation. */
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
