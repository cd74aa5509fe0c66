import type { Config } from "./config.ts";
import type { HttpFunctionRecord, WorkerRecord } from "./functions.ts";

/** Lambda's limits for an event source mapping. */
const leastOfQueue = 2;
const mostOfQueue = 1_000;
/** Concurrency that Lambda keeps unreserved in every account. */
const leastUnreserved = 100;
/** A function that may work for as long or longer has a lower share for one tenant. */
const workOfMinutesSeconds = 300;
/** A function with a longer timeout keeps callers waiting while it works, as API Gateway waits 29 s for the others. */
const shortSeconds = 29;

/**
 * Returns the maximum concurrency of each queue's function. Together they have at most half of the account's quota: two
 * each, the rest by weight.
 */
export const queueConcurrency = (
  workers: readonly WorkerRecord[],
  { ACCOUNT_CONCURRENCY: quota, QUEUE_CONCURRENCY: bound = mostOfQueue }: Config,
): ReadonlyMap<string, number> => {
  const rest = Math.max(0, Math.floor(quota / 2) - leastOfQueue * workers.length);
  const weights = sum(workers.map(({ concurrencyWeight }) => concurrencyWeight));
  return new Map(
    workers.map(({ name, concurrencyWeight, maxConcurrency = mostOfQueue }) => {
      const share = leastOfQueue + Math.floor((rest * concurrencyWeight) / weights);
      return [name, Math.min(share, maxConcurrency, bound, mostOfQueue)];
    }),
  );
};

/**
 * Returns the maximum concurrency of a queue's function for one tenant: at most half, or a quarter of work of minutes, so
 * that others have the rest.
 */
export const tenantConcurrencyOf = (
  { tenantConcurrency, timeoutSeconds }: WorkerRecord,
  concurrency: number,
  { TENANT_CONCURRENCY: bound }: Config,
): number => {
  if (bound !== undefined) return Math.min(bound, concurrency - 1);
  const leastTenants = timeoutSeconds < workOfMinutesSeconds ? 2 : 4;
  return Math.max(1, Math.min(tenantConcurrency, Math.floor(concurrency / leastTenants)));
};

/**
 * Returns the reserved concurrency of the functions that keep callers waiting, by weight: together a quarter of the
 * account's quota, so that they cannot use up what short calls need. Empty for a quota with too little to reserve.
 */
export const callerConcurrency = (
  functions: readonly HttpFunctionRecord[],
  { ACCOUNT_CONCURRENCY: quota }: Config,
): ReadonlyMap<string, number> => {
  const long = functions.filter(({ timeoutSeconds }) => timeoutSeconds > shortSeconds);
  const weights = long.map(({ rows }) =>
    sum(rows.map(({ concurrencyWeight }) => concurrencyWeight)),
  );
  const budget = Math.floor(quota / 4);
  const isEnough = budget >= sum(weights) && quota - budget >= leastUnreserved;
  if (!isEnough) return new Map();
  return new Map(
    long.map(({ name }, at) => [name, Math.floor((budget * (weights[at] ?? 0)) / sum(weights))]),
  );
};

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
