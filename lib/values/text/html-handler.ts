import type { MarkupHandler } from "./html-reader.ts";
import type { TextWriter } from "./text-writer.ts";

const hiddenElements = new Set(
  "script style title template noscript noembed noframes iframe object embed svg math audio video canvas map datalist".split(
    " ",
  ),
);
const paragraphs = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote table hr dl figure fieldset details".split(" "),
);
const lines = new Set(
  "div section article header footer main nav aside address dt dd summary figcaption caption thead tbody tfoot form legend option body hgroup search center".split(
    " ",
  ),
);
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** Creates a handler that writes HTML as text. */
export const createHtmlHandler = (writer: TextWriter): MarkupHandler => {
  const lists: { next: number | undefined }[] = [];
  let hidden = 0;
  let preformatted = 0;

  const breakAround = (name: string) => {
    if (paragraphs.has(name)) writer.paragraph();
    else if (lines.has(name)) writer.line();
  };

  const nextMarker = () => {
    const list = lists.at(-1);
    if (list?.next === undefined) return "- ";
    list.next += 1;
    return `${list.next - 1}. `;
  };

  const starts: Record<string, (attributes: Readonly<Record<string, string>>) => void> = {
    br: () => writer.lineBreak(),
    img: ({ alt = "" }) => writer.text(alt),
    q: () => writer.text("“"),
    ul: () => {
      lists.push({ next: undefined });
      writer.list(1);
    },
    ol: ({ start }) => {
      lists.push({ next: start !== undefined && /^-?\d{1,9}$/.test(start) ? Number(start) : 1 });
      writer.list(1);
    },
    li: () => writer.item(nextMarker()),
    tr: () => writer.row(),
    td: () => writer.cell(),
    th: () => writer.cell(),
    pre: () => {
      writer.paragraph();
      preformatted += 1;
    },
  };

  const endList = () => {
    lists.pop();
    writer.list(-1);
  };
  const ends: Record<string, () => void> = {
    q: () => writer.text("”"),
    ul: endList,
    ol: endList,
    li: () => writer.line(),
    tr: () => writer.row(),
    td: () => writer.endCell(),
    th: () => writer.endCell(),
    pre: () => {
      preformatted -= 1;
      writer.paragraph();
    },
  };

  return {
    open: (name, attributes) => {
      if (hidden > 0 || isHidden(name, attributes)) {
        hidden += 1;
        return;
      }
      breakAround(name);
      if (Object.hasOwn(starts, name)) starts[name]?.(attributes);
    },
    text: (value) => {
      if (hidden > 0) return;
      if (preformatted > 0) writer.raw(value);
      else writer.text(value);
    },
    close: (name) => {
      if (hidden > 0) {
        hidden -= 1;
        return;
      }
      if (Object.hasOwn(ends, name)) ends[name]?.();
      breakAround(name);
    },
  };
};

const isHidden = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  hiddenElements.has(name) ||
  Object.hasOwn(attributes, "hidden") ||
  hiddenStyle.test(attributes.style ?? "");
