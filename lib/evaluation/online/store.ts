import * as z from "zod";
import type { OnlineEvaluationItem } from "../../agents/agent/online-evaluation.ts";
import { AgentItem } from "../../agents/agent/store.ts";
import { type ExecutionPlace, executionKey } from "../../agents/keys.ts";
import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { evaluatedKey } from "./keys.ts";

const Evaluated = z.object({ count: z.int() });

/** TENANT#t / AGENT#a with EVALUATED#month: reads an agent and how many of its executions were scored in a month. */
export const getAgentAndEvaluated = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  month: string,
): Promise<{ agent: AgentItem; evaluated: number } | undefined> => {
  const { agent, evaluated } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    evaluated: evaluatedKey(tenantId, agentId, month),
  });
  if (!agent) return undefined;
  return {
    agent: AgentItem.parse(agent),
    evaluated: evaluated ? Evaluated.parse(evaluated).count : 0,
  };
};

/** Sets or removes (null) an agent's online evaluation; false when the agent does not exist. */
export const writeOnlineEvaluation = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  evaluation: OnlineEvaluationItem | null,
): Promise<boolean> => {
  const { written } = await updateItem(db, {
    Key: agentKey(tenantId, agentId),
    UpdateExpression: evaluation ? "SET onlineEvaluation = :after" : "REMOVE onlineEvaluation",
    ...ifExists,
    ...(evaluation && { ExpressionAttributeValues: { ":after": evaluation } }),
  });
  return written;
};

/**
 * Counts an execution as scored in a month, once. Returns "again" for one that was counted before, and "over" when the
 * month's limit is reached, or the execution was deleted.
 */
export const claimEvaluation = async (
  db: Database,
  place: ExecutionPlace,
  { month, limit, now }: { month: string; limit: number; now: number },
): Promise<"claimed" | "again" | "over"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(place),
        UpdateExpression: "SET evaluatedAt = :now",
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(evaluatedAt)",
        ExpressionAttributeValues: { ":now": now },
      },
    },
    {
      Update: {
        Key: evaluatedKey(place.tenantId, place.agentId, month),
        UpdateExpression: "ADD #count :one",
        ConditionExpression: "attribute_not_exists(#count) OR #count < :limit",
        ExpressionAttributeNames: { "#count": "count" },
        ExpressionAttributeValues: { ":one": 1, ":limit": limit },
      },
    },
  ]);
  if (outcome.written) return "claimed";
  return outcome.failed[0] ? "again" : "over";
};
