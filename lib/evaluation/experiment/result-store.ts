import type * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ListOptions, listAll, listPage } from "../../platform/db/list-page.ts";
import { transact } from "../../platform/db/transact.ts";
import { putItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import {
  countExperimentScorers,
  type ScorerCalls,
} from "../../spending/usage/count-other-usage.ts";
import { withoutModels } from "../../spending/usage/count-usage.ts";
import { ResultItem, type RunResult } from "./items.ts";
import { type ExperimentKey, type RunKey, resultKey, resultsBetween, resultsList } from "./keys.ts";

/**
 * Writes the result of a run unless it has one: a run is counted once, by the driver that finds it. The calls of its
 * scorers are counted together with it, or alone when another attempt wrote the result first.
 */
export const putResult = async (
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  run: RunKey,
  { result, calls }: { result: RunResult; calls?: ScorerCalls },
): Promise<void> => {
  const put = { Item: { ...resultKey(tenantId, experimentId, run), ...result }, ...ifNew };
  if (!calls || calls.models.length === 0) {
    await putItem(db, put);
    return;
  }
  for (const counted of [calls, withoutModels(calls)]) {
    const count = countExperimentScorers(tenantId, counted);
    const outcome = await transact(db, [{ Put: put }, count]);
    if (outcome.written) return;
    if (outcome.failed[0] && (await transact(db, [count])).written) return;
  }
};

/** TENANT#t#EXPERIMENT#x / RESULT#…: lists results by revision, example and repetition. */
export const listExperimentResults = (
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  revision: number | undefined,
  page: PageRequest,
): Promise<Page<ResultItem>> =>
  listPage(
    db,
    ResultItem,
    { list: resultsList(tenantId, experimentId, revision), isIndexed: false },
    page,
  );

/** TENANT#t#EXPERIMENT#x / RESULT#rev#…: yields the results of a revision from one example to another. */
export const listExampleResults = (
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  { revision, first, last }: { revision: number; first: string; last: string },
): AsyncGenerator<ResultItem> =>
  listAll(db, ResultItem, resultsList(tenantId, experimentId, revision), {
    between: resultsBetween(revision, first, last),
  });

/** TENANT#t#EXPERIMENT#x / RESULT#…: yields all results, with some of their members. */
export const allResults = <Item extends z.ZodType>(
  db: Database,
  { tenantId, experimentId }: ExperimentKey,
  Item: Item,
  members: NonNullable<ListOptions["members"]>,
): AsyncGenerator<z.output<Item>> =>
  listAll(db, Item, resultsList(tenantId, experimentId), { members });
