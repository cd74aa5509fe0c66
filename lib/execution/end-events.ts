import { concernsCollaborators } from "../alert/find-recipients.ts";
import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { hearingOf } from "../event-destination/hearing.ts";
import type { Clock } from "../runtime/runtime.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { type ExecutionStatus, triggerTypes } from "./schemas.ts";
import type { EndedExecution } from "./store.ts";

const typeOf: Partial<Record<ExecutionStatus, OrganizationEvent["type"]>> = {
  Succeeded: "agent.execution.completed",
  Failed: "agent.execution.failed",
  TimedOut: "agent.execution.failed",
};

/**
 * What is to be told of an execution that ends: nothing when nobody listens, nothing of a test, and nothing of
 * a sub-agent's, whose end is its parent's matter. Without input, output, or what a step said of its failure.
 */
export const endEvents = async (
  { db, clock }: { db: Database; clock: Clock },
  tenantId: TenantId,
  ended: Pick<EndedExecution, "item" | "output" | "usage">,
): Promise<OrganizationEvent[]> => {
  const { item } = ended;
  const type = typeOf[item.status];
  if (type === undefined || item.isSample || item.trigger.type === triggerTypes.subAgent) return [];
  const { organizationId, types } = await hearingOf(db, tenantId, clock());
  if (organizationId === undefined) return [];
  const place = { type, tenantId, agentId: item.agentId };
  if (!types.has(type) && !(await concernsCollaborators(db, place))) return [];
  return [
    {
      id: `${type}:${item.id}`,
      ...place,
      organizationId,
      occurredAt: item.endTime ?? clock(),
      data: toData(ended),
    },
  ];
};

const toData = ({ item, output: { error }, usage }: Parameters<typeof endEvents>[2]) => ({
  executionId: item.id,
  agentRevision: item.agentRevision,
  status: item.status,
  trigger: item.trigger,
  startTime: item.startTime,
  endTime: item.endTime,
  usage: usage.tokens,
  cost: usage.cost,
  error: error && { type: error.type, title: error.title, step: error.step },
});
