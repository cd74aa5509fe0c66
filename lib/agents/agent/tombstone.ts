import * as z from "zod";
import type { TombstoneKind } from "../../platform/deletion/tombstone.ts";
import type { PurgeAgentMessage } from "../messages.ts";
import { deletedAgentKey } from "./keys.ts";

const AgentTombstone = z.object({
  agentId: z.string(),
  /** Whether schedules of the agent may exist. */
  isScheduled: z.boolean(),
});
export type AgentTombstone = z.output<typeof AgentTombstone>;

/** TENANT#t / DELETED#AGENT#id: a deleted agent. Its id is free once its records are purged. */
export const agentTombstones: TombstoneKind<PurgeAgentMessage, AgentTombstone> = {
  type: "purge-agent",
  key: ({ tenantId, agentId }) => deletedAgentKey(tenantId, agentId),
  schema: AgentTombstone,
};
