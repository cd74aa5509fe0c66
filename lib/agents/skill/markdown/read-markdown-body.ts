import { Marked, type Token, type Tokens } from "marked";

/** A link or image with its text. */
export type BodyLink = { href: string; text: string };

/** The outline of a markdown text. */
export type BodyOutline = {
  /** The first heading of the highest level; undefined without one. */
  title: string | undefined;
  /** The heading that the text starts with, of any level; undefined without one. */
  firstHeading: string | undefined;
  firstParagraph: string | undefined;
  links: BodyLink[];
};

/** Markdown that nests or repeats too deeply to be read. */
export class MarkdownLimitError extends Error {
  override readonly name = "MarkdownLimitError";
}

/**
 * Reads title, first paragraph and links. Throws MarkdownLimitError for markdown that nests too deeply. A
 * megabyte takes 0.2 s, of very short list items 1.5 s; hostile markdown takes minutes: run it in the sandbox.
 */
export const readMarkdownBody = (markdown: string): BodyOutline => {
  try {
    return outline(markdown);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new MarkdownLimitError("nests too deeply to be read", {
        cause: error,
      });
    }
    throw error;
  }
};

const outline = (markdown: string): BodyOutline => {
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  const links: BodyLink[] = [];
  void marked.walkTokens(tokens, (token) => {
    if (isLink(token)) links.push({ href: token.href, text: plainText(token) });
  });
  const texts = (wanted: (token: Token) => boolean): string | undefined => {
    for (const token of tokens) {
      const text = wanted(token) ? plainText(token) : "";
      if (text !== "") return text;
    }
    return undefined;
  };
  const first = tokens.find(({ type }) => type !== "space" && type !== "html" && type !== "def");
  return {
    title: texts((token) => isHeading(token) && token.depth === 1),
    firstHeading: texts((token) => token === first && isHeading(token)),
    firstParagraph: texts(({ type }) => type === "paragraph"),
    links,
  };
};

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
const isLink = (token: Token): token is Tokens.Link | Tokens.Image =>
  token.type === "link" || token.type === "image";

/** Returns the rendered text of a token, on one line. */
const plainText = (token: Token): string => shown(token).replaceAll(/\s+/g, " ").trim();

const shown = (token: Token): string => {
  if (token.type === "br") return " ";
  if (token.type === "html") return "";
  if ("tokens" in token && token.tokens) return token.tokens.map(shown).join("");
  return "text" in token && typeof token.text === "string" ? token.text : "";
};
