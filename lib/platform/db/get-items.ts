import { setTimeout as sleep } from "node:timers/promises";
import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { retryDelayMs, retryUntil, ServiceBusyError } from "../runtime/aws-retry.ts";
import type { Database } from "./database.ts";
import type { Key } from "./keys.ts";

type Item = Record<string, unknown>;

const batchSize = 100;

/** Options of reading several items. `isConsistent`: strongly consistent, the default. */
type Reading = { isConsistent?: boolean };

/**
 * Reads several items, strongly consistent by default, 100 to a round trip, and parses them, in the order
 * of their keys; undefined where none exists. Keys that a throttled table leaves out are retried.
 */
export const getItems = async <Schema extends z.ZodType>(
  db: Database,
  keys: readonly Key[],
  schema: Schema,
  { isConsistent = true }: Reading = {},
): Promise<(z.output<Schema> | undefined)[]> =>
  (await readAll(db, keys, isConsistent)).map((item) => item && schema.parse(item));

/** Reads items by name, unparsed; see `getItems`. */
export const getNamedItems = async <Name extends string>(
  db: Database,
  keys: Record<Name, Key>,
): Promise<Partial<Record<Name, Item>>> => {
  const items = await readAll(db, Object.values<Key>(keys));
  const named: Partial<Record<string, Item>> = {};
  for (const [at, name] of Object.keys(keys).entries()) named[name] = items[at];
  return named;
};

const readAll = async (
  db: Database,
  keys: readonly Key[],
  isConsistent = true,
): Promise<(Item | undefined)[]> => {
  const found = new Map<string, Item>();
  const unique = new Map(keys.map((key) => [formatKey(key), key])).values().toArray();
  for (let start = 0; start < unique.length; start += batchSize) {
    await getBatch(db, unique.slice(start, start + batchSize), { found, isConsistent });
  }
  return keys.map((key) => found.get(formatKey(key)));
};

const formatKey = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${pk}\n${sk}`;

const getBatch = async (
  db: Database,
  keys: readonly Key[],
  { found, isConsistent }: { found: Map<string, Item>; isConsistent: boolean },
): Promise<void> => {
  let wanted: Item[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  const until = retryUntil(Date.now());
  for (let attempt = 0; wanted.length > 0; attempt += 1) {
    if (Date.now() >= until) throw new ServiceBusyError("the table left out keys of a batch");
    if (attempt > 0) await sleep(retryDelayMs(attempt));
    const { Responses, UnprocessedKeys } = await db.client.send(
      new BatchGetCommand({
        RequestItems: { [db.table]: { Keys: wanted, ConsistentRead: isConsistent } },
      }),
    );
    for (const item of Responses?.[db.table] ?? []) found.set(formatKey(item), item);
    wanted = UnprocessedKeys?.[db.table]?.Keys ?? [];
  }
};
