import type { revisionLoader } from "../agents/revision/load-revision.ts";
import type { Knowledge } from "../engine/flow/knowledge.ts";
import type { SkillRegistry } from "../engine/flow/skill.ts";
import type { ModelRegistry } from "../engine/models/model.ts";
import type { ToolRegistry } from "../engine/tools/tool.ts";
import type { Database } from "../platform/db/database.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { Sealer } from "../platform/db/seal.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { Send } from "../platform/queue/send.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";

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
