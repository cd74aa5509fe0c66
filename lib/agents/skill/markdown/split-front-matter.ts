/** A markdown file in its two parts. */
export type SplitFile = {
  /** The front matter's lines, and the number of the first of them in the file, from 1. */
  frontMatter: { lines: string[]; firstLine: number; isClosed: boolean } | undefined;
  body: string;
};

const opening = /^---[ \t]*$/;
const closing = /^(?:---|\.\.\.)[ \t]*$/;
const keyLine = /^["']?[A-Za-z_][\w.-]*(?: +[\w.-]+)*["']?[ \t]*:(?:[ \t]|$)/;
const blank = /^[ \t]*$/;

/**
 * Parts the front matter from the instructions. Takes what editors leave behind: a byte order mark, line ends
 * of other systems, blank lines before. Without a closing line the front matter ends with its first blank line.
 */
export const splitFrontMatter = (content: string): SplitFile => {
  const text = content.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const lines = text.split("\n");
  const start = lines.findIndex((line) => !blank.test(line));
  const rest = lines.slice(start + 1);
  if (!opening.test(lines[start] ?? "") || !isFrontMatter(rest)) {
    return { frontMatter: undefined, body: text };
  }
  const close = rest.findIndex((line) => closing.test(line));
  const isClosed = close !== -1;
  const end = isClosed ? close : endOfUnclosed(rest);
  return {
    frontMatter: { lines: rest.slice(0, end), firstLine: start + 2, isClosed },
    body: rest.slice(isClosed ? end + 1 : end).join("\n"),
  };
};

/** Else the line is a rule that markdown draws: no key follows, and a blank line does, or nothing closes it. */
const isFrontMatter = (rest: readonly string[]): boolean => {
  const next = rest.find((line) => !blank.test(line)) ?? "";
  if (keyLine.test(next) || closing.test(next)) return true;
  return !blank.test(rest[0] ?? "") && rest.some((line) => closing.test(line));
};

const endOfUnclosed = (rest: readonly string[]): number => {
  const key = rest.findIndex((line) => !blank.test(line));
  const end = rest.findIndex((line, at) => at > key && (blank.test(line) || /^#+[ \t]/.test(line)));
  return end === -1 ? rest.length : end;
};
