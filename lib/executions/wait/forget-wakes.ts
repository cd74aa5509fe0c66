import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { StoredProgress } from "../checkpoints/checkpoint-store.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import type { WakeExecutionMessage } from "../messages.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { isSoon } from "./send-wake.ts";

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
