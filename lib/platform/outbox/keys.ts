import { type Key, type ListKey, shards } from "../db/keys.ts";

/** An event until it is published. */
export const outboxKey = (shard: string, eventId: string): Key => ({
  pk: `OUTBOX#${shard}`,
  sk: `EVENT#${eventId}`,
});

/** Events that are not published, in 16 shards. */
export const outboxLists: readonly ListKey[] = shards.map((shard) => ({
  pk: `OUTBOX#${shard}`,
  prefix: "EVENT#",
}));
