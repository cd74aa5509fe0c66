import type { AgentItem } from "../../agents/agent/store.ts";
import type { LoadedRevision, revisionLoader } from "../../agents/revision/load-revision.ts";
import type { UsageEntry } from "../../engine/flow/flow-result.ts";
import type { Knowledge } from "../../engine/flow/knowledge.ts";
import type { AgentMemory } from "../../engine/flow/memory.ts";
import type { SkillRegistry } from "../../engine/flow/skill.ts";
import type { CheckVerdict } from "../../engine/guardrails/schemas.ts";
import type { ModelRegistry } from "../../engine/models/model.ts";
import type { ToolRegistry } from "../../engine/tools/tool.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { FindPeople } from "../../integrations/connection/connection-owner.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionOutcome, TransactionWrite } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import type { RunOutcome } from "../record/results.ts";
import type { CallerContext } from "../schemas.ts";
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
  files: FileStorage;
  memoryFor: (tenantId: TenantId, agentId: string) => AgentMemory;
  toolsFor: (tenantId: TenantId, people?: FindPeople) => ToolRegistry;
  endHooks: EndHooks;
  runtime: Runtime;
  sleep: Sleep;
  /** Writes the end of a run together with those of the other runs of its message; absent for a single run. */
  joinEnd?: JoinEnd | undefined;
  /** Base URL of the API, where the deployment declares it. */
  publicUrl?: string | undefined;
};

/** The members of an agent that its runs need. */
export type RunAgent = Pick<AgentItem, "id" | "createdAt" | "budget"> & {
  onlineEvaluation: { sampleRate: number } | null;
};

/** An execution that ends: its outcome, with what its record does not have of it. */
export type EndInput = {
  tenantId: TenantId;
  agent: RunAgent;
  /** `item.reserved`: US dollars reserved for it in all. */
  outcome: RunOutcome;
  /** By model. */
  usage: readonly UsageEntry[];
  /** Token of the run that holds it; null for a sub-agent's execution, which its parent's run holds. */
  owner: string | null;
  /** See `Job`. */
  unwritten?: NewRecord | undefined;
};

/** The record of a new execution, as it is stored. */
export type NewRecord = Key & Record<string, unknown>;

/** A write to make together with the end of an execution. `otherwise` takes its place when its condition fails. */
export type EndWrite = { write: TransactionWrite; otherwise?: TransactionWrite };

/** Writes the transaction of an end, alone or with others. */
export type JoinEnd = (writes: readonly TransactionWrite[]) => Promise<TransactionOutcome>;

/** Dependencies of the hooks of an end. */
export type HookDeps = Pick<ExecutionDeps, "db" | "send" | "runtime">;

/** Builds the events of an end; none without subscribers. */
export type BuildEvents = (input: EndInput) => Promise<readonly OrganizationEvent[]>;

/** Contributions of other areas to the end of an execution. */
export type EndHooks = {
  /** Looks up the subscribers, during the run, so that the end does not wait for them. */
  prepareEvents: (deps: HookDeps, item: ExecutionRecord) => BuildEvents;
  /** Builds the writes of the transaction in which the execution ends. */
  buildWrites: (input: EndInput, events: readonly OrganizationEvent[]) => readonly EndWrite[];
  /** Merges the same counter of two ends; undefined for any other writes. */
  mergeWrites: (one: TransactionWrite, other: TransactionWrite) => TransactionWrite | undefined;
  /** Called before a run records its end, which it does not when this rejects. Returns further events of the end. */
  beforeEnd: (deps: HookDeps, input: EndInput) => Promise<readonly OrganizationEvent[]>;
  /** Called after a run recorded its end. Never rejects. */
  afterEnd: (deps: HookDeps, input: EndInput) => Promise<void>;
};

/** The address of a step that waits for a callback; `token`: its end, which is secret. */
export type Callback = { stepId: string; url: string; token: string };

/** An execution with everything needed to run it. */
export type Job = {
  tenantId: TenantId;
  agent: RunAgent;
  agentRevision: number;
  revision: LoadedRevision;
  item: ExecutionRecord;
  /** Checked inputs, with defaults and secrets. */
  values: JsonObject;
  /** Sent with the inputs; undefined for none. */
  context?: CallerContext | undefined;
  /** Of the guardrails that checked the inputs. */
  verdicts?: readonly CheckVerdict[] | undefined;
  /** Whether services have not checked the inputs yet. */
  isUnchecked: boolean;
  /** Whether guardrails applied when it started. */
  isGuarded: boolean;
  /** Addresses of its waits for callbacks that its flow reads. */
  callbacks?: readonly Callback[] | undefined;
  /** Secrets of the executions that called it. */
  inherited?: JobSecrets | undefined;
  /** Token of the run that holds it; null for a sub-agent's execution, which its parent's run holds. */
  owner: string | null;
  /** Deadline of the whole execution, Unix milliseconds. */
  endsBy: number;
  /** The record of an execution that is written when it ends; undefined for one that was written when it started. */
  unwritten?: NewRecord | undefined;
};
