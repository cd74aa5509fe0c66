import type { BudgetItem } from "../../agents/agent/budget.ts";
import type { Database } from "../../platform/db/database.ts";
import { agentKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";

/** Replaces the budget `before`; returns "changed" when it was replaced meanwhile, or the agent was deleted. */
export const replaceBudget = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { before, after }: { before: BudgetItem | null; after: BudgetItem },
): Promise<"written" | "changed"> => {
  const { written } = await transact(db, [
    {
      Update: {
        Key: agentKey(tenantId, agentId),
        UpdateExpression: "SET budget = :after",
        ConditionExpression: before
          ? "budget.createdAt = :createdAt"
          : "attribute_exists(pk) AND attribute_not_exists(budget)",
        ExpressionAttributeValues: {
          ":after": after,
          ...(before && { ":createdAt": before.createdAt }),
        },
      },
    },
  ]);
  return written ? "written" : "changed";
};

/** Removes an agent's budget, if it has one; false when the agent does not exist. */
export const removeBudget = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
): Promise<boolean> => {
  const { written, item } = await updateItem(db, {
    Key: agentKey(tenantId, agentId),
    UpdateExpression: "REMOVE budget",
    ConditionExpression: "attribute_exists(budget)",
  });
  return written || item !== undefined;
};
