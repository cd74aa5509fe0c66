import { findExtension, textTypes } from "./detect-media-type.ts";

const office = "application/vnd.openxmlformats-officedocument";

/** Media types or ranges of files, by the extension of a name. */
const typesByExtension: ReadonlyMap<string, string> = new Map([
  ...Object.entries(textTypes),
  ["txt", "text/plain"],
  ["log", "text/plain"],
  ["pdf", "application/pdf"],
  ["docx", `${office}.wordprocessingml.document`],
  ["xlsx", `${office}.spreadsheetml.sheet`],
  ["pptx", `${office}.presentationml.presentation`],
  ["zip", "application/zip"],
  ...["png", "jpg", "jpeg", "gif", "webp", "avif", "heic", "bmp", "tif", "tiff"].map(
    (extension) => [extension, "image/*"] as const,
  ),
  ...["mp3", "wav", "flac", "ogg", "opus", "aac", "m4a"].map(
    (extension) => [extension, "audio/*"] as const,
  ),
]);

/** Returns the media type or range that the extension of a name stands for; undefined for an unknown one. */
export const guessMediaType = (name: string): string | undefined =>
  typesByExtension.get(findExtension(name));

const mainTypes = ["image", "audio", "video"];

/** Returns a name for a file of a media type that came without one. */
export const nameByType = (mediaType: string | undefined): string => {
  const [extension] =
    [...typesByExtension].find(([, type]) => type === mediaType && !type.endsWith("*")) ?? [];
  const [mainType = "", subtype = ""] = mediaType?.split("/") ?? [];
  const base = mainTypes.includes(mainType) ? mainType : "file";
  if (extension !== undefined) return `${base}.${extension}`;
  return base !== "file" && /^[a-z0-9]{1,10}$/.test(subtype) ? `${base}.${subtype}` : base;
};
