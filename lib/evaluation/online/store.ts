import * as z from "zod";
import type { OnlineEvaluationItem } from "../../agents/agent/online-evaluation.ts";
import { AgentItem } from "../../agents/agent/store.ts";
import { type ExecutionKey, executionKey } from "../../executions/record/keys.ts";
import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getNamedItems } from "../../platform/db/get-items.ts";
import { agentKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import { countFailure, type StoredFailure, StoredFailures } from "./failures.ts";
import { evaluatedKey, failuresKey } from "./keys.ts";

const Evaluated = z.object({ count: z.int() });

/** An agent, how many of its executions were scored in a month, and which scorers failed. */
export type AgentAndEvaluated = {
  agent: AgentItem;
  evaluated: number;
  failures: readonly StoredFailure[];
};

/** TENANT#t / AGENT#a with EVALUATED#month…: reads an agent and what was scored of its executions in a month. */
export const getAgentAndEvaluated = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  month: string,
): Promise<AgentAndEvaluated | undefined> => {
  const { agent, evaluated, failures } = await getNamedItems(db, {
    agent: agentKey(tenantId, agentId),
    evaluated: evaluatedKey(tenantId, agentId, month),
    failures: failuresKey(tenantId, agentId, month),
  });
  if (!agent) return undefined;
  return {
    agent: AgentItem.parse(agent),
    evaluated: evaluated ? Evaluated.parse(evaluated).count : 0,
    failures: StoredFailures.parse(failures ?? {}),
  };
};

/** Sets or removes (null) an agent's online evaluation; false when the agent does not exist. */
export const writeOnlineEvaluation = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  evaluation: OnlineEvaluationItem | null,
): Promise<boolean> => {
  const Key = agentKey(tenantId, agentId);
  if (evaluation) {
    const { written } = await updateItem(db, {
      Key,
      UpdateExpression: "SET onlineEvaluation = :after",
      ...ifExists,
      ExpressionAttributeValues: { ":after": evaluation },
    });
    return written;
  }
  const { written, item } = await updateItem(db, {
    Key,
    UpdateExpression: "REMOVE onlineEvaluation",
    ConditionExpression: "attribute_exists(onlineEvaluation)",
  });
  return written || item !== undefined;
};

/**
 * Counts an execution as scored in a month, once. Returns "again" for one that was counted before, and "over" when the
 * month's limit is reached, or the execution was deleted.
 */
export const claimEvaluation = async (
  db: Database,
  key: ExecutionKey,
  { month, limit, now }: { month: string; limit: number; now: number },
): Promise<"claimed" | "again" | "over"> => {
  const outcome = await transact(db, [
    {
      Update: {
        Key: executionKey(key),
        UpdateExpression: "SET evaluatedAt = :now",
        ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(evaluatedAt)",
        ExpressionAttributeValues: { ":now": now },
      },
    },
    {
      Update: {
        Key: evaluatedKey(key.tenantId, key.agentId, month),
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

/** A scorer that gave an execution no score. `hash`: of the scorer's id, by which the record remembers it. */
export type FailedScorer = {
  scorer: string;
  hash: string;
  month: string;
  detail: string;
  at: number;
};

/**
 * EXEC#id with EVALUATED#month#FAILURES: records that a scorer gave an execution no score, once, together with `more`.
 * Returns "again" when it was recorded before, or the execution was deleted, and "refused" when a condition of `more`
 * failed.
 */
export const putFailedScorer = async (
  db: Database,
  key: ExecutionKey,
  { hash, ...failure }: FailedScorer,
  more: readonly TransactionWrite[],
): Promise<"written" | "again" | "refused"> => {
  const onRecord: TransactionWrite = {
    Update: {
      Key: executionKey(key),
      UpdateExpression: "ADD failedScorers :hashes",
      ConditionExpression: "attribute_exists(pk) AND NOT contains(failedScorers, :hash)",
      ExpressionAttributeValues: { ":hashes": new Set([hash]), ":hash": hash },
    },
  };
  const count = countFailure(key, failure);
  const outcome = await transact(db, [onRecord, count, ...more]);
  if (outcome.written) return "written";
  const [isAgain, isFull] = outcome.failed;
  if (isAgain) return "again";
  if (!isFull) return "refused";
  const other = await transact(db, [onRecord, ...more]);
  if (other.written) return "written";
  return other.failed[0] ? "again" : "refused";
};
