import { readdir, readFile } from "node:fs/promises";

/** A fenced block of a page. */
export type Block = {
  /** Line of its fence in the page, from 1. */
  line: number;
  code: string;
  /** Text of the block that follows and shows what the last command prints. */
  shown: string | undefined;
  /** Why the test does not run it, from the comment `<!-- test: skip: reason -->` in front of it. */
  skipped: string | undefined;
};

export type Page = { name: string; blocks: Block[] };

const root = new URL("../../", import.meta.url);

/** Reads the README and each page of docs, in that order, with their `sh` blocks. */
export const readPages = async (): Promise<Page[]> => {
  const files = await readdir(new URL("docs/", root), { recursive: true });
  const names = files.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  return Promise.all(
    ["README.md", ...names.sort()].map(async (name) => ({
      name,
      blocks: readBlocks(await readFile(new URL(name, root), "utf8")),
    })),
  );
};

const fence = /^(?<indent> *)```(?<language>\w*)$/;
const skip = /^ *<!-- test: skip: (?<reason>.+) -->$/;
/** Languages of blocks that show what the `sh` block in front of them prints. */
const output = ["json", "text"];

type Fenced = { line: number; language: string; code: string; before: string };

/** Returns the `sh` blocks of a page. A `json` or `text` block right after one shows its output. */
export const readBlocks = (markdown: string): Block[] => {
  const fenced = fencedBlocks(markdown.split("\n"));
  return fenced.flatMap((block, at) => {
    if (block.language !== "sh") return [];
    const next = fenced[at + 1];
    const shows = next?.before === "" && output.includes(next.language);
    return {
      line: block.line,
      code: block.code,
      shown: shows ? next.code : undefined,
      skipped: skip.exec(block.before.trim())?.groups?.reason,
    };
  });
};

/** `before` is the text between the block before and this one, as far as it is not empty. */
const fencedBlocks = (lines: readonly string[]): Fenced[] => {
  const blocks: Fenced[] = [];
  let open: { line: number; language: string; indent: string; code: string[] } | undefined;
  let before: string[] = [];
  for (const [at, line] of lines.entries()) {
    const { indent = "", language = "" } = fence.exec(line)?.groups ?? {};
    if (open === undefined && fence.test(line)) {
      open = { line: at + 1, language, indent, code: [] };
    } else if (open === undefined) {
      if (line.trim() !== "") before.push(line);
    } else if (line === `${open.indent}\`\`\``) {
      const { code, indent: ofBlock, ...rest } = open;
      const text = code.map((line) => line.slice(ofBlock.length)).join("\n");
      blocks.push({ ...rest, code: text, before: before.at(-1) ?? "" });
      open = undefined;
      before = [];
    } else {
      open.code.push(line);
    }
  }
  return blocks;
};
