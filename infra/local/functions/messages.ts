import type { Part } from "./response-stream.ts";

/** What a function's thread is started with. */
export type FunctionThreadData = {
  /** Absolute path of the bundle. */
  file: string;
  /** Name of the handler's export. */
  handler: string;
  functionName: string;
  functionArn: string;
  memoryMegabytes: number;
  timeoutSeconds: number;
  logFile: string;
  /** Where compiled code is kept between starts. */
  compileCache: string;
};

/** One call. */
export type Invocation = { type: "invoke"; id: number; requestId: string; event: string };

/** What the thread is told. */
export type FunctionThreadOrder =
  | Invocation
  /** So much of a streamed answer was read, or will be by nobody. */
  | { type: "taken"; id: number; size: number }
  | { type: "end" };

/** What the thread says. `payload` and `error` are JSON. */
export type FunctionThreadMessage =
  | { type: "ready" }
  | { type: "unloadable"; error: string }
  /** A part of a streamed answer. */
  | ({ type: "part"; id: number } & Part)
  /** The reader of a streamed answer is too slow: it gets no more. */
  | { type: "cut"; id: number }
  /** The call is over; the payload of a streaming function is `null`. */
  | { type: "result"; id: number; payload: string }
  | { type: "error"; id: number; error: string }
  | { type: "alarm"; line: string };
