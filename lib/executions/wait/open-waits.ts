import type {
  ApprovalRequest,
  EventRequest,
  OpenWait,
  WaitEnd,
  Waits,
} from "../../engine/flow/waits.ts";
import { StepError } from "../../engine/step-error.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { StoredProgress } from "../checkpoints/checkpoint-store.ts";
import { getAnswer, type StoredWait, type WaitAnswer } from "../checkpoints/wait-store.ts";
import type { Sleep } from "../job/job.ts";
import { maxExecutionMs } from "../lease/execution-lease.ts";
import type { ExecutionKey } from "../record/keys.ts";
import type { Storage } from "../record/values.ts";

/** Maximum open waits of an execution. */
const maxOpen = 100;

/** A wait that this run opened, with what it asks. */
export type NewWait = {
  stepId: string;
  approval?: ApprovalRequest;
  event?: EventRequest;
};

/** A wait that a step has reached and that has not ended. `requested`: undefined for one that an earlier run stored. */
export type ReachedWait = StoredWait & { requested: NewWait | undefined };

/** The waits of one run of an execution. */
export type RunWaits = Waits & {
  list(): readonly ReachedWait[];
  /** Returns whether an open wait for a callback was answered during the run. */
  hasAnswer(): Promise<boolean>;
};

/** Creates the waits of a run. `progress`: what earlier runs stored; undefined for the first run. */
export const createRunWaits = (
  { runtime, sleep, ...storage }: { runtime: Runtime; sleep: Sleep } & Storage,
  {
    key,
    progress,
  }: { key: ExecutionKey; progress: Pick<StoredProgress, "waits" | "answers"> | undefined },
): RunWaits => {
  const { clock } = runtime;
  const stored: ReadonlyMap<string, StoredWait> = progress?.waits ?? new Map();
  const now = clock();
  const ended = new Map<string, WaitEnd>();
  const opened = new Map<string, StoredWait>();
  for (const wait of stored.values()) {
    const { kind, path, since, until } = wait;
    if (kind === "Timer" && until <= now) ended.set(path, { since, at: until });
    else opened.set(path, wait);
  }
  for (const answer of progress?.answers.values() ?? []) {
    const { since = answer.at, argumentsHash } = stored.get(answer.path) ?? {};
    ended.set(answer.path, {
      since,
      ...toEnd(answer),
      ...(argumentsHash !== undefined && { argumentsHash }),
    });
  }
  const open = new Map<string, ReachedWait>();
  const reach = async (wait: ReachedWait, over: AbortSignal): Promise<WaitEnd> => {
    const { kind, path, since, until } = wait;
    if (!open.has(path) && open.size >= maxOpen) {
      const detail = `An execution may have at most ${maxOpen} open waits.`;
      throw new StepError("execution-failed", detail);
    }
    open.set(path, wait);
    const left = until - clock();
    // No run is that long, and answers are read by the next one.
    if (kind !== "Timer" || left > maxExecutionMs) return new Promise(() => {});
    await sleep(left, over);
    if (over.aborted) return new Promise(() => {});
    open.delete(path);
    return { since, at: until };
  };
  return {
    ended,
    opened,
    findEarly: async (path) => {
      const answer = await getAnswer(storage, key, path);
      return answer && { since: clock(), ...toEnd(answer) };
    },
    open: (wait, over) => reach(toReached(runtime, wait), over),
    reopen: async (path, over) => {
      const wait = stored.get(path);
      if (!wait) throw new Error(`the wait ${path} is not stored`);
      return reach({ ...wait, requested: undefined }, over);
    },
    list: () => [...open.values()],
    hasAnswer: async () => {
      const callbacks = open.values().filter(({ kind }) => kind === "Callback");
      const answers = callbacks.map(({ path }) => getAnswer(storage, key, path));
      return (await Promise.all(answers)).some((answer) => answer !== undefined);
    },
  };
};

const toEnd = ({ at, answer }: WaitAnswer) => ({ at, ...(answer !== undefined && { answer }) });

const toReached = (runtime: Runtime, wait: OpenWait): ReachedWait => {
  const { kind, path, stepId, until } = wait;
  const isApproval = kind === "Approval";
  const argumentsHash = isApproval ? wait.approval.argumentsHash : null;
  return {
    kind,
    path,
    since: runtime.clock(),
    until,
    ...(isApproval && { approvalId: newUuid(runtime) }),
    ...(argumentsHash !== null && { argumentsHash }),
    requested: {
      stepId,
      ...(isApproval && { approval: wait.approval }),
      ...(kind === "Event" && { event: wait.event }),
    },
  };
};
