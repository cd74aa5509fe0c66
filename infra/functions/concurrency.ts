import type { Config } from "../settings/config.ts";
import type { HttpFunctionRecord, WorkerRecord } from "./function-records.ts";

/** Lambda's limits for an event source mapping. */
const minQueueConcurrency = 2;
const maxQueueConcurrency = 1_000;
/** Concurrency that Lambda keeps unreserved in every account. */
const leastUnreserved = 100;
/** A function that may work for as long or longer has a lower share for one tenant. */
const longWorkSeconds = 300;
/** A function with a longer timeout keeps callers waiting while it works, as API Gateway waits 29 s for the others. */
const shortSeconds = 29;
/** Least reserved concurrency of a function, so that no single call is all of it. */
const leastShare = 2;
/** Divisor of a function's concurrency that gives a tenant's part: of one that waits for minutes, or for seconds. */
const longTenants = 4;
const shortTenants = 3;

/**
 * Returns the maximum concurrency of the queues' functions. Together they have at most half of the
 * account's quota: two per function, the rest by weight.
 */
export const queueConcurrency = (
  workers: readonly WorkerRecord[],
  { ACCOUNT_CONCURRENCY: quota, QUEUE_CONCURRENCY: bound = maxQueueConcurrency }: Config,
): ReadonlyMap<string, number> => {
  const rest = Math.max(0, Math.floor(quota / 2) - minQueueConcurrency * workers.length);
  const weights = sum(workers.map(({ concurrencyWeight }) => concurrencyWeight));
  return new Map(
    workers.map(({ name, concurrencyWeight, maxConcurrency = maxQueueConcurrency }) => {
      const share = minQueueConcurrency + Math.floor((rest * concurrencyWeight) / weights);
      return [name, Math.min(share, maxConcurrency, bound, maxQueueConcurrency)];
    }),
  );
};

/**
 * Returns the maximum concurrency of a queue's function for one tenant: at most half, or a quarter of work of minutes, so
 * that others have the rest.
 */
export const deriveTenantConcurrency = (
  { tenantConcurrency, timeoutSeconds }: WorkerRecord,
  concurrency: number,
  { TENANT_CONCURRENCY: bound }: Config,
): number => {
  if (bound !== undefined) return Math.min(bound, concurrency - 1);
  const leastTenants = timeoutSeconds < longWorkSeconds ? 2 : 4;
  return Math.max(1, Math.min(tenantConcurrency, Math.floor(concurrency / leastTenants)));
};

/** Functions of which a tenant's calls take slots, as they wait for other systems. */
const isWaiting = ({ rows }: HttpFunctionRecord): boolean =>
  rows.some(({ slots }) => slots !== undefined);
/** Whether all its operations take slots: a call of another one must not wait for a place that long calls have. */
const isAllWaiting = ({ rows }: HttpFunctionRecord): boolean =>
  rows.every(({ slots }) => slots !== undefined);
const isLong = ({ timeoutSeconds }: HttpFunctionRecord): boolean => timeoutSeconds > shortSeconds;

/**
 * Returns the share of each function that keeps callers waiting, by weight: those that run agents have a quarter of the
 * account's quota together, those that call other systems for up to 29 s an eighth.
 */
const callerShares = (
  functions: readonly HttpFunctionRecord[],
  quota: number,
): ReadonlyMap<string, number>[] =>
  [
    {
      members: functions.filter((member) => isWaiting(member) && isLong(member)),
      budget: quota / 4,
    },
    {
      members: functions.filter((member) => isWaiting(member) && !isLong(member)),
      budget: quota / 8,
    },
  ].map(({ members, budget }) => {
    const weights = members.map(({ rows }) =>
      sum(rows.map(({ slots, concurrencyWeight }) => (slots ? concurrencyWeight : 0))),
    );
    const unit = Math.floor(budget) / sum(weights);
    return new Map(members.map(({ name }, at) => [name, Math.floor(unit * (weights[at] ?? 0))]));
  });

/**
 * Returns the reserved concurrency of the functions that only keep callers waiting: their share, so that they cannot use up what
 * short calls need. Empty for a quota with too little to reserve.
 */
export const callerConcurrency = (
  functions: readonly HttpFunctionRecord[],
  { ACCOUNT_CONCURRENCY: quota }: Config,
): ReadonlyMap<string, number> => {
  const reserved = new Map<string, number>();
  for (const shares of callerShares(functions, quota)) {
    const all = [...reserved.values(), ...shares.values()];
    const isEnough =
      Math.min(...shares.values()) >= leastShare && quota - sum(all) >= leastUnreserved;
    if (isEnough) for (const [name, share] of shares) reserved.set(name, share);
  }
  for (const member of functions) if (!isAllWaiting(member)) reserved.delete(member.name);
  return reserved;
};

/** Returns the slots of one tenant in each function that keeps callers waiting. */
export const callerSlots = (
  functions: readonly HttpFunctionRecord[],
  { ACCOUNT_CONCURRENCY: quota, TENANT_CONCURRENCY: bound }: Config,
): ReadonlyMap<string, number> => {
  const shares = new Map(callerShares(functions, quota).flatMap((callerShare) => [...callerShare]));
  return new Map(
    functions.filter(isWaiting).map((member) => {
      const share = shares.get(member.name) ?? 0;
      const part = Math.floor(share / (isLong(member) ? longTenants : shortTenants));
      return [member.name, Math.max(1, bound === undefined ? part : Math.min(bound, share - 1))];
    }),
  );
};

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
