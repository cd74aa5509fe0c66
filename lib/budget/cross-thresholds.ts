import type { AgentItem } from "../agent/store.ts";
import type { Database } from "../db/database.ts";
import { announce } from "../event/announce.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { hearingOf } from "../event-destination/hearing.ts";
import { dollars } from "../models/sums.ts";
import type { Send } from "../queue/send.ts";
import type { Clock } from "../runtime/runtime.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { getMonthSpend, raiseThreshold } from "./spend-store.ts";

/**
 * The percents of an agent's budget that its spending in a month has newly reached. Of all callers,
 * whoever comes first gets a percent of a month and has it told; nobody gets it again, also not when the
 * budget changes.
 */
export const crossThresholds = async (
  { db, send, clock }: { db: Database; send: Send; clock: Clock },
  tenantId: TenantId,
  { id: agentId, budget }: Pick<AgentItem, "id" | "budget">,
  month: string,
): Promise<number[]> => {
  if (!budget || budget.thresholdRules.length === 0) return [];
  const { amount, thresholdRules } = budget;
  const { spent, raised } = await getMonthSpend(db, tenantId, agentId, month);
  const crossed: number[] = [];
  for (const { percent } of thresholdRules) {
    const reached = dollars(spent * 100) >= dollars(percent * amount);
    if (!reached || raised.has(percent)) continue;
    const { organizationId } = await hearingOf(db, tenantId, clock());
    const event = organizationId && {
      id: `agent.budget.threshold:${tenantId}:${agentId}:${month}:${percent}`,
      type: "agent.budget.threshold" as const,
      organizationId,
      tenantId,
      agentId,
      occurredAt: clock(),
      data: { percent, month, amount, spent, usagePercent: dollars((spent / amount) * 100) },
    };
    const told: { event?: OrganizationEvent } = event ? { event } : {};
    if (!(await raiseThreshold(db, tenantId, agentId, { month, percent, ...told }))) continue;
    crossed.push(percent);
    if (told.event) await announce(send, told.event);
  }
  return crossed.toSorted((one, other) => one - other);
};
