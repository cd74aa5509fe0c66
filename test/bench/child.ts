import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type * as z from "zod";

/** A process of ours that answers each message with one. */
export type Child = {
  /** The next message. */
  hear: <Schema extends z.ZodType>(schema: Schema) => Promise<z.output<Schema>>;
  ask: <Schema extends z.ZodType>(message: object, schema: Schema) => Promise<z.output<Schema>>;
  close: () => Promise<void>;
};

/** Starts a module in a process of its own, with this environment and nothing else of ours. */
export const startChild = (file: URL, environment: Record<string, string> = {}): Child => {
  const child = fork(file, { env: environment });
  const hear: Child["hear"] = async (schema) => schema.parse(await nextMessage(child));
  return {
    hear,
    ask: async (message, schema) => {
      child.send(message);
      return hear(schema);
    },
    close: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
};

const nextMessage = async (child: ChildProcess): Promise<unknown> => {
  const ended = new AbortController();
  try {
    const exit = once(child, "exit", ended).then(() => {
      throw new Error("a process of the benchmark ended by itself");
    });
    const [message] = await Promise.race([once(child, "message", ended), exit]);
    return message;
  } finally {
    ended.abort();
  }
};
