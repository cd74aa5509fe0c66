import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { isWebLink } from "./is-web-link.ts";

/** Elements that Markdown becomes. There are no others: HTML and images of a text are shown as text. */
type MarkdownTag =
  | ("p" | "blockquote" | "ul" | "ol" | "li" | "pre" | "code" | "hr" | "br")
  | ("strong" | "em" | "del" | "a" | "table" | "thead" | "tbody" | "tr" | "th" | "td");

/** A part of a text to show: a text, or an element. */
export type MarkdownNode =
  | string
  | {
      tag: MarkdownTag;
      children: readonly MarkdownNode[];
      /** Address of a link: `http`, `https` or `mailto`. */
      href?: string;
      /** Number of the first item of a list. */
      start?: number;
      isHeading?: boolean;
    };

/** Longer texts, and deeper parts of a text, are shown as they are. */
const [longestText, deepest] = [50_000, 12];

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const largestCodePoint = 0x10ffff;

const decodeEntity = (whole: string, name: string): string => {
  if (!name.startsWith("#")) return entities[name] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= largestCodePoint ? String.fromCodePoint(code) : whole;
};

const decode = (text: string): string =>
  text.replace(/&(#\d{1,7}|#[Xx][0-9A-Fa-f]{1,6}|[a-z]{2,4});/g, decodeEntity);

/** Parses Markdown to the elements that show it; undefined for a text that is shown as it is. */
export const parseMarkdown = (text: string): readonly MarkdownNode[] | undefined => {
  if (text.length > longestText) return undefined;
  try {
    return toNodes(lexer(text, { gfm: true, breaks: true }), 0);
  } catch {
    // A text may nest deeper than the parser can follow.
    return undefined;
  }
};

const toNodes = (tokens: readonly Token[] | undefined, depth: number): MarkdownNode[] =>
  (tokens ?? []).flatMap((token) => toNode(token, depth + 1));

/** Reports whether a token is one of the parser's own: it has no extensions. */
const isKnown = (token: Token): token is MarkedToken => token.type !== "generic";

const toNode = (token: Token, depth: number): MarkdownNode | MarkdownNode[] => {
  if (!isKnown(token) || depth > deepest) return token.raw;
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return { tag: "p", isHeading: true, children: toNodes(token.tokens, depth) };
    case "paragraph":
      return { tag: "p", children: toNodes(token.tokens, depth) };
    case "blockquote":
    case "strong":
    case "em":
    case "del":
      return { tag: token.type, children: toNodes(token.tokens, depth) };
    case "hr":
    case "br":
      return { tag: token.type, children: [] };
    case "code":
      return { tag: "pre", children: [{ tag: "code", children: [token.text] }] };
    case "codespan":
      return { tag: "code", children: [token.text] };
    case "list":
      return toList(token, depth);
    case "table":
      return toTable(token, depth);
    case "link":
      return toLink(token.href, toNodes(token.tokens, depth));
    case "image":
      return toLink(token.href, [decode(token.text) || token.href]);
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "escape":
      return token.text;
    case "text":
      return token.tokens ? toNodes(token.tokens, depth) : decode(token.text);
    default:
      return token.raw;
  }
};

const toLink = (href: string, children: readonly MarkdownNode[]): MarkdownNode | MarkdownNode[] =>
  isWebLink(href) || /^mailto:/i.test(href) ? { tag: "a", href, children } : [...children];

const toList = ({ ordered, start, items }: Tokens.List, depth: number): MarkdownNode => ({
  tag: ordered ? "ol" : "ul",
  ...(ordered && start !== "" && start !== 1 && { start }),
  children: items.map((item) => ({ tag: "li", children: toNodes(item.tokens, depth) })),
});

const toTable = ({ header, rows }: Tokens.Table, depth: number): MarkdownNode => {
  const toRow = (cells: readonly Tokens.TableCell[], tag: "th" | "td"): MarkdownNode => ({
    tag: "tr",
    children: cells.map(({ tokens }) => ({ tag, children: toNodes(tokens, depth) })),
  });
  return {
    tag: "table",
    children: [
      { tag: "thead", children: [toRow(header, "th")] },
      { tag: "tbody", children: rows.map((cells) => toRow(cells, "td")) },
    ],
  };
};
