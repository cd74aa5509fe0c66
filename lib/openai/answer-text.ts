import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseJson } from "../values/json/parse-json.ts";
import type { AnswerSteps } from "./answer-steps.ts";
import { formatOutput } from "./to-response.ts";

/** Receives the text of an answer: its parts as they come, and that what follows is another message. */
export type TextSink = { delta: (text: string) => void; next: () => void };

const Delta = z.object({ stepId: z.string(), text: z.string() });
const Reset = z.object({ stepId: z.string() });

/**
 * Selects, from the events of an execution, the text that is its output: that of one of the `answers`, the first that sends
 * some. Texts of other steps are not sent, since a caller would take them for the answer.
 */
export const createAnswerText = (findAnswers: () => AnswerSteps, sink: TextSink) => {
  let active: string | undefined;
  let sent = "";
  const send = (text: string) => {
    sent += text;
    sink.delta(text);
  };
  const startNext = () => {
    if (sent !== "") sink.next();
    sent = "";
  };
  return {
    /** Receives an event of the execution. */
    receive: (type: string, data: unknown): void => {
      if (type === "output.delta") {
        const { stepId, text } = Delta.parse(data);
        if (!findAnswers().has(stepId) || (active !== undefined && active !== stepId)) return;
        active = stepId;
        if (text !== "") send(text);
      }
      if (type !== "output.reset" || Reset.parse(data).stepId !== active) return;
      startNext();
      active = undefined;
    },
    /** Sends the rest of the output, or all of it where it is another text than what was sent. */
    end: (output: unknown): void => {
      const text = formatOutput(output);
      if (sent.endsWith(text) || isSameJson(sent, output)) return;
      if (text.startsWith(sent)) {
        send(text.slice(sent.length));
        return;
      }
      startNext();
      send(text);
    },
  };
};

const isSameJson = (text: string, output: unknown): boolean => {
  if (typeof output === "string" || text === "") return false;
  const parsed = parseJson(text);
  return parsed.ok && isDeepStrictEqual(parsed.value, JSON.parse(JSON.stringify(output ?? null)));
};
