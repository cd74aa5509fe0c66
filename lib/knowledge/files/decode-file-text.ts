/** Returns whether bytes begin with the byte order mark of UTF-16. */
export const isUtf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

/** Decodes a text: by its byte order mark, else by the charset of its media type, else as UTF-8. */
export const decodeFileText = (bytes: Uint8Array, contentType: string): string => {
  if (isUtf16(bytes)) {
    return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  }
  const charset = /charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? "utf-8";
  return createDecoder(charset).decode(bytes);
};

const createDecoder = (charset: string) => {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};
