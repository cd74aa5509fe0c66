import type { BatchCall } from "../../lib/edge/consumer.ts";
import type { Runtime } from "../../lib/platform/runtime/runtime.ts";
import { computeTtl } from "../../lib/tenancy/tenant/retention.ts";
import { newDeliveryId } from "../../lib/webhooks/delivery/delivery-id.ts";
import { dispatchDeliveries } from "../../lib/webhooks/delivery/dispatch-deliveries.ts";
import type { DispatchDeps } from "../../lib/webhooks/delivery/received-delivery.ts";
import type { DispatchDeliveryMessage } from "../../lib/webhooks/messages.ts";
import type { DeliveryItem } from "../../lib/webhooks/webhook/items.ts";
import { packJson } from "./pack-json.ts";

/** Creates a delivery of `{}` that is received now, with the provider's id "theirs" unless given. */
export const testDelivery = (
  runtime: Runtime,
  webhookId: string,
  more: Partial<DeliveryItem> = {},
): DeliveryItem => {
  const { deliveryId = "theirs" } = more;
  const receivedAt = runtime.clock();
  return {
    id: newDeliveryId(runtime, webhookId, deliveryId),
    webhookId,
    provider: "github",
    eventType: "push",
    receivedAt,
    size: 2,
    status: "Dispatched",
    headers: { "x-github-event": "push" },
    payload: packJson({}),
    keptAs: "payload",
    signatureHeaders: {},
    ttl: computeTtl(receivedAt, 30),
    attempts: 1,
    targets: [],
    parts: 0,
    hasMoreResults: false,
    ...more,
    deliveryId,
  };
};

/** A message of a batch, and the number of its attempt. */
export type Attempted = { message: DispatchDeliveryMessage; attempt: number; requestId?: string };

/** Returns messages as they are delivered for the first time. */
export const first = (messages: readonly DispatchDeliveryMessage[]): Attempted[] =>
  messages.map((message) => ({ message, attempt: 1 }));

/** Returns messages as they are delivered again. */
export const again = (messages: readonly Attempted[]): Attempted[] =>
  messages.map(({ message, attempt }) => ({ message, attempt: attempt + 1 }));

/** Dispatches messages of one tenant in one call, as a function does. Returns the outcomes in their order. */
export const dispatchBatch = (
  deps: DispatchDeps,
  messages: readonly Attempted[],
  call: Partial<BatchCall> = {},
): Promise<PromiseSettledResult<void>[]> => {
  const deadline = deps.runtime.clock() + 20_000;
  return Promise.allSettled(
    dispatchDeliveries(deps, {
      jobs: messages.map(({ message, attempt, requestId }) => ({
        message,
        receipt: { attempt, deadline },
        requestId,
      })),
      call: { deadline, tenants: 1, inTurn: (work) => work(), ...call },
    }),
  );
};

/** Dispatches one message in a call of its own; rejects when it has to be retried. */
export const dispatchAlone = async (deps: DispatchDeps, one: Attempted): Promise<void> => {
  const [outcome] = await dispatchBatch(deps, [one]);
  if (outcome?.status === "rejected") throw outcome.reason;
};
