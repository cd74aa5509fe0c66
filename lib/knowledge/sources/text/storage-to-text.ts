import type { Charge } from "../source.ts";
import { createHtmlHandler } from "./html-handler.ts";
import { createHtmlReader, type MarkupHandler, writeCharged } from "./html-reader.ts";
import { createTextWriter, type TextWriter } from "./text-writer.ts";

/** The text of Confluence's storage format (XHTML with `ac:` and `ri:` elements) as a reader sees it. */
export function storageToText(storage: string, charge: Charge): string {
  const writer = createTextWriter();
  const reader = createHtmlReader(createStorageHandler(writer), {
    recognizeCDATA: true,
    recognizeSelfClosing: true,
  });
  writeCharged(reader, storage, charge);
  reader.end();
  return writer.take();
}

/** Parameters of macros, ids and fallbacks that are shown to nobody, or twice. */
const hiddenElements = new Set([
  "ac:parameter",
  "ac:task-id",
  "ac:task-uuid",
  "ac:task-status",
  "ac:placeholder",
  "ac:adf-attribute",
  "ac:adf-fallback",
]);

/** What HTML says the same with. */
const likeHtml: Readonly<Record<string, string>> = {
  "ac:plain-text-body": "pre",
  "ac:rich-text-body": "p",
  "ac:layout-cell": "p",
  "ac:adf-content": "p",
  "ac:caption": "div",
  "ac:task-list": "ul",
  "ac:task": "li",
};

/** Parameters of macros that are shown. */
const shownParameters = new Set(["title", "key"]);

function createStorageHandler(writer: TextWriter): MarkupHandler {
  const html = createHtmlHandler(writer);
  const macros: string[] = [];
  let hidden = 0;
  let isTitle = false;
  /** The title of a link's target, shown when the link has no text of its own. */
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
      html.open(likeHtml[name] ?? name, attributes);
    },
    text: (value) => {
      if (hidden === 0) html.text(value);
    },
    close: (name) => {
      if (hidden > 0) {
        hidden -= 1;
        return;
      }
      html.close(likeHtml[name] ?? name);
      if (Object.hasOwn(ends, name)) ends[name]?.();
    },
  };
}
