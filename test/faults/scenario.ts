import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { batchSortKey } from "../../lib/executions/record/keys.ts";
import { scaleWait } from "./scale-wait.ts";
import type { TestTenant, World } from "./world.ts";

/** One kind of work, prepared for a tenant of its own. */
export type Work = {
  tenantId: string;
  /** Does a unit of work; `n` counts from 0. */
  act: (n: number) => Promise<void>;
  /** Waits for everything to end and returns the invariants that are broken. */
  check: () => Promise<string[]>;
  /** For how many milliseconds the work waits: it is checked last, when the product's clock was moved by them. */
  waitMs?: number;
  /** Maximum number of units; default: as many as the time allows. */
  mostUnits?: number;
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
      status: z.string(),
      trigger: z.looseObject({ id: z.string() }),
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

/** Reads the execution records of an agent: all, or those that started at a time. */
export const listRecords = async (
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

const pollMs = 3_000;
/** A run that was killed is taken up when its lease of 40 s is over. */
const settleTimeoutMs = scaleWait(240_000);

/**
 * Polls until the list of missing things is empty; returns the missing ones when the time is over.
 */
export const settled = async (missing: () => Promise<string[]>): Promise<string[]> => {
  const end = Date.now() + settleTimeoutMs;
  for (;;) {
    const found = await missing();
    if (found.length === 0 || Date.now() > end) return found;
    await sleep(pollMs);
  }
};

/**
 * Maximum wait of a unit of work for its end, in milliseconds; the check finds late and missing
 * ones.
 */
const unitTimeoutMs = scaleWait(20_000);
const lookMs = 250;

/** Waits until a unit's work is there, so that no more work is started than the product can do. */
export const appears = async (isThere: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + unitTimeoutMs;
  while (Date.now() < end && !(await isThere())) await sleep(lookMs);
};

const maxRoundingError = 1e-6;

/** Compares sums of money or tokens that are added in another order. */
export const differsMuch = (what: string, actual: number, expected: number): string[] =>
  Math.abs(actual - expected) < maxRoundingError
    ? []
    : [`${what} is ${actual}, expected ${expected}`];

/** Adds up one figure of all records. */
export const sumFigure = (
  records: readonly ExecutionRecord[],
  figure: "inputTokens" | "totalCost",
): number => records.reduce((sum, record) => sum + record[figure], 0);

/** Reports names without an effect, or with more of them than a kill explains. */
export const wrongEffects = (world: World, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const count = world.effects.counts.get(name) ?? 0;
    const most = 1 + world.product.kills();
    return count >= 1 && count <= most ? [] : [`${name} had ${count} effects`];
  });

/**
 * Reports unfinished work of a tenant: open executions and unpublished events. Those of audit records wait for the sweep
 * of the outbox a minute later, and are not waited for.
 */
export const leftovers = async (world: World, tenantId: string): Promise<string[]> =>
  (await world.findItems(tenantId)).flatMap(({ pk, sk, gsi1pk }) =>
    [pk, gsi1pk].some((key) => /^(?:OPEN|OUTBOX)#/.test(String(key))) &&
    // Recovery removes a batch of ended executions after 15 minutes; whether they have ended is checked by their records.
    sk !== batchSortKey &&
    !String(sk).startsWith("EVENT#audit.recorded:")
      ? [`left over: ${String(pk)} ${String(sk)}`]
      : [],
  );

const Usage = z.object({
  items: z.array(z.looseObject({ date: z.string(), executionCount: z.int() })),
});

/** Compares an agent's usage by day with its records: each execution is counted once, on the UTC day of its start. */
export const wrongUsage = async (
  tenant: TestTenant,
  agent: string,
  records: readonly ExecutionRecord[],
): Promise<string[]> => {
  const days = records.map(({ startTime }) => new Date(startTime).toISOString().slice(0, 10));
  const byDay = [...Map.groupBy(days.toSorted(), (day) => day)];
  const [from] = byDay.at(0) ?? [];
  const [to] = byDay.at(-1) ?? [];
  if (from === undefined) return [];
  const path = `/usage?agent=${agent}&from=${from}&to=${to}`;
  const { items } = Usage.parse((await tenant.mustSend("GET", path)).body);
  return differs(
    `usage by day of ${agent}`,
    items.map(({ date, executionCount }) => [date, executionCount]),
    byDay.map(([day, all]) => [day, all.length]),
  );
};

const Part = z.object({ part: z.string() });
const Spend = z.looseObject({
  spent: z.number().default(0),
  committed: z.number().default(0),
  left: z.number().default(0),
});

/**
 * Lists the values of executions that records name and that are missing, and those that no record names. A run that
 * was terminated before its record was written leaves such a value until its agent is deleted.
 */
export const wrongParts = async (world: World, tenantId: string): Promise<string[]> => {
  const items = await world.findItems(tenantId);
  const stored = items.flatMap(({ pk, sk }) =>
    String(pk).includes("#PARTS#") ? [String(sk)] : [],
  );
  const named = items.flatMap(({ sk, input, draft, result, trace }) =>
    [input, draft, result, trace].flatMap((value) => {
      const { data } = Part.safeParse(value);
      return data ? [`${String(sk)}#${data.part}`] : [];
    }),
  );
  const missing = named.filter((name) => !stored.includes(name));
  const unnamed = world.product.kills() > 0 ? [] : stored.filter((name) => !named.includes(name));
  return [
    ...missing.map((name) => `missing: ${name}`),
    ...unnamed.map((name) => `without a record: ${name}`),
  ];
};

/** Compares an agent's spending, in the month's item and its shards, with its cost: no reservation is left. */
export const wrongSpend = async (
  world: World,
  tenantId: string,
  agent: string,
  cost: number,
): Promise<string[]> => {
  const partition = `TENANT#${tenantId}#AGENT#${agent}`;
  const items = (await world.findItems(tenantId))
    .filter(({ pk, sk }) => String(sk).startsWith("SPEND#") && isWithin(partition, String(pk)))
    .map((item) => Spend.parse(item));
  const spent = items.reduce((sum, item) => sum + item.spent, 0);
  const committed = items.reduce((sum, item) => sum + item.committed - item.left, 0);
  return [
    ...differsMuch(`spent by ${agent}`, spent, cost),
    ...differsMuch(`committed by ${agent}`, committed, cost),
  ];
};

/** Returns whether a partition is an item's own, or one of those that its name is a prefix of. */
export const isWithin = (partition: string, pk: string): boolean =>
  pk === partition || pk.startsWith(`${partition}#`);

/** Compares two values that must be equal. */
export const differs = (what: string, actual: unknown, expected: unknown): string[] =>
  JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`];
