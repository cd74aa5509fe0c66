import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { AgentItem } from "../agent/store.ts";
import type { LoadedRevision } from "../revision/load-revision.ts";
import { planSchedules } from "./plan-schedules.ts";
import type { Schedule, Schedules } from "./schedules.ts";
import { getScheduled, putScheduleNames } from "./store.ts";

/** Dependencies of schedule synchronization. */
export type SyncSchedulesDeps = {
  db: Database;
  schedules: Schedules;
  loadRevision: (
    tenantId: TenantId,
    agent: AgentItem,
    revision: number,
  ) => Promise<LoadedRevision | undefined>;
  runtime: Runtime;
};

const callsAtOnce = 10;

/**
 * Synchronizes an agent's schedules with its deployed revision; without one, removes them. Idempotent, also
 * under concurrency. Names are stored before schedules are created and removed after they are deleted; a
 * concurrent write of the names starts it over, which repairs overwritten schedules.
 * @param stray a schedule that may exist in addition to the stored names
 */
export const syncSchedules = async (
  deps: SyncSchedulesDeps,
  { tenantId, agentId, stray }: { tenantId: TenantId; agentId: string; stray?: string },
): Promise<void> => {
  const { db, schedules, runtime } = deps;
  const touched = new Set(stray === undefined ? [] : [stray]);
  return retryOnConflict(
    {
      error: () =>
        new Error(`the schedules of ${agentId} are being changed by others all the time`),
    },
    async () => {
      const { agent, kept } = await getScheduled(db, tenantId, agentId);
      const wanted = await wantedSchedules(deps, tenantId, agent);
      const names = wanted.map(({ name }) => name);
      for (const name of [...(kept?.names ?? []), ...names]) touched.add(name);
      if (touched.size === 0) return undefined;
      const startToken = newUuid(runtime);
      const write = (read: string | undefined, names: readonly string[], token: string) =>
        putScheduleNames(db, tenantId, agentId, { read, names, token });
      if ((await write(kept?.token, [...touched], startToken)) === "changed") return "changed";
      const unwanted = [...touched].filter((name) => !names.includes(name));
      const known = new Set(kept?.names);
      await allInTens([
        ...unwanted.map((name) => () => schedules.remove(name)),
        ...wanted.map((schedule) => () => schedules.put(schedule, known.has(schedule.name))),
      ]);
      const outcome = await write(startToken, names, newUuid(runtime));
      return outcome === "changed" ? outcome : undefined;
    },
  );
};

const wantedSchedules = async (
  { loadRevision }: SyncSchedulesDeps,
  tenantId: TenantId,
  agent: AgentItem | undefined,
): Promise<Schedule[]> => {
  if (!agent || agent.deployedRevision === null) return [];
  const revision = await loadRevision(tenantId, agent, agent.deployedRevision);
  if (!revision) throw new Error(`revision ${agent.id}/${agent.deployedRevision} is not there`);
  const { jobPolicyConfigs } = revision.content;
  return planSchedules(tenantId, agent.id, jobPolicyConfigs);
};

/** Runs the calls ten at a time, all of them, then throws the first failure. */
const allInTens = async (calls: readonly (() => Promise<void>)[]): Promise<void> => {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (let start = 0; start < calls.length; start += callsAtOnce) {
    const some = calls.slice(start, start + callsAtOnce).map((call) => call());
    outcomes.push(...(await Promise.allSettled(some)));
  }
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
};
