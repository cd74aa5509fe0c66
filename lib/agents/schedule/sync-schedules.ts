import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { AgentItem } from "../agent/store.ts";
import type { LoadedRevision } from "../revision/load-revision.ts";
import { planSchedules } from "./plan-schedules.ts";
import type { Schedule, Schedules } from "./schedules.ts";
import { getScheduled, putScheduleNames } from "./store.ts";

/** What making schedules needs. */
export type SyncDeps = {
  db: Database;
  schedules: Schedules;
  loadRevision: (
    tenantId: TenantId,
    agent: AgentItem,
    revision: number,
  ) => Promise<LoadedRevision | undefined>;
  runtime: Runtime;
};

const attempts = 5;
const callsAtOnce = 10;

/**
 * Makes an agent's schedules what its deployed revision says, whoever else is at it: an agent that is gone
 * or not deployed has none. Safe to repeat and to arrive late.
 *
 * The names of all schedules that may be there are written down before one is made, and those that are
 * not wanted are crossed out after they are removed. Whoever finds at the end that somebody else wrote in
 * between begins again, and so makes good what it may have put over newer schedules.
 * @param stray a schedule that may be there beside those written down
 */
export const syncSchedules = async (
  deps: SyncDeps,
  { tenantId, agentId, stray }: { tenantId: TenantId; agentId: string; stray?: string },
): Promise<void> => {
  const { db, schedules, runtime } = deps;
  const touched = new Set(stray === undefined ? [] : [stray]);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { agent, kept } = await getScheduled(db, tenantId, agentId);
    const wanted = await wantedSchedules(deps, tenantId, agent);
    const names = wanted.map(({ name }) => name);
    for (const name of [...(kept?.names ?? []), ...names]) touched.add(name);
    if (touched.size === 0) return;
    const begun = newUuid(runtime);
    const write = (read: string | undefined, names: readonly string[], token: string) =>
      putScheduleNames(db, tenantId, agentId, { read, names, token });
    if ((await write(kept?.token, [...touched], begun)) === "changed") continue;
    const unwanted = [...touched].filter((name) => !names.includes(name));
    const known = new Set(kept?.names);
    await allInTens([
      ...unwanted.map((name) => () => schedules.remove(name)),
      ...wanted.map((each) => () => schedules.put(each, known.has(each.name))),
    ]);
    if ((await write(begun, names, newUuid(runtime))) === "written") return;
  }
  throw new Error(`the schedules of ${agentId} are being changed by others all the time`);
};

const wantedSchedules = async (
  { loadRevision }: SyncDeps,
  tenantId: TenantId,
  agent: AgentItem | undefined,
): Promise<Schedule[]> => {
  if (!agent || agent.deployedRevision === null) return [];
  const revision = await loadRevision(tenantId, agent, agent.deployedRevision);
  if (!revision) throw new Error(`revision ${agent.id}/${agent.deployedRevision} is not there`);
  const { jobPolicyConfigs } = revision.content;
  return planSchedules(tenantId, agent.id, jobPolicyConfigs);
};

/** Makes every call, ten at a time, then throws the first failure: one schedule that is refused holds up no other. */
const allInTens = async (calls: readonly (() => Promise<void>)[]): Promise<void> => {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (let start = 0; start < calls.length; start += callsAtOnce) {
    const some = calls.slice(start, start + callsAtOnce).map((call) => call());
    outcomes.push(...(await Promise.allSettled(some)));
  }
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
};
