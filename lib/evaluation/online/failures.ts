import * as z from "zod";
import type { ExecutionKey } from "../../executions/record/keys.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { hashName } from "../../spending/usage/measures.ts";
import { failuresKey } from "./keys.ts";

/** The last failure of a scorer in a month, and how many there were. */
export type StoredFailure = {
  scorer: string;
  count: number;
  /** Unix milliseconds. */
  at: number;
  executionId: string;
  detail: string;
};

/** Scorers of the item of a month after which it takes no further ones. */
const maxScorers = 50;
const longestDetail = 500;

/** The failures of a month. */
export const StoredFailures = z
  .looseObject({ m: z.set(z.string()).default(new Set()) })
  .transform((item): StoredFailure[] =>
    [...item.m].map((scorer) => {
      const token = hashName(scorer);
      return {
        scorer,
        count: Number(item[`${token}n`]),
        at: Number(item[`${token}a`]),
        executionId: String(item[`${token}e`]),
        detail: String(item[`${token}d`]),
      };
    }),
  );

/** Builds the write that counts a failure. Its condition fails when the month has 50 other scorers. */
export const countFailure = (
  { tenantId, agentId, executionId }: ExecutionKey,
  { month, scorer, detail, at }: { month: string; scorer: string; detail: string; at: number },
): TransactionWrite => {
  const token = hashName(scorer);
  return {
    Update: {
      Key: failuresKey(tenantId, agentId, month),
      UpdateExpression: "SET #a = :at, #e = :execution, #d = :detail ADD #n :one, m :scorers",
      ConditionExpression: "attribute_not_exists(m) OR size(m) < :max OR contains(m, :scorer)",
      ExpressionAttributeNames: {
        "#n": `${token}n`,
        "#a": `${token}a`,
        "#e": `${token}e`,
        "#d": `${token}d`,
      },
      ExpressionAttributeValues: {
        ":at": at,
        ":execution": executionId,
        ":detail": detail.slice(0, longestDetail).replace(/[\uD800-\uDBFF]$/, ""),
        ":one": 1,
        ":scorers": new Set([scorer]),
        ":scorer": scorer,
        ":max": maxScorers,
      },
    },
  };
};
