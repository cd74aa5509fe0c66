import type { ReplySource, ReplySources } from "../../chat-provider.ts";

/** Formats a source without markup. */
export const plainSource = ({ title, link }: ReplySource): string =>
  link === null ? title : `${title}: ${link}`;

/** Formats a source as a link in Markdown; `quotes` are put around the address. */
export const markdownSource = (
  { title, link }: ReplySource,
  [before, after]: readonly [string, string] = ["", ""],
): string => {
  const label = title.replaceAll(/[\\`*_{}[\]<>()#|~]/g, "\\$&");
  if (link === null) return label;
  return `[${label}](${before}${link.replaceAll(/[()<>\\]/g, percentEncode)}${after})`;
};

/** Also encodes parentheses, which encodeURIComponent leaves. */
const percentEncode = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** Appends a list of sources to a text that is in the provider's markup. */
export const withSources = (
  text: string,
  sources: ReplySources | undefined,
  format: (source: ReplySource) => string,
  bullet = "• ",
): string => {
  if (!sources) return text;
  const lines = sources.items.map((source) => `${bullet}${format(source)}`);
  return `${text}${text === "" ? "" : "\n\n"}${[sources.heading, ...lines].join("\n")}`;
};
