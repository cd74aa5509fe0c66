import { computingTypes } from "../../engine/flow/computing-steps.ts";
import type { FlowFiles } from "../../engine/flow/files.ts";
import type { FlowEvent, StepOutcome } from "../../engine/flow/flow-result.ts";
import type { KnowledgeQuery, KnowledgeRead } from "../../engine/flow/knowledge.ts";
import { RunStop } from "../../engine/flow/run-stop.ts";
import { allGuards, type SpendGuard, type SpendLimit } from "../../engine/flow/spend-guard.ts";
import { StepError } from "../../engine/step-error.ts";
import type { FindPeople } from "../../integrations/connection/connection-owner.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { isUnavailable, withFullTime } from "../../platform/runtime/aws-retry.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { putSteps, type StoredProgress } from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import { toStoredStep } from "../job/stored-outcome.ts";
import { renewalMs } from "../lease/execution-lease.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import type { RunOutcome } from "../record/results.ts";
import { readStatuses } from "../record/store.ts";

/** State shared by all runs in one function call: a run and those of its sub-agents. */
export type RunContext = {
  steps: StepKeeper;
  /** Processor budget of their expressions and schemas. */
  processor: ProcessorBudget;
  /** The outermost execution; the runs have its lease. */
  root: ExecutionKey;
  /** Token of the run of the outermost execution. */
  owner: string;
  /** Whether a message started the run, which is redelivered after a crash. */
  hasMessage: boolean;
  /** Id of the user or key that started it, or name of the chat user; null where another trigger did. */
  starterId: string | null;
  /** Finds the people whom their tools act for. */
  people?: FindPeople;
  waits: WaitsOfRuns;
  /**
   * Aborted, with a StopReason, when the runs must stop. "lost": another run holds the execution, and nothing
   * may be written any more.
   */
  stop: AbortSignal;
  /** A limit of their total cost, in addition to the budgets of their agents. */
  limit?: SpendLimit | undefined;
  /** Stops the runs so that another function can resume them, also after a storage failure. */
  handOver: AbortController;
};

/** The waits of all runs in one function call. */
export type WaitsOfRuns = {
  /** Whether their executions may wait. */
  mayWait: boolean;
  /** Open waits of sub-agents: when they end, Unix milliseconds, and what they wait for. */
  below: { until: number; approvalId?: string | undefined }[];
  /** Whether a sub-agent's execution could not begin to wait: the run must be repeated. */
  isDisturbed: boolean;
  /** Whether an execution came to its waits, and then could not begin to wait. */
  isReached: boolean;
};

/** Why runs must stop. */
export type StopReason = "cancelled" | "lost";

/** Returns whether another run holds the execution. */
export const isLost = ({ stop }: Pick<RunContext, "stop">): boolean => stop.reason === "lost";

/** Options of one run of an execution. */
export type RunOptions = {
  context: RunContext;
  /** When aborted, the run starts no further steps that wait, and ends as `open` unless none is left. */
  drain?: AbortSignal;
  /** Aborted when this run must stop: the context's signal, or also a sub-agent's own. */
  stop: AbortSignal;
  emit?: (event: FlowEvent) => void;
  /** Steps and waits of earlier runs; undefined for the first run. */
  progress?: StoredProgress;
  /** Ids of the running agents, from the outermost to this one. */
  ancestors: readonly string[];
};

/**
 * Runs storage work of a step. When the storage fails, hands the run over, so that another one continues the execution
 * instead of recording the step as failed. A failure after `aborted` is not one of the storage.
 */
export const continueElsewhere = async <Result>(
  { handOver }: Pick<RunContext, "handOver">,
  work: () => Promise<Result>,
  aborted?: AbortSignal,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const isOfFlow = error instanceof StepError || error instanceof RunStop;
    if (!isOfFlow && !aborted?.aborted) handOver.abort();
    throw error;
  }
};

/** Combines the guards of a run; undefined for none. */
export const guardRun = (
  guards: readonly (SpendGuard | undefined)[],
  context: Pick<RunContext, "handOver">,
): SpendGuard | undefined => {
  const guard = allGuards(guards);
  return (
    guard && {
      checkUnpriced: guard.checkUnpriced,
      reserve: (spending) => continueElsewhere(context, () => guard.reserve(spending)),
    }
  );
};

/** Returns a function that does work, and hands the run over when a service of AWS is unavailable. */
const handOverUnavailable =
  ({ handOver }: Pick<RunContext, "handOver">) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (isUnavailable(error)) handOver.abort();
      throw error;
    }
  };

/** Hands the run over when its files cannot be read or stored. */
export const guardFiles = (files: FlowFiles, context: Pick<RunContext, "handOver">): FlowFiles => {
  const guarded = handOverUnavailable(context);
  return {
    room: files.room,
    find: (id) => guarded(() => files.find(id)),
    read: (file) => guarded(() => files.read(file)),
    readText: (file) => guarded(() => files.readText(file)),
    save: (file) => guarded(() => files.save(file)),
  };
};

/** Hands the run over when the tenant's providers, tools, skills or assets cannot be read. */
export const guardRegistries = (
  deps: Pick<ExecutionDeps, "modelsFor" | "toolsFor" | "skillsFor" | "knowledgeFor">,
  {
    tenantId,
    context: { handOver, people },
  }: { tenantId: TenantId; context: Pick<RunContext, "handOver" | "people"> },
) => {
  const guarded = handOverUnavailable({ handOver });
  const models = deps.modelsFor(tenantId);
  const tools = deps.toolsFor(tenantId, people);
  const skills = deps.skillsFor(tenantId);
  const knowledge = deps.knowledgeFor(tenantId);
  const { load } = tools;
  return {
    models: { ...models, resolve: (id: string) => guarded(() => models.resolve(id)) },
    tools: {
      ...tools,
      ...(load && { load: (...call: Parameters<typeof load>) => guarded(() => load(...call)) }),
    },
    skills: { resolve: (id: string) => guarded(() => skills.resolve(id)) },
    knowledge: {
      search: (query: KnowledgeQuery) => guarded(() => knowledge.search(query)),
      read: (request: KnowledgeRead) => guarded(() => knowledge.read(request)),
    },
  };
};

/**
 * Keeps the finished steps of a run and of its sub-agents' runs: in memory while a caller waits, in the table
 * once the run is in the background. A step that only computes, or ended by a stored answer (`isRepeatable`), is stored with
 * the next one that has an effect or calls a model: alone it would be as cheap to repeat.
 */
export type StepKeeper = {
  keep: (job: Job, outcome: StepOutcome, isRepeatable?: boolean) => Promise<void>;
  /** Resolves when all earlier finished steps are stored; keeps those that could not be written. */
  toBackground: () => Promise<void>;
  /** Deletes what the run stored in the bucket; items expire. Best effort. */
  forget: () => Promise<void>;
};

type FinishedStep = { job: Job; outcome: StepOutcome; isRepeatable: boolean };

const isWorthStoring = ({ outcome, isRepeatable }: FinishedStep): boolean =>
  !isRepeatable && outcome.spans.some(({ type }) => !computingTypes.has(type));

/** Creates the step keeper of one run. */
export const stepKeeper = (
  { db, objects, runtime }: ExecutionDeps,
  startsInBackground: boolean,
): StepKeeper => {
  let inBackground = startsInBackground;
  const unwritten = new Set<FinishedStep>();
  const stored: string[] = [];

  const write = async (steps: readonly FinishedStep[]): Promise<void> => {
    const first = steps.find(isWorthStoring);
    if (!first) return;
    const { item } = first.job;
    const outcomes = steps.map(({ job, outcome }) => toStoredStep(runtime, job, outcome));
    for (const step of steps) unwritten.delete(step);
    try {
      const name = first.outcome.stepId;
      const storage = { db, objects };
      const object = await putSteps(
        storage,
        toExecutionKey(item),
        { name, outcomes },
        runtime.clock(),
      );
      if (object) stored.push(object);
    } catch (error) {
      for (const step of steps) unwritten.add(step);
      throw error;
    }
  };
  const writeAll = async (): Promise<void> => {
    const byExecution = Map.groupBy(unwritten, ({ job }) => job.item.id);
    // Waits for all writes before it throws the first failure.
    const writes = await Promise.allSettled(byExecution.values().map(write).toArray());
    for (const write of writes) if (write.status === "rejected") throw write.reason;
  };

  return {
    keep: async (job, outcome, isRepeatable = false) => {
      const step = { job, outcome, isRepeatable };
      unwritten.add(step);
      if (inBackground && isWorthStoring(step)) await writeAll();
    },
    toBackground: async () => {
      inBackground = true;
      await withFullTime(writeAll);
    },
    forget: async () => {
      try {
        await objects.remove(stored);
      } catch (error) {
        log("steps-not-deleted", { error: asError(error) });
      }
    },
  };
};

/**
 * Polls until `over` whether a sub-agent's execution was cancelled, and then aborts `cancelled`.
 * Such an execution has no lease, which would detect it on renewal. A failed read is only logged.
 */
export const watchCancel = async (
  { db, sleep }: Pick<ExecutionDeps, "db" | "sleep">,
  { key, over, cancelled }: { key: ExecutionKey; over: AbortSignal; cancelled: AbortController },
): Promise<void> => {
  for (;;) {
    await sleep(renewalMs, over);
    if (over.aborted) return;
    try {
      const statuses = await readStatuses(db, [key]);
      if (over.aborted) return;
      if (statuses.get(key.executionId) === "Cancelled") return cancelled.abort();
    } catch (error) {
      log("sub-agent-unreadable", {
        executionId: key.executionId,
        error: asError(error),
      });
    }
  }
};

/**
 * The end of a run: the outcome of its execution, its wait, or "open" when another run continues it. `waitsUntil`: the
 * earliest end of its wait, Unix milliseconds.
 */
export type RunEnd = RunOutcome | { waitsUntil: number; approvals: readonly string[] } | "open";

/** Returns the outcome of a run that ended its execution; undefined for other runs. */
export const toFinalOutcome = (end: RunEnd): RunOutcome | undefined =>
  end === "open" || "waitsUntil" in end ? undefined : end;
