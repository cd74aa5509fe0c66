/** Parses JSON; undefined if it is invalid. The parser's own error would quote the text, which may be secret. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
