import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { deliveryResultsKey, deliveryResultsList, type WebhookKey } from "../keys.ts";
import { maxSubscriptionsPerMessage } from "../messages.ts";
import {
  type DeliveryResultItem,
  DeliveryResultsItem,
  type DeliveryTarget,
} from "../webhook/items.ts";
import { mergeResults, toResults } from "./merge-results.ts";
import type { StoredDelivery } from "./store.ts";

/** Names the results of one message: those of a numbered part of a dispatch, or of one subscription. */
export type ResultsName = {
  /** The delivery's id and expiry. */
  id: string;
  ttl: number;
  replayId: string | null;
  part: number | { subscriptionId: string };
};

const partName = (part: ResultsName["part"]): string =>
  typeof part === "number" ? String(part).padStart(4, "0") : `one#${part.subscriptionId}`;

/** Writes the results of one message, replacing those of an earlier attempt. */
export const putResults = async (
  db: Database,
  { tenantId, webhookId }: WebhookKey,
  { id, ttl, replayId, part }: ResultsName,
  { attempts, targets }: { attempts: number; targets: readonly DeliveryTarget[] },
): Promise<void> => {
  const item: DeliveryResultsItem = {
    delivery: id,
    replayId,
    attempts,
    targets: [...targets],
    ttl,
  };
  const key = deliveryResultsKey(tenantId, webhookId, id, { replayId, part: partName(part) });
  await putItem(db, { Item: { ...key, ...item } });
};

/** TENANT#t#WEBHOOK#w#DELIVERY#d / RESULT#…: every run of a delivery, by subscription and then oldest first. */
export const listDeliveryRuns = async (
  db: Database,
  tenantId: TenantId,
  delivery: StoredDelivery,
): Promise<DeliveryResultItem[]> => {
  const { webhookId, id } = delivery;
  const others =
    delivery.parts > 0 || delivery.hasMoreResults
      ? await Array.fromAsync(
          listAll(db, DeliveryResultsItem, deliveryResultsList(tenantId, webhookId, id)),
        )
      : [];
  return mergeResults([...toResults(asResults(delivery)), ...others.flatMap(toResults)]);
};

/** Returns the results that a delivery has itself. */
const asResults = ({ id, attempts, targets, ttl }: StoredDelivery): DeliveryResultsItem => ({
  delivery: id,
  replayId: null,
  attempts,
  targets,
  ttl,
});

/**
 * Reads the results of deliveries, newest first, of which there are `most` in all: returns those of the first ones
 * only when there are more, at least of one.
 */
export const listDeliveryResults = async (
  db: Database,
  tenantId: TenantId,
  deliveries: readonly StoredDelivery[],
  most: number,
): Promise<DeliveryResultItem[][]> => {
  const expected = deliveries.map(
    ({ targets, parts }) => targets.length + parts * maxSubscriptionsPerMessage,
  );
  const read = deliveries.slice(0, countWithin(expected, most));
  const [ofParts, ofOthers] = await Promise.all([
    readParts(
      db,
      tenantId,
      read.filter(({ hasMoreResults }) => !hasMoreResults),
    ),
    Promise.all(
      read.map(async (delivery) =>
        delivery.hasMoreResults ? listDeliveryRuns(db, tenantId, delivery) : [],
      ),
    ),
  ]);
  const stored = Map.groupBy(ofParts, ({ delivery }) => delivery);
  const results = read.map((delivery, at) =>
    mergeResults([
      ...toResults(asResults(delivery)),
      ...(stored.get(delivery.id) ?? []),
      ...(ofOthers[at] ?? []),
    ]),
  );
  const counts = results.map(({ length }) => length);
  return results.slice(0, countWithin(counts, most));
};

/** Returns how many of the counts are at most `most` together, at least one. */
const countWithin = (counts: readonly number[], most: number): number => {
  let sum = 0;
  const beyond = counts.findIndex((count) => {
    sum += count;
    return sum > most;
  });
  return beyond === -1 ? counts.length : Math.max(1, beyond);
};

const readParts = async (
  db: Database,
  tenantId: TenantId,
  deliveries: readonly StoredDelivery[],
): Promise<DeliveryResultItem[]> => {
  const keys = deliveries.flatMap(({ webhookId, id, parts }) =>
    Array.from({ length: parts }, (_, at) =>
      deliveryResultsKey(tenantId, webhookId, id, { replayId: null, part: partName(at + 1) }),
    ),
  );
  const found = await getItems(db, keys, DeliveryResultsItem, { isConsistent: false });
  return found.flatMap((item) => (item ? toResults(item) : []));
};
