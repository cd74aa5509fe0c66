import type { BudgetItem } from "../../agents/agent/budget.ts";
import { withoutCompanions } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import { toMonth } from "../../platform/db/keys.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { addEarlierUsage, publishThresholds, readMonthCost, toBudget } from "./check-budget.ts";
import { collectShards } from "./reserve-spend.ts";
import type { AgentBudget, BudgetedAgent, PutBudgetBody } from "./schemas.ts";
import { replaceBudget } from "./store.ts";

/**
 * Sets an agent's budget; keeps `createdAt` of an existing one. A first one counts the month's cost before it. May
 * cross thresholds immediately. Throws 404, and 409 on concurrent changes.
 */
export const putBudget = async (
  {
    db,
    send,
    getAgent,
  }: {
    db: Database;
    send: Send;
    getAgent: (
      db: Database,
      tenantId: TenantId,
      agentId: string,
    ) => Promise<BudgetedAgent | undefined>;
  },
  {
    ctx,
    agentId,
    body,
  }: { ctx: Pick<TenantContext, "clock" | "tenant">; agentId: string; body: PutBudgetBody },
): Promise<AgentBudget> => {
  const tenantId = ctx.tenant.id;
  return retryOnConflict(
    {
      error: () =>
        conflict(
          `The budget of "${agentId}" was changed by another request. Read it and try again.`,
        ),
    },
    async () => {
      const now = ctx.clock();
      const found = await getAgent(db, tenantId, agentId);
      if (!found) throw notFound("agent", agentId);
      const before = found.budget;
      const month = toMonth(now);
      if (!before) await addEarlierUsage(withoutCompanions(db), tenantId, found, now);
      if (body.enforceLimit)
        await collectShards(withoutCompanions(db), { tenantId, agentId, month });
      const after: BudgetItem = {
        amount: body.amount,
        thresholdRules: body.thresholdRules,
        enforceLimit: body.enforceLimit,
        allowUnpriced: body.allowUnpriced,
        createdAt: before?.createdAt ?? now,
        modifiedAt: now,
      };
      const outcome = await replaceBudget(db, tenantId, agentId, { before, after });
      if (outcome === "changed") return outcome;
      const agent = { ...found, budget: after };
      await publishThresholds({ db, send, clock: ctx.clock }, { tenantId, agent, month });
      const spent = await readMonthCost(db, tenantId, agent, now);
      return toBudget(agentId, after, { spent, now });
    },
  );
};
