import type { Database } from "../../platform/db/database.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import { awaitedKey, type WebhookKey } from "../keys.ts";

/** Longer than any wait. */
const keptSeconds = 400 * 86_400;

/** Marks that executions wait for events of a webhook; replaces an earlier mark. `token`: unique; `now`: Unix milliseconds. */
export const markAwaited = async (
  db: Database,
  { tenantId, webhookId }: WebhookKey,
  { token, now }: { token: string; now: number },
): Promise<void> => {
  const ttl = Math.ceil(now / 1_000) + keptSeconds;
  await putItem(db, { Item: { ...awaitedKey(tenantId, webhookId), token, ttl } });
};

/** Removes the mark with a token, that is, unless another wait was registered since it was read. */
export const unmarkAwaited = async (
  db: Database,
  { tenantId, webhookId }: WebhookKey,
  token: string,
): Promise<void> => {
  await deleteItem(db, {
    Key: awaitedKey(tenantId, webhookId),
    ConditionExpression: "#token = :token",
    ExpressionAttributeNames: { "#token": "token" },
    ExpressionAttributeValues: { ":token": token },
  });
};
