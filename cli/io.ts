import type { Readable, Writable } from "node:stream";

/** What a command touches of the process that runs it. */
export type Io = {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
};
