import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { agentKey, type Key } from "../../platform/db/keys.ts";
import { maxReadForPage } from "../../platform/db/list-page.ts";
import { mergeIndexedKeys } from "../../platform/db/merge-lists.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { uuidRange } from "../../platform/db/uuid-range.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import {
  type ExecutionRecord,
  StoredExecution,
  withoutExpired,
} from "../record/execution-record.ts";
import { parseExecutionKey, tenantExecutionsLists } from "../record/keys.ts";
import type { ExecutionStatus } from "../schemas.ts";
import { parseScoreValue, type ScoreValue } from "../scores.ts";
import type { ExecutionSelection, MatchExecution } from "./list-executions.ts";
import { matchText } from "./match-text.ts";

/** Records that a filtered page reads in one round trip, and keys for them. */
const [recordsPerRead, keysPerRead] = [100, 250];

/**
 * Index TENANT#t#EXECUTIONS#n / EXEC#…: lists the selected executions of all agents of a tenant, newest first, eventually
 * consistent. Those of deleted agents are left out. A page may have fewer items than its size, or none, where others are
 * left out or have expired; with a filter it reads `maxReadForPage` records at most.
 */
export const listTenantExecutions = async (
  db: Database,
  tenantId: TenantId,
  { from, to, matches, now }: ExecutionSelection & { now: number },
  { size, skip }: PageRequest,
): Promise<Page<ExecutionRecord>> => {
  const [list, ...others] = tenantExecutionsLists(tenantId);
  if (!list) throw new Error("a tenant has executions in one partition or more");
  const request = { list, others, newestFirst: true, between: uuidRange(list.prefix, from, to) };
  const [most, batch] = matches ? [maxReadForPage, recordsPerRead] : [size, size];
  const keys = mergeIndexedKeys(db, request, skip, matches ? keysPerRead : size + 1);
  const agents: Agents = new Map();
  const items: ExecutionRecord[] = [];
  let read = 0;
  for await (const { keys: next, isLast } of inBatches(keys, batch)) {
    const records = await readKept(db, tenantId, { keys: next, now, agents });
    for (const [at, record] of records.entries()) {
      read += 1;
      if (record && matches?.(record.item, record) !== false) items.push(record.item);
      const isEnd = isLast && at === records.length - 1;
      const isFull = items.length === size || read === most;
      if (isFull && !isEnd) return { items, nextPageToken: String(skip + read) };
    }
  }
  return { items, nextPageToken: null };
};

/** Groups keys; the last group may be smaller. */
async function* inBatches(
  keys: AsyncIterable<Key>,
  size: number,
): AsyncGenerator<{ keys: readonly Key[]; isLast: boolean }> {
  let batch: Key[] = [];
  for await (const key of keys) {
    if (batch.length === size) {
      yield { keys: batch, isLast: false };
      batch = [];
    }
    batch.push(key);
  }
  yield { keys: batch, isLast: true };
}

const Item = z.record(z.string(), z.unknown());
const ReadAgent = z.object({ createdAt: z.int() });

/** When agents that were read were created, by id; undefined for one that does not exist. */
type Agents = Map<string, number | undefined>;

/** AGENT#a with EXEC#id: reads records, and agents that were not read before; undefined where one expired, or has no agent. */
const readKept = async (
  db: Database,
  tenantId: TenantId,
  { keys, now, agents }: { keys: readonly Key[]; now: number; agents: Agents },
): Promise<(StoredExecution | undefined)[]> => {
  const unread = keys.map((key) => parseExecutionKey(key).agentId).filter((id) => !agents.has(id));
  const agentIds = [...new Set(unread)];
  const agentKeys = agentIds.map((id) => agentKey(tenantId, id));
  const found = await getItems(db, [...keys, ...agentKeys], Item, { isConsistent: false });
  for (const [at, id] of agentIds.entries()) {
    const agent = found[keys.length + at];
    agents.set(id, agent && ReadAgent.parse(agent).createdAt);
  }
  return keys.map((key, at) => {
    const [stored, createdAt] = [found[at], agents.get(parseExecutionKey(key).agentId)];
    if (!stored || createdAt === undefined) return undefined;
    const execution = StoredExecution.parse(stored);
    const { agentCreatedAt = createdAt } = execution;
    return agentCreatedAt === createdAt ? withoutExpired(execution, now) : undefined;
  });
};

/** Values by name, of the query parameters that start with a prefix. */
type Named<Value> = Record<string, Value> | undefined;

/** Filters of a list of executions, as its query parameters. */
type ExecutionFilters = {
  status?: ExecutionStatus | undefined;
  revision?: number | undefined;
  triggerType?: number | undefined;
  traceId?: string | undefined;
  error?: string | undefined;
  text?: string | undefined;
  minCost?: number | undefined;
  maxCost?: number | undefined;
  "metadata.{name}"?: Named<string>;
  "score.{name}"?: Named<string>;
  "minScore.{name}"?: Named<number>;
  "maxScore.{name}"?: Named<number>;
};

/** Returns the test that an execution must pass; undefined when no filter is given. */
export const toFilter = (filters: ExecutionFilters): MatchExecution | undefined => {
  const tests = listTests(filters);
  return tests.length === 0
    ? undefined
    : (item, stored) => tests.every((isMatch) => isMatch(item, stored));
};

const listTests = (filters: ExecutionFilters): MatchExecution[] => {
  const { status, revision, triggerType, traceId, error, text, minCost, maxCost } = filters;
  return [
    ...when(status, (value) => (item) => item.status === value),
    ...when(revision, (value) => (item) => item.agentRevision === value),
    ...when(triggerType, (value) => (item) => item.trigger.type === value),
    ...when(traceId, (value) => (item) => item.traceId === value),
    ...when(error, (value) => matchError(value)),
    ...when(minCost, (value) => (item) => item.totalCost >= value),
    ...when(maxCost, (value) => (item) => item.totalCost <= value),
    ...when(text, matchText),
    ...listNamed(
      filters["metadata.{name}"],
      (name, value) =>
        ({ metadata = {} }) =>
          Object.hasOwn(metadata, name) && metadata[name] === value,
    ),
    ...listNamed(filters["score.{name}"], (name, value) =>
      matchScore(name, (score) => String(score) === value),
    ),
    ...listNamed(filters["minScore.{name}"], (name, value) =>
      matchScore(name, (score) => typeof score !== "string" && Number(score) >= value),
    ),
    ...listNamed(filters["maxScore.{name}"], (name, value) =>
      matchScore(name, (score) => typeof score !== "string" && Number(score) <= value),
    ),
  ];
};

const when = <Value>(
  value: Value | undefined,
  build: (value: Value) => MatchExecution,
): MatchExecution[] => (value === undefined ? [] : [build(value)]);

const listNamed = <Value>(
  named: Named<Value>,
  build: (name: string, value: Value) => MatchExecution,
): MatchExecution[] => Object.entries(named ?? {}).map(([name, value]) => build(name, value));

/** Matches a text in any case in the type of the error or the start of its detail. */
const matchError = (text: string): MatchExecution => {
  const wanted = text.toLowerCase();
  return ({ errorType, errorDetail }: ExecutionRecord) =>
    errorType !== null && `${errorType}\n${errorDetail ?? ""}`.toLowerCase().includes(wanted);
};

/** Matches executions of which a score with the name fits; other scores of that name do not matter. */
const matchScore =
  (name: string, isMatch: (value: ScoreValue) => boolean): MatchExecution =>
  (_, { scores = {} }) =>
    Object.values(scores).some((score) => score.name === name && isMatch(parseScoreValue(score)));
