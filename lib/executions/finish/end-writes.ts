import { hasMailRecipients } from "../../notifications/alert/find-recipients.ts";
import { type Audience, findAudience } from "../../notifications/destination/find-audience.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { type CountedUsage, countUsage, withoutModels } from "../../spending/usage/count-usage.ts";
import type { EndRequest, EndWrite } from "../end/end-execution.ts";
import {
  type ExecutionRecord,
  type ExecutionStatus,
  triggerTypes,
} from "../record/execution-record.ts";

/** The end of an execution, and what is counted and published of it. */
export type EndPlan = Omit<EndRequest, "writes"> & {
  tenantId: TenantId;
  usage: CountedUsage;
  /** US dollars of its agent's budget; null without one. */
  budgetAmount: number | null;
  events: readonly OrganizationEvent[];
};

/** Builds the writes that are made together with the end of an execution: its usage, its cost in the budget, its events. */
export const buildEndWrites = ({
  tenantId,
  item,
  usage,
  reserved,
  budgetAmount: amount,
  events,
}: EndPlan): readonly EndWrite[] => {
  const spend = settleSpend(tenantId, item, { amount, cost: usage.cost.totalCost, reserved });
  return [
    {
      write: countUsage(tenantId, item, usage),
      otherwise: countUsage(tenantId, item, withoutModels(usage)),
    },
    ...[...spend, ...events.map(putInOutbox)].map((write) => ({ write })),
  ];
};

const eventTypesByStatus: Partial<Record<ExecutionStatus, OrganizationEvent["type"]>> = {
  Succeeded: "agent.execution.completed",
  Failed: "agent.execution.failed",
  TimedOut: "agent.execution.failed",
};

/**
 * Returns whether the end of an execution is published: not for tests, and not for sub-agents, since the end of the
 * parent covers theirs.
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
