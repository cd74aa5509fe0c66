import { insertTogether } from "../../platform/db/insert-together.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { forRequest } from "../../platform/runtime/request-scope.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { joinEnds } from "../end/join-ends.ts";
import type { ExecutionDeps, JoinEnd } from "../job/job.ts";
import type { NewItems } from "../start/new-record.ts";
import { type StartPlan, writtenAtEnd } from "../start/plan-start.ts";
import { buildItems, prepareItems } from "../start/start-execution.ts";
import { mayRunAtOnce, runUnwritten } from "./run-execution.ts";

/** Dependencies of executions that only compute: they reach no service. */
export type ComputingDeps = Omit<
  ExecutionDeps,
  "modelsFor" | "skillsFor" | "knowledgeFor" | "memoryFor" | "toolsFor"
>;

/** A planned execution; `requestId`: of the request that its run continues, where it is not the current one. */
export type UnwrittenRun = { plan: StartPlan; requestId?: string | undefined };

/** Compressed bytes of input that a record may have: a separate item of the same call takes no other one. */
const maxInline = 500;

/**
 * Runs those of several executions of one tenant that only compute, concurrently, and writes them once, with their ends, in
 * one transaction. Returns the plans of those that have ended; the others are to be started.
 * @param input `limitMs`: time per execution. `inTurn`: runs work that evaluates text of the tenant when none of another tenant
 * is evaluated
 */
export const runTogether = async (
  deps: ComputingDeps,
  {
    tenantId,
    runs,
    limitMs,
    inTurn,
  }: {
    tenantId: TenantId;
    runs: readonly UnwrittenRun[];
    limitMs: number;
    inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  },
): Promise<ReadonlySet<StartPlan>> => {
  const computing = limitMs > 0 ? runs.filter(({ plan }) => mayRunTogether(plan)) : [];
  if (computing.length === 0) return new Set();
  const all = { ...deps, ...noServices };
  const prepared = await prepare(all, computing);
  const joined = joinEnds(deps, { runs: prepared.length });
  const running: Promise<StartPlan[]>[] = [];
  await inTurn(async () => {
    const over = new AbortController();
    const late = deps.sleep(limitMs, over.signal);
    await Promise.all(
      prepared.map(async ({ plan, requestId, items }) => {
        // The time is over before twice as much processor time is used up, so that none fails by it.
        const processor = new ProcessorBudget(tenantId, limitMs * 2);
        const computed = Promise.withResolvers<void>();
        const joinEnd: JoinEnd = (writes) => {
          computed.resolve();
          return joined.joinEnd(writes);
        };
        const ended = forRequest(requestId, () =>
          runUnwritten({ ...all, joinEnd }, { plan, items, limitMs, processor }),
        ).finally(() => {
          joined.leave();
          computed.resolve();
        });
        running.push(ended.then((outcome) => (outcome ? [plan] : [])));
        // The storage may take longer, but not the turn.
        await Promise.race([computed.promise, late]);
        await processor.settle();
      }),
    );
    endWaits(over);
  });
  return new Set((await Promise.all(running)).flat());
};

/** Guardrails have more processor time than executions that run together. */
const mayRunTogether = (plan: StartPlan): boolean => mayRunAtOnce(plan) && !plan.start.isGuarded;

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
      const building = buildItems(deps, { request: writtenAtEnd(run.plan), maxInline });
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
