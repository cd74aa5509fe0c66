import type { EventSink } from "../edge/event-stream.ts";
import { formatMessageId } from "./ids.ts";
import type { OpenAiResponse } from "./schemas.ts";
import { buildMessage, type ShownExecution } from "./to-response.ts";

/** Sends the events of a response, in their order and numbered. */
export type ResponseStream = {
  start: (execution: ShownExecution, response: OpenAiResponse) => void;
  delta: (text: string) => void;
  /** Ends the message: what follows is another one. */
  next: () => void;
  /** Returns the messages so far, after ending the last one. */
  messages: () => OpenAiResponse["output"];
  /** As `messages`, with an empty message for an output without a text. */
  complete: () => OpenAiResponse["output"];
  end: (type: "completed" | "failed" | "incomplete", response: OpenAiResponse) => void;
  isStarted: () => boolean;
};

type OpenMessage = { index: number; id: string; text: string };

/** Creates the stream of a response. */
export const createResponseStream = (events: EventSink): ResponseStream => {
  let sequence = 0;
  let execution: ShownExecution | undefined;
  let open: OpenMessage | undefined;
  const messages: OpenAiResponse["output"] = [];
  const send = (type: string, data: object) => {
    events.send(`response.${type}`, {
      type: `response.${type}`,
      sequence_number: sequence,
      ...data,
    });
    sequence += 1;
  };
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const toPlace = ({ id, index }: OpenMessage) => ({
    item_id: id,
    output_index: index,
    content_index: 0,
  });
  const openMessage = (of: ShownExecution): OpenMessage => {
    const index = messages.length;
    const message = { index, id: formatMessageId(of, index), text: "" };
    const { id } = message;
    const item = { type: "message", id, status: "in_progress", role: "assistant", content: [] };
    send("output_item.added", { output_index: index, item });
    send("content_part.added", { ...toPlace(message), part: part("") });
    return message;
  };
  const next = () => {
    if (!open || !execution) return;
    const { text, index } = open;
    const item = buildMessage(execution, text, index);
    send("output_text.done", { ...toPlace(open), text, logprobs: [] });
    send("content_part.done", { ...toPlace(open), part: part(text) });
    send("output_item.done", { output_index: index, item });
    messages.push(item);
    open = undefined;
  };
  const listMessages = () => {
    next();
    return [...messages];
  };
  return {
    start: (started, response) => {
      execution = started;
      send("created", { response });
      send("in_progress", { response });
    },
    delta: (delta) => {
      if (!execution) return;
      open ??= openMessage(execution);
      open.text += delta;
      send("output_text.delta", { ...toPlace(open), delta, logprobs: [] });
    },
    next,
    messages: listMessages,
    complete: () => {
      if (execution) open ??= openMessage(execution);
      return listMessages();
    },
    end: (type, response) => {
      for (const [index, item] of response.output.entries()) {
        if (index < messages.length) continue;
        send("output_item.added", { output_index: index, item });
        send("output_item.done", { output_index: index, item });
      }
      send(type, { response });
    },
    isStarted: () => execution !== undefined,
  };
};
