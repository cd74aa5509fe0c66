import type { Consumer } from "../../lib/edge/consumer.ts";
import {
  AnswerChatMessage,
  DispatchDeliveryMessage,
  NotifySubscriberMessage,
  PurgeMessage,
  RegistrationMessage,
  RunExecutionMessage,
  ScheduleMessage,
  TellCollaboratorMessage,
  TellDestinationMessage,
  TellEventMessage,
} from "../../lib/platform/queue/messages.ts";

/*
 * tenantConcurrency: few enough that several tenants whose work does not end leave room for others, and enough that
 * one tenant alone is not slow. TENANT_CONCURRENCY and QUEUE_CONCURRENCY set the bounds for all queues.
 */

/** A queue has one consumer, so this one takes whatever was deleted. */
export const purgeDeleted = {
  operation: "purge-deleted",
  queue: "housekeeping",
  message: PurgeMessage,
  access: { table: "write", bucket: "write", publishes: ["housekeeping", "registrations"] },
  timeoutSeconds: 120,
  batchSize: 1,
  tenantConcurrency: 10,
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
    publishes: ["events", "executions"],
    models: true,
  },
  timeoutSeconds: 900,
  batchSize: 1,
  // Slow executions wait for models most of the time: with fewer, some of them would stop everybody's. With
  // those of chats, half of the 1,000 functions that an account begins with stay for the API.
  maxConcurrency: 350,
  tenantConcurrency: 50,
} as const satisfies Consumer;

export const dispatchDelivery = {
  operation: "dispatch-delivery",
  queue: "deliveries",
  message: DispatchDeliveryMessage,
  access: { table: "write", publishes: ["subscribers", "deliveries"] },
  timeoutSeconds: 60,
  batchSize: 10,
  tenantConcurrency: 10,
} as const satisfies Consumer;

/** One message to a function: no tenant's expressions run in a batch with another's. */
export const notifySubscriber = {
  operation: "notify-subscriber",
  queue: "subscribers",
  message: NotifySubscriberMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["chats", "events", "executions", "subscribers"],
  },
  timeoutSeconds: 60,
  batchSize: 1,
  tenantConcurrency: 20,
} as const satisfies Consumer;

/** A queue has one consumer, so this one also removes what it registered. */
export const registerWebhook = {
  operation: "register-webhook",
  queue: "registrations",
  message: RegistrationMessage,
  access: { table: "write", secrets: "seal" },
  timeoutSeconds: 120,
  batchSize: 1,
  tenantConcurrency: 10,
} as const satisfies Consumer;

/** One message to a function: the queue hands out no other of its conversation until it is done. */
export const answerChat = {
  operation: "answer-chat",
  queue: "chats",
  message: AnswerChatMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["executions", "events"],
    models: true,
  },
  timeoutSeconds: 900,
  batchSize: 1,
  holdSeconds: 60,
  maxConcurrency: 150,
  tenantConcurrency: 30,
} as const satisfies Consumer;

export const tellEvent = {
  operation: "tell-event",
  queue: "events",
  message: TellEventMessage,
  access: { table: "write", publishes: ["calls", "mails"] },
  timeoutSeconds: 60,
  batchSize: 10,
  tenantConcurrency: 10,
} as const satisfies Consumer;

/** Apart from mails, so that endpoints which do not answer hold up none. */
export const tellDestination = {
  operation: "tell-destination",
  queue: "calls",
  message: TellDestinationMessage,
  access: { table: "write", secrets: "open" },
  timeoutSeconds: 60,
  batchSize: 10,
  tenantConcurrency: 10,
} as const satisfies Consumer;

export const tellCollaborator = {
  operation: "tell-collaborator",
  queue: "mails",
  message: TellCollaboratorMessage,
  access: { table: "write", mails: true },
  timeoutSeconds: 60,
  batchSize: 10,
  // What an account of SES may send begins at one mail a second.
  maxConcurrency: 2,
  tenantConcurrency: 1,
} as const satisfies Consumer;

/** A queue has one consumer, so this one also makes the schedules whose firings it takes. */
export const startScheduled = {
  operation: "start-scheduled",
  queue: "schedules",
  message: ScheduleMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["executions", "events"],
    schedules: "write",
  },
  timeoutSeconds: 60,
  batchSize: 1,
  // A whole minute's schedules come at once: so many begin two thousand a second, and more would only wait for
  // each other.
  maxConcurrency: 10,
  tenantConcurrency: 4,
} as const satisfies Consumer;

/** Every queue consumer; infra and the local stack loop over these. */
export const consumers: readonly Consumer[] = [
  purgeDeleted,
  runExecution,
  dispatchDelivery,
  notifySubscriber,
  registerWebhook,
  startScheduled,
  answerChat,
  tellEvent,
  tellDestination,
  tellCollaborator,
];
