import { Document, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { readAllowedTools, systemToolIds } from "../../lib/agents/skill/markdown/allowed-tools.ts";
import { listResources } from "../../lib/agents/skill/markdown/list-resources.ts";
import { metadataKeys as keys } from "../../lib/agents/skill/markdown/metadata-keys.ts";
import { humanize } from "../../lib/agents/skill/markdown/names.ts";
import { quoteValues } from "../../lib/agents/skill/markdown/quote-values.ts";
import { readMarkdownBody } from "../../lib/agents/skill/markdown/read-markdown-body.ts";
import { splitFrontMatter } from "../../lib/agents/skill/markdown/split-front-matter.ts";
import { CreateSkillBody } from "../../lib/agents/skill/schemas.ts";
import { parseJson } from "../parse-json.ts";
import type { FileProblem } from "./file-problem.ts";
import { isSame } from "./json-value.ts";
import { keepLines } from "./keep-lines.ts";
import { renderYaml } from "./merge.ts";

/** A skill's content; null and [] are equal. */
export type SkillContent = {
  displayName: string;
  description: string;
  instructions: string | null;
  tools: SkillTool[];
  resources: SkillResource[];
};
type SkillTool = { integrationId: string; id: string };
type SkillResource = { assetId: string; description: string; vectorized: boolean };

/** A skill as the API returns it. */
type StoredSkill = {
  displayName: string;
  description: string;
  instructions: string | null;
  tools: SkillTool[] | null;
  resources: SkillResource[] | null;
};

/** Returns the content of a stored skill, with the line ends of a file. */
export const toSkillContent = (skill: StoredSkill): SkillContent => ({
  displayName: skill.displayName,
  description: skill.description,
  instructions: skill.instructions?.replaceAll(/\r\n?/g, "\n") || null,
  tools: skill.tools ?? [],
  resources: skill.resources ?? [],
});

const Body = CreateSkillBody.pick({ tools: true, resources: true });

type Parsed = { document: Document; body: string; problems: FileProblem[] };

/** Reads the `SKILL.md` of a skill. The name of its folder is the skill's id. */
export const readSkillFile = (
  file: string,
  id: string,
  text: string,
): { skill: SkillContent | undefined; problems: FileProblem[] } => {
  const { document, body, problems } = parse(file, text);
  if (problems.length > 0) return { skill: undefined, problems };
  const problem = (key: string, detail: string) => {
    problems.push({ file, line: findKeyLine(text, key), column: 1, pointer: `/${key}`, detail });
  };
  const name = readScalar(document, "name");
  if (name !== id) problem("name", `must be the name of the folder, ${JSON.stringify(id)}`);
  const description = readScalar(document, "description") ?? "";
  if (description === "") problem("description", "is required");
  const given = Body.safeParse({
    tools: metadataJson(document, keys.tools),
    resources: metadataJson(document, keys.resources),
  });
  if (!given.success) {
    const [issue] = given.error.issues;
    problem("metadata", `${issue?.path.join(".")}: ${issue?.message}`);
  }
  const derived = derive(id, body, document);
  const skill = {
    displayName: readScalar(document, "metadata", keys.displayName) ?? derived.displayName,
    description,
    instructions: body === "" ? null : body,
    tools: given.data?.tools ?? derived.tools,
    resources: given.data?.resources ?? derived.resources,
  };
  return { skill: problems.length === 0 ? skill : undefined, problems };
};

/**
 * Writes a skill as `SKILL.md`. Keeps the other content of an existing file, and the whole file if
 * it is equal.
 */
export const writeSkillFile = (id: string, skill: SkillContent, existing?: string): string => {
  if (existing !== undefined && isSame(readSkillFile("", id, existing).skill, skill)) {
    return existing;
  }
  const { document, body: before } = parse("", existing ?? "---\nname: x\n---\n");
  const normal = toText(document, before);
  const body = skill.instructions ?? "";
  document.set("name", id);
  if (readScalar(document, "description") !== skill.description) {
    document.set("description", skill.description);
  }
  const derived = derive(id, body, document);
  if (!isSame(derived.tools, skill.tools)) {
    const named = skill.tools.map(formatToolName).join(" ");
    if (named === "") document.delete("allowed-tools");
    else document.set("allowed-tools", named);
  }
  const tools = derive(id, body, document).tools;
  setMetadata(document, keys.displayName, derived.displayName, skill.displayName);
  setMetadata(document, keys.tools, tools, skill.tools);
  setMetadata(document, keys.resources, derived.resources, skill.resources);
  const changed = toText(document, body);
  const kept = existing === undefined ? changed : keepLines(existing, normal, changed);
  return isSame(readSkillFile("", id, kept).skill, skill) ? kept : changed;
};

const toText = (document: Document, body: string): string => {
  const head = `---\n${renderYaml(document)}---\n`;
  return body === "" ? head : `${head}\n${body}\n`;
};

const parse = (file: string, text: string): Parsed => {
  const { frontMatter, body } = splitFrontMatter(text);
  const problem = (line: number, detail: string): FileProblem[] => [
    { file, line, column: 1, pointer: "", detail },
  ];
  const empty = { document: new Document({}), body };
  if (!frontMatter) return { ...empty, problems: problem(1, "must start with front matter (---)") };
  const { lines, firstLine, isClosed } = frontMatter;
  if (!isClosed) {
    return { ...empty, problems: problem(firstLine, "the front matter is not closed by ---") };
  }
  const options = { version: "1.2", schema: "core", prettyErrors: true } as const;
  const whole = parseDocument(`${lines.join("\n")}\n`, options);
  const quoted = whole.errors.length > 0 ? quoteValues(lines) : undefined;
  const document: Document = quoted ? parseDocument(`${quoted.join("\n")}\n`, options) : whole;
  const [error] = document.errors;
  if (error || !isMap(document.contents)) {
    const line = firstLine - 1 + (error?.linePos?.[0].line ?? 1);
    const detail = error?.message.split("\n", 1)[0] ?? "must be lines of `key: value`";
    return { ...empty, problems: problem(line, detail) };
  }
  return { document, body: body.replace(/^\n/, "").replace(/\n$/, ""), problems: [] };
};

/** Derives defaults from the file: the title, the tools of `allowed-tools`, and linked files. */
const derive = (id: string, body: string, document: Document) => {
  const outline = readOutline(body);
  return {
    displayName: outline?.title ?? humanize(id),
    tools: readAllowedTools(readScalars(document, "allowed-tools")).tools,
    resources: listResources(outline?.links ?? [], () => undefined),
  };
};

/** Markdown that nests too deeply has no outline. */
const readOutline = (body: string) => {
  try {
    return readMarkdownBody(body);
  } catch {
    return undefined;
  }
};

const formatToolName = ({ integrationId, id }: SkillTool): string =>
  integrationId === "system" && systemToolIds.includes(id) ? id : `${integrationId}/${id}`;

const readScalar = (document: Document, ...path: string[]): string | undefined => {
  const node = document.getIn(path, true);
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
};

const readScalars = (document: Document, key: string): string[] => {
  const node = document.get(key, true);
  if (!isSeq(node)) return [readScalar(document, key) ?? ""];
  return node.items.flatMap((item) => (isScalar(item) ? [String(item.value)] : []));
};

const metadataJson = (document: Document, key: string): unknown => {
  const text = readScalar(document, "metadata", key);
  return text === undefined ? undefined : (parseJson(text) ?? text);
};

const setMetadata = (document: Document, key: string, derived: unknown, actual: unknown): void => {
  if (isSame(derived, actual)) {
    if (document.hasIn(["metadata", key])) document.deleteIn(["metadata", key]);
    const metadata = document.get("metadata");
    if (isMap(metadata) && metadata.items.length === 0) document.delete("metadata");
    return;
  }
  if (!isMap(document.get("metadata"))) document.set("metadata", document.createNode({}));
  const text = typeof actual === "string" ? actual : JSON.stringify(actual);
  document.setIn(["metadata", key], text);
};

/** Returns the line of a key of the front matter, from 1. */
export const findKeyLine = (text: string, key: string): number => {
  const lines = text.split("\n");
  if (key === "instructions") return 1 + lines.findIndex((line, at) => at > 0 && /^---/.test(line));
  return Math.max(1, 1 + lines.findIndex((line) => line.startsWith(`${key}:`)));
};
