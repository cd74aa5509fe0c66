import * as z from "zod";
import type { CallerContext } from "../executions/schemas.ts";
import { readSentFile, type SentFile } from "../files/sent-file.ts";
import { type ValidationIssue, validationFailed } from "../platform/http/problems.ts";
import { zodErrorMap } from "../platform/http/zod-error-map.ts";
import { buildPointer } from "../values/json/json.ts";
import { isFilePart, readFilePart } from "./read-file-part.ts";

/** Question to an agent: the text and the files of the user, and the context before it. */
export type AgentQuestion = CallerContext & {
  /** Undefined for a message of files alone. */
  text: string | undefined;
  files: readonly SentFile[];
  /** Files of earlier messages. */
  earlierFiles: readonly SentFile[];
};

const MessageItem = z.looseObject({
  role: z.string().optional(),
  content: z.unknown().optional(),
  tool_calls: z.array(z.unknown()).nullish(),
  tool_call_id: z.unknown().optional(),
  function_call: z.unknown().optional(),
  audio: z.unknown().optional(),
});

/** Members of a message that ask for what is not supported. Others, such as `name` and `id`, change nothing. */
const refusedMembers = {
  tool_call_id: "is not supported: the agent calls its own tools",
  function_call: "is not supported: the agent calls its own tools",
  audio: "is not supported: send the text of the message",
} as const;

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });

const textTypes = ["input_text", "output_text", "text"];
const roles = ["user", "assistant", "system", "developer"];

/** Most files of a request: finding the type of their content takes time. */
const maxFiles = 100;

type Message = { role: string; parts: readonly (string | SentFile)[] };

/**
 * Reads the messages of a conversation: texts of system and developer are the system text, the last message of the user is what
 * is asked, and the others precede it. Leaves out items that are undefined. Throws 400 that names the place of what is not supported.
 * @param member name of the member of the body
 */
export const readMessages = async (
  member: "input" | "messages",
  items: readonly unknown[],
): Promise<AgentQuestion> => {
  const contents = items.flatMap((item) => MessageItem.safeParse(item).data?.content ?? []);
  if (contents.filter(isFilePart).length > maxFiles) {
    throw wrong(buildPointer(member), `must have at most ${maxFiles} images and files`);
  }
  const systemTexts: string[] = [];
  const turns: { role: "user" | "assistant"; message: Message }[] = [];
  for (const [at, item] of items.entries()) {
    if (item === undefined) continue;
    const message = await readMessage(buildPointer(member, at), item);
    const { role } = message;
    if (role === "user" || role === "assistant") turns.push({ role, message });
    else systemTexts.push(formatText(message));
  }
  const last = turns.pop();
  if (last?.role !== "user") {
    throw wrong(buildPointer(member), "must end with a message of the user");
  }
  const texts = last.message.parts.filter((part) => typeof part === "string");
  return {
    ...(systemTexts.length > 0 && { systemText: systemTexts.join("\n\n") }),
    messages: turns.map(({ role, message }) => ({ role, text: formatText(message) })),
    text: texts.length > 0 ? texts.join("\n") : undefined,
    files: listFiles(last.message),
    earlierFiles: turns.flatMap(({ message }) => listFiles(message)),
  };
};

const listFiles = ({ parts }: Message): SentFile[] =>
  parts.filter((part) => typeof part !== "string");

/** Returns the text of an earlier message, with the names of its files, so that the model knows of them. */
const formatText = ({ parts }: Message): string =>
  parts.map((part) => (typeof part === "string" ? part : showFile(part))).join("\n");

const showFile = ({ name, reference }: SentFile): string =>
  `[file: ${name ?? ("fileId" in reference ? reference.fileId : "")}]`;

const readMessage = async (pointer: string, item: unknown): Promise<Message> => {
  const { data, error } = MessageItem.safeParse(item);
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
  for (const [name, detail] of Object.entries(refusedMembers)) {
    if ((data[name] ?? null) !== null) throw wrong(`${pointer}/${name}`, detail);
  }
  return { role, parts: await readContent(`${pointer}/content`, { role, content }) };
};

const readContent = async (
  pointer: string,
  { role, content }: { role: string; content: unknown },
): Promise<Message["parts"]> => {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content) || content.length === 0) {
    throw wrong(pointer, "must be a string, or parts of text, images and files");
  }
  const parts: (string | SentFile)[] = [];
  for (const [at, part] of content.entries()) {
    parts.push(await readPart(`${pointer}/${at}`, { role, part }));
  }
  return parts;
};

const readPart = async (
  pointer: string,
  { role, part }: { role: string; part: unknown },
): Promise<string | SentFile> => {
  const { data } = Part.safeParse(part);
  if (data && textTypes.includes(data.type) && data.text !== undefined) return data.text;
  if (!data || !isFilePart(part)) {
    throw wrong(pointer, "must be a part of text, an image, a file or audio");
  }
  if (role !== "user") {
    throw wrong(pointer, `has the type ${show(data.type)}, which only messages of the user have`);
  }
  const read = readFilePart(part, zodErrorMap);
  if ("detail" in read) throw wrong(pointer + buildPointer(...read.path.map(String)), read.detail);
  const file = await readSentFile(pointer, read.file);
  if (typeof file === "string") throw wrong(pointer, file);
  return file;
};

const show = (value: unknown): string => JSON.stringify(value).slice(0, 100);

const wrong = (pointer: string, detail: string) =>
  validationFailed([{ pointer, detail } satisfies ValidationIssue]);
