import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { deleteEntity } from "../../platform/deletion/delete-entity.ts";
import { type PurgeStep, purgeItems, purgeObjects } from "../../platform/deletion/purge.ts";
import { purgeList } from "../../platform/deletion/purge-list.ts";
import { purgedItem } from "../../platform/deletion/purged-item.ts";
import {
  type PurgeRef,
  replaceByTombstone,
  requestPurge,
  type TombstoneKind,
} from "../../platform/deletion/tombstone.ts";
import { conflict, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { maxExecutionMs } from "../lease/execution-lease.ts";
import type { PurgeSessionMessage } from "../messages.ts";
import {
  deletedSessionKey,
  deletedSessionsList,
  type SessionPlace,
  sessionInstanceList,
  sessionsLists,
} from "./keys.ts";
import { SessionItem, type Waiter } from "./session-item.ts";
import {
  changeSession,
  getSession,
  removeSession,
  toStoredPersons,
  toStoredQueue,
} from "./session-store.ts";
import { sessionObjects } from "./turn-store.ts";

const SessionTombstone = z.object({
  instance: z.string(),
  /** Until when the run that has the session may write objects, Unix milliseconds. */
  busyUntil: z.int(),
});

/** TENANT#t / DELETED#SESSION#a#digest#instance: a deleted session until its turns are purged. */
export const sessionTombstones: TombstoneKind<
  PurgeSessionMessage,
  z.output<typeof SessionTombstone>
> = {
  type: "purge-session",
  key: ({ instance, ...place }) => deletedSessionKey(place, instance),
  schema: SessionTombstone,
  busyUntil: ({ busyUntil }) => busyUntil,
};

type DeleteDeps = { db: Database; send: Send; runtime: Runtime };

/**
 * Deletes a session immediately. The execution that has it ends without adding a turn, and those that wait for it begin
 * another one with the same id. Throws 404. Safe to repeat.
 * @param authorize throws for a session that the caller may not delete
 */
export const deleteSession = (
  { db, send, runtime }: DeleteDeps,
  {
    place,
    sessionId,
    authorize,
  }: { place: SessionPlace; sessionId: string; authorize: (item: SessionItem) => void },
): Promise<void> =>
  deleteEntity({
    read: async () => {
      const item = await getSession(db, place);
      if (item?.createdAt === undefined) return undefined;
      authorize(item);
      return item;
    },
    replace: (item) => replace({ db, runtime }, place, item),
    requestPurge: ({ instance }) => requestPurge(send, sessionTombstones, { ...place, instance }),
    requestLeftPurges: async () => {
      for await (const { instance } of listAll(db, SessionTombstone, deletedSessionsList(place))) {
        await requestPurge(send, sessionTombstones, { ...place, instance });
      }
    },
    missing: () => notFound("session", sessionId),
    conflict: () =>
      conflict(`The session "${sessionId}" is being changed by concurrent requests. Try again.`),
    attempts: 20,
  });

const replace = (
  deps: Pick<DeleteDeps, "db" | "runtime">,
  place: SessionPlace,
  item: SessionItem,
): Promise<"written" | "changed"> =>
  replaceSession(deps, { place, item, queue: item.queue, writes: [] });

/**
 * Replaces a session by its tombstone, together with other writes; "changed" when it changed since it was read.
 * @param input `queue`: of the session without content that stays while it is held
 */
export const replaceSession = (
  { db, runtime }: Pick<DeleteDeps, "db" | "runtime">,
  {
    place,
    item,
    queue,
    writes,
  }: {
    place: SessionPlace;
    item: SessionItem;
    queue: readonly Waiter[];
    writes: readonly TransactionWrite[];
  },
): Promise<"written" | "changed"> => {
  const { instance, holder } = item;
  const isHeld = holder !== undefined;
  const waiting = queue.flatMap(({ persons, isErased }) => (isErased ? [] : persons));
  // The content of the session is removed; its holder and its queue stay.
  const write = isHeld
    ? changeSession(place, item, {
        instance: newUuid(runtime),
        turnCount: 0,
        queue: toStoredQueue(queue),
        persons: toStoredPersons(waiting),
        erased: undefined,
        id: undefined,
        starter: undefined,
        endUserId: undefined,
        createdAt: undefined,
        modifiedAt: undefined,
        [tableAttributes.indexPartitionKey]: undefined,
        [tableAttributes.indexSortKey]: undefined,
      })
    : removeSession(place, item);
  const busyUntil = isHeld ? runtime.clock() + maxExecutionMs : 0;
  const tombstone = { instance, busyUntil };
  const ref = { ...place, instance };
  return replaceByTombstone(db, sessionTombstones, ref, { tombstone, writes: [write, ...writes] });
};

const Part = purgedItem(["turn", "summary"], {});

/** Returns the steps that delete the turns of a deleted session. */
export const purgeSession = ({
  instance,
  ...place
}: PurgeRef<PurgeSessionMessage>): readonly PurgeStep[] => [
  purgeItems({
    list: (db) => listAll(db, Part, sessionInstanceList(place, instance)),
    objects: ({ objects }) => objects,
  }),
  ...sessionObjects(place, instance).map(purgeObjects),
];

/** Returns the steps that delete the sessions of a deleted agent. Their objects are among those of its executions. */
export const purgeAgentSessions = ({
  tenantId,
  agentId,
}: {
  tenantId: TenantId;
  agentId: string;
}): readonly PurgeStep[] =>
  sessionsLists(tenantId, agentId).map((list) =>
    purgeItems({ list: (db) => listAll(db, Part, list), objects: ({ objects }) => objects }),
  );

const Head = SessionItem.extend({ sk: z.string() });
const AnyItem = z.union([Head, z.object({}).transform(() => undefined)]);

/** Returns the steps that delete the sessions of a deleted connector's conversations. */
export const purgeConnectorSessions = (
  { send, runtime }: Pick<DeleteDeps, "send" | "runtime">,
  { tenantId, agentId, connectorId }: { tenantId: TenantId; agentId: string; connectorId: string },
): readonly PurgeStep[] =>
  sessionsLists(tenantId, agentId, connectorId).map((list) => ({ db, isTimeOver }) => {
    const remove = async (items: readonly z.output<typeof AnyItem>[]) => {
      for (const item of items) {
        if (item?.createdAt === undefined) continue;
        const place = { tenantId, agentId, digest: item.sk.slice("SESSION#".length) };
        const deletion = { place, sessionId: item.id ?? "", authorize: () => undefined };
        await deleteSession({ db, send, runtime }, deletion).catch(ignoreMissing);
      }
    };
    return purgeList(listAll(db, AnyItem, list), remove, { isTimeOver, batchSize: 25 });
  });

const ignoreMissing = (error: unknown): void => {
  if (error instanceof Error && "slug" in error && error.slug === "not-found") return;
  throw error;
};
