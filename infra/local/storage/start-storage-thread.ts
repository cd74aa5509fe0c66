import { Worker } from "node:worker_threads";
import * as z from "zod";
import type {
  StorageThreadData,
  StorageThreadMessage,
  StorageThreadOrder,
} from "./thread-messages.ts";

/** The thread that DynamoDB, SQS, S3 and KMS calls go through. */
export type StorageThread = {
  /** Gives it its data; resolves with the base URL of all four services. */
  configure: (data: StorageThreadData) => Promise<string>;
  /** Resolves, with the reason, when the thread ends by itself; never when it is closed. */
  died: Promise<string>;
  close: () => Promise<void>;
};

const Message = z.custom<StorageThreadMessage>((value) => typeof value === "object");

/** Starts the thread, which loads its modules until it is configured. `tell` gets the lines for the user. */
export const startStorageThread = (tell: (line: string) => void): StorageThread => {
  const worker = new Worker(new URL("storage-thread.ts", import.meta.url));
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  const order = (message: StorageThreadOrder): void => worker.postMessage(message);
  const listening = Promise.withResolvers<string>();
  const died = Promise.withResolvers<string>();
  worker.on("error", (error) => {
    died.resolve(`The thread for DynamoDB, SQS, S3 and KMS failed: ${String(error)}.`);
    listening.reject(error);
  });
  worker.on("message", (value) => {
    const message = Message.parse(value);
    if (message.type === "tell") tell(message.line);
    else listening.resolve(`http://127.0.0.1:${message.port}`);
  });
  return {
    configure: (data) => {
      order({ type: "configure", data });
      return listening.promise;
    },
    died: died.promise,
    close: async () => {
      order({ type: "close" });
      await exited;
    },
  };
};
