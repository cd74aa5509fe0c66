import { hasMailRecipients } from "../../notifications/alert/find-recipients.ts";
import { type Audience, findAudience } from "../../notifications/destination/find-audience.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  type OrganizationEvent,
  traceEventType,
} from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { type CountedUsage, countUsage, withoutModels } from "../../spending/usage/count-usage.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import type { ExecutionDeps } from "../job/job.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { type ExecutionStatus, triggerTypes } from "../record/schemas.ts";
import { type EndRequest, type EndWrite, writeEnd } from "./end-store.ts";

/** The end of an execution, with its counts and events. */
export type EndPlan = Omit<EndRequest, "writes" | "retention"> & {
  tenantId: TenantId;
  usage: CountedUsage;
  /** US dollars of its agent's budget; null without one. */
  budgetAmount: number | null;
  events: readonly OrganizationEvent[];
};

/**
 * Ends an execution, and counts and publishes its end in the same transaction. Returns "not-open" when it has ended, is
 * held by another run, or was deleted.
 * @param from the state that the execution may be in: open, or cancelled and not counted
 */
export const endExecution = async (
  deps: Pick<ExecutionDeps, "db" | "objects">,
  plan: EndPlan,
  from: "open" | "cancelled",
): Promise<"written" | "not-open"> => {
  const { item, outcome, reserved, owner } = plan;
  // A cancelled execution is counted as such, and not published.
  const counted =
    from === "open"
      ? plan
      : {
          ...plan,
          item: { ...item, status: "Cancelled" as const },
          events: plan.events.filter(isTraceEvent),
        };
  const writes = buildEndWrites(counted);
  const now = item.endTime ?? item.startTime;
  const retention = await findRetention(deps.db, plan.tenantId, now);
  return writeEnd(deps, { item, outcome, retention, reserved, owner, writes }, from);
};

/** Builds the writes that are made together with the end of an execution: its usage, its cost in the budget, its events. */
const buildEndWrites = ({
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
 * @param input `audience`: the subscribers, where they were looked up during the run
 */
export const endEvents = async (
  { db, clock }: { db: Database; clock: Clock },
  {
    tenantId,
    ended,
    audience: found,
  }: {
    tenantId: TenantId;
    ended: Pick<EndPlan, "item" | "outcome" | "usage">;
    audience?: Promise<Audience | undefined> | undefined;
  },
): Promise<OrganizationEvent[]> => {
  const { item } = ended;
  const audience = await (found ?? findAudience(db, tenantId, clock()));
  if (!audience) return [];
  const { organizationId, types } = audience;
  const event = { organizationId, tenantId, agentId: item.agentId };
  const wanted: OrganizationEvent["type"][] = types.has(traceEventType) ? [traceEventType] : [];
  const type = isPublished(item) ? eventTypesByStatus[item.status] : undefined;
  if (type && (types.has(type) || (await hasMailRecipients(db, { type, ...event })))) {
    wanted.push(type);
  }
  const occurredAt = item.endTime ?? clock();
  return wanted.map((each) => ({
    id: `${each}:${item.id}`,
    type: each,
    ...event,
    occurredAt,
    data: each === traceEventType ? { executionId: item.id } : toData(ended),
  }));
};

/** Returns whether an event exports a trace, which is also made of a cancelled execution. */
export const isTraceEvent = ({ type }: OrganizationEvent): boolean => type === traceEventType;

const toData = ({
  item,
  outcome: { error },
  usage,
}: Pick<EndPlan, "item" | "outcome" | "usage">) => ({
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
