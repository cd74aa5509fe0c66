import { createExecutions } from "../../executions/start/create-executions.ts";
import { withWorker } from "../../executions/start/plan-start.ts";
import { enqueueExecutions } from "../../executions/start/queue-executions.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryTarget } from "../webhook/items.ts";
import type { AgentOutcome, Dispatch } from "./evaluate-agent.ts";
import type { Evaluated } from "./evaluate-together.ts";

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

/**
 * Starts the agents of evaluated subscriptions of a tenant's deliveries: creates the executions concurrently and queues
 * their runs together. Returns for each delivery the subscriptions without a created execution.
 */
export const startAgents = async (
  deps: StartDeps,
  { tenantId, starts }: { tenantId: TenantId; starts: readonly AgentStarts[] },
): Promise<string[][]> => {
  const requested = starts.flatMap((start) =>
    start.evaluated.flatMap(({ subscription, outcome }) =>
      outcome !== "open" && "plan" in outcome ? [{ start, subscription, plan: outcome.plan }] : [],
    ),
  );
  const created = await createExecutions(
    deps,
    requested.map(({ plan }) => withWorker(plan)),
  );
  const started = requested.map((one, at) => ({ ...one, outcome: created[at] }));
  const toQueue = started.flatMap(({ start: { isRepeated, requestId }, outcome }) =>
    !outcome || "error" in outcome || outcome.isDormant || !(outcome.isNew || isRepeated)
      ? []
      : [{ ...outcome.queued, ...(requestId !== undefined && { requestId }) }],
  );
  await enqueueExecutions(deps.send, tenantId, toQueue);
  return starts.map((start) =>
    started.flatMap(({ start: of, subscription, outcome }) => {
      if (of !== start || !outcome || !("error" in outcome)) return [];
      log("execution-not-created", { error: asError(outcome.error) });
      return [subscription.id];
    }),
  );
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
