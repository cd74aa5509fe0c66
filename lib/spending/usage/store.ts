import * as z from "zod";
import { ifExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ListKey, toDay } from "../../platform/db/keys.ts";
import { type ListOptions, listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { monthUsageLists } from "./keys.ts";
import { fromAttributes, fromStoredModel, type Measures, type ModelName } from "./measures.ts";

/** Days (`2026-11-22`, UTC), both inclusive. */
export type Days = { from: string; to: string };

/** Place in the sort key of the time when the agent was deleted. */
const tombstoneIndex = 5;

/** One counter of a day: its executions, and the calls of each model. */
export type UsageCounter = {
  agentId: string;
  day: string;
  revision: number;
  trigger: number;
  /** Whether the agent was deleted; its id may be in use again. */
  isOfDeleted: boolean;
  executions: Pick<Measures, "executionCount" | "failedCount" | "unpricedCount">;
  models: readonly (ModelName & Measures)[];
};

const Counter = z
  .looseObject({ pk: z.string(), sk: z.string(), m: z.set(z.string()).default(new Set()) })
  .transform((item): UsageCounter => {
    const parts = item.sk.split("#");
    const [agentId = "", day = "", revision, trigger] = parts;
    const models = [...item.m].map(fromStoredModel);
    const { executionCount, failedCount, unpricedCount } = fromAttributes(item, "");
    return {
      agentId,
      day: `${item.pk.split("#")[3]}-${day}`,
      revision: Number(revision),
      trigger: Number(trigger),
      isOfDeleted: parts[tombstoneIndex] !== undefined,
      executions: { executionCount, failedCount, unpricedCount },
      models: models.map(({ token, providerId, modelId }) => ({
        providerId,
        modelId,
        ...fromAttributes(item, token),
      })),
    };
  });

/** The counters to read: of one agent, or of all agents of a tenant. */
export type CounterFilter = Days & { tenantId: TenantId; agentId?: string | undefined };

/**
 * TENANT#t#USAGE#month#partition: lists the counters of days, of one agent or of all, in no order. Each element is
 * one query, which starts when it is iterated: four a month.
 */
export const listUsage = (
  db: Database,
  tenantId: TenantId,
  of: Days & { agentId?: string | undefined },
): AsyncGenerator<UsageCounter>[] =>
  listCounters(db, Counter, { ...of, tenantId }, monthUsageLists);

/** Reads the counters of an existing agent's executions that started from the day of `since` on. */
export const readAgentUsage = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  { since, now }: { since: number; now: number },
): Promise<UsageCounter[]> => {
  const counters: UsageCounter[] = [];
  const days = { from: toDay(since), to: toDay(now), agentId };
  await readAtOnce(listUsage(db, tenantId, days), (counter) => {
    if (!counter.isOfDeleted) counters.push(counter);
  });
  return counters;
};

const atOnce = 16;

/** Reads lists to their ends, at most 16 at a time, and visits every item. A visitor that throws ends it. */
export const readAtOnce = async <Item>(
  lists: readonly AsyncIterable<Item>[],
  visit: (item: Item) => void,
): Promise<void> => {
  const rest = lists.values();
  const readNext = async (): Promise<void> => {
    for (const list of rest) for await (const item of list) visit(item);
  };
  await Promise.all(Array.from({ length: atOnce }, readNext));
};

/**
 * Lists the counters of days, of one agent or of all of a tenant, in no order. Each element is one query, which starts
 * when it is iterated.
 * @param getMonthLists returns the lists that hold the counters of a month
 */
export const listCounters = <Schema extends z.ZodType>(
  db: Database,
  schema: Schema,
  { tenantId, from, to, agentId }: CounterFilter,
  getMonthLists: typeof monthUsageLists,
): AsyncGenerator<z.output<Schema>>[] =>
  listMonths({ from, to }).flatMap((month) => {
    const first = from.startsWith(month) ? from.slice(8) : "01";
    const last = to.startsWith(month) ? to.slice(8) : "31";
    return getMonthLists(tenantId, month, agentId).map((list) =>
      listAll(
        db,
        schema,
        list,
        agentId === undefined ? filterDays(first, last) : daysIn(list, first, last),
      ),
    );
  });

/** A range of the sort keys of one agent, which are ordered by day. */
const daysIn = ({ prefix }: ListKey, first: string, last: string): ListOptions => ({
  between: { from: `${prefix}${first}`, to: `${prefix}${last}$` },
});

/** A filter, since the sort keys of several agents are ordered by agent. */
const filterDays = (first: string, last: string): ListOptions => ({
  filter: {
    expression: "#d BETWEEN :first AND :last",
    names: { "#d": "d" },
    values: { ":first": Number(first), ":last": Number(last) },
  },
});

/** Returns the months (`2026-11`) that days are in. */
const listMonths = ({ from, to }: Days): string[] => {
  const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  const first = monthNumber(from);
  return Array.from({ length: Math.max(0, monthNumber(to) - first + 1) }, (_, at) => {
    const [year, month] = [Math.floor((first + at) / 12), (first + at) % 12];
    return `${String(year).padStart(4, "0")}-${String(month + 1).padStart(2, "0")}`;
  });
};

const StoredCounter = z.looseObject({ pk: z.string(), sk: z.string() });

/**
 * Marks the counters of a deleted agent since a day as such, so that a new agent of the same id does not count them.
 * @param deletedAt Unix milliseconds
 */
export const tombstoneUsage = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  deletedAt: number,
): Promise<void> => {
  const day = toDay(deletedAt);
  for (const list of monthUsageLists(tenantId, day.slice(0, 7), agentId)) {
    const days = daysIn(list, day.slice(8), "31");
    for await (const item of listAll(db, StoredCounter, list, days)) {
      if (item.sk.split("#").length > tombstoneIndex) continue;
      const { pk, sk } = item;
      await transact(db, [
        { Delete: { Key: { pk, sk }, ...ifExists } },
        { Put: { Item: { ...item, sk: `${sk}#${deletedAt}` } } },
      ]);
    }
  }
};
