import { hasMailRecipients } from "../../notifications/alert/find-recipients.ts";
import { type Audience, findAudience } from "../../notifications/destination/find-audience.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import {
  type ExecutionRecord,
  type ExecutionStatus,
  triggerTypes,
} from "../record/execution-record.ts";
import type { EndPlan } from "./end-writes.ts";

const eventTypesByStatus: Partial<Record<ExecutionStatus, OrganizationEvent["type"]>> = {
  Succeeded: "agent.execution.completed",
  Failed: "agent.execution.failed",
  TimedOut: "agent.execution.failed",
};

/**
 * Returns whether the end of an execution is published: not for tests, nor for sub-agents, whose end is part
 * of their parent's.
 */
export const isPublished = ({ isSample, trigger }: Pick<ExecutionRecord, "isSample" | "trigger">) =>
  !isSample && trigger.type !== triggerTypes.subAgent;

/**
 * Builds the events of an execution's end; none without subscribers. They contain no input, output or error
 * detail.
 * @param found the subscribers, where they were looked up during the run
 */
export const endEvents = async (
  { db, clock }: { db: Database; clock: Clock },
  tenantId: TenantId,
  ended: Pick<EndPlan, "item" | "outcome" | "usage">,
  found?: Promise<Audience | undefined>,
): Promise<OrganizationEvent[]> => {
  const { item } = ended;
  const type = eventTypesByStatus[item.status];
  if (type === undefined || !isPublished(item)) return [];
  const audience = await (found ?? findAudience(db, tenantId, clock()));
  if (!audience) return [];
  const { organizationId, types } = audience;
  const event = { type, organizationId, tenantId, agentId: item.agentId };
  if (!types.has(type) && !(await hasMailRecipients(db, event))) return [];
  return [
    {
      id: `${type}:${item.id}`,
      ...event,
      occurredAt: item.endTime ?? clock(),
      data: toData(ended),
    },
  ];
};

const toData = ({ item, outcome: { error }, usage }: Parameters<typeof endEvents>[2]) => ({
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
