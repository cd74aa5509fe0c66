import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type * as z from "zod";

/** A child process that replies to each message with one. */
export type Child = {
  /** Receives the next message. */
  receive: <Schema extends z.ZodType>(schema: Schema) => Promise<z.output<Schema>>;
  ask: <Schema extends z.ZodType>(message: object, schema: Schema) => Promise<z.output<Schema>>;
  close: () => Promise<void>;
};

/** Starts a module in a child process with only this environment. */
export const startChild = (file: URL, environment: Record<string, string> = {}): Child => {
  const child = fork(file, { env: environment });
  const receive: Child["receive"] = async (schema) => schema.parse(await nextMessage(child));
  return {
    receive,
    ask: async (message, schema) => {
      child.send(message);
      return receive(schema);
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
      throw new Error("a child process of the benchmark exited");
    });
    const [message] = await Promise.race([once(child, "message", ended), exit]);
    return message;
  } finally {
    ended.abort();
  }
};
