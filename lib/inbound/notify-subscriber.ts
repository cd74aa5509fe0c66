import { createHash } from "node:crypto";
import { getAgent } from "../agent/store.ts";
import { assertBudgetLeft } from "../budget/assert-budget-left.ts";
import { unpackValue } from "../db/large-value.ts";
import { enqueueExecution } from "../execution/enqueue-execution.ts";
import type { ExecutionDeps } from "../execution/execution-deps.ts";
import { newExecution } from "../execution/new-execution.ts";
import { putOpen } from "../execution/open-store.ts";
import { triggerTypes } from "../execution/schemas.ts";
import { putNewExecution } from "../execution/store.ts";
import { resendAfterMs } from "../execution/times.ts";
import { checkInputs } from "../flow/check-inputs.ts";
import { Problem } from "../http/problems.ts";
import type { NotifySubscriberMessage } from "../queue/messages.ts";
import { timeOfUuid, uuidAt } from "../runtime/runtime.ts";
import type { DeliveryResultItem, SubscriptionItem } from "../webhook/items.ts";
import type { DeliveryResult } from "../webhook/schemas.ts";
import { getDelivery, getSubscription, getWebhook, putResult } from "../webhook/store.ts";
import { type DeliveredEvent, evaluateInput, matches, NotMapped } from "./map-event.ts";

/** What telling subscribers needs of what executions need. */
export type NotifyDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "loadRevision" | "runtime"
>;

/**
 * Tells one subscriber of a delivery: the agent's execution is begun, once however often the message comes.
 * What the subscription or the agent does not allow is recorded as the result, and not tried again; failures
 * of the storage are thrown.
 * @param attempt how often the message came, this time included
 */
export const notifySubscriber = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  attempt: number,
): Promise<void> => {
  const { db, objects } = deps;
  const { tenantId, webhookId, id, subscriptionId } = message;
  const [webhook, subscription, delivery] = await Promise.all([
    getWebhook(db, tenantId, webhookId),
    getSubscription(db, tenantId, webhookId, subscriptionId),
    getDelivery(db, tenantId, webhookId, id),
  ]);
  if (!webhook || !subscription || !delivery) return;
  const event: DeliveredEvent = {
    provider: delivery.provider,
    eventType: delivery.eventType,
    deliveryId: delivery.deliveryId,
    headers: delivery.headers,
    payload: await unpackValue(delivery.payload, objects),
  };
  const outcome = await beginFor(deps, message, { subscription, event }).catch(asFailure);
  await putResult(db, tenantId, webhookId, id, {
    subscriptionId,
    attempts: attempt,
    executionId: null,
    agentId: null,
    error: null,
    ...outcome,
  });
};

type Outcome = Pick<DeliveryResult, "status"> &
  Partial<Pick<DeliveryResultItem, "executionId" | "agentId" | "error">>;

const beginFor = async (
  deps: NotifyDeps,
  message: NotifySubscriberMessage,
  { subscription, event }: { subscription: SubscriptionItem; event: DeliveredEvent },
): Promise<Outcome> => {
  const { db, objects, loadRevision, runtime, send } = deps;
  const { tenantId, webhookId } = message;
  if (!(await matches(subscription, event, runtime.clock))) return { status: "Skipped" };
  const agent = await getAgent(db, tenantId, subscription.subscriberId);
  if (!agent) return { status: "Failed", error: "The agent does not exist any more." };
  const agentRevision = agent.deployedRevision;
  if (agentRevision === null) return { status: "Failed", error: "The agent is not deployed." };
  const revision = await loadRevision(tenantId, agent, agentRevision);
  if (!revision) throw new Error(`revision ${agent.id}/${agentRevision} is deployed but not there`);
  const { parametersMetadata } = revision.content;
  const input = await evaluateInput(subscription, event, parametersMetadata, runtime.clock);
  const checked = checkInputs(parametersMetadata, input);
  if (!checked.ok) {
    const detail = checked.errors.map((each) => `${each.pointer} ${each.detail}`).join("; ");
    return { status: "Failed", error: `The input does not fit: ${detail}`.slice(0, 1_000) };
  }
  await assertBudgetLeft({ db }, tenantId, agent, runtime.clock());
  const executionId = executionIdOf(message);
  const { item, input: inputItem } = await newExecution(
    { sealer: deps.sealer, objects, runtime },
    {
      id: executionId,
      tenantId,
      agentId: agent.id,
      agentRevision,
      parametersMetadata,
      trigger: { type: triggerTypes.webhook, id: webhookId, provider: event.provider },
      input,
      metadata: {},
      isSample: false,
      status: "Queued",
    },
  );
  const open = putOpen({
    tenantId,
    agentId: agent.id,
    executionId,
    owner: null,
    leaseUntil: runtime.clock() + resendAfterMs(1),
    claims: 0,
    sends: 1,
    cancelled: false,
  });
  const begun = await putNewExecution(db, tenantId, { item, input: inputItem, more: [open] });
  if (begun === "written") await enqueueExecution(send, tenantId, item);
  return { status: "Pending", executionId, agentId: agent.id };
};

/** The same for the same message: a message that comes twice begins one execution. */
const executionIdOf = ({ id, subscriptionId, replayId }: NotifySubscriberMessage): string => {
  const digest = createHash("sha256")
    .update(`${id}/${subscriptionId}/${replayId ?? ""}`)
    .digest();
  return uuidAt(timeOfUuid(replayId ?? id), digest);
};

const asFailure = (error: unknown): Outcome => {
  if (error instanceof NotMapped) return { status: "Failed", error: error.message };
  if (error instanceof Problem && error.slug === "budget-exceeded") {
    return { status: "Failed", error: error.message };
  }
  throw error;
};
