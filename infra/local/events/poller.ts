import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { credentialsFor } from "../access/credentials.ts";
import type { Invoke } from "../functions/functions.ts";
import { awsCaller } from "../storage/aws-call.ts";
import { createUpstream } from "../storage/upstream.ts";
import type { EventSource } from "../template/functions.ts";
import { localAccount } from "../template/physical.ts";
import { withPatience } from "../with-patience.ts";
import { doneMessages } from "./batch-result.ts";
import { createDeleter } from "./deleter.ts";
import { ReceivedMessage, sqsEvent } from "./sqs-event.ts";

/** Feeds one queue to one function. */
export type Poller = {
  /** Receives no more and waits for the batches under way, for `patience` milliseconds at most. */
  close: (patience: number) => Promise<void>;
};

type PollerOptions = {
  source: EventSource;
  /** Base URL of the local services. */
  endpoint: string;
  /** Of this start. */
  secret: string;
  invoke: Invoke;
  tell: (line: string) => void;
};

const Received = z.object({ Messages: z.array(ReceivedMessage).default([]) });

const waitSeconds = 20;
const largestReceive = 10;
const largestBatchBytes = 6_000_000;
/** Lambda begins with five pollers; without a bound of the template's own, so many batches run at once. */
const defaultConcurrency = 5;
const pauseAfterFault = 1_000;

/**
 * The event source mapping of one queue, with the function's own permissions: long polling, batches of the
 * mapping's size and window, and at most so many batches at once as it says. A batch's messages are
 * deleted when they are done; the others come back after the queue's visibility timeout.
 */
export const startPoller = ({ source, endpoint, secret, invoke, tell }: PollerOptions): Poller => {
  const upstream = createUpstream(endpoint);
  const receiving = createUpstream(endpoint);
  const queueName = source.queueArn.split(":").at(-1) ?? "";
  const QueueUrl = `${endpoint}/${localAccount}/${queueName}`;
  const credentials = credentialsFor(secret, source.functionName);
  const receive = awsCaller(receiving, "sqs", credentials);
  const deleteMessages = createDeleter(awsCaller(upstream, "sqs", credentials), QueueUrl);
  const concurrency = source.maximumConcurrency ?? defaultConcurrency;
  const batches = new Set<Promise<void>>();
  let closed = false;

  const receiveUpTo = async (count: number, seconds: number): Promise<ReceivedMessage[]> => {
    const answer = await receive("ReceiveMessage", {
      QueueUrl,
      MaxNumberOfMessages: Math.min(count, largestReceive),
      WaitTimeSeconds: seconds,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    });
    return Received.parse(answer).Messages;
  };

  /** One batch, or, where batches are small and do not wait, as many as there is room for. */
  const gather = async (room: number): Promise<ReceivedMessage[]> => {
    const isWaiting = source.windowSeconds > 0 || source.batchSize >= largestReceive;
    // What comes together may be of one group, whose messages must not be worked on at the same time.
    const atOnce = queueName.endsWith(".fifo") ? 1 : room;
    const wanted = isWaiting ? source.batchSize : source.batchSize * atOnce;
    const messages = await receiveUpTo(wanted, waitSeconds);
    if (!isWaiting || messages.length === 0) return messages;
    const end = Date.now() + source.windowSeconds * 1_000;
    let bytes = sizeOf(messages);
    while (!closed && messages.length < source.batchSize && bytes < largestBatchBytes) {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
      const more = await receiveUpTo(source.batchSize - messages.length, left);
      if (more.length === 0) break;
      messages.push(...more);
      bytes += sizeOf(more);
    }
    return messages;
  };

  const run = async (messages: readonly ReceivedMessage[]): Promise<void> => {
    const event = JSON.stringify(sqsEvent(messages, source.queueArn));
    const outcome = await invoke(source.functionName, { event, requestId: randomUUID() });
    const done = doneMessages(messages, outcome, source.reportsItemFailures);
    await deleteMessages(done.map(({ ReceiptHandle }) => ReceiptHandle));
  };

  const loop = async (): Promise<void> => {
    while (!closed) {
      try {
        if (batches.size >= concurrency) await Promise.race(batches);
        const messages = await gather(concurrency - batches.size);
        for (let start = 0; start < messages.length; start += source.batchSize) {
          const batch = run(messages.slice(start, start + source.batchSize))
            .catch((error: unknown) => tell(`queue ${queueName}: ${String(error)}`))
            .finally(() => batches.delete(batch));
          batches.add(batch);
        }
      } catch (error) {
        if (closed) return;
        tell(`queue ${queueName} cannot be polled for ${source.functionName}: ${String(error)}`);
        await pause(pauseAfterFault);
      }
    }
  };

  const looping = loop();
  return {
    close: async (patience) => {
      closed = true;
      receiving.close();
      await withPatience(
        looping.then(() => Promise.all(batches)),
        patience,
      );
      upstream.close();
    },
  };
};

const sizeOf = (messages: readonly ReceivedMessage[]): number =>
  messages.reduce((sum, { Body }) => sum + Body.length, 0);
