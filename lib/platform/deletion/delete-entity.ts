import { retryOnConflict } from "../db/retry-on-conflict.ts";

/** The steps of deleting an entity. */
export type Deletion<Entity> = {
  readonly read: () => Promise<Entity | undefined>;
  /** Replaces the entity by its tombstone; "changed" when it is another one by now. */
  readonly replace: (entity: Entity) => Promise<"written" | "changed">;
  /** Requests the purge, after the entity was replaced. */
  readonly requestPurge: (entity: Entity) => Promise<void>;
  /** Requests the purges again that calls which failed halfway may have left. */
  readonly requestLeftPurges: () => Promise<void>;
  readonly missing: () => Error;
  /** Error after the last attempt. */
  readonly conflict: () => Error;
  readonly attempts?: number;
};

/**
 * Replaces an entity with a tombstone; its data is purged through a queue. Throws `missing`.
 * Repeating a call that failed halfway requests the purge again.
 */
export const deleteEntity = <Entity>({
  read,
  replace,
  requestPurge,
  requestLeftPurges,
  missing,
  conflict,
  attempts,
}: Deletion<Entity>): Promise<void> =>
  retryOnConflict({ error: conflict, attempts }, async () => {
    const entity = await read();
    if (entity === undefined) {
      await requestLeftPurges();
      throw missing();
    }
    return (await replace(entity)) === "changed" ? "changed" : requestPurge(entity);
  });
