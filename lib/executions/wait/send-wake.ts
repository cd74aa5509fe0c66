import { sendResume } from "../../integrations/connection/send-resume.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { StoredProgress } from "../checkpoints/checkpoint-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import type { LookBackMessage, WakeExecutionMessage } from "../messages.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import type { WaitingExecution } from "./build-wait-request.ts";
import type { ReachedWait } from "./open-waits.ts";

/** The longest delay of a message. */
const maxDelaySeconds = 900;

/** Returns whether a message can be delayed until a time; later ones need a schedule. Unix milliseconds. */
export const isSoon = (at: number, now: number): boolean => at - now <= maxDelaySeconds * 1_000;

/** Sends a wake-up, delayed until its time where that is soon; otherwise its receiver makes a schedule of it. */
export const sendWake = (send: Send, message: WakeExecutionMessage, now: number): Promise<void> => {
  const seconds = Math.max(0, Math.ceil((message.at - now) / 1_000));
  return send(
    "schedules",
    message.tenantId,
    message,
    isSoon(message.at, now) ? seconds : undefined,
  );
};

/** A wake-up comes after the transaction that it is for. */
const leastDelayMs = 1_000;

/** Sends the wake-up of a wait, for the end of its time. */
export const wakeAtEnd = (
  { runtime, send }: Pick<ExecutionDeps, "runtime" | "send">,
  { execution: { job, root }, wait: reached }: { execution: WaitingExecution; wait: ReachedWait },
): Promise<void> => {
  const { tenantId, item } = job;
  const { agentId, executionId } = root;
  const { path, kind, approvalId, webhookId, until } = reached;
  const now = runtime.clock();
  const at = Math.max(until, now + leastDelayMs);
  const ids = { ...(approvalId && { approvalId }), ...(webhookId && { webhookId }) };
  const wait = { waitingId: item.id, path, kind, ...ids, at };
  const message = { type: "wake-execution" as const, tenantId, agentId, executionId, ...wait };
  return sendWake(send, message satisfies WakeExecutionMessage, now);
};

/** The message comes after the transaction that registers the wait. */
const delaySeconds = 1;

/** Sends the request to look for events that came before a wait; nothing for a wait that is not for an event. */
export const sendLookBack = async (
  send: Send,
  {
    root,
    item,
    wait: { webhookId, path },
  }: {
    root: ExecutionKey;
    item: Parameters<typeof toExecutionKey>[0];
    wait: Pick<ReachedWait, "webhookId" | "path">;
  },
): Promise<void> => {
  if (webhookId === undefined) return;
  const { tenantId, executionId } = toExecutionKey(item);
  const message: LookBackMessage = {
    type: "look-back",
    tenantId,
    root: { agentId: root.agentId, executionId: root.executionId },
    webhookId,
    executionId,
    path,
    isSecond: false,
  };
  await send("subscribers", tenantId, message, delaySeconds);
};

/** Sends the request to look whether a consent came before the wait for it; nothing for another wait. */
export const sendConsentCheck = async (
  deps: Pick<ExecutionDeps, "runtime" | "send">,
  {
    tenantId,
    wait: { requested },
  }: { tenantId: ExecutionKey["tenantId"]; wait: Pick<ReachedWait, "requested"> },
): Promise<void> => {
  const connectionId = requested?.approval?.connectionId;
  if (connectionId === undefined) return;
  await sendResume(deps, { tenantId, connectionId, seconds: checkSeconds });
};

/** The message comes after the transaction that registers the wait. */
const checkSeconds = 5;

/** Lists the waits of unfinished steps that were answered since the run before. */
export const listAnswered = ({ waits, answers, completed }: StoredProgress): StoredWait[] => {
  const finished = [...completed.values()].filter(({ suspended }) => !suspended);
  const spanIds = new Set(finished.flatMap(({ spans }) => spans.map(({ id }) => id)));
  return [...waits.values()].filter(
    ({ path }) => answers.has(path) && !spanIds.has(toSpanId(path)),
  );
};

/** The path of a tool call's wait is the span of its step and its name in it. */
const toSpanId = (path: string): string => path.replace(/#[^#.]+\.[^#]+$/, "");

/**
 * Requests the deletion of the schedules of waits that have ended before their time. Best effort: a schedule that is left
 * fires once, and has no effect.
 */
export const forgetWakes = async (
  { runtime, send }: Pick<ExecutionDeps, "runtime" | "send">,
  {
    job: { tenantId, item },
    root,
    waits,
  }: { job: Pick<Job, "tenantId" | "item">; root: ExecutionKey; waits: readonly StoredWait[] },
): Promise<void> => {
  const now = runtime.clock();
  const scheduled = waits.filter(({ since, until }) => until > now && !isSoon(until, since));
  const sends = scheduled.map(({ path, kind, until: at }) => {
    const { agentId, executionId } = root;
    const message: WakeExecutionMessage = {
      type: "wake-execution",
      tenantId,
      agentId,
      executionId,
      waitingId: item.id,
      path,
      kind,
      at,
      isOver: true,
    };
    return send("schedules", tenantId, message);
  });
  const outcomes = await Promise.allSettled(sends);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) log("schedules-left", { ...toExecutionKey(item), error: asError(failed.reason) });
};
