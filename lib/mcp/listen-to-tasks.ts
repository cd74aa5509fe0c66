import type { Result } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { TakeSlot } from "../edge/limit-concurrency.ts";
import { slotsTaken } from "../platform/http/problems.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { AgentTasks, WatchedTask } from "./agent-tasks.ts";
import type { Outcome, ReadTask } from "./offer.ts";
import { missingTasks, takesTasks, toDetailedTask } from "./task-methods.ts";

type Sdk = typeof import("@modelcontextprotocol/server");

/** Longest subscription. A function is not notified when its client leaves, and keeps the tenant's slot until then. */
const maxSubscriptionMs = 120_000;
/** Time reserved for the end of the stream. */
const marginMs = 5_000;
/** Tasks of a subscription, all of which are read again and again while it lasts. */
const maxTasks = 20;

/** A stream to a client that accepts one. `deadline` of its function: Unix milliseconds. */
export type ClientStream = {
  send: (message: object) => void;
  /** Waits until the client has read what was sent; false when the signal is aborted before. */
  drain: (signal: AbortSignal) => Promise<boolean>;
  hasLeft: () => boolean;
  deadline: number;
  /** Takes one of the tenant's slots for long streams; undefined where none is needed. */
  takeSlot: TakeSlot | undefined;
};

type Reply = { status: number; body: object };

type Listening = {
  tasks: AgentTasks;
  stream: ClientStream | undefined;
  toResult: (outcome: Outcome) => Result;
  clock: () => number;
};

/** A request of a subscription, which the library has validated but for the member of the extension. */
const ListenRequest = z.object({
  params: z.object({
    _meta: z.unknown(),
    notifications: z.object({ taskIds: z.array(z.string().max(200)).max(maxTasks).default([]) }),
  }),
});

const Acknowledgment = z.looseObject({
  params: z.looseObject({ notifications: z.looseObject({}) }),
});
/** The library's response to a subscription to nothing that it knows. */
const Accepted = z.tuple([Acknowledgment, z.looseObject({ id: z.unknown() })]);

/**
 * Subscribes a client to tasks: acknowledges those that exist for it, and sends them as they are and after every change.
 * Returns the response that ends the subscription, when all have ended, the client is known to have left or two minutes are over; an
 * error for a request that asks for no tasks of this server. Throws 429 when all slots for streams are taken.
 * @param request `accepted`: messages of the library, the first and the last one of the subscription
 */
export const listenToTasks = async (
  sdk: Sdk,
  { body, accepted }: { body: unknown; accepted: readonly unknown[] },
  { tasks, stream, toResult, clock }: Listening,
): Promise<Reply> => {
  const [acknowledgment, end] = Accepted.parse(accepted);
  const refuse = (status: number, error: { code: number; message: string; data?: unknown }) => {
    const { code, message, data } = error;
    return { status, body: { jsonrpc: "2.0", id: end.id, error: { code, message, data } } };
  };
  const { data: request } = ListenRequest.safeParse(body);
  if (!request) {
    const message = `taskIds must be a list of at most ${maxTasks} ids of tasks.`;
    return refuse(200, { code: sdk.INVALID_PARAMS, message });
  }
  const { _meta: metadata, notifications } = request.params;
  const ids = [...new Set(notifications.taskIds)];
  if (ids.length > 0 && !takesTasks(metadata)) return refuse(400, missingTasks(sdk));
  if (!stream) return refuse(406, { code: notAcceptable, message: mustAccept });

  let isFailed = false;
  let isBehind = false;
  const hasLeft = () => isFailed || isBehind || stream.hasLeft();
  const until = Math.min(clock() + maxSubscriptionMs, stream.deadline - marginMs);
  const found = await Promise.all(ids.map((id) => tasks.watch(id, { until, hasLeft })));
  const watched = found.filter((task) => task !== undefined);
  const release = await occupy(stream, watched);
  try {
    stream.send(acknowledge(acknowledgment, { taskIds: ids.filter((_, at) => found[at]) }));
    const _meta = { [sdk.SUBSCRIPTION_ID_META_KEY]: end.id };
    const isOver = AbortSignal.timeout(Math.max(0, until - clock()));
    const notify = async (task: ReadTask): Promise<void> => {
      const params = { ...toDetailedTask(task, toResult), _meta };
      if (hasLeft()) return;
      stream.send({ jsonrpc: "2.0", method: "notifications/tasks", params });
      // The memory holds at most one state of each task that a slow client has not read.
      if (!(await stream.drain(isOver))) isBehind = true;
    };
    const follow = async (followed: readonly WatchedTask[]): Promise<void> => {
      try {
        for (const { states } of followed) for await (const task of states) await notify(task);
      } catch (error) {
        isFailed = true;
        log("mcp-call-failed", { error: asError(error) });
      }
    };
    const { over = [], open = [] } = Object.groupBy(watched, ({ isOver }) =>
      isOver ? "over" : "open",
    );
    // Results may be large: those that are there already are read one after another.
    await Promise.all([follow(over), ...open.map((task) => follow([task]))]);
  } finally {
    await release();
  }
  if (!isFailed) return { status: 200, body: end };
  return refuse(200, { code: sdk.INTERNAL_ERROR, message: "Internal error" });
};

/** Code and message with which the library refuses a client that accepts no stream. */
const notAcceptable = -32_000;
const mustAccept = "Not Acceptable: Client must accept both application/json and text/event-stream";

/** Takes a slot for a stream that lasts, as it has a task that is not over. Throws 429 when all are taken. */
const occupy = async (
  { takeSlot }: ClientStream,
  watched: readonly WatchedTask[],
): Promise<() => Promise<void>> => {
  if (!takeSlot || watched.every(({ isOver }) => isOver)) return async () => {};
  const slot = await takeSlot();
  if (!slot) throw slotsTaken("Read the tasks instead");
  return slot.release;
};

/** Adds the tasks of a subscription to its acknowledgment. */
const acknowledge = (
  { params, ...message }: z.output<typeof Acknowledgment>,
  { taskIds }: { taskIds: readonly string[] },
): object => {
  const notifications = { ...params.notifications, ...(taskIds.length > 0 && { taskIds }) };
  return { ...message, params: { ...params, notifications } };
};
