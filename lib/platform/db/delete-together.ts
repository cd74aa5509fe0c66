import { setTimeout as sleep } from "node:timers/promises";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { retryDelayMs, retryUntil, ServiceBusyError } from "../runtime/aws-retry.ts";
import type { Database } from "./database.ts";
import type { Key } from "./keys.ts";

const batchSize = 25;

/** Deletes items, 25 to a round trip. Deletes that a throttled table leaves out are retried. */
export const deleteTogether = async (db: Database, keys: readonly Key[]): Promise<void> => {
  for (let start = 0; start < keys.length; start += batchSize) {
    await deleteBatch(db, keys.slice(start, start + batchSize));
  }
};

const deleteBatch = async (db: Database, keys: readonly Key[]): Promise<void> => {
  let requests = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
  const until = retryUntil(Date.now());
  for (let attempt = 0; requests.length > 0; attempt += 1) {
    if (Date.now() >= until) throw new ServiceBusyError("the table left deletes undone");
    if (attempt > 0) await sleep(retryDelayMs(attempt));
    const { UnprocessedItems } = await db.client.send(
      new BatchWriteCommand({ RequestItems: { [db.table]: requests } }),
    );
    requests = (UnprocessedItems?.[db.table] ?? []).flatMap(({ DeleteRequest }) =>
      typeof DeleteRequest?.Key?.pk === "string" && typeof DeleteRequest.Key.sk === "string"
        ? [{ DeleteRequest: { Key: { pk: DeleteRequest.Key.pk, sk: DeleteRequest.Key.sk } } }]
        : [],
    );
  }
};
