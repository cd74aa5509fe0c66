import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { Outcome } from "../functions/function-thread-handle.ts";
import { awsCaller } from "../storage/aws-call.ts";
import { createUpstream } from "../storage/upstream.ts";
import type { EventSource } from "../template/functions.ts";
import { localAccount } from "../template/physical.ts";
import { doneMessages } from "./batch-result.ts";
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
  invoke: (functionName: string, event: string, requestId: string) => Promise<Outcome>;
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
export const startPoller = ({ source, endpoint, invoke, tell }: PollerOptions): Poller => {
  const { hostname, port } = new URL(endpoint);
  const upstream = createUpstream(hostname, Number(port));
  const receiving = createUpstream(hostname, Number(port));
  const queueName = source.queueArn.split(":").at(-1) ?? "";
  const QueueUrl = `${endpoint}/${localAccount}/${queueName}`;
  const receive = awsCaller(receiving, "sqs", source.functionName);
  const call = awsCaller(upstream, "sqs", source.functionName);
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

  const gather = async (): Promise<ReceivedMessage[]> => {
    const messages = await receiveUpTo(source.batchSize, waitSeconds);
    if (messages.length === 0) return messages;
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
    const outcome = await invoke(source.functionName, event, randomUUID());
    const done = doneMessages(messages, outcome, source.reportsItemFailures);
    for (let start = 0; start < done.length; start += largestReceive) {
      const entries = done.slice(start, start + largestReceive);
      await call("DeleteMessageBatch", {
        QueueUrl,
        Entries: entries.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
      });
    }
  };

  const loop = async (): Promise<void> => {
    while (!closed) {
      try {
        if (batches.size >= concurrency) await Promise.race(batches);
        const messages = await gather();
        if (messages.length === 0) continue;
        const batch = run(messages)
          .catch((error: unknown) => tell(`queue ${queueName}: ${String(error)}`))
          .finally(() => batches.delete(batch));
        batches.add(batch);
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
      const late = new AbortController();
      await Promise.race([
        looping.then(() => Promise.all(batches)),
        pause(patience, undefined, { signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
      upstream.close();
    },
  };
};

const sizeOf = (messages: readonly ReceivedMessage[]): number =>
  messages.reduce((sum, { Body }) => sum + Body.length, 0);
