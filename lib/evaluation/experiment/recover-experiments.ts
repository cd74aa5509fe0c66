import type { Database } from "../../platform/db/database.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { driverWaitMs } from "./driver.ts";
import type { ExperimentItem } from "./items.ts";
import type { ExperimentKey } from "./keys.ts";
import { listOpenExperiments } from "./open-store.ts";
import { requestRun } from "./request-run.ts";
import { freeExperiment, getExperiments } from "./store.ts";

type RecoverDeps = { db: Database; send: Send; clock: Clock };

const atOnce = 20;

/**
 * Frees experiments after their driver died or their message was lost, and requeues them: the
 * oldest of all tenants, then the next ones, so that a tenant with many does not delay others. Safe
 * to run concurrently.
 */
export const recoverExperiments = async (deps: RecoverDeps): Promise<void> => {
  const open = await Array.fromAsync(listOpenExperiments(deps.db));
  const turns = inTurns(open);
  for (let at = 0; at < turns.length; at += atOnce) {
    const found = await getExperiments(deps.db, turns.slice(at, at + atOnce));
    await Promise.all(found.map(({ place, experiment }) => recover(deps, place, experiment)));
  }
};

/** Returns the first place of all tenants, then the second of all tenants, and so on. */
const inTurns = (places: readonly ExperimentKey[]): ExperimentKey[] => {
  const byTenant = Map.groupBy(places, ({ tenantId }) => tenantId);
  const ranked = [...byTenant.values()].flatMap((own) =>
    own.map((place, rank) => ({ place, rank })),
  );
  return ranked.sort((one, other) => one.rank - other.rank).map(({ place }) => place);
};

const recover = async (
  { db, send, clock }: RecoverDeps,
  { tenantId, experimentId }: ExperimentKey,
  { endedAt, worker, leaseUntil }: ExperimentItem,
): Promise<void> => {
  const now = clock();
  if (endedAt !== null || leaseUntil >= now) return;
  const place = { tenantId, experimentId };
  const lease = { worker, leaseUntil };
  if (!(await freeExperiment(db, place, lease, now + driverWaitMs))) return;
  await requestRun(send, place);
};
