import type { JsonObject } from "../../values/json/json.ts";
import { toFileName } from "../../values/text/file-name.ts";
import type { FlowFile } from "../flow-file.ts";
import { toMediaType } from "../models/file-kinds.ts";

/** Binary content of a result, with the name and the media type that its service gives it. */
export type NewFile = {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
};

/** Stores binary content as a file. */
export type SaveFile = (file: NewFile) => Promise<FlowFile>;

/** Content of a result; `toolId` names it where its service does not. */
export type FoundContent = {
  readonly name?: string | undefined;
  readonly toolId: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
};

const unnamed = "application/octet-stream";

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "application/pdf": "pdf",
  "application/zip": "zip",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "video/mp4": "mp4",
};

/** Stores content of a result; returns the reference that takes its place in the result. */
export const saveContent = async (
  saveFile: SaveFile,
  { name = "", toolId, mediaType, content }: FoundContent,
): Promise<JsonObject> => {
  const plain = toMediaType(mediaType) || unnamed;
  const extension = extensions[plain];
  const derived = extension === undefined ? toolId : `${toolId}.${extension}`;
  const named = toFileName(name) || toFileName(derived) || "file";
  const saved = await saveFile({ name: named, mediaType: plain, content });
  return { id: saved.id, name: saved.name, mediaType: saved.mediaType, bytes: saved.bytes };
};
