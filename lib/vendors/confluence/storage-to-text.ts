import type { Charge } from "../../values/text/charge.ts";
import { createHtmlHandler } from "../../values/text/html-handler.ts";
import {
  createHtmlReader,
  type MarkupHandler,
  writeCharged,
} from "../../values/text/html-reader.ts";
import { createTextWriter, type TextWriter } from "../../values/text/text-writer.ts";

/** Converts Confluence's storage format (XHTML with `ac:` and `ri:` elements) to text. */
export const storageToText = (storage: string, charge: Charge): string => {
  const writer = createTextWriter();
  const reader = createHtmlReader(createStorageHandler(writer), {
    recognizeCDATA: true,
    recognizeSelfClosing: true,
  });
  writeCharged(reader, storage, charge);
  reader.end();
  return writer.take();
};

/** Elements that readers do not see, or that repeat other content. */
const hiddenElements = new Set([
  "ac:parameter",
  "ac:task-id",
  "ac:task-uuid",
  "ac:task-status",
  "ac:placeholder",
  "ac:adf-attribute",
  "ac:adf-fallback",
]);

/** HTML equivalents of storage elements. */
const htmlEquivalents: Readonly<Record<string, string>> = {
  "ac:plain-text-body": "pre",
  "ac:rich-text-body": "p",
  "ac:layout-cell": "p",
  "ac:adf-content": "p",
  "ac:caption": "div",
  "ac:task-list": "ul",
  "ac:task": "li",
};

/** Macro parameters that readers see. */
const shownParameters = new Set(["title", "key"]);

const createStorageHandler = (writer: TextWriter): MarkupHandler => {
  const html = createHtmlHandler(writer);
  const macros: string[] = [];
  let hidden = 0;
  let isTitle = false;
  /** The title of a link's target, written if the link has no text. */
  let target: string | undefined;

  const isShown = (name: string, attributes: Readonly<Record<string, string>>) =>
    !hiddenElements.has(name) ||
    (name === "ac:parameter" && shownParameters.has(attributes["ac:name"] ?? ""));

  const starts: Record<string, (attributes: Readonly<Record<string, string>>) => void> = {
    "ac:structured-macro": ({ "ac:name": name = "" }) => {
      macros.push(name);
    },
    "ac:parameter": () => {
      isTitle = !["status", "jira"].includes(macros.at(-1) ?? "");
      if (isTitle) writer.paragraph();
    },
    "ac:link": () => {
      target = "";
    },
    "ac:link-body": () => {
      target = undefined;
    },
    "ac:plain-text-link-body": () => {
      target = undefined;
    },
    "ri:page": ({ "ri:content-title": title = "" }) => {
      if (target !== undefined) target = title;
    },
    "ri:blog-post": ({ "ri:content-title": title = "" }) => {
      if (target !== undefined) target = title;
    },
    "ri:attachment": ({ "ri:filename": name = "" }) => {
      if (target !== undefined) target = name;
    },
    "ac:image": ({ "ac:alt": alt = "" }) => writer.text(alt),
    "ac:emoticon": ({ "ac:emoji-fallback": emoji = "" }) => writer.text(emoji),
    time: ({ datetime = "" }) => writer.text(datetime),
  };
  const ends: Record<string, () => void> = {
    "ac:structured-macro": () => {
      macros.pop();
    },
    "ac:parameter": () => {
      if (isTitle) writer.paragraph();
    },
    "ac:link": () => {
      writer.text(target ?? "");
      target = undefined;
    },
  };

  return {
    open: (name, attributes) => {
      if (hidden > 0 || !isShown(name, attributes)) {
        hidden += 1;
        return;
      }
      if (Object.hasOwn(starts, name)) starts[name]?.(attributes);
      html.open(htmlEquivalents[name] ?? name, attributes);
    },
    text: (value) => {
      if (hidden === 0) html.text(value);
    },
    close: (name) => {
      if (hidden > 0) {
        hidden -= 1;
        return;
      }
      html.close(htmlEquivalents[name] ?? name);
      if (Object.hasOwn(ends, name)) ends[name]?.();
    },
  };
};
