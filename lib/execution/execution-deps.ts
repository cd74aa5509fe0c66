import type { Database } from "../db/database.ts";
import type { ObjectStore } from "../db/large-value.ts";
import type { Sealer } from "../db/seal.ts";
import type { SkillRegistry } from "../flow/skill.ts";
import type { ModelRegistry } from "../models/model.ts";
import type { Send } from "../queue/send.ts";
import type { revisionLoader } from "../revision/load-revision.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import type { ToolRegistry } from "../tools/tool.ts";

/** Ends early when the signal is aborted; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** What executions need. */
export type ExecutionDeps = {
  db: Database;
  objects: ObjectStore;
  sealer: Sealer;
  send: Send;
  loadRevision: ReturnType<typeof revisionLoader>;
  modelsOf: (tenantId: TenantId) => ModelRegistry;
  skillsOf: (tenantId: TenantId) => SkillRegistry;
  toolsOf: (tenantId: TenantId) => ToolRegistry;
  runtime: Runtime;
  sleep: Sleep;
};
