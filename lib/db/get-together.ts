import { setTimeout as sleep } from "node:timers/promises";
import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";
import type { Key } from "./keys.ts";

type Item = Record<string, unknown>;

const attempts = 6;

/**
 * Reads several items (at most 100) in one round trip, strongly consistent, in the order of their keys;
 * undefined where there is none. What a busy table leaves out is asked for again.
 */
export const getTogether = async <Keys extends Record<string, Key>>(
  db: Database,
  keys: Keys,
): Promise<{ [Name in keyof Keys]: Item | undefined }> => {
  const found = new Map<string, Item>();
  let wanted: Item[] = Object.values(keys);
  for (let attempt = 0; wanted.length > 0; attempt += 1) {
    if (attempt === attempts) throw new Error("the table left out keys of a batch too often");
    if (attempt > 0) await sleep(20 * 2 ** attempt * Math.random());
    const { Responses, UnprocessedKeys } = await db.client.send(
      new BatchGetCommand({ RequestItems: { [db.table]: { Keys: wanted, ConsistentRead: true } } }),
    );
    for (const item of Responses?.[db.table] ?? []) found.set(`${item.pk}\n${item.sk}`, item);
    wanted = UnprocessedKeys?.[db.table]?.Keys ?? [];
  }
  const itemAt = ({ pk, sk }: Key) => found.get(`${pk}\n${sk}`);
  return mapValues(keys, itemAt);
};

function mapValues<Values extends Record<string, Key>, To>(
  values: Values,
  map: (value: Key) => To,
): { [Name in keyof Values]: To };
function mapValues(values: Record<string, Key>, map: (value: Key) => unknown) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
