import { createHash } from "node:crypto";
import { toSlug } from "./slug.ts";

const markdownEnding = /\.(?:md|markdown|mdown|mdx|txt)$/i;
const skillFile = /^skill\.(?:md|markdown)$/i;

/** What a file is called: its folder's name where it is a `SKILL.md` in one, else its own without the ending. */
export const nameOfFile = (fileName: string): { name: string; isFolder: boolean } => {
  const [file = "", folder] = fileName
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== ".")
    .reverse();
  if (!skillFile.test(file)) return { name: file.replace(markdownEnding, ""), isFolder: false };
  const isFolder = folder !== undefined && folder !== "..";
  return { name: isFolder ? folder : "skill", isFolder };
};

/** The first of some names that can be an id, as one; else one made of their digest. */
export const toSkillId = (names: readonly string[]): string =>
  names.map(toSlug).find((slug) => slug !== "") ?? `skill-${digest(names)}`;

const digest = (names: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 8);

/** An id or a file's name as words: `pdf-forms` is "Pdf Forms". Capitals that are there stay. */
export const humanize = (name: string): string =>
  name
    .split(/[-_\s]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
