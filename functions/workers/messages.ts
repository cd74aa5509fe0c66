import type { Consumer } from "../../lib/queue/consumer.ts";
import {
  DispatchDeliveryMessage,
  NotifySubscriberMessage,
  PurgeMessage,
  RegistrationMessage,
  RunExecutionMessage,
} from "../../lib/queue/messages.ts";

/** A queue has one consumer, so this one takes whatever was deleted. */
export const purgeDeleted = {
  operation: "purge-deleted",
  queue: "housekeeping",
  message: PurgeMessage,
  access: { table: "write", bucket: "write", publishes: ["housekeeping", "registrations"] },
  timeoutSeconds: 120,
  batchSize: 1,
} as const satisfies Consumer;

/** One execution to a function, so that no tenant's heavy flow slows another's. */
export const runExecution = {
  operation: "run-execution",
  queue: "executions",
  message: RunExecutionMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["executions"],
    models: true,
  },
  timeoutSeconds: 900,
  batchSize: 1,
} as const satisfies Consumer;

export const dispatchDelivery = {
  operation: "dispatch-delivery",
  queue: "deliveries",
  message: DispatchDeliveryMessage,
  access: { table: "write", publishes: ["subscribers", "deliveries"] },
  timeoutSeconds: 60,
  batchSize: 10,
} as const satisfies Consumer;

export const notifySubscriber = {
  operation: "notify-subscriber",
  queue: "subscribers",
  message: NotifySubscriberMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["executions", "subscribers"],
  },
  timeoutSeconds: 60,
  batchSize: 10,
} as const satisfies Consumer;

/** A queue has one consumer, so this one also removes what it registered. */
export const registerWebhook = {
  operation: "register-webhook",
  queue: "registrations",
  message: RegistrationMessage,
  access: { table: "write", secrets: "seal" },
  timeoutSeconds: 120,
  batchSize: 1,
} as const satisfies Consumer;

/** Every queue consumer; infra and the local stack loop over these. */
export const consumers: readonly Consumer[] = [
  purgeDeleted,
  runExecution,
  dispatchDelivery,
  notifySubscriber,
  registerWebhook,
];
