import { dollars } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { announce } from "../../platform/outbox/announce.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { ownerOf } from "../../tenancy/tenant/owner-of.ts";
import type { AgentItem } from "../agent/store.ts";
import { getMonthSpend, raiseThreshold } from "./spend-store.ts";

/** What telling of a threshold needs. */
export type CrossingDeps = { db: Database; send: Send; clock: Clock };

/**
 * The percents of an agent's budget that its spending in a month has newly reached. Of all callers,
 * whoever comes first gets a percent of a month and has it told; nobody gets it again, also not when the
 * budget changes.
 */
export const crossThresholds = async (
  { db, send, clock }: CrossingDeps,
  tenantId: TenantId,
  { id: agentId, createdAt, budget }: Pick<AgentItem, "id" | "createdAt" | "budget">,
  month: string,
): Promise<number[]> => {
  if (!budget || budget.thresholdRules.length === 0) return [];
  const { amount, thresholdRules } = budget;
  const { spent, raised } = await getMonthSpend(db, tenantId, agentId, month);
  const owner = await ownerOf(db, tenantId);
  const crossed: number[] = [];
  for (const { percent } of thresholdRules) {
    const reached = dollars(spent * 100) >= dollars(percent * amount);
    if (!reached || raised.has(percent)) continue;
    const event: OrganizationEvent | undefined = owner && {
      // Of an agent that is made anew under the same id it is another event.
      id: `agent.budget.threshold:${tenantId}:${agentId}:${createdAt}:${month}:${percent}`,
      type: "agent.budget.threshold",
      organizationId: owner.organizationId,
      tenantId,
      agentId,
      occurredAt: clock(),
      data: { percent, month, amount, spent, usagePercent: dollars((spent / amount) * 100) },
    };
    if (!(await raiseThreshold(db, tenantId, agentId, { month, percent, event }))) continue;
    crossed.push(percent);
    if (event) await announce(send, event);
  }
  return crossed.toSorted((one, other) => one - other);
};
