import type { RevisionContent } from "../agents/revision/content.ts";
import { findTextInput } from "../openai/build-body.ts";
import { type ValidationIssue, validationFailed } from "../platform/http/problems.ts";
import { isJsonObject, type JsonObject } from "../values/json/json.ts";
import { parseJson } from "../values/json/parse-json.ts";
import { a2aProblem } from "./problems.ts";
import type { A2aPart, SentMessage } from "./schemas.ts";

/** Content of a message: its texts together, and the objects of its data parts together. */
export type MessageContent = { text: string | undefined; data: JsonObject | undefined };

const contents = ["text", "data", "raw", "url"] as const;

const wrong = (pointer: string, detail: string) =>
  validationFailed([{ pointer, detail } satisfies ValidationIssue]);

/** Reads the parts of a message. Throws 400, also for files, which agents have no inputs for. */
export const readMessage = ({ parts }: Pick<SentMessage, "parts">): MessageContent => {
  const texts: string[] = [];
  const objects: JsonObject[] = [];
  for (const [at, part] of parts.entries()) {
    const pointer = `/message/parts/${at}`;
    const [name, ...others] = contents.filter((content) => part[content] !== undefined);
    if (name === undefined || others.length > 0) {
      throw wrong(pointer, "must have one of text and data");
    }
    if (name === "text") texts.push(part.text ?? "");
    else if (name === "data") objects.push(toObject(`${pointer}/data`, part));
    else {
      const detail = `${pointer} is a file: the agent has no inputs for files. Send text or data.`;
      throw a2aProblem("CONTENT_TYPE_NOT_SUPPORTED", detail);
    }
  }
  return {
    text: texts.length > 0 ? texts.join("\n") : undefined,
    data:
      objects.length > 0
        ? Object.fromEntries(objects.flatMap((object) => Object.entries(object)))
        : undefined,
  };
};

const toObject = (pointer: string, { data }: A2aPart): JsonObject => {
  const parsed = parseJson(JSON.stringify(data));
  if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
  throw wrong(pointer, "must be an object with inputs of the agent");
};

/**
 * Returns the inputs of an agent for a message: those of its data, and its text as the input `message` or the one String. The
 * text of another agent is JSON of its inputs.
 */
export const toAgentInput = (
  { parametersMetadata }: Pick<RevisionContent, "parametersMetadata">,
  { text, data }: MessageContent,
): JsonObject => {
  if (text === undefined) return data ?? {};
  const input = findTextInput(parametersMetadata);
  if (input) return { ...data, [input.name]: text };
  const parsed = parseJson(text);
  if (parsed.ok && isJsonObject(parsed.value)) return { ...data, ...parsed.value };
  throw wrong(
    "/message/parts",
    'must be a data part with the inputs of the agent, or their JSON as text: it has neither an input "message" nor exactly one of the type String',
  );
};

/** Returns the parts of a message with the inputs of an execution: a text where they are one. */
export const toParts = (input: Readonly<Record<string, unknown>>): A2aPart[] => {
  const [only, ...others] = Object.keys(input);
  const name = Object.hasOwn(input, "message") || others.length > 0 ? "message" : (only ?? "");
  const { [name]: text, ...data } = input;
  if (typeof text !== "string") return [{ data: input }];
  return Object.keys(data).length > 0 ? [{ text }, { data }] : [{ text }];
};
