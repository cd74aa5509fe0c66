import type { Part } from "./response-stream.ts";
import type { EngineRoute } from "./route-to-engine.ts";

/** The worker data of a function's thread. */
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
  /** Directory of Node's compile cache. */
  compileCache: string;
  /** undefined: all its requests go to the local AWS services. */
  engineRoute: EngineRoute | undefined;
};

/** An invocation. */
export type Invocation = { type: "invoke"; id: number; requestId: string; event: string };

/** Messages to the thread. */
export type FunctionThreadCommand =
  | Invocation
  /** Bytes of a streamed response that were read or dropped. */
  | { type: "consumed"; id: number; size: number }
  /** Frees the memory that loading the bundle took. */
  | { type: "compact" }
  | { type: "end" };

/** Messages from the thread. `payload` is JSON. */
export type FunctionThreadMessage =
  | { type: "ready" }
  | { type: "unloadable"; error: string }
  /** A part of a streamed response. */
  | ({ type: "part"; id: number } & Part)
  /** Aborts a streamed response: its reader is too slow. */
  | { type: "cut"; id: number }
  /** The invocation is complete; the payload of a streaming function is `null`. */
  | { type: "result"; id: number; payload: string }
  | { type: "error"; id: number; error: string }
  | { type: "alarm"; text: string };
