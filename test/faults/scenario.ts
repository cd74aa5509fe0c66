import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { TestTenant, World } from "./world.ts";

/** One kind of work, prepared for a tenant of its own. */
export type Work = {
  tenantId: string;
  /** Does a unit of work; `n` counts from 0. */
  act: (n: number) => Promise<void>;
  /** Waits for everything to end and returns the invariants that are broken. */
  check: () => Promise<string[]>;
};

/** A kind of work. */
export type Scenario = { name: string; prepare: (world: World) => Promise<Work> };

const Records = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      agentId: z.string(),
      startTime: z.int(),
      endTime: z.int().nullable(),
      hasResult: z.boolean(),
      inputTokens: z.int(),
      totalCost: z.number(),
    }),
  ),
  nextPageToken: z.string().nullable(),
});
/** An execution as the list shows it. */
export type ExecutionRecord = z.output<typeof Records>["items"][number];

const Detail = z.looseObject({
  status: z.string(),
  error: z.looseObject({ detail: z.string() }).nullable(),
});

/** Lists the executions that have not ended. */
export const stillOpen = (records: readonly ExecutionRecord[]): string[] =>
  records.flatMap(({ id, endTime }) => (endTime === null ? [`open: ${id}`] : []));

/** Lists the executions that have not succeeded, with their status and error. */
export const unsuccessful = (
  tenant: TestTenant,
  records: readonly ExecutionRecord[],
): Promise<string[]> =>
  Promise.all(
    records
      .filter(({ hasResult }) => !hasResult)
      .map(async ({ id, agentId }) => {
        const path = `/agents/${agentId}/execution-records/${id}`;
        const { status, error } = Detail.parse((await tenant.mustSend("GET", path)).body);
        return `${id} is ${status}: ${error?.detail ?? "no error"}`;
      }),
  );

/** Reads the execution records of an agent: all, or those that began at a time. */
export const recordsOf = async (
  tenant: TestTenant,
  agent: string,
  startTime?: number,
): Promise<ExecutionRecord[]> => {
  const filter = startTime === undefined ? "" : `&startTime=${startTime}&endTime=${startTime}`;
  const found: ExecutionRecord[] = [];
  for (let skip: string | null = "0"; skip !== null; ) {
    const path = `/agents/${agent}/execution-records?PageSize=200&PageToken.Skip=${skip}${filter}`;
    const page = Records.parse((await tenant.mustSend("GET", path)).body);
    found.push(...page.items);
    skip = page.nextPageToken;
  }
  return found;
};

const pollMs = 500;
/** A run that was killed is taken up when its lease of 40 s is over. */
const patienceMs = 240_000;

/** Asks until the list of what is missing is empty; returns what is still missing when the time is over. */
export const settled = async (missing: () => Promise<string[]>): Promise<string[]> => {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await missing();
    if (found.length === 0 || Date.now() > end) return found;
    await sleep(pollMs);
  }
};

/** How long a unit of work waits for its own end, in milliseconds; the check finds what came later or never. */
const unitPatienceMs = 20_000;
const lookMs = 50;

/** Waits until a unit's work is there, so that no more work is begun than the product can do. */
export const appears = async (isThere: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + unitPatienceMs;
  while (Date.now() < end && !(await isThere())) await sleep(lookMs);
};

const maxRoundingError = 1e-6;

/** Compares sums of money or tokens that are added in another order. */
export const differsMuch = (what: string, actual: number, expected: number): string[] =>
  Math.abs(actual - expected) < maxRoundingError
    ? []
    : [`${what} is ${actual}, expected ${expected}`];

/** Adds up one figure of all records. */
export const sumOf = (
  records: readonly ExecutionRecord[],
  figure: "inputTokens" | "totalCost",
): number => records.reduce((sum, record) => sum + record[figure], 0);

/** Says of each name that had no effect, or more of them than a kill explains. */
export const wrongEffects = (world: World, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const count = world.effects.counts.get(name) ?? 0;
    const most = 1 + world.product.kills();
    return count >= 1 && count <= most ? [] : [`${name} had ${count} effects`];
  });

/** Says of work of a tenant that nobody finished: open executions, events that nobody published. */
export const leftovers = async (world: World, tenantId: string): Promise<string[]> =>
  (await world.itemsOf(tenantId)).flatMap(({ pk, sk, gsi1pk }) =>
    [pk, gsi1pk].some((each) => /^(?:OPEN|OUTBOX)#/.test(String(each)))
      ? [`left over: ${String(pk)} ${String(sk)}`]
      : [],
  );

/** Compares two values that must be equal. */
export const differs = (what: string, actual: unknown, expected: unknown): string[] =>
  JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
