import * as z from "zod";
import type { AwsCall } from "../access/aws-call.ts";

/** Deletes messages of one queue by receipt handle; resolves when they are deleted. */
export type MessageDeleter = (receipts: readonly string[]) => Promise<void>;

const largestBatch = 10;
/** Concurrent calls; receipts that arrive meanwhile share the next batch. */
const largestConcurrency = 4;

const Result = z.object({
  Failed: z.array(z.object({ Message: z.string().optional() })).optional(),
});

type Waiting = { receipt: string; resolve: () => void; reject: (error: unknown) => void };

/** Creates a deleter that combines the receipts of several batches into one call. */
export const createMessageDeleter = (call: AwsCall, QueueUrl: string): MessageDeleter => {
  const waiting: Waiting[] = [];
  let inFlight = 0;

  const deleteSome = async (some: readonly Waiting[]): Promise<void> => {
    const Entries = some.map(({ receipt }, at) => ({ Id: String(at), ReceiptHandle: receipt }));
    try {
      const { Failed = [] } = Result.parse(await call("DeleteMessageBatch", { QueueUrl, Entries }));
      if (Failed.length > 0) throw new Error(`cannot delete messages: ${Failed[0]?.Message}`);
      for (const { resolve } of some) resolve();
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };
  const next = (): void => {
    while (waiting.length > 0 && inFlight < largestConcurrency) {
      inFlight += 1;
      void deleteSome(waiting.splice(0, largestBatch)).then(() => {
        inFlight -= 1;
        next();
      });
    }
  };

  return async (receipts) => {
    const deleted = receipts.map(
      (receipt) =>
        new Promise<void>((resolve, reject) => waiting.push({ receipt, resolve, reject })),
    );
    next();
    await Promise.all(deleted);
  };
};
