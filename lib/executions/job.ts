import type { AgentItem } from "../agents/agent/store.ts";
import type { LoadedRevision } from "../agents/revision/load-revision.ts";
import type { ConversationMessage } from "../engine/flow/conversation-message.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { JsonObject } from "../values/json/json.ts";
import type { ExecutionItem } from "./items.ts";
import type { JobSecrets } from "./job-secrets.ts";

/** The members of an agent that its runs need. */
export type RunAgent = Pick<AgentItem, "id" | "createdAt" | "budget"> & {
  onlineEvaluation: { sampleRate: number } | null;
};

/** An execution with everything needed to run it. */
export type Job = {
  tenantId: TenantId;
  agent: RunAgent;
  agentRevision: number;
  revision: LoadedRevision;
  item: ExecutionItem;
  /** Checked inputs, with defaults and secrets. */
  values: JsonObject;
  /** Secrets of the executions that called it. */
  inherited?: JobSecrets | undefined;
  /** Earlier messages of the conversation, oldest first. */
  session?: readonly ConversationMessage[] | undefined;
  /** Token of the run that holds it; null for a sub-agent's execution, which its parent's run holds. */
  owner: string | null;
  /** Deadline of the whole execution, Unix milliseconds. */
  endsBy: number;
};
