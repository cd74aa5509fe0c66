import { transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { ifHeld } from "../lease/to-waiting.ts";
import { slackDays } from "./begin-wait.ts";
import { buildWaitRequest, type WaitingExecution, wakeAtEnd } from "./build-wait-request.ts";
import { limitWaits } from "./limit-waits.ts";
import type { ReachedWait } from "./open-waits.ts";

/** Waits of one transaction, with three writes per wait. */
const together = 30;

/**
 * Requests approvals while their execution still runs, if it does. Returns the waits that were stored; the run stores the
 * others when it waits. Throws a StepError where they may not be requested.
 * @param input `owner`: token of the run
 */
export const requestEarly = async (
  deps: Pick<ExecutionDeps, "db" | "runtime" | "send">,
  {
    execution,
    owner,
    waits,
  }: { execution: WaitingExecution; owner: string; waits: readonly ReachedWait[] },
): Promise<StoredWait[]> => {
  const { db, runtime, send } = deps;
  const { item } = execution.job;
  const limited = await limitWaits(deps, { item, waits, others: [] });
  const stored: StoredWait[] = [];
  for (let at = 0; at < limited.length; at += together) {
    const part = limited.slice(at, at + together);
    await Promise.all(part.map((wait) => wakeAtEnd(deps, { execution, wait })));
    const requests = await Promise.all(
      part.map((wait) => {
        const days = Math.ceil((wait.until - runtime.clock()) / 86_400_000) + slackDays;
        const ttl = Math.ceil(runtime.clock() / 1_000) + days * 86_400;
        return buildWaitRequest(deps, { execution, wait, ttl });
      }),
    );
    const writes = requests.flatMap(({ writes }) => writes);
    const { written } = await transact(db, [ifHeld(execution.root, owner), ...writes]);
    if (!written) return stored;
    stored.push(...part);
    await Promise.all(requests.map(({ event }) => event && enqueueEvent(send, event)));
  }
  return stored;
};
