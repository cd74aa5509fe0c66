/** A markdown file split into front matter and body. */
export type SplitFile = {
  /** Lines of the front matter, and the number of the first in the file, from 1. */
  frontMatter: { lines: string[]; firstLine: number; isClosed: boolean } | undefined;
  body: string;
};

const opening = /^---[ \t]*$/;
const closing = /^(?:---|\.\.\.)[ \t]*$/;
const keyLine = /^["']?[A-Za-z_][\w.-]*(?: +[\w.-]+)*["']?[ \t]*:(?:[ \t]|$)/;
const blank = /^[ \t]*$/;

/**
 * Splits front matter from instructions. Accepts a byte order mark, other line endings and leading blank
 * lines. Unclosed front matter ends at its first blank line.
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
  const end = isClosed ? close : findUnclosedEnd(rest);
  return {
    frontMatter: { lines: rest.slice(0, end), firstLine: start + 2, isClosed },
    body: rest.slice(isClosed ? end + 1 : end).join("\n"),
  };
};

/** Returns whether a first `---` starts front matter; otherwise it is a horizontal rule. */
const isFrontMatter = (rest: readonly string[]): boolean => {
  const next = rest.find((line) => !blank.test(line)) ?? "";
  if (keyLine.test(next) || closing.test(next)) return true;
  return !blank.test(rest[0] ?? "") && rest.some((line) => closing.test(line));
};

const findUnclosedEnd = (rest: readonly string[]): number => {
  const key = rest.findIndex((line) => !blank.test(line));
  const end = rest.findIndex((line, at) => at > key && (blank.test(line) || /^#+[ \t]/.test(line)));
  return end === -1 ? rest.length : end;
};
