import type { VectorStore } from "../knowledge/index/vector-store.ts";
import type { Database } from "../platform/db/database.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import type { NamespacePlace } from "./keys.ts";
import { removeExcess } from "./remove-excess.ts";
import { getNamespace, listDueNamespaces, listPlacedFacts, putDue } from "./store.ts";

type ExpireDeps = {
  readonly db: Database;
  readonly vectors: Pick<VectorStore, "remove">;
  readonly runtime: Pick<Runtime, "clock">;
};

/**
 * Removes facts that have expired, with their vectors: the table's own expiry would leave these. Safe to run concurrently.
 * @param until when to stop, Unix milliseconds
 */
export const expireMemories = async (deps: ExpireDeps, until: number): Promise<void> => {
  const now = deps.runtime.clock();
  for await (const place of listDueNamespaces(deps.db, now)) {
    if (deps.runtime.clock() >= until) return log("memories-left-to-expire");
    try {
      await expire(deps, place);
    } catch (error) {
      const { tenantId, agentId } = place;
      log("memories-not-expired", { tenantId, agentId, error: asError(error) });
    }
  }
};

const expire = async (deps: ExpireDeps, place: NamespacePlace): Promise<void> => {
  const { db, runtime } = deps;
  await removeExcess(deps, place);
  const seen = await getNamespace(db, place);
  if (!seen?.hasFacts) return;
  const facts = listPlacedFacts(db, place, seen.generation, { newestFirst: false });
  const { value: oldest } = await facts[Symbol.asyncIterator]().next();
  await putDue(db, place, seen, { oldest: oldest?.expiresAt, now: runtime.clock() });
};
