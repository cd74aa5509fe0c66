import { setTimeout as sleep } from "node:timers/promises";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { retryDelayMs, retryUntil, ServiceBusyError } from "../runtime/aws-retry.ts";
import type { Database } from "./database.ts";

type Item = Record<string, unknown>;

const batchSize = 25;

/**
 * Writes items without conditions, 25 to a round trip. Writes that a throttled table leaves out are retried. No
 * two items may have the same key.
 */
export const putTogether = async (db: Database, items: readonly Item[]): Promise<void> => {
  for (let start = 0; start < items.length; start += batchSize) {
    await putBatch(db, items.slice(start, start + batchSize));
  }
};

const putBatch = async (db: Database, items: readonly Item[]): Promise<void> => {
  let requests = items.map((Item) => ({ PutRequest: { Item } }));
  const until = retryUntil(Date.now());
  for (let attempt = 0; requests.length > 0; attempt += 1) {
    if (Date.now() >= until) throw new ServiceBusyError("the table left writes undone");
    if (attempt > 0) await sleep(retryDelayMs(attempt));
    const { UnprocessedItems } = await db.client.send(
      new BatchWriteCommand({ RequestItems: { [db.table]: requests } }),
    );
    requests = (UnprocessedItems?.[db.table] ?? []).flatMap(({ PutRequest }) =>
      PutRequest?.Item ? [{ PutRequest: { Item: PutRequest.Item } }] : [],
    );
  }
};
