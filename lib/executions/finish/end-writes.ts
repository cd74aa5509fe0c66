import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { settleSpend } from "../../spending/budget/spend-store.ts";
import { type CountedUsage, countUsage, withoutModels } from "../../spending/usage/count-usage.ts";
import type { EndRequest, EndWrite } from "../end/end-execution.ts";

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
