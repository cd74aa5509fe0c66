import type { Readable, Writable } from "node:stream";

/** Streams, environment and working folder of a command. */
export type Io = {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Returns a signal that aborts on Ctrl-C, which then does not end the process. */
  interrupt: () => AbortSignal;
  /** Opens an address in the user's browser; best effort. */
  openBrowser: (url: string) => void;
};
