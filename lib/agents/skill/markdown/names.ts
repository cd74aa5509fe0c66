import { createHash } from "node:crypto";
import { toSlug } from "./slug.ts";

const markdownEnding = /\.(?:md|markdown|mdown|mdx|txt)$/i;
const skillFile = /^skill\.(?:md|markdown)$/i;

/** Returns the name of a file: its folder's for a `SKILL.md` in a folder, else its own without extension. */
export const parseSkillFileName = (fileName: string): { name: string; isFolder: boolean } => {
  const [file = "", folder] = fileName
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== ".")
    .reverse();
  if (!skillFile.test(file)) return { name: file.replace(markdownEnding, ""), isFolder: false };
  const isFolder = folder !== undefined && folder !== "..";
  return { name: isFolder ? folder : "skill", isFolder };
};

/** Returns the first name that can be an id, as an id; else one derived from a digest of the names. */
export const toSkillId = (names: readonly string[]): string =>
  names.map(toSlug).find((slug) => slug !== "") ?? `skill-${digest(names)}`;

const digest = (names: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 8);

/** Converts an id or file name to words: `pdf-forms` becomes "Pdf Forms". Keeps capitals. */
export const humanize = (name: string): string =>
  name
    .split(/[-_\s]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
