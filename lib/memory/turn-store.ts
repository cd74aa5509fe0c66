import { createHash } from "node:crypto";
import * as z from "zod";
import { type ExecutionKey, executionPartKey } from "../executions/record/keys.ts";
import { TraceSpan } from "../executions/schemas.ts";
import { ifNew } from "../platform/db/conditions.ts";
import type { Database } from "../platform/db/database.ts";
import { getItems } from "../platform/db/get-items.ts";
import type { Key } from "../platform/db/keys.ts";
import type { TransactionWrite } from "../platform/db/transact.ts";

/** Facts of a turn. Written once, when its model has answered, so that a repeated message does not ask again. */
export const RememberedTurnItem = z.object({
  spanId: z.string(),
  /** Unix milliseconds: when it was asked for, and answered; facts have the latter. */
  startTime: z.int(),
  endTime: z.int(),
  /** Facts that the model found. */
  facts: z.array(z.string()),
  error: z.string().nullable(),
  usage: TraceSpan.shape.usage,
  cost: TraceSpan.shape.cost,
  priced: TraceSpan.shape.priced,
  /** Facts that were added to the namespace; absent until then. */
  stored: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
});
export type RememberedTurnItem = z.output<typeof RememberedTurnItem>;

const turnKey = ({ tenantId, agentId, executionId }: ExecutionKey, spanId: string): Key => {
  const hash = createHash("sha256").update(spanId).digest("base64url").slice(0, 16);
  return executionPartKey(tenantId, agentId, executionId, `MEMORY#${hash}`);
};

/** #PARTS#n / EXEC#id#MEMORY#…: reads what was kept of an execution's turns, by the spans of their Prompts. */
export const getTurns = (
  db: Database,
  key: ExecutionKey,
  spanIds: readonly string[],
): Promise<(RememberedTurnItem | undefined)[]> =>
  getItems(
    db,
    spanIds.map((spanId) => turnKey(key, spanId)),
    RememberedTurnItem,
  );

/** Builds the write that records what a model found worth keeping of a turn, once. `ttl`: Unix seconds. */
export const putNewTurn = (
  key: ExecutionKey,
  turn: RememberedTurnItem,
  ttl: number | undefined,
): TransactionWrite => ({
  Put: {
    Item: { ...turnKey(key, turn.spanId), ...turn, ...(ttl !== undefined && { ttl }) },
    ...ifNew,
  },
});

/** Builds the write that records what was added to the namespace, once. */
export const closeTurn = (
  key: ExecutionKey,
  spanId: string,
  { stored, error }: { stored: NonNullable<RememberedTurnItem["stored"]>; error: string | null },
): TransactionWrite => ({
  Update: {
    Key: turnKey(key, spanId),
    UpdateExpression: "SET #stored = :stored, #error = :error",
    ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#stored)",
    ExpressionAttributeNames: { "#stored": "stored", "#error": "error" },
    ExpressionAttributeValues: { ":stored": stored, ":error": error },
  },
});
