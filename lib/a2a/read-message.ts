import type { RevisionContent } from "../agents/revision/content.ts";
import { assignFiles, type FilePlaces } from "../files/assign-files.ts";
import { type FilesPlace, linkOutputFiles } from "../files/output-files.ts";
import { readSentFile, type SentFile } from "../files/sent-file.ts";
import { findTextInput } from "../openai/build-body.ts";
import { type ValidationIssue, validationFailed } from "../platform/http/problems.ts";
import { isJsonObject, type JsonObject } from "../values/json/json.ts";
import { parseJson } from "../values/json/parse-json.ts";
import { toFilePart } from "./output-modes.ts";
import { unsupportedFile } from "./problems.ts";
import type { A2aPart, SentMessage } from "./schemas.ts";

/** Content of a message: its texts together, the objects of its data parts together, and its files. */
export type MessageContent = {
  text: string | undefined;
  data: JsonObject | undefined;
  files: readonly SentFile[];
};

const contents = ["text", "data", "raw", "url"] as const;

const wrong = (pointer: string, detail: string) =>
  validationFailed([{ pointer, detail } satisfies ValidationIssue]);

/** Reads the parts of a message. Throws 400. */
export const readMessage = async ({
  parts,
}: Pick<SentMessage, "parts">): Promise<MessageContent> => {
  const texts: string[] = [];
  const objects: JsonObject[] = [];
  const files: SentFile[] = [];
  for (const [at, part] of parts.entries()) {
    const pointer = `/message/parts/${at}`;
    const [name, ...others] = contents.filter((content) => part[content] !== undefined);
    if (name === undefined || others.length > 0) {
      throw wrong(pointer, "must have one of text, data, raw and url");
    }
    if (name === "text") texts.push(part.text ?? "");
    else if (name === "data") objects.push(toObject(`${pointer}/data`, part));
    else files.push(await readFile(pointer, part));
  }
  return {
    text: texts.length > 0 ? texts.join("\n") : undefined,
    data:
      objects.length > 0
        ? Object.fromEntries(objects.flatMap((object) => Object.entries(object)))
        : undefined,
    files,
  };
};

const readFile = async (
  pointer: string,
  { raw: base64, url, filename: name, mediaType }: A2aPart,
): Promise<SentFile> => {
  const file = await readSentFile(pointer, { base64, url, name, mediaType });
  if (typeof file === "string") throw wrong(pointer, file);
  return file;
};

const toObject = (pointer: string, { data }: A2aPart): JsonObject => {
  const parsed = parseJson(JSON.stringify(data));
  if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
  throw wrong(pointer, "must be an object with inputs of the agent");
};

/**
 * Returns the inputs of an agent for a message: those of its data, its text as the input `message` or the one String, and its files
 * as inputs of the type File. The text of another agent is JSON of its inputs. Throws 400.
 */
export const toAgentInput = (
  { parametersMetadata }: Pick<RevisionContent, "parametersMetadata">,
  { files, ...content }: MessageContent,
): { input: JsonObject; places: FilePlaces } => {
  const given = toNamedInput({ parametersMetadata }, content);
  const assigned = assignFiles(parametersMetadata, { files, given });
  if ("refused" in assigned) throw unsupportedFile(assigned.refused.pointer, assigned.detail);
  return { input: { ...given, ...assigned.input }, places: assigned.places };
};

const toNamedInput = (
  { parametersMetadata }: Pick<RevisionContent, "parametersMetadata">,
  { text, data }: Omit<MessageContent, "files">,
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

/** Returns the parts of a message with the inputs of an execution: a text where they are one, and links to their files. */
export const toParts = (input: Readonly<Record<string, unknown>>, place: FilesPlace): A2aPart[] => {
  const [only, ...others] = Object.keys(input);
  const name = Object.hasOwn(input, "message") || others.length > 0 ? "message" : (only ?? "");
  const { [name]: text, ...data } = input;
  const files = linkOutputFiles(input, place).map(toFilePart);
  if (typeof text !== "string") return [{ data: input }, ...files];
  return Object.keys(data).length > 0 ? [{ text }, { data }, ...files] : [{ text }];
};
