import { getKeptExecution } from "../../executions/record/store.ts";
import { readEnd } from "../../executions/record/values.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { maxReadForPage } from "../../platform/db/list-page.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { maxResponseBytes, responseBytes } from "../../platform/http/response-size.ts";
import { type ComparedExample, chooseRepetitions, findRegressions } from "./find-regressions.ts";
import type { ResultItem } from "./items.ts";
import type { ExperimentKey } from "./keys.ts";
import { listExampleResults, listExperimentResults } from "./result-store.ts";
import type { ExperimentResult } from "./schemas.ts";

type Storage = { db: Database; objects: ObjectStore };

/** Compares a revision with another by the scores of some scorers. */
export type Comparison = {
  agentId: string;
  scorers: readonly string[];
  revision: number;
  regressedFrom: number;
};

/**
 * Returns one page of the examples with lower scores in one revision than in another, with both
 * outputs. Reads a limited number of results: a page may have fewer items than its size, or none,
 * and still have a next one.
 */
export const listRegressions = async (
  storage: Storage,
  {
    place,
    comparison,
    page,
  }: { place: ExperimentKey & { now: number }; comparison: Comparison; page: PageRequest },
): Promise<Page<ExperimentResult>> => {
  const { revision, regressedFrom } = comparison;
  const read = await listExperimentResults(storage.db, place, revision, {
    skip: page.skip,
    size: maxReadForPage,
  });
  const examples = [...Map.groupBy(read.items, ({ exampleId }) => exampleId)];
  // The last one may have more repetitions, which are on the next page.
  if (read.nextPageToken !== null && examples.length > 1) examples.pop();
  const [first] = examples.at(0) ?? [];
  const [last] = examples.at(-1) ?? [];
  if (first === undefined || last === undefined) return { items: [], nextPageToken: null };
  const range = { revision: regressedFrom, first, last };
  const baseline = await Array.fromAsync(listExampleResults(storage.db, place, range));
  const before = Map.groupBy(baseline, ({ exampleId }) => exampleId);
  const items: ExperimentResult[] = [];
  let consumed = 0;
  let bytes = 0;
  for (const [exampleId, after] of examples) {
    const next = { items, nextPageToken: String(page.skip + consumed) };
    if (items.length === page.size) return next;
    const compared = { before: before.get(exampleId) ?? [], after };
    const item = await toRegression(storage, place, comparison, compared);
    bytes += item ? responseBytes(item) : 0;
    if (item && bytes > maxResponseBytes && items.length > 0) return next;
    if (item) items.push(item);
    consumed += after.length;
  }
  const isLast = read.nextPageToken === null;
  return { items, nextPageToken: isLast ? null : String(page.skip + consumed) };
};

const toRegression = async (
  storage: Storage,
  { tenantId, now }: ExperimentKey & { now: number },
  { agentId, scorers }: Comparison,
  compared: ComparedExample,
): Promise<ExperimentResult | undefined> => {
  const regressions = findRegressions(compared, scorers);
  if (regressions.length === 0) return undefined;
  const fallen = regressions.map(({ scorer }) => scorer);
  const { before, after } = chooseRepetitions(compared, fallen);
  if (!before || !after) return undefined;
  const readOutput = async ({ executionId }: ResultItem): Promise<unknown> => {
    if (executionId === null) return null;
    const found = await getKeptExecution(storage.db, tenantId, { agentId, executionId, now });
    return (found && (await readEnd(storage, found, { needsTrace: false }))?.output) ?? null;
  };
  const ofScorers = ({ scores }: ResultItem) =>
    scores.filter(({ scorer }) => scorers.includes(scorer));
  const { revision, repetition, executionId, status } = before;
  const [output, outputBefore] = await Promise.all([readOutput(after), readOutput(before)]);
  return {
    ...after,
    scores: ofScorers(after),
    output,
    regressions,
    baseline: {
      ...{ revision, repetition, executionId, status },
      scores: ofScorers(before),
      output: outputBefore,
    },
  };
};
