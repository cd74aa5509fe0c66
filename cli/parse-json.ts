/** The JSON in a text; undefined for any other text. A parser's own error would quote the secret. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
