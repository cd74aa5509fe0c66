import type { AgentItem } from "../../agents/agent/store.ts";
import { loadDeployedForAgent, missingDetails } from "../../agents/revision/load-deployed.ts";
import { triggerTypes } from "../../executions/schemas.ts";
import { type StartPlan, toTriggeredSession } from "../../executions/start/plan-start.ts";
import type { StartDeps } from "../../executions/start/start-execution.ts";
import { planTriggered } from "../../executions/start/start-triggered.ts";
import { hasFiles } from "../../files/store-input-files.ts";
import { unpackValue } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { DeliveryItem, DeliveryTarget, SubscriptionItem } from "../webhook/items.ts";
import { readKeptBody } from "./kept-body.ts";
import {
  type DeliveredEvent,
  evaluateInput,
  evaluateSession,
  type Mapping,
  matches,
  NotMapped,
  readEventTrace,
} from "./map-event.ts";
import { startedId } from "./started-id.ts";

/** A delivery, by its id, or a replay of it. */
export type Dispatch = {
  tenantId: TenantId;
  webhookId: string;
  id: string;
  replayId?: string | undefined;
};

/** A subscription of an agent, with the agent as it was read; undefined: it does not exist. */
export type AgentSubscriber = { subscription: SubscriptionItem; agent: AgentItem | undefined };

/** The result of a subscription, or the execution of its agent that may start; "open": it has to be notified separately. */
export type AgentOutcome = Pick<DeliveryTarget, "status" | "error"> | { plan: StartPlan } | "open";

/**
 * Evaluates the filter and the mapping of an agent's subscription, and checks whether the agent may start. Throws
 * storage failures.
 * @param input `isAlone`: whether files may be fetched and stored, which takes longer than subscriptions that are evaluated
 * together have. Others with files are "open"
 */
export const evaluateAgent = async (
  deps: StartDeps,
  {
    message: { tenantId, webhookId, id, replayId },
    subscription,
    agent,
    event,
    mapping,
    isAlone = false,
  }: { message: Dispatch } & AgentSubscriber & {
      event: DeliveredEvent;
      mapping: Mapping;
      isAlone?: boolean;
    },
): Promise<AgentOutcome> => {
  try {
    if (!(await matches(subscription, event, mapping))) return { status: "Skipped" };
    const loaded = await loadDeployedForAgent(deps, tenantId, agent);
    if ("missing" in loaded) return { status: "Failed", error: missingDetails[loaded.missing] };
    const { parametersMetadata } = loaded.revision.content;
    const input = await evaluateInput(subscription, event, parametersMetadata, mapping);
    if (!isAlone && hasFiles(parametersMetadata, input)) return "open";
    const request = {
      tenantId,
      executionId: startedId({ id, subscriptionId: subscription.id, replayId }),
      trigger: { type: triggerTypes.webhook, id: webhookId, provider: event.provider },
      traceContext: readEventTrace(event),
      input,
      session: toTriggeredSession(await evaluateSession(subscription, event, mapping)),
    };
    const { processor } = mapping;
    const plan = await planTriggered(deps, { deployed: loaded, request, processor });
    return "refusal" in plan ? { status: "Failed", error: plan.refusal.detail } : { plan };
  } catch (error) {
    if (error instanceof NotMapped) return { status: "Failed", error: error.message };
    throw error;
  }
};

/** Returns the event that expressions see. */
export const loadEvent = async (
  { objects }: Pick<StartDeps, "objects">,
  { provider, eventType, deliveryId, headers, payload, keptAs }: DeliveryItem,
): Promise<DeliveredEvent> => ({
  provider,
  eventType,
  deliveryId,
  headers,
  payload: readKeptBody(await unpackValue(payload, objects), keptAs, headers["content-type"])
    .payload,
});
