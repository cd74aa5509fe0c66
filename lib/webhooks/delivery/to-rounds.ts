import { deliveryKey, signedBodyKey } from "../keys.ts";
import type { ReceivedDelivery } from "./received-delivery.ts";

/**
 * Divides deliveries of one tenant into rounds that are dispatched one after another: those of a round have keys of their
 * own, so that a duplicate finds the delivery before it. A body in the bucket has a round of its own, so that one large
 * payload is in memory at a time.
 */
export const toRounds = (deliveries: readonly ReceivedDelivery[]): ReceivedDelivery[][] => {
  const rounds: ReceivedDelivery[][] = [];
  const large = new Set<number>();
  /** The first round in which a key may be claimed again. */
  const free = new Map<string, number>();
  for (const delivery of deliveries) {
    const keys = listClaimedKeys(delivery);
    const isLarge = "object" in delivery.item.payload;
    let at = Math.max(0, ...keys.map((key) => free.get(key) ?? 0));
    if (isLarge) at = rounds.length;
    while (large.has(at)) at += 1;
    if (isLarge) large.add(at);
    for (const key of keys) free.set(key, at + 1);
    rounds[at] = [...(rounds[at] ?? []), delivery];
  }
  return rounds;
};

const listClaimedKeys = ({ job, item, signedBody }: ReceivedDelivery): string[] => {
  const { tenantId } = job.message;
  const { webhookId, id } = item;
  const keys = [
    deliveryKey(tenantId, webhookId, id),
    ...(signedBody === undefined ? [] : [signedBodyKey(tenantId, webhookId, signedBody)]),
  ];
  return keys.map(({ pk, sk }) => `${pk} ${sk}`);
};
