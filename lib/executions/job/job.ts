import type { AgentItem } from "../../agents/agent/store.ts";
import type { LoadedRevision, revisionLoader } from "../../agents/revision/load-revision.ts";
import type { ConversationMessage } from "../../engine/flow/conversation-message.ts";
import type { Knowledge } from "../../engine/flow/knowledge.ts";
import type { SkillRegistry } from "../../engine/flow/skill.ts";
import type { ModelRegistry } from "../../engine/models/model.ts";
import type { ToolRegistry } from "../../engine/tools/tool.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import type { JobSecrets } from "./masks.ts";

/** Resolves after the time, or early when the signal is aborted; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Dependencies of executions. */
export type ExecutionDeps = {
  db: Database;
  objects: ObjectStore;
  sealer: Sealer;
  send: Send;
  loadRevision: ReturnType<typeof revisionLoader>;
  modelsFor: (tenantId: TenantId) => ModelRegistry;
  skillsFor: (tenantId: TenantId) => SkillRegistry;
  knowledgeFor: (tenantId: TenantId) => Knowledge;
  toolsFor: (tenantId: TenantId) => ToolRegistry;
  runtime: Runtime;
  sleep: Sleep;
};

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
  item: ExecutionRecord;
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
