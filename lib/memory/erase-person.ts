import * as z from "zod";
import {
  type ErasedPerson,
  hidePersonTurns,
  purgePersonTurns,
} from "../executions/session/erase-person.ts";
import { nameEndUser, toPersonMark } from "../executions/session/persons.ts";
import { purgePersonFiles } from "../files/purge-person-files.ts";
import type { VectorStore } from "../knowledge/index/vector-store.ts";
import type { Database } from "../platform/db/database.ts";
import { listAll } from "../platform/db/list-page.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import type { TransactionWrite } from "../platform/db/transact.ts";
import type { PurgeStep } from "../platform/deletion/purge.ts";
import { deleteItems } from "../platform/deletion/purge.ts";
import { purgeList } from "../platform/deletion/purge-list.ts";
import { type PurgeRef, replaceByTombstone, requestPurge } from "../platform/deletion/tombstone.ts";
import { notFound } from "../platform/http/problems.ts";
import type { Send } from "../platform/queue/send.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import { newUuid, parseUuidTime, type Runtime } from "../platform/runtime/runtime.ts";
import { type PersonTombstone, personTombstones, putEnd, putErasure } from "./erasure-store.ts";
import { agentMemoriesLists, deletedPersonsList } from "./keys.ts";
import type { PurgePersonMessage } from "./messages.ts";
import { removeFactVectors } from "./vectors.ts";

type EraseDeps = { db: Database; send: Send; runtime: Runtime };

/** A person of an agent. `name`: as an end user or a chat user; `endUserId`: as which their sessions show them. */
type NamedPerson = { tenantId: TenantId; agentId: string; name: string; endUserId: string };

/** Time for which a call hides sessions itself; a queue hides the others. */
const hideMs = 3_000;

/**
 * Deletes what a person wrote in the sessions of an agent, and the facts that were taken from it: all of their executions
 * that began until now. A queue removes what is hidden, with its objects and vectors, soon after. "changed" when a condition
 * of the other writes fails, or the agent does not exist.
 * @param input `writes`: of the same transaction
 */
export const erasePerson = async (
  deps: EraseDeps,
  {
    tenantId,
    agentId,
    name,
    endUserId,
    writes = [],
  }: NamedPerson & { writes?: readonly TransactionWrite[] },
): Promise<"written" | "changed"> => {
  const { db, send, runtime } = deps;
  const at = runtime.clock();
  const person = toPersonMark(name);
  const owner = toPersonMark(nameEndUser(endUserId));
  const ref = { tenantId, agentId, person, erasureId: newUuid(runtime) };
  const outcome = await replaceByTombstone(db, personTombstones, ref, {
    tombstone: { at, owner },
    writes: [...writes, ...putErasure(ref, at)],
  });
  if (outcome === "changed") return outcome;
  await requestPurge(send, personTombstones, ref);
  await hidePersonTurns(deps, {
    erased: { tenantId, agentId, person, owner, at },
    until: at + hideMs,
  }).catch((error: unknown) =>
    log("turns-not-hidden", { tenantId, agentId, error: asError(error) }),
  );
  return outcome;
};

/** Requests the purges of a person again that calls which failed halfway may have left. */
export const requestLeftErasures = async (
  { db, send }: Pick<EraseDeps, "db" | "send">,
  { tenantId, agentId, name }: Omit<NamedPerson, "endUserId">,
): Promise<void> => {
  const place = { tenantId, agentId, person: toPersonMark(name) };
  for await (const { sk } of listAll(db, Key, deletedPersonsList(place))) {
    const erasureId = sk.slice(deletedPersonsList(place).prefix.length);
    await requestPurge(send, personTombstones, { ...place, erasureId });
  }
};

const Key = z.object({ pk: z.string(), sk: z.string() });

/** Deletes an end user's sessions with an agent, and the facts that were taken in them. Throws 404 without the agent. */
export const eraseEndUser = async (
  deps: EraseDeps,
  { tenantId, agentId, endUserId }: Omit<NamedPerson, "name">,
): Promise<void> => {
  const person = { tenantId, agentId, name: nameEndUser(endUserId), endUserId };
  if ((await erasePerson(deps, person)) === "changed") throw notFound("agent", agentId);
};

/** Returns the steps that remove what is left of a deleted person. */
export const purgePerson = (
  deps: { send: Send; runtime: Runtime; vectors: Pick<VectorStore, "remove"> },
  {
    ref,
    tombstone: { at, owner, from },
  }: { ref: PurgeRef<PurgePersonMessage>; tombstone: PersonTombstone },
): readonly PurgeStep[] => {
  const { tenantId, agentId, person } = ref;
  const erased = { tenantId, agentId, person, owner, at };
  const saveEnd = (db: Database, last: string | undefined) => putEnd(db, ref, last);
  return [
    purgePersonFiles(erased),
    ...purgePersonTurns(deps, { erased, from, saveEnd }),
    ...purgePersonFacts(deps, erased),
  ];
};

/** An item of an agent's memories; a fact has an id and an index. */
const Item = z.object({
  pk: z.string(),
  sk: z.string(),
  id: z.string().optional(),
  index: z.string().optional(),
  executionId: z.string().optional(),
  persons: z.array(z.string()).default([]),
});

const purgePersonFacts = (
  { vectors }: { vectors: Pick<VectorStore, "remove"> },
  { tenantId, agentId, person, at }: ErasedPerson,
): readonly PurgeStep[] =>
  agentMemoriesLists(tenantId, agentId).map((list) => ({ db, objects, isTimeOver }) => {
    const listFacts = async function* () {
      for await (const item of listAll(db, Item, list, { members: Object.keys(Item.shape) })) {
        const { id, index, executionId, persons } = item;
        if (id === undefined || index === undefined || executionId === undefined) continue;
        if (!persons.includes(person) || parseUuidTime(executionId) > at) continue;
        yield { ...item, id, index };
      }
    };
    return purgeList(
      listFacts(),
      async (facts) => {
        await removeFactVectors({ vectors }, agentId, facts);
        await deleteItems({ db, objects }, { items: facts });
      },
      { isTimeOver },
    );
  });
