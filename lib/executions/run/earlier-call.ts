import { isDeepStrictEqual } from "node:util";
import type { SubAgentCall } from "../../engine/flow/agent-runner.ts";
import { checkInputs } from "../../values/json/check-inputs.ts";
import {
  getSubExecution,
  type listNamedSubExecutions,
  type SubExecution,
} from "../checkpoints/checkpoint-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { type LoadedJob, loadJob } from "../job/load-job.ts";
import { jobSecrets } from "../job/masks.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import type { CallingRun } from "./sub-agents.ts";

/** Returns whether a path is below an attempt that is not the first one, such as `each#2/0`. */
const isRetried = (path: string): boolean => /#\d+\//.test(path);

/** Returns the place of a call, the same in each attempt at the steps above it: `each/0` for `each#2/0#3`. */
const toPlace = (path: string): string => path.replaceAll(/#\d+/g, "").replace(/~+$/, "");

/** The executions that a run and those before it started for calls below a step. */
export type StartedCalls = {
  /** Lists those of all attempts at the place of a path, and their paths. */
  listAt(path: string): Promise<ReadonlyMap<string, SubExecution>>;
  add(path: string, child: SubExecution): void;
};

/** Collects the executions that calls start. `listEarlier`: those of earlier runs, read once; undefined for the first run. */
export const collectStarted = (
  listEarlier: (() => ReturnType<typeof listNamedSubExecutions>) | undefined,
): StartedCalls => {
  const byPlace = new Map<string, Map<string, SubExecution>>();
  const add = (path: string, child: SubExecution): void => {
    const place = toPlace(path);
    const others = byPlace.get(place) ?? new Map<string, SubExecution>();
    byPlace.set(place, others.set(path, child));
  };
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    for (const [path, child] of (await listEarlier?.()) ?? []) add(path, child);
  };
  return {
    listAt: async (path) => {
      reading ??= read();
      await reading;
      return byPlace.get(toPlace(path)) ?? new Map();
    },
    add,
  };
};

/** Returns whether a call of another attempt continues an execution: it waits, or has waited and was not the cause. */
const isKept = ({ item: { status }, waitRoot }: StoredExecution): boolean =>
  status === "Waiting" || (status === "Succeeded" && waitRoot !== undefined);

/**
 * Finds the execution that an earlier run started at the call's path, or a free path when the call differs from it. A call of
 * another attempt continues the execution of an earlier attempt that waits, or returns the result of one that has waited, so
 * that approvals keep their decisions.
 */
export const findEarlierCall = async (
  deps: ExecutionDeps,
  {
    caller: { job: parent, context },
    request: { agentId, input, path: first },
    started,
    isResumed,
  }: { caller: CallingRun; request: SubAgentCall; started: StartedCalls; isResumed: boolean },
): Promise<{ path: string; earlier?: LoadedJob }> => {
  if (!isResumed && !isRetried(first)) return { path: first };
  const { tenantId, item, endsBy } = parent;
  const load = async (child: SubExecution): Promise<LoadedJob | undefined> => {
    if (child.agentId !== agentId) return undefined;
    const loaded = await loadJob(deps, { tenantId, ...child, leaseTerms: { owner: null, endsBy } });
    if (!loaded) return undefined;
    const { parametersMetadata } = loaded.job.revision.content;
    const checked = await checkInputs(parametersMetadata, input, context.processor);
    const isSame = checked.ok && isDeepStrictEqual(checked.values, loaded.job.values);
    return isSame
      ? { ...loaded, job: { ...loaded.job, inherited: jobSecrets(parent) } }
      : undefined;
  };
  const known = first.includes("/") ? await started.listAt(first) : new Map<string, SubExecution>();
  for (const [path, child] of known) {
    const earlier = path === first ? undefined : await load(child);
    if (earlier && isKept(earlier.execution)) return { path, earlier };
  }
  if (!isResumed) return { path: first };
  for (let path = first; ; path += "~") {
    const child = await getSubExecution(deps.db, tenantId, item.id, path);
    const earlier = child && (await load(child));
    if (!child || earlier) return { path, ...(earlier && { earlier }) };
  }
};
