import * as z from "zod";
import type { CallerContext } from "../executions/schemas.ts";
import { type ValidationIssue, validationFailed } from "../platform/http/problems.ts";
import { buildPointer } from "../values/json/json.ts";

/** Question to an agent: the text of the user, and the context before it. */
export type AgentQuestion = CallerContext & { text: string };

const Message = z.looseObject({
  role: z.string().optional(),
  content: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).nullish(),
});

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });

const textTypes = ["input_text", "output_text", "text"];
const mediaTypes = ["input_image", "image_url", "input_file", "file", "input_audio"];
const roles = ["user", "assistant", "system", "developer"];

/**
 * Reads the messages of a conversation: texts of system and developer are instructions, the last message of the user is what
 * is asked, and the others precede it. Throws 400 that names the place of what is not supported.
 * @param member name of the member of the body
 */
export const readMessages = (
  member: "input" | "messages",
  items: readonly unknown[],
): AgentQuestion => {
  const instructions: string[] = [];
  const messages: AgentQuestion["messages"][number][] = [];
  for (const [at, item] of items.entries()) {
    const { role, text } = readMessage(buildPointer(member, at), item);
    if (role === "user" || role === "assistant") messages.push({ role, text });
    else instructions.push(text);
  }
  const last = messages.pop();
  if (last?.role !== "user") {
    throw wrong(buildPointer(member), "must end with a message of the user");
  }
  return {
    ...(instructions.length > 0 && { instructions: instructions.join("\n\n") }),
    messages,
    text: last.text,
  };
};

const readMessage = (pointer: string, item: unknown): { role: string; text: string } => {
  const { data, error } = Message.safeParse(item);
  if (error) throw wrong(pointer, "is not a message");
  const { type = "message", role = "", content, tool_calls } = data;
  if (type !== "message") {
    const detail = `has the type ${show(type)}, which is not supported: send messages`;
    throw wrong(`${pointer}/type`, detail);
  }
  if (!roles.includes(role)) {
    throw wrong(`${pointer}/role`, `must be one of ${roles.map(show).join(", ")}`);
  }
  if (tool_calls && tool_calls.length > 0) {
    throw wrong(`${pointer}/tool_calls`, "is not supported: the agent calls its own tools");
  }
  return { role, text: readContent(`${pointer}/content`, content) };
};

const readContent = (pointer: string, content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.length === 0) {
    throw wrong(pointer, "must be a string, or parts of text");
  }
  return content.map((part, at) => readPart(`${pointer}/${at}`, part)).join("\n");
};

const readPart = (pointer: string, part: unknown): string => {
  const { data } = Part.safeParse(part);
  if (data && textTypes.includes(data.type) && data.text !== undefined) return data.text;
  const type = data?.type ?? "";
  const detail = mediaTypes.includes(type)
    ? `has the type ${show(type)}: agents have no inputs for files`
    : "must be a part of text";
  throw wrong(pointer, detail);
};

const show = (value: unknown): string => JSON.stringify(value).slice(0, 100);

const wrong = (pointer: string, detail: string) =>
  validationFailed([{ pointer, detail } satisfies ValidationIssue]);
