import type { Part } from "./response-stream.ts";

/** The outcome of an invocation. `payload` is the handler's return value as JSON. */
export type Outcome =
  | { type: "result"; payload: string }
  /** The handler threw. */
  | { type: "error"; error: string }
  /** The function's timeout expired. */
  | { type: "timeout" }
  /** The function has as many invocations as its reserved concurrency. */
  | { type: "throttled" }
  /** The thread exited before it responded, or could not load the bundle. */
  | { type: "crash"; error: string };

/** Receives a streamed response. */
export type ResponseReader = {
  /** Receives the next part; calls `consumed` when the client has read it. */
  read: (part: Part, consumed: () => void) => void;
  /** Aborts the response: the client is too slow. */
  cut: () => void;
};

/** An invocation of a function. */
export type FunctionCall = {
  event: string;
  requestId: string;
  /** Required for a streaming function, which may continue after its response. */
  reader?: ResponseReader | undefined;
};
