import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import * as z from "zod";
import { awsCaller } from "../access/aws-call.ts";
import { credentialsFor } from "../access/credentials.ts";
import type { Invoke } from "../functions/functions.ts";
import type { EventSource } from "../template/functions.ts";
import { localAccount } from "../template/physical.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { completedMessages } from "./batch-result.ts";
import { createMessageDeleter } from "./message-deleter.ts";
import { createReceiptSettler } from "./receipt-settler.ts";
import { ReceivedMessage, sqsEvent } from "./sqs-event.ts";

/** Invokes one function with the messages of one queue. */
export type Poller = {
  /** Stops receiving, then waits up to `gracePeriod` milliseconds for batches in progress. */
  close: (gracePeriod: number) => Promise<void>;
};

type PollerOptions = {
  source: EventSource;
  /** Base URL of the local services. */
  endpoint: string;
  /** Derives the function's session token. */
  secret: string;
  invoke: Invoke;
  /** Milliseconds in which messages gather after a batch that was not full. */
  gatherMs?: number | undefined;
  print: (line: string) => void;
};

const Received = z.object({ Messages: z.array(ReceivedMessage).default([]) });

const waitSeconds = 20;
const largestReceive = 10;
const largestBatchBytes = 6_000_000;
/** Concurrent batches without a maximum concurrency in the template: Lambda starts with five. */
const defaultConcurrency = 5;
const pauseAfterFault = 1_000;
/** Time after a batch that was not full, in which messages gather for the next one. */
const defaultGatherMs = 100;

/**
 * Starts an event source mapping with the function's own permissions: long polling, and the mapping's batch
 * size, batching window and maximum concurrency. Failed messages return after the visibility timeout.
 *
 * Unlike Lambda, which polls a queue from several connections, it batches messages that arrive soon after one another,
 * because all functions share the processors of one machine. A message that arrives alone does not wait.
 */
export const startPoller = ({
  source,
  endpoint,
  secret,
  invoke,
  gatherMs = defaultGatherMs,
  print,
}: PollerOptions): Poller => {
  const deleting = new Pool(endpoint);
  const receiving = new Pool(endpoint);
  const queueName = source.queueArn.split(":").at(-1) ?? "";
  const QueueUrl = `${endpoint}/${localAccount}/${queueName}`;
  const credentials = credentialsFor(secret, source.functionName);
  const receive = awsCaller(receiving, "sqs", credentials);
  const deleteMessages = createMessageDeleter(awsCaller(deleting, "sqs", credentials), QueueUrl);
  const settle = createReceiptSettler(deleting, credentials);
  const concurrency = source.maximumConcurrency ?? defaultConcurrency;
  const batches = new Set<Promise<void>>();
  const gathers = source.batchSize > 1 && source.windowSeconds === 0;
  const stopping = new AbortController();
  let closed = false;

  const receiveUpTo = async (count: number, seconds: number): Promise<ReceivedMessage[]> => {
    const response = await receive("ReceiveMessage", {
      QueueUrl,
      MaxNumberOfMessages: Math.min(count, largestReceive),
      WaitTimeSeconds: seconds,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    });
    return Received.parse(response).Messages;
  };

  /** Receives one batch, or several when batches are small and have no window. */
  const receiveBatch = async (room: number): Promise<ReceivedMessage[]> => {
    const waitsForBatch = source.windowSeconds > 0 || source.batchSize >= largestReceive;
    // Messages of one receive may share a message group, which must not be processed concurrently.
    const batchCount = queueName.endsWith(".fifo") ? 1 : room;
    const wanted = waitsForBatch ? source.batchSize : source.batchSize * batchCount;
    const messages = await receiveUpTo(wanted, waitSeconds);
    if (!waitsForBatch || messages.length === 0) return messages;
    const end = Date.now() + source.windowSeconds * 1_000;
    let bytes = countBodyBytes(messages);
    while (!closed && messages.length < source.batchSize && bytes < largestBatchBytes) {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
      const more = await receiveUpTo(source.batchSize - messages.length, left);
      if (more.length === 0) break;
      messages.push(...more);
      bytes += countBodyBytes(more);
    }
    return messages;
  };

  const run = async (messages: readonly ReceivedMessage[]): Promise<void> => {
    const event = JSON.stringify(sqsEvent(messages, source.queueArn));
    const outcome = await invoke(source.functionName, { event, requestId: randomUUID() });
    const completed = completedMessages(messages, outcome, source.reportsItemFailures);
    const toReceiptHandles = (some: readonly ReceivedMessage[]) =>
      some.map((message) => message.ReceiptHandle);
    const kept = messages.filter((message) => !completed.includes(message));
    await Promise.all([
      deleteMessages(toReceiptHandles(completed)),
      settle(toReceiptHandles(kept)),
    ]);
  };

  const loop = async (): Promise<void> => {
    while (!closed) {
      try {
        if (batches.size >= concurrency) await Promise.race(batches);
        const messages = await receiveBatch(concurrency - batches.size);
        for (let start = 0; start < messages.length; start += source.batchSize) {
          const batch = run(messages.slice(start, start + source.batchSize))
            .catch((error: unknown) => print(`queue ${queueName}: ${String(error)}`))
            .finally(() => batches.delete(batch));
          batches.add(batch);
        }
        if (gathers && messages.length > 0 && messages.length < source.batchSize) {
          await pause(gatherMs, undefined, { signal: stopping.signal });
        }
      } catch (error) {
        if (closed) return;
        print(`cannot poll queue ${queueName} for ${source.functionName}: ${String(error)}`);
        await pause(pauseAfterFault);
      }
    }
  };

  const looping = loop();
  return {
    close: async (gracePeriod) => {
      closed = true;
      stopping.abort();
      await receiving.destroy();
      await waitAtMost(
        looping.then(() => Promise.all(batches)),
        gracePeriod,
      );
      await deleting.destroy();
    },
  };
};

const countBodyBytes = (messages: readonly ReceivedMessage[]): number =>
  messages.reduce((sum, { Body }) => sum + Body.length, 0);
