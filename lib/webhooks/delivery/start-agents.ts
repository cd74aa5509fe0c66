import { enqueueExecutions } from "../../agents/execution/enqueue-executions.ts";
import { createExecution, type StartDeps } from "../../agents/execution/start-execution.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryTarget } from "../webhook/items.ts";
import type { AgentOutcome, Dispatch } from "./evaluate-agent.ts";
import type { Evaluated } from "./evaluate-together.ts";

/**
 * Starts the agents of evaluated subscriptions: creates the executions at the same time and queues their runs
 * together. Returns the subscriptions whose execution could not be created.
 * @param isRepeated an earlier attempt may have ended between the two, so that existing executions are queued, too
 */
export const startAgents = async (
  deps: StartDeps,
  { tenantId }: Dispatch,
  evaluated: readonly Evaluated<AgentOutcome>[],
  isRepeated: boolean,
): Promise<string[]> => {
  const failed: string[] = [];
  const created = await Promise.all(
    evaluated.map(async ({ subscription, outcome }) => {
      if (outcome === "open" || !("request" in outcome)) return [];
      try {
        const { item, isNew } = await createExecution(deps, outcome.request);
        return isNew || isRepeated ? [item] : [];
      } catch (error) {
        log().warn("an execution could not be created", { error: asError(error) });
        failed.push(subscription.id);
        return [];
      }
    }),
  );
  await enqueueExecutions(deps.send, tenantId, created.flat());
  return failed;
};

/** Queues subscriptions to be notified each by itself, with retries of its own. */
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
  return outcome === "open" || "request" in outcome
    ? { subscriptionId, agentId: subscription.subscriberId }
    : { subscriptionId, ...outcome };
};
