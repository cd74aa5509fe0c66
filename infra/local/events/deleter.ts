import * as z from "zod";
import type { AwsCall } from "../storage/aws-call.ts";

/** Deletes messages of one queue by their receipts; resolves when they are gone. */
export type Deleter = (receipts: readonly string[]) => Promise<void>;

const largestBatch = 10;
/** Calls under way at a time; what comes meanwhile is put together. */
const largestConcurrency = 4;

const Answer = z.object({
  Failed: z.array(z.object({ Message: z.string().optional() })).optional(),
});

type Waiting = { receipt: string; resolve: () => void; reject: (error: unknown) => void };

/** Puts together what is to be deleted, so that batches of one message cost no call each. */
export const createDeleter = (call: AwsCall, QueueUrl: string): Deleter => {
  const waiting: Waiting[] = [];
  let underWay = 0;

  const deleteSome = async (some: readonly Waiting[]): Promise<void> => {
    const Entries = some.map(({ receipt }, at) => ({ Id: String(at), ReceiptHandle: receipt }));
    try {
      const { Failed = [] } = Answer.parse(await call("DeleteMessageBatch", { QueueUrl, Entries }));
      if (Failed.length > 0) throw new Error(`messages cannot be deleted: ${Failed[0]?.Message}`);
      for (const { resolve } of some) resolve();
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };
  const next = (): void => {
    while (waiting.length > 0 && underWay < largestConcurrency) {
      underWay += 1;
      void deleteSome(waiting.splice(0, largestBatch)).then(() => {
        underWay -= 1;
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
