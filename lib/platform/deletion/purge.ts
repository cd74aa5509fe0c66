import type { Database } from "../db/database.ts";
import { deleteTogether } from "../db/delete-together.ts";
import type { Key } from "../db/keys.ts";
import type { PurgedObjects } from "../db/large-value.ts";
import type { TenantId } from "../db/tenant-id.ts";
import { deleteItem } from "../db/write-item.ts";
import type { Send } from "../queue/send.ts";
import type { Clock } from "../runtime/runtime.ts";
import { purgeList } from "./purge-list.ts";
import { getTombstone, type PurgeRef, requestPurge, type TombstoneKind } from "./tombstone.ts";

/** Dependencies of a purge. */
export type PurgeDeps = {
  readonly db: Database;
  readonly objects: PurgedObjects;
  readonly send: Send;
  readonly clock: Clock;
  /** When to stop, Unix milliseconds. */
  readonly until: number;
};

/** Where items and their objects are deleted. */
export type PurgeStorage = {
  readonly db: Database;
  readonly objects: Pick<PurgedObjects, "remove">;
};

/** Dependencies of a step of a purge. */
export type PurgeRun = Pick<PurgeDeps, "db" | "objects" | "clock"> & {
  readonly isTimeOver: () => boolean;
};

/** Deletes a part of an entity's data; idempotent. Returns "more" when some is left. */
export type PurgeStep = (run: PurgeRun) => Promise<"done" | "more">;

/** The purge of a deleted entity: its kind of tombstone, its name, and the steps that delete its data. */
type EntityPurge<
  Message extends { readonly type: string; readonly tenantId: TenantId },
  Tombstone,
> = {
  readonly kind: TombstoneKind<Message, Tombstone>;
  readonly ref: PurgeRef<Message>;
  readonly buildSteps: (tombstone: Tombstone) => readonly PurgeStep[];
};

/**
 * Runs the steps of a deleted entity's purge in order, then deletes its tombstone; a no-op for an entity that is not
 * deleted. Requests another run when a step leaves data, and when others may still have written.
 */
export const purgeEntity = async <
  Message extends { readonly type: string; readonly tenantId: TenantId },
  Tombstone,
>(
  deps: PurgeDeps,
  { kind, ref, buildSteps }: EntityPurge<Message, Tombstone>,
): Promise<void> => {
  const { db, send, clock, until } = deps;
  const tombstone = await getTombstone(db, kind, ref);
  if (tombstone === undefined) return;
  const busyUntil = kind.busyUntil?.(tombstone) ?? 0;
  const isBusy = busyUntil > clock();
  const run: PurgeRun = { ...deps, isTimeOver: () => clock() >= until };
  for (const step of buildSteps(tombstone)) {
    if ((await step(run)) === "more") return requestPurge(send, kind, ref);
  }
  if (isBusy) return requestPurge(send, kind, ref, busyUntil - clock());
  await deleteItem(db, { Key: kind.key(ref) });
};

/** Items of a deleted entity, in the order in which they are deleted. */
export type PurgedItems<Item extends Key> = {
  readonly list: (db: Database) => AsyncIterable<Item>;
  /** Returns the names of an item's objects, which are deleted before it. */
  readonly objects?: (item: Item) => readonly string[];
  /** Deletes what the next purge could not find without the items. */
  readonly before?: (items: readonly Item[], storage: PurgeStorage) => Promise<void>;
  /** Whether the next purge finds other items by this one: it is deleted after those of its batch, and listed after them. */
  readonly isLast?: (item: Item) => boolean;
};

/** Returns the step that deletes the items of a list, in batches. */
export const purgeItems =
  <Item extends Key>({ list, ...purged }: PurgedItems<Item>): PurgeStep =>
  (run) =>
    purgeList(list(run.db), (items) => deleteItems(run, { ...purged, items }), run);

/** Deletes items with their objects, `isLast` last. */
export const deleteItems = async <Item extends Key>(
  storage: PurgeStorage,
  {
    items,
    objects,
    before,
    isLast = () => false,
  }: Omit<PurgedItems<Item>, "list"> & { readonly items: readonly Item[] },
): Promise<void> => {
  await before?.(items, storage);
  if (objects) await storage.objects.remove(items.flatMap(objects));
  const unique = [...new Map(items.map((item) => [`${item.pk} ${item.sk}`, item])).values()];
  await deleteTogether(
    storage.db,
    unique.filter((item) => !isLast(item)),
  );
  await deleteTogether(storage.db, unique.filter(isLast));
};

/** Returns the step that deletes all objects under a prefix. */
export const purgeObjects =
  (prefix: string): PurgeStep =>
  async ({ objects }) => {
    await objects.removeUnder(prefix);
    return "done";
  };
