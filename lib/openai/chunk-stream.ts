import type { EventSink } from "../edge/event-stream.ts";
import type { CompletionUsage } from "./schemas.ts";
import { completionHead } from "./to-completion.ts";
import type { ShownExecution } from "./to-response.ts";

type FinishReason = "stop" | "length";

/** Sends a chat completion in chunks. */
export type ChunkStream = {
  start: (execution: ShownExecution) => void;
  delta: (text: string) => void;
  /** Separates what follows from the text before, which cannot be taken back. */
  next: () => void;
  end: (usage: CompletionUsage, reason: FinishReason) => void;
  isStarted: () => boolean;
};

/** Creates the stream of a chat completion, with a chunk for its usage if `hasUsage`. */
export const createChunkStream = (events: EventSink, hasUsage: boolean): ChunkStream => {
  let head: ReturnType<typeof completionHead> | undefined;
  const send = (choices: readonly object[], usage: CompletionUsage | null) =>
    events.send("", {
      ...head,
      object: "chat.completion.chunk",
      choices,
      ...(hasUsage && { usage }),
    });
  const sendChoice = (delta: object, finish_reason: FinishReason | null) =>
    send([{ index: 0, delta, logprobs: null, finish_reason }], null);
  const delta = (content: string) => sendChoice({ content }, null);
  return {
    start: (execution) => {
      head = completionHead(execution);
      sendChoice({ role: "assistant", content: "" }, null);
    },
    delta,
    next: () => delta("\n\n"),
    end: (usage, reason) => {
      sendChoice({}, reason);
      if (hasUsage) send([], usage);
    },
    isStarted: () => head !== undefined,
  };
};
