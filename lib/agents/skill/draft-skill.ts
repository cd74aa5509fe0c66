import { bounds } from "./bounds.ts";
import { readAllowedTools } from "./markdown/allowed-tools.ts";
import { FrontMatterError } from "./markdown/front-matter-error.ts";
import { listResources } from "./markdown/list-resources.ts";
import { humanize, parseSkillFileName, toSkillId } from "./markdown/names.ts";
import { type FrontMatter, readFrontMatter } from "./markdown/read-front-matter.ts";
import {
  type BodyOutline,
  MarkdownLimitError,
  readMarkdownBody,
} from "./markdown/read-markdown-body.ts";
import { readMetadata } from "./markdown/read-metadata.ts";
import { splitFrontMatter } from "./markdown/split-front-matter.ts";
import type { GenerateSkillBody, SkillDraft } from "./schemas.ts";

/** Limits of the Agent Skills format (agentskills.io/specification), in characters. */
const format = { name: 64, description: 1_024 } as const;
const maxWarnings = 50;
const maxWarningLength = 300;

/**
 * Drafts a skill from a markdown file, in the Agent Skills format or plain. Stores nothing; fixes small errors
 * with a warning. Throws MarkdownRefused, with the line, for broken front matter, and for markdown that nests
 * too deeply.
 */
export const draftSkill = ({ markdownContent, fileName }: GenerateSkillBody): SkillDraft => {
  const warnings: string[] = [];
  const warn = (warning: string): void => {
    if (warnings.length < maxWarnings) warnings.push(cut(warning, maxWarningLength));
  };
  const { frontMatter, outline, body } = read(markdownContent.toWellFormed(), warn);
  const file = parseSkillFileName(fileName.toWellFormed());
  const heading = outline.title ?? (frontMatter ? undefined : outline.firstHeading);
  const name = frontMatter?.name;
  const id = toSkillId([name ?? file.name, file.name, heading ?? ""]);
  const given = readMetadata(frontMatter?.metadata ?? new Map(), warn);
  const title = given.displayName ?? frontMatter?.title ?? heading ?? humanize(name ?? file.name);
  const displayName = cut(title === "" ? id : title, bounds.displayName);
  if (frontMatter) checkFormat(frontMatter, { id, file }, warn);
  const instructions = body.trim() === "" ? null : body.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  if (Buffer.byteLength(instructions ?? "") > bounds.instructionsBytes) {
    warn(
      `The instructions are longer than a skill may contain: ${bounds.instructionsBytes} bytes.`,
    );
  }
  const draft = {
    id,
    displayName,
    description: describe(frontMatter, outline, displayName, warn),
    instructions,
    tools: given.tools ?? listTools(frontMatter, warn),
    resources: given.resources ?? listResources(outline.links, warn),
  };
  const ignored = [...(frontMatter?.others ?? []), ...given.others];
  if (ignored.length > 0)
    warn(`Ignored, because a skill has no such members: ${ignored.join(", ")}`);
  return warnings.length === 0 ? draft : { ...draft, warnings };
};

const read = (content: string, warn: (warning: string) => void) => {
  try {
    const { frontMatter, body } = splitFrontMatter(content);
    const read = frontMatter && readFrontMatter(frontMatter, warn);
    return { frontMatter: read, outline: readMarkdownBody(body), body };
  } catch (error) {
    if (error instanceof FrontMatterError) {
      throw refused(`line ${error.line}: the front matter can't be read: ${error.message}`);
    }
    if (error instanceof MarkdownLimitError) throw refused(error.message);
    throw error;
  }
};

/** Markdown that can't become a skill; the message is shown to the caller. */
export class MarkdownRefused extends Error {
  override readonly name = "MarkdownRefused";
}

const refused = (detail: string) => new MarkdownRefused(detail);

/** Truncates a text to a number of characters; a truncated one ends with "…". */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

const describe = (
  frontMatter: FrontMatter | undefined,
  { firstParagraph }: BodyOutline,
  displayName: string,
  warn: (warning: string) => void,
): string => {
  const { description } = frontMatter ?? {};
  if (description === undefined) {
    if (frontMatter) warn("The front matter has no description: one was taken from the text.");
    return cut(firstParagraph ?? displayName, format.description);
  }
  if (description.length > format.description) {
    warn(`The description is longer than ${format.description} characters.`);
  }
  return cut(description, bounds.description);
};

const listTools = (
  frontMatter: FrontMatter | undefined,
  warn: (warning: string) => void,
): NonNullable<SkillDraft["tools"]> => {
  const { tools, foreign } = readAllowedTools(frontMatter?.allowedTools ?? []);
  for (const name of foreign) {
    warn(`"${cut(name, 100)}" in allowed-tools does not exist and was left out.`);
  }
  if (tools.length > bounds.tools) warn(`Only the first ${bounds.tools} tools were taken.`);
  return tools.slice(0, bounds.tools);
};

const checkFormat = (
  { name }: FrontMatter,
  { id, file }: { id: string; file: { name: string; isFolder: boolean } },
  warn: (warning: string) => void,
): void => {
  if (name === undefined) {
    warn("The front matter has no name: the file's was taken.");
    return;
  }
  if (name.length > format.name) warn(`The name is longer than ${format.name} characters.`);
  if (name !== id) warn(`The name "${cut(name, 100)}" became the id "${id}".`);
  if (file.isFolder && file.name !== name) {
    warn(`The name is not that of its folder, "${cut(file.name, 100)}".`);
  }
};
