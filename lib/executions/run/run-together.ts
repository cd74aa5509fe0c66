import { insertTogether } from "../../platform/db/insert-together.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { withinCallersTime } from "../../platform/runtime/aws-retry.ts";
import { log } from "../../platform/runtime/log.ts";
import { forRequest } from "../../platform/runtime/request-scope.ts";
import { splitEvery } from "../../platform/runtime/split-every.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { type JoinedEnds, joinEnds } from "../end/join-ends.ts";
import type { ExecutionDeps, JoinEnd } from "../job/job.ts";
import { secretValues } from "../job/masks.ts";
import { maxRunsPerMessage } from "../messages.ts";
import type { NewItems } from "../start/new-record.ts";
import { type StartPlan, writtenAtEnd } from "../start/plan-start.ts";
import { buildItems, maxInlineTogether, prepareItems } from "../start/start-execution.ts";
import { mayRunAtOnce, runUnwritten } from "./run-execution.ts";

/** Dependencies of executions that only compute: they reach no service. */
export type ComputingDeps = Omit<
  ExecutionDeps,
  "modelsFor" | "skillsFor" | "knowledgeFor" | "memoryFor" | "toolsFor"
>;

/** A planned execution; `requestId`: of the request that its run continues, where it is not the current one. */
export type UnwrittenRun = { plan: StartPlan; requestId?: string | undefined };

/** Time of an execution that runs together with others, in milliseconds. */
const maxRunMs = 500;

/** Most texts to mask in what an execution shows: masking is not part of its processor time. */
const maxSecrets = 100;

/**
 * Returns whether an execution may run together with others. Guardrails have more processor time than that, and many secrets
 * take more time to mask.
 */
export const mayRunTogether = (plan: StartPlan): boolean =>
  mayRunAtOnce(plan) &&
  !plan.start.isGuarded &&
  secretValues(plan.start.parametersMetadata, plan.values).length <= maxSecrets;

/** Executions of one tenant that only compute. */
type Together = {
  tenantId: TenantId;
  runs: readonly UnwrittenRun[];
  /** When none may begin any more, and storage is not tried again, Unix milliseconds. */
  latest: number;
  /** Runs work that evaluates text of the tenant when none of another tenant is evaluated. */
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};

/**
 * Runs executions of one tenant that only compute, ten at the same time, and writes them once, with their ends, those of ten in one
 * transaction. Returns the plans of those that have ended; the others are to be started. Ten that do not all end are the last.
 */
export const runTogether = async (
  deps: ComputingDeps,
  { runs, ...together }: Together,
): Promise<ReadonlySet<StartPlan>> => {
  const ended = new Set<StartPlan>();
  for (const some of splitEvery(runs, maxRunsPerMessage)) {
    const plans = await withinCallersTime(together.latest, () =>
      runSome({ ...deps, ...noServices }, { ...together, runs: some }),
    );
    for (const plan of plans) ended.add(plan);
    if (plans.length < some.length) break;
  }
  return ended;
};

const runSome = async (
  deps: ExecutionDeps,
  { tenantId, runs, latest, inTurn }: Together,
): Promise<StartPlan[]> => {
  const prepared = await prepare(deps, runs);
  const joined = joinEnds(deps, { runs: prepared.length });
  const running = await inTurn(async () => {
    const limitMs = Math.min(maxRunMs, latest - deps.runtime.clock());
    if (limitMs <= 0) return [];
    const over = new AbortController();
    const late = deps.sleep(limitMs, over.signal);
    const last = deps.sleep(limitMs * 2, over.signal);
    const turn = { tenantId, joined, limitMs, late, last };
    const begun = prepared.map((one) => beginRun(deps, one, turn));
    await Promise.all(begun.map(({ computed }) => computed));
    endWaits(over);
    return begun;
  });
  return (await Promise.all(running.map(({ ended }) => ended))).flat();
};

/** The turn of a tenant. `late`: resolves when the time of its runs is over, `last`: when nothing waits for them any more. */
type Turn = {
  tenantId: TenantId;
  joined: JoinedEnds;
  limitMs: number;
  late: Promise<void>;
  last: Promise<void>;
};

/** A run in a turn. `computed`: resolves when it evaluates nothing any more. `ended`: resolves with its plan if its end was written. */
type BegunRun = { computed: Promise<void>; ended: Promise<StartPlan[]> };

const beginRun = (
  deps: ExecutionDeps,
  { plan, requestId, items }: Prepared,
  { tenantId, joined, limitMs, late, last }: Turn,
): BegunRun => {
  const processor = new ProcessorBudget(tenantId, limitMs);
  const ending = Promise.withResolvers<void>();
  const joinEnd: JoinEnd = async (writes) => {
    ending.resolve();
    // It may have failed because it was stopped: a worker gives it its whole processor time.
    if (processor.remainingMs <= 0) throw new Error("the time of the execution is over");
    return joined.joinEnd(writes);
  };
  const run = { plan, items, limitMs, processor };
  const ended = forRequest(requestId, () => runUnwritten({ ...deps, joinEnd }, run))
    .then((outcome) => (outcome ? [plan] : []))
    .finally(() => {
      joined.leave();
      ending.resolve();
    });
  const compute = async (): Promise<void> => {
    const isLate = await Promise.race([ending.promise, late.then(() => true)]);
    if (isLate) processor.spend(processor.remainingMs);
    await Promise.race([processor.settle(), last]);
  };
  return { computed: compute(), ended };
};

type Prepared = UnwrittenRun & { items: NewItems };

/** Builds the items of executions, and writes inputs that their records have no room for. Leaves out those that fail. */
const prepare = async (deps: ExecutionDeps, runs: readonly UnwrittenRun[]): Promise<Prepared[]> => {
  const [only, ...others] = runs;
  if (only && others.length === 0) {
    const preparing = prepareItems(deps, writtenAtEnd(only.plan));
    return preparing.then((items) => [{ ...only, items }], leaveOut(only));
  }
  const built = await Promise.all(
    runs.map((run) => {
      const request = writtenAtEnd(run.plan);
      const building = buildItems(deps, { request, maxInline: maxInlineTogether });
      return building.then((items): Prepared[] => [{ ...run, items }], leaveOut(run));
    }),
  );
  const prepared = built.flat();
  const parts = prepared.flatMap(({ items: { part } }) => part?.item ?? []);
  const inserted = await insertTogether(deps.db, parts);
  const outcomes = new Map(parts.map((part, at) => [part, inserted[at]]));
  return prepared.filter((run) => {
    const outcome = run.items.part && outcomes.get(run.items.part.item);
    if (typeof outcome === "object") leaveOut(run)(outcome.error);
    return typeof outcome !== "object";
  });
};

const leaveOut =
  ({ plan }: UnwrittenRun) =>
  (error: unknown): Prepared[] => {
    log("execution-not-written", { executionId: plan.start.id, error: asError(error) });
    return [];
  };

const refuse = async (): Promise<never> => {
  throw new Error("an execution that only computes reaches no service");
};

const noServices: Omit<ExecutionDeps, keyof ComputingDeps> = {
  modelsFor: () => ({ resolve: refuse }),
  skillsFor: () => ({ resolve: refuse }),
  knowledgeFor: () => ({ search: refuse, read: refuse }),
  memoryFor: () => ({ recall: refuse }),
  toolsFor: () => ({ resolve: () => undefined, list: () => new Map() }),
};
