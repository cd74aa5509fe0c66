import { enqueueExecutions } from "../../executions/start/queue-executions.ts";
import { createExecutions, type StartDeps } from "../../executions/start/start-execution.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryTarget } from "../webhook/items.ts";
import type { AgentOutcome, Dispatch } from "./evaluate-agent.ts";
import type { Evaluated } from "./evaluate-together.ts";

/**
 * Starts the agents of evaluated subscriptions: creates the executions concurrently and queues
 * their runs together. Returns the subscriptions without a created execution.
 * @param input `isRepeated`: an earlier attempt may have ended between the two, so that existing executions
 * are queued, too
 */
export const startAgents = async (
  deps: StartDeps,
  {
    message: { tenantId },
    evaluated,
    isRepeated,
  }: { message: Dispatch; evaluated: readonly Evaluated<AgentOutcome>[]; isRepeated: boolean },
): Promise<string[]> => {
  const requested = evaluated.flatMap(({ subscription, outcome }) =>
    outcome !== "open" && "request" in outcome ? [{ subscription, request: outcome.request }] : [],
  );
  const created = await createExecutions(
    deps,
    requested.map(({ request }) => request),
  );
  const failed = requested.flatMap(({ subscription }, at) => {
    const outcome = created[at];
    if (!outcome || !("error" in outcome)) return [];
    log("execution-not-created", { error: asError(outcome.error) });
    return [subscription.id];
  });
  const toQueue = created.flatMap((outcome) =>
    "error" in outcome || outcome.isDormant || !(outcome.isNew || isRepeated)
      ? []
      : [outcome.queued],
  );
  await enqueueExecutions(deps.send, tenantId, toQueue);
  return failed;
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
  if ("request" in outcome) return { subscriptionId, agentId: outcome.request.agentId };
  return { subscriptionId, ...outcome };
};
