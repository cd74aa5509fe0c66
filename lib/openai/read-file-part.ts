import * as z from "zod";
import type { GivenFile } from "../files/sent-file.ts";
import { isRecord } from "../values/json/json.ts";

/** The image is read as the agent's model reads it. */
const detail = z
  .literal("auto", { error: "is not supported: the revision of the agent determines it" })
  .nullish();

const text = z.string().nullish();
const audio = z.object({
  type: z.literal("input_audio"),
  input_audio: z.object({ data: z.string(), format: z.string().regex(/^[a-z0-9]{1,10}$/) }),
});

/** A part of a message with a file, as the Responses API and Chat Completions have it. */
const FilePart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("input_image"), image_url: text, file_id: text, detail }),
  z.object({
    type: z.literal("image_url"),
    image_url: z.object({ url: z.string(), detail }),
  }),
  z.object({
    type: z.literal("input_file"),
    file_id: text,
    file_url: text,
    file_data: text,
    filename: text,
    detail,
  }),
  z.object({
    type: z.literal("file"),
    file: z.object({ file_id: text, file_data: text, filename: text }),
  }),
  audio,
]);
type FilePart = z.output<typeof FilePart>;

const types: readonly unknown[] = ["input_image", "image_url", "input_file", "file", "input_audio"];

/** Returns whether a part of a message is a file. */
export const isFilePart = (part: unknown): boolean => isRecord(part) && types.includes(part.type);

/** The file of a part, or its invalid member: a path within the part, and the end of a sentence. */
export type ReadPart = { file: GivenFile } | { path: readonly PropertyKey[]; detail: string };

/** Reads the file of a part. */
export const readFilePart = (part: unknown, error: z.core.$ZodErrorMap): ReadPart => {
  const read = FilePart.safeParse(part, { error });
  if (read.success) return { file: toFile(read.data) };
  const [issue] = read.error.issues;
  return { path: issue?.path ?? [], detail: issue?.message ?? "is invalid" };
};

const image = "image/*";

const toFile = (part: FilePart): GivenFile => {
  switch (part.type) {
    case "input_image":
      return { url: part.image_url, fileId: part.file_id, mediaType: image };
    case "image_url":
      return { url: part.image_url.url, mediaType: image };
    case "input_file": {
      const { file_id: fileId, file_url: url, file_data: base64, filename: name } = part;
      return { fileId, url, base64, name };
    }
    case "file": {
      const { file_id: fileId, file_data: base64, filename: name } = part.file;
      return { fileId, base64, name };
    }
    case "input_audio": {
      const { data: base64, format } = part.input_audio;
      return { base64, name: `audio.${format}`, mediaType: "audio/*" };
    }
  }
};
