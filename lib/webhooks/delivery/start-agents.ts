import type { BatchCall } from "../../edge/consumer.ts";
import { mayRunTogether, runTogether } from "../../executions/run/run-together.ts";
import { createExecutions } from "../../executions/start/create-executions.ts";
import { type StartPlan, withWorker } from "../../executions/start/plan-start.ts";
import { enqueueExecutions } from "../../executions/start/queue-executions.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryTarget, SubscriptionItem } from "../webhook/items.ts";
import type { AgentOutcome, Dispatch } from "./evaluate-agent.ts";
import { reservedMs } from "./evaluate-deliveries.ts";
import type { Evaluated } from "./evaluate-together.ts";
import type { DispatchDeps } from "./received-delivery.ts";

/**
 * Agents to start for one delivery. `isRepeated`: an earlier attempt may have ended between the creation and the queueing of
 * executions, so that existing ones are queued, too. `requestId`: of the request that each run continues, where it is not the
 * current one.
 */
export type AgentStarts = {
  evaluated: readonly Evaluated<AgentOutcome>[];
  isRepeated: boolean;
  requestId?: string | undefined;
};

/** A subscription with the execution of its agent that is to start. */
type Requested = { start: AgentStarts; subscription: SubscriptionItem; plan: StartPlan };

/** The call in which agents start: when it times out, Unix milliseconds, and the turns of its tenants. */
type StartingCall = Pick<BatchCall, "deadline" | "inTurn">;

/**
 * Starts the agents of evaluated subscriptions of a tenant's deliveries. Runs those that only compute, and creates the executions
 * of the others concurrently and queues their runs together. A repeated start runs none, since the attempt before may have had no
 * time for it. Returns for each delivery the subscriptions without an execution.
 */
export const startAgents = async (
  deps: DispatchDeps,
  {
    tenantId,
    starts,
    call,
  }: { tenantId: TenantId; starts: readonly AgentStarts[]; call: StartingCall },
): Promise<string[][]> => {
  const requested = starts.flatMap((start) =>
    start.evaluated.flatMap(({ subscription, outcome }): Requested[] =>
      outcome !== "open" && "plan" in outcome ? [{ start, subscription, plan: outcome.plan }] : [],
    ),
  );
  const runsHere = ({ start, plan }: Requested) => !start.isRepeated && mayRunTogether(plan);
  const { here = [], queued = [] } = Object.groupBy(requested, (one) =>
    runsHere(one) ? "here" : "queued",
  );
  const outcomes = await Promise.allSettled([
    runAgents(deps, { tenantId, requested: here, call }),
    queueAgents(deps, { tenantId, requested: queued }),
  ]);
  const failed = new Set<Requested>();
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") throw outcome.reason;
    for (const one of outcome.value) failed.add(one);
  }
  return starts.map((start) =>
    requested.flatMap((one) =>
      one.start === start && failed.has(one) ? [one.subscription.id] : [],
    ),
  );
};

/** Runs agents that only compute, and queues those that do not end in time. Returns those without an execution. */
const runAgents = async (
  deps: DispatchDeps,
  {
    tenantId,
    requested,
    call: { deadline, inTurn },
  }: { tenantId: TenantId; requested: readonly Requested[]; call: StartingCall },
): Promise<Requested[]> => {
  const runs = requested.map(({ plan, start: { requestId } }) => ({ plan, requestId }));
  const ended = await runTogether(deps, {
    tenantId,
    runs,
    latest: deadline - reservedMs,
    inTurn,
  });
  const left = requested.filter(({ plan }) => !ended.has(plan));
  return queueAgents(deps, { tenantId, requested: left });
};

/** Creates executions and queues their runs. Returns those that could not be created. */
const queueAgents = async (
  deps: StartDeps,
  { tenantId, requested }: { tenantId: TenantId; requested: readonly Requested[] },
): Promise<Requested[]> => {
  const created = await createExecutions(
    deps,
    requested.map(({ plan }) => withWorker(plan)),
  );
  const started = requested.map((one, at) => ({ one, outcome: created[at] }));
  const toQueue = started.flatMap(({ one, outcome }) => {
    const { isRepeated, requestId } = one.start;
    return !outcome || "error" in outcome || outcome.isDormant || !(outcome.isNew || isRepeated)
      ? []
      : [{ ...outcome.queued, ...(requestId !== undefined && { requestId }) }];
  });
  await enqueueExecutions(deps.send, tenantId, toQueue);
  return started.flatMap(({ one, outcome }) => {
    if (!outcome || !("error" in outcome)) return [];
    log("execution-not-created", { error: asError(outcome.error) });
    return [one];
  });
};

/** Queues subscriptions as single notifications with their own retries. */
export const notifySingly = async (
  sendMany: SendMany,
  { tenantId, webhookId, id, replayId }: Dispatch,
  subscriptionIds: readonly string[],
): Promise<void> => {
  const messages = subscriptionIds.map(
    (subscriptionId): NotifySubscriberMessage => ({
      type: "notify-subscriber",
      tenantId,
      webhookId,
      id,
      subscriptionId,
      ...(replayId !== undefined && { replayId }),
    }),
  );
  if (messages.length > 0) await sendMany("subscribers", tenantId, messages);
};

/** Returns the stored form of an evaluated subscription; one that starts its agent has no status. */
export const toTarget = ({ subscription, outcome }: Evaluated<AgentOutcome>): DeliveryTarget => {
  const subscriptionId = subscription.id;
  if (outcome === "open") return { subscriptionId, agentId: subscription.subscriberId };
  if ("plan" in outcome) return { subscriptionId, agentId: outcome.plan.start.agentId };
  return { subscriptionId, ...outcome };
};
