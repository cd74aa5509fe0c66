import type {
  ApprovalRequest,
  EventRequest,
  OpenWait,
  WaitEnd,
  Waits,
} from "../../engine/flow/waits.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import { endWaits } from "../../platform/runtime/wait.ts";
import type { StoredProgress } from "../checkpoints/checkpoint-store.ts";
import { getAnswer, type StoredWait, type WaitAnswer } from "../checkpoints/wait-store.ts";
import type { Sleep } from "../job/job.ts";
import { maxExecutionMs } from "../lease/execution-lease.ts";
import type { ExecutionKey } from "../record/keys.ts";
import type { Storage } from "../record/values.ts";

/** Maximum open waits of an execution. */
const maxOpen = 100;
/** Time after which an approval is requested while other work of its execution still runs. */
export const requestAfterMs = 300;

/** A wait that this run opened, with what it asks. */
export type NewWait = {
  stepId: string;
  approval?: ApprovalRequest;
  event?: EventRequest;
};

/** A wait that a step has reached and that has not ended. `requested`: undefined for one that is stored. */
export type ReachedWait = StoredWait & { requested: NewWait | undefined };

/** The waits of one run of an execution. */
export type RunWaits = Waits & {
  /** Waits that steps have reached and that have not ended. */
  list(): readonly ReachedWait[];
  /** Stored waits without an answer that no step of this run waits for. */
  listLeft(): readonly StoredWait[];
  /** Stored waits without an answer. */
  listStored(): readonly StoredWait[];
  /** Stops requesting approvals; resolves when those being requested are stored. */
  settle(): Promise<void>;
};

/** Requests approvals while the run continues; returns which waits were stored. Throws a StepError for none that may be. */
export type RequestEarly = (waits: readonly ReachedWait[]) => Promise<readonly StoredWait[]>;

/** Dependencies of the waits of a run. */
type RunWaitsDeps = { runtime: Runtime; sleep: Sleep; requestEarly: RequestEarly } & Storage;

/** Creates the waits of a run. `progress`: what earlier runs stored; undefined for the first run. */
export const createRunWaits = (
  { runtime, sleep, requestEarly, ...storage }: RunWaitsDeps,
  {
    key,
    progress,
  }: { key: ExecutionKey; progress: Pick<StoredProgress, "waits" | "answers"> | undefined },
): RunWaits => {
  const { clock } = runtime;
  const { ended, opened } = sortWaits(progress, clock());
  const room = createRoom(maxOpen, opened.keys());
  const reached = new Set<string>();
  const list = () => [...reached].flatMap((path) => opened.get(path) ?? []);
  const refusals = new Map<string, (error: unknown) => void>();
  const request = async (): Promise<void> => {
    const asked = list().filter(({ requested }) => requested?.approval);
    if (asked.length === 0) return;
    try {
      for (const wait of await requestEarly(asked)) {
        opened.set(wait.path, { ...wait, requested: undefined });
      }
    } catch (error) {
      for (const { path } of asked) refusals.get(path)?.(error);
    }
  };
  const early = planRequests(sleep, request);
  const reach = async (wait: ReachedWait, over: AbortSignal): Promise<WaitEnd> => {
    const { kind, path, since, until, requested } = wait;
    opened.set(path, wait);
    reached.add(path);
    if (requested?.approval) {
      early.plan();
      return new Promise((_resolve, reject) => refusals.set(path, reject));
    }
    const left = until - clock();
    // No run is that long, and answers are read by the next one.
    if (kind !== "Timer" || left > maxExecutionMs) return new Promise(() => {});
    await sleep(left, over);
    if (over.aborted) return new Promise(() => {});
    const end = { since, at: until };
    ended.set(path, end);
    opened.delete(path);
    return end;
  };
  const listStored = () => [...opened.values()].filter(({ requested }) => !requested);
  return {
    ended,
    opened,
    findEarly: async (path) => {
      const answer = await getAnswer(storage, key, path);
      return answer && { since: clock(), ...toEnd(answer) };
    },
    enter: room.enter,
    leave: (path) => {
      reached.delete(path);
      room.leave(path);
    },
    open: (wait, over) => reach(toReached(runtime, wait), over),
    reopen: async (path, over) => {
      const wait = opened.get(path);
      if (!wait) throw new Error(`the wait ${path} is not open`);
      return reach(wait, over);
    },
    list,
    listStored,
    listLeft: () => listStored().filter(({ path }) => !reached.has(path)),
    settle: early.settle,
  };
};

/** Sorts the stored waits of earlier runs: those that have ended, and those that are open. */
const sortWaits = (
  progress: Pick<StoredProgress, "waits" | "answers"> | undefined,
  now: number,
) => {
  const ended = new Map<string, WaitEnd>();
  const opened = new Map<string, ReachedWait>();
  for (const wait of progress?.waits.values() ?? []) {
    const { kind, path, since, until } = wait;
    if (kind === "Timer" && until <= now) ended.set(path, { since, at: until });
    else if (!progress?.answers.has(path)) opened.set(path, { ...wait, requested: undefined });
  }
  for (const answer of progress?.answers.values() ?? []) {
    const { since = answer.at, argumentsHash } = progress?.waits.get(answer.path) ?? {};
    ended.set(answer.path, {
      since,
      ...toEnd(answer),
      ...(argumentsHash !== undefined && { argumentsHash }),
    });
  }
  return { ended, opened };
};

/**
 * Plans requests for the approvals that steps have reached, together, once other work has run for a while since. A flow that
 * has nothing else to do begins to wait before.
 */
const planRequests = (sleep: Sleep, request: () => Promise<void>) => {
  const settled = new AbortController();
  let last = Promise.resolve();
  let isPlanned = false;
  const start = async (): Promise<void> => {
    await sleep(requestAfterMs, settled.signal);
    isPlanned = false;
    // One after another: each counts what those before have requested.
    if (!settled.signal.aborted) last = last.then(request);
  };
  return {
    plan: () => {
      if (isPlanned) return;
      isPlanned = true;
      void start();
    },
    settle: () => {
      endWaits(settled);
      return last;
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
    ...(kind === "Event" && { webhookId: wait.event.webhookId }),
    requested: {
      stepId,
      ...(isApproval && { approval: wait.approval }),
      ...(kind === "Event" && { event: wait.event }),
    },
  };
};

/** Creates a number of places for names; `held`: names that have one. A name that finds none is next when one is left. */
export const createRoom = (places: number, held: Iterable<string>) => {
  const inside = new Set(held);
  const queue = new Map<string, () => void>();
  return {
    /** Takes a place; returns undefined with one, otherwise a promise that resolves then. */
    enter: (name: string): Promise<void> | undefined => {
      if (inside.has(name)) return undefined;
      if (inside.size < places) {
        inside.add(name);
        return undefined;
      }
      return new Promise((resolve) => queue.set(name, resolve));
    },
    /** Gives the place of a name back, or stops waiting for one. */
    leave: (name: string): void => {
      queue.delete(name);
      if (!inside.delete(name)) return;
      const [next] = queue;
      if (!next) return;
      const [nextName, resume] = next;
      queue.delete(nextName);
      inside.add(nextName);
      resume();
    },
  };
};
