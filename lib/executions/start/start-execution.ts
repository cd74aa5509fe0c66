import { releaseInputFiles } from "../../files/release-input-files.ts";
import { hasFiles } from "../../files/store-input-files.ts";
import { putItem } from "../../platform/db/write-item.ts";
import { Problem } from "../../platform/http/problems.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { findRetention } from "../../tenancy/tenant/find-owner.ts";
import { putSubExecution } from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { leaseMs, maxExecutionMs, resendAfterMs } from "../lease/execution-lease.ts";
import type { ExecutionLease, ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { getExecution, putNewExecution } from "../record/store.ts";
import { readInput } from "../record/values.ts";
import { toSessionPlace } from "../session/keys.ts";
import { occupySession, SessionRefused } from "../session/occupy-session.ts";
import { listPersons } from "../session/persons.ts";
import { type NewItems, newExecution } from "./new-record.ts";
import type { PlannedStart, StartPlan } from "./plan-start.ts";
import {
  enqueueExecutions,
  type QueuedExecution,
  toCarriedAgent,
  toCarriedInput,
} from "./queue-executions.ts";

/** Dependencies of starting an execution. */
export type StartDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime" | "files"
>;

/**
 * A written execution. `isNew` is false when an execution of that id was written before. `isDormant`: it waits for its turn
 * in its session. `queued`: for its message.
 */
export type CreatedExecution = {
  item: ExecutionRecord;
  isNew: boolean;
  isDormant: boolean;
  queued: QueuedExecution;
};

/** Compressed bytes of input that a record may have: every write of the record pays for them, and a separate item takes a call. */
const maxInline = 1_500;

/**
 * Writes a new execution, its input first, and queues it if a worker runs it. With a busy session, it waits for its turn.
 * Throws 409 for one that may not wait.
 */
export const startExecution = async (
  deps: StartDeps,
  request: PlannedStart,
): Promise<CreatedExecution> => {
  const created = await createExecution(deps, request);
  const { isNew, isDormant, queued } = created;
  if (isNew && !isDormant && request.runner.type === "worker") {
    await enqueueExecutions(deps.send, request.tenantId, [queued]);
  }
  return created;
};

/** Writes a new execution, its input first, without queueing it. Nothing is left of the files of one that is refused. */
export const createExecution = async (
  deps: StartDeps,
  request: PlannedStart,
): Promise<CreatedExecution> => {
  const now = deps.runtime.clock();
  const items = await prepareItems(deps, request);
  const outcome = await write(deps, request, items).catch(async (error: unknown) => {
    // After another error it may have been written.
    if (error instanceof SessionRefused || error instanceof Problem) {
      await releaseUnnamed(deps, request);
    }
    throw error;
  });
  const isNew = outcome !== "exists";
  if (!isNew) await releaseUnnamed(deps, request);
  const isDormant = outcome === "queued";
  const queued = toQueuedExecution(request, items, { isNew, now });
  const item = isDormant ? { ...items.item, status: "Queued" as const } : items.item;
  return { item, isNew, isDormant, queued };
};

/** Builds the items of a planned execution, and writes the values that its record has no room for. */
export const prepareItems = async (deps: StartDeps, request: PlannedStart): Promise<NewItems> => {
  const items = await buildItems(deps, { request, maxInline });
  const parts = [items.part, items.draftPart].flatMap((part) => part ?? []);
  await Promise.all(parts.map(({ item: Item }) => putItem(deps.db, { Item })));
  return items;
};

/**
 * Removes the files of a start that wrote no execution, unless another attempt at it did, which has the same files. That of a
 * recorded refusal has none. Another attempt that writes its execution between the read and the removal loses its files.
 */
const releaseUnnamed = async (deps: StartDeps, request: PlannedStart): Promise<void> => {
  const { tenantId, agentId, id, parametersMetadata, input } = request;
  if (!hasFiles(parametersMetadata, input)) return;
  const other = await getExecution(deps.db, tenantId, agentId, id);
  if (other && (other.isUnchecked || hasMembers((await readInput(deps, other)).input))) return;
  await releaseStart(deps, request);
};

const hasMembers = (input: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(input).length > 0;

/** Removes the files that were stored for a planned execution which is not written. */
export const releaseStart = (
  deps: Pick<StartDeps, "db" | "files" | "runtime">,
  { tenantId, agentId, id, parametersMetadata, input }: Omit<PlannedStart, "runner">,
): Promise<void> =>
  releaseInputFiles(deps, {
    tenantId,
    execution: { agentId, executionId: id },
    parameters: parametersMetadata,
    values: input,
    now: deps.runtime.clock(),
  });

const write = (
  deps: StartDeps,
  { tenantId, runner, session, trigger }: PlannedStart,
  { item, record }: NewItems,
): Promise<"written" | "queued" | "exists"> => {
  if (session) {
    const { id, requiredStarter, endUserId, isOneUsers, whenBusy, until, keptDays } = session;
    const taken = {
      place: toSessionPlace(tenantId, item.agentId, id),
      id,
      executionId: item.id,
      starter: { type: trigger.type, id: trigger.id },
      requiredStarter,
      endUserId,
      persons: listPersons(item),
      isOneUsers,
      instance: newUuid(deps.runtime),
      now: deps.runtime.clock(),
    };
    return occupySession(deps, { taken, record, whenBusy, until, keptDays });
  }
  const pointer =
    runner.type === "parent"
      ? putSubExecution(tenantId, runner.parentId, runner.path, toExecutionKey(item))
      : undefined;
  return putNewExecution(deps.db, record, pointer);
};

/** Builds the job of a new execution from its plan. */
export const buildJob = (
  { start: { tenantId, verdicts, context, isUnchecked, isGuarded }, deployed, values }: StartPlan,
  held: { item: ExecutionRecord; owner: string; endsBy: number },
): Job & { owner: string } => ({
  tenantId,
  ...deployed,
  values,
  context,
  verdicts,
  isUnchecked,
  isGuarded,
  ...held,
});

/** As `maxInline`, of an execution that is written with others: a separate item of the same call takes no other one. */
export const maxInlineTogether = 500;

/** Returns what the message of a created execution has of it. */
export const toQueuedExecution = (
  { runner }: PlannedStart,
  { item, part }: NewItems,
  { isNew, now }: { isNew: boolean; now: number },
): QueuedExecution => {
  const { agentId, id } = item;
  if (!isNew || runner.type !== "worker") return { agentId, id };
  const { agent } = runner;
  return {
    agentId,
    id,
    agent: agent && toCarriedAgent(agent, now),
    input: part && toCarriedInput(part.name, part.item.value),
  };
};

/** Builds the items of a planned execution, see `newExecution`. */
export const buildItems = (
  deps: StartDeps,
  { request, ...room }: { request: PlannedStart; maxInline: number; isInBatch?: boolean },
): Promise<NewItems> => {
  const { runner, limitMs, ...execution } = request;
  const status = runner.type === "worker" ? "Queued" : "Running";
  const now = deps.runtime.clock();
  const lease = createLease({ runner, limitMs }, now);
  const keptDays = async () =>
    (await findRetention(deps.db, execution.tenantId, now)).executionDays;
  const agentCreatedAt = "agent" in runner ? runner.agent?.createdAt : undefined;
  return newExecution(deps, {
    execution: { ...execution, status },
    lease,
    keptDays,
    ...room,
    ...(agentCreatedAt !== undefined && { agentCreatedAt }),
  });
};

/** Returns the lease of a new execution from `now` on; that of a sub-agent, and one that is written at its end, have none. */
const createLease = (
  { runner, limitMs }: Pick<PlannedStart, "runner" | "limitMs">,
  now: number,
): ExecutionLease | undefined => {
  const none = { owner: null, endsBy: undefined, limitMs: undefined, claims: 0, sends: 0 };
  switch (runner.type) {
    case "worker":
      return { ...none, leaseUntil: now + resendAfterMs(1), limitMs, sends: 1 };
    case "caller": {
      const endsBy = now + maxExecutionMs;
      return { ...none, owner: runner.owner, leaseUntil: now + leaseMs, endsBy, claims: 1 };
    }
    case "parent":
    case "at-once":
      return undefined;
  }
};
