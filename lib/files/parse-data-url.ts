/** Content of a `data:` URL. `mediaType`: without parameters; undefined for none. */
export type DataUrl = { readonly mediaType: string | undefined; readonly base64: string };

const head = /^data:([^,;]{0,200})((?:;[^,;]{0,200}){0,10}),/i;

/** Returns whether a text is a `data:` URL, which has the content of a file in it. */
export const isDataUrl = (text: string): boolean => /^data:/i.test(text);

/** Reads a `data:` URL (RFC 2397); undefined for another text. */
export const parseDataUrl = (text: string): DataUrl | undefined => {
  const [beginning, type = "", parameters = ""] = head.exec(text) ?? [];
  if (beginning === undefined) return undefined;
  const mediaType = type.trim().toLowerCase() || undefined;
  const data = text.slice(beginning.length);
  if (/;\s*base64\s*$/i.test(parameters)) return { mediaType, base64: data };
  try {
    const content = Buffer.from(decodeURIComponent(data));
    return { mediaType, base64: content.toString("base64") };
  } catch {
    return undefined;
  }
};
