import type { Database } from "../db/database.ts";
import { type ObjectStore, packValue } from "../db/large-value.ts";
import type { ParameterDescriptor } from "../flow/parameters.ts";
import { mask } from "../revision/secrets.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { noCost, noTokens } from "./cost.ts";
import type { Trigger } from "./schemas.ts";
import { type ExecutionItem, putStartedExecution } from "./store.ts";

/** An execution about to start. */
export type NewExecution = {
  id: string;
  agentId: string;
  agentRevision: number;
  /** Unix milliseconds; the id is made of the same moment. */
  startTime: number;
  trigger: Trigger;
  input: Readonly<Record<string, unknown>>;
  parametersMetadata: readonly ParameterDescriptor[];
  metadata: Record<string, string>;
};

/** Records a running execution with its input, in which secrets are masked. */
export const startExecution = async (
  { db, objects }: { db: Database; objects: ObjectStore },
  tenantId: TenantId,
  execution: NewExecution,
): Promise<ExecutionItem> => {
  const { id, agentId, agentRevision, startTime, trigger, metadata } = execution;
  const { thinkingTokens: _, ...tokens } = noTokens;
  const item: ExecutionItem = {
    id,
    agentId,
    agentRevision,
    startTime,
    endTime: null,
    ...tokens,
    hasResult: false,
    hasTrace: false,
    isSample: false,
    trigger,
    destinations: [],
    environmentSlug: "production",
    createdAt: startTime,
    tenantId,
    ...noCost,
    status: "Running",
  };
  const secret = new Set(
    execution.parametersMetadata.filter((each) => each.secret).map(({ name }) => name),
  );
  const shown = Object.fromEntries(
    Object.entries(execution.input).map(([name, value]) => [name, secret.has(name) ? mask : value]),
  );
  const input = await packValue(shown, `${tenantId}/${agentId}/executions/${id}/input`, objects);
  await putStartedExecution(db, tenantId, item, { input, metadata });
  return item;
};
