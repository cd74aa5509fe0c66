import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Block } from "./read-page.ts";

/** Expected and actual output at one place of a block. */
export type Comparison = { line: number; shown: string; printed: string };

/** The run of a page: `failedAt` is the line of the block that ended it, with its output. */
export type PageRun = {
  comparisons: Comparison[];
  failedAt: number | undefined;
  output: string;
};

export type Shell = {
  directory: string;
  environment: Record<string, string>;
  /** Texts of pages, such as addresses, and their replacements. */
  replacements: Readonly<Record<string, string>>;
};

/** A comment that shows what the command before it prints. */
const shownComment = /^# (?<shown>(?:→ .+|[{["].*))$/;
const mark = "\u0001";

const pageMilliseconds = 175_000;
const leftoverMilliseconds = 500;

const stopGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};

/** Runs the blocks of a page after `before`, in one shell that ends at the first failure. */
export const runBlocks = async (
  blocks: readonly Block[],
  { directory, environment, replacements }: Shell,
  before: string,
): Promise<PageRun> => {
  const replace = (text: string): string =>
    Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const places: { line: number; shown: string | undefined }[] = [];
  const marked = (line: number, shown?: string): string => {
    places.push({ line, shown: shown && replace(shown) });
    return `printf '${mark}'`;
  };
  const script = blocks.flatMap(({ line, code, shown }) => [
    ...code.split("\n").map((text, at) => {
      const found = shownComment.exec(text)?.groups?.shown;
      return found === undefined ? text : marked(line + at + 1, found.replace(/^→ /, ""));
    }),
    marked(line, shown),
  ]);
  const child = spawn(
    "bash",
    ["-c", ["exec 2>&1", "set -eo pipefail", before, replace(script.join("\n"))].join("\n")],
    {
      cwd: directory,
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    },
  );
  // Processes that a failed page left running would keep its output open.
  child.once("exit", () => setTimeout(stopGroup, leftoverMilliseconds, child.pid).unref());
  const limit = setTimeout(stopGroup, pageMilliseconds, child.pid);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  clearTimeout(limit);
  const printed = output.split(mark);
  return {
    comparisons: places.flatMap(({ line, shown }, at) =>
      shown === undefined || at >= printed.length - 1
        ? []
        : [{ line, shown, printed: printed[at] ?? "" }],
    ),
    failedAt: code === 0 ? undefined : (places[printed.length - 1]?.line ?? 0),
    output: printed.join(""),
  };
};
