import { Worker } from "node:worker_threads";
import * as z from "zod";
import type {
  StorageThreadCommand,
  StorageThreadData,
  StorageThreadMessage,
} from "./thread-messages.ts";

/** The thread of the local AWS services. */
export type StorageThread = {
  /** Starts the services; resolves with their base URL. */
  configure: (data: StorageThreadData) => Promise<string>;
  /** Resolves with the reason when the thread fails; never after `close`. */
  died: Promise<string>;
  /** Frees the memory that starting took. */
  compact: () => void;
  close: () => Promise<void>;
};

/** Name of the thread. */
export const servicesThread = "services";

/** Young generation of the thread's heap; what a request needs is small. */
const youngMegabytes = 24;

const Message = z.custom<StorageThreadMessage>((value) => typeof value === "object");

/** Starts the thread, which loads its modules before it is configured. `print` gets lines for the console. */
export const startStorageThread = (print: (line: string) => void): StorageThread => {
  const worker = new Worker(new URL("storage-thread.ts", import.meta.url), {
    name: servicesThread,
    resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
  });
  const exited = new Promise((resolve) => worker.once("exit", resolve));
  const send = (message: StorageThreadCommand): void => worker.postMessage(message);
  const listening = Promise.withResolvers<string>();
  const died = Promise.withResolvers<string>();
  worker.on("error", (error) => {
    died.resolve(`The thread of the local AWS services failed: ${String(error)}.`);
    listening.reject(error);
  });
  worker.on("message", (value) => {
    const message = Message.parse(value);
    if (message.type === "print") print(message.line);
    else listening.resolve(`http://127.0.0.1:${message.port}`);
  });
  return {
    configure: (data) => {
      send({ type: "configure", data });
      return listening.promise;
    },
    died: died.promise,
    compact: () => send({ type: "compact" }),
    close: async () => {
      send({ type: "close" });
      await exited;
    },
  };
};
