import type { Part } from "./response-stream.ts";

/** How a call ended. `payload` is the JSON of what the handler returned. */
export type Outcome =
  | { type: "result"; payload: string }
  /** The handler threw. */
  | { type: "error"; error: string }
  /** The function's own timeout passed. */
  | { type: "timeout" }
  /** The thread ended before it answered, or could not load the bundle. */
  | { type: "crash"; error: string };

/** Reads a streamed answer. */
export type AnswerReader = {
  /** Gets the next part; `taken` is to be called when the client has it. */
  read: (part: Part, taken: () => void) => void;
  /** The answer goes no further, since the client is too slow. */
  cut: () => void;
};

/** One call of a function. */
export type FunctionCall = {
  event: string;
  requestId: string;
  /** Needed by a function that streams; it may go on working after its answer. */
  reader?: AnswerReader | undefined;
};
